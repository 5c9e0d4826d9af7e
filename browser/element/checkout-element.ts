import { createTillfront } from '../kit/client.js';
import { followRedirect } from '../kit/follow-redirect.js';
import { PaymentReader } from '../kit/payment-reader.js';
import { TillfrontError } from '../kit/tillfront-error.js';
import type { CheckoutSession, Payment, RedirectAction, TillfrontCheckoutElement } from '../kit/types.js';
import { CheckoutFlow } from './flow.js';
import type { View } from './view.js';
import { Framed } from './framed.js';
import { chosenLanguage } from './language-choice.js';
import { loadMerchant, type Merchant } from './merchant.js';
import { fallbackLanguage, findLanguage } from './messages.js';
import { openLink } from './open-link.js';
import { ReturnFlow } from './return-flow.js';
import { Stage, type Lead, type PageWords } from './stage.js';
import styles from './styles.css';
import type { Owed } from './summary.js';
import { TabMemory } from './tab-memory.js';

let sheet: CSSStyleSheet | undefined;

/** How long a view waits to learn who is paid, so that nothing moves when it is known. */
const BRAND_PATIENCE_MS = 1_500;

/** `<tillfront-checkout>`: the whole checkout of one session. See {@link TillfrontCheckoutElement}. */
export class TillfrontCheckout extends HTMLElement implements TillfrontCheckoutElement {
  static readonly observedAttributes = ['base-url', 'client-token', 'return-token', 'framed'];

  /** How the payer gets to their bank's or wallet's page. In a frame, the page around it goes there. */
  leaveBy: (action: RedirectAction) => void = followRedirect;

  /** Hears what the page around the element may say in its title, whenever that changes. */
  tellPage: (words: PageWords) => void = () => undefined;

  readonly #lead: Lead = {
    flow: undefined,
    kit: undefined,
    memory: undefined,
    restart: () => this.#begin(),
    speak: (tag) => void this.#choose(tag),
  };
  readonly #stage = new Stage(this, this.#lead, (words) => this.tellPage(words));
  /** Whether the language is one that the payer, or the page, wants. */
  #isUnderstood = false;
  /** The latest view, while it waits to learn who is paid. */
  #held: (() => void) | undefined;
  #holds = false;
  #framed: Framed | undefined;
  #begun = 0;

  get baseUrl(): string {
    return this.getAttribute('base-url') ?? '';
  }

  set baseUrl(url: string) {
    this.setAttribute('base-url', url);
  }

  get clientToken(): string {
    return this.getAttribute('client-token') ?? '';
  }

  set clientToken(token: string) {
    this.setAttribute('client-token', token);
  }

  connectedCallback(): void {
    adoptStyles(this.getRootNode());
    addEventListener('pageshow', this.#returned);
    document.addEventListener('visibilitychange', this.#returned);
    this.#begin();
  }

  disconnectedCallback(): void {
    removeEventListener('pageshow', this.#returned);
    document.removeEventListener('visibilitychange', this.#returned);
    this.#end();
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (this.isConnected && before !== after) this.#begin();
  }

  readonly #returned = (event: Event): void => {
    const isBack = event.type === 'pageshow' ? (event as PageTransitionEvent).persisted : !document.hidden;
    if (isBack) void this.#lead.flow?.refresh();
  };

  /** Attributes are often set one after another. This starts once, after the last one. */
  #begin(): void {
    // A page that still finds out what to show keeps its own words here meanwhile.
    if (this.baseUrl === '' && this.hasAttribute('waiting')) return;
    const turn = ++this.#begun;
    queueMicrotask(() => {
      if (turn === this.#begun && this.isConnected) void this.#start(turn);
    });
  }

  async #start(turn: number): Promise<void> {
    this.#end();
    const { baseUrl } = this;
    const meeting = this.#meet(baseUrl, turn);
    const language = await findLanguage(baseUrl, this.#wantedLanguages());
    if (!this.#isCurrent(turn)) return;
    this.#isUnderstood = language !== undefined;
    this.#stage.speak(language ?? fallbackLanguage);
    if (baseUrl === '' || !(this.hasAttribute('client-token') || this.hasAttribute('return-token'))) {
      this.#show({ kind: 'unavailable', reason: 'setup' }, undefined);
      return;
    }
    if (this.hasAttribute('framed')) {
      this.#show({ kind: 'loading' }, undefined);
      const merchant = await meeting;
      if (this.#isCurrent(turn)) this.#frame(merchant);
      return;
    }
    const returnToken = this.getAttribute('return-token');
    const flow = returnToken === null ? this.#sessionFlow() : await this.#returnFlow(returnToken, turn);
    if (!this.#isCurrent(turn)) return;
    this.#lead.flow = flow;
    if (flow === undefined) this.#show({ kind: 'unavailable', reason: 'token' }, undefined);
    else await flow.start();
  }

  #isCurrent(turn: number): boolean {
    return turn === this.#begun && this.isConnected;
  }

  /** Says that the page belongs elsewhere, and links there. Sends nothing. */
  pointTo(href: string): void {
    const turn = ++this.#begun;
    this.#end();
    void findLanguage(new URL('.', location.href).href, this.#wantedLanguages()).then((language) => {
      if (turn !== this.#begun) return;
      this.#stage.speak(language ?? fallbackLanguage);
      this.#stage.pointTo(href);
    });
  }

  /** Learns who is paid. Views wait a moment for it. Where the service refuses this page, nothing else is shown. */
  async #meet(baseUrl: string, turn: number): Promise<Merchant | 'foreign' | 'silent'> {
    if (baseUrl === '') return 'silent';
    const release = (): void => {
      this.#holds = false;
      this.#held?.();
      this.#held = undefined;
    };
    this.#holds = true;
    const timer = setTimeout(() => turn === this.#begun && release(), BRAND_PATIENCE_MS);
    const merchant = await loadMerchant(baseUrl);
    clearTimeout(timer);
    if (!this.#isCurrent(turn)) return merchant;
    this.#stage.meet(merchant, baseUrl);
    const isRefused = typeof merchant === 'object' && merchant.refusedOrigin !== null;
    if (isRefused || (merchant === 'foreign' && this.dataset['view'] === 'loading')) {
      if (isRefused) this.#lead.flow?.stop();
      this.#held = () => this.#stage.show({ kind: 'unavailable', reason: 'setup' }, undefined);
    }
    release();
    return merchant;
  }

  /** Shows the checkout in a frame, unless it is known that it could not work there. */
  #frame(merchant: Merchant | 'foreign' | 'silent'): void {
    if (typeof merchant === 'string') {
      this.#show({ kind: 'unavailable', reason: 'connection' }, undefined);
      return;
    }
    if (merchant.refusedOrigin !== null) return;
    const unavailable = (): void => {
      this.#framed?.stop();
      this.replaceChildren(this.#stage.element);
      this.#stage.show({ kind: 'unavailable', reason: 'setup' }, undefined);
    };
    this.#framed = new Framed(this, merchant.baseUrl, this.#stage.language.t('frame.title'), {
      view: (view) => (this.dataset['view'] = view),
      result: this.#report,
      silent: unavailable,
    });
    this.replaceChildren(this.#framed.element);
  }

  /** Starts the flow for the session of the client token. Undefined where the text cannot be a client token. */
  #sessionFlow(): CheckoutFlow | undefined {
    try {
      this.#lead.kit = createTillfront({
        baseUrl: this.baseUrl,
        clientToken: this.clientToken,
        onRetry: this.#retried,
      });
    } catch (error) {
      if (!(error instanceof TillfrontError)) throw error;
      return undefined;
    }
    const leave = (action: RedirectAction): void => this.leaveBy(action);
    const events = { show: this.#show, result: this.#report, leave, warn: () => this.#stage.warn() };
    this.#lead.memory = new TabMemory(this.clientToken.split('.')[0] ?? '');
    return new CheckoutFlow(
      this.#lead.kit,
      events,
      this.#lead.memory,
      this.getAttribute('payment') ?? undefined,
    );
  }

  /** What a link back from the bank opens: the session in the payer's own tab, otherwise only the result of its payment. */
  async #returnFlow(returnToken: string, turn: number): Promise<CheckoutFlow | ReturnFlow | undefined> {
    const { baseUrl, clientToken } = this;
    const reader = PaymentReader.of({ baseUrl, returnToken, onRetry: this.#retried });
    if (reader === undefined) return this.#sessionFlow();
    this.#show({ kind: 'loading' }, undefined);
    const { isOwn, payment } = await openLink(reader, clientToken);
    if (turn !== this.#begun) return undefined;
    if (isOwn) return this.#sessionFlow();
    const events = {
      show: (view: View, read: Payment | undefined) => this.#show(view, undefined, read),
      result: this.#report,
    };
    return new ReturnFlow(reader, events, payment);
  }

  readonly #retried = ({ offline }: { offline: boolean }): void => this.#stage.retrying(offline);

  #end(): void {
    this.#framed?.stop();
    this.#framed = undefined;
    this.replaceChildren(this.#stage.element);
    this.#lead.flow?.stop();
    this.#lead.flow = undefined;
    this.#lead.kit = undefined;
    this.#lead.memory = undefined;
    this.#held = undefined;
    this.#holds = false;
    this.#stage.clear();
  }

  #wantedLanguages(): string[] {
    const own = this.getAttribute('locale') ?? this.closest('[lang]')?.getAttribute('lang');
    const wanted = own ? own.split(',').map((tag) => tag.trim()) : [...navigator.languages];
    const chosen = this.hasAttribute('language-choice') ? chosenLanguage.recall() : undefined;
    return chosen === undefined ? wanted : [chosen, ...wanted];
  }

  async #choose(tag: string): Promise<void> {
    chosenLanguage.remember(tag);
    await this.#speak(tag);
  }

  async #speak(tag: string): Promise<void> {
    const turn = this.#begun;
    const language = await findLanguage(this.baseUrl, [tag]);
    if (turn !== this.#begun) return;
    this.#isUnderstood ||= language !== undefined;
    // a language that does not come changes nothing, and the choice shows the old one again
    this.#stage.speak(language ?? this.#stage.language);
  }

  readonly #report = (payment: Payment): void => {
    const detail = { status: payment.status, payment };
    this.dispatchEvent(new CustomEvent('tillfront-result', { detail, bubbles: true, composed: true }));
  };

  readonly #show = (
    view: View,
    session: CheckoutSession | undefined,
    owed: Owed | undefined = session,
  ): void => {
    // the shop knows its payers better than English does
    const locale = session?.locale;
    if (!this.#isUnderstood && locale) void this.#speak(locale);
    const show = (): void => this.#stage.show(view, session, owed);
    if (this.#holds && view.kind !== 'loading') this.#held = show;
    else show();
  };
}

/** Once for each tree that contains the element. A policy against inline styles does not block it. */
function adoptStyles(root: Node): void {
  if (!(root instanceof Document || root instanceof ShadowRoot)) return;
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}

if (customElements.get('tillfront-checkout') === undefined) {
  customElements.define('tillfront-checkout', TillfrontCheckout);
}
