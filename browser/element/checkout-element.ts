import { createTillfront } from '../kit/client.js';
import { PaymentReader } from '../kit/payment-reader.js';
import { TillfrontError } from '../kit/tillfront-error.js';
import type { CheckoutSession, Payment, Tillfront, TillfrontCheckoutElement } from '../kit/types.js';
import { h } from './dom.js';
import { CheckoutFlow, type View } from './flow.js';
import { fallbackLanguage, loadLanguage, type Language } from './messages.js';
import { openLink } from './open-link.js';
import { ReturnFlow } from './return-flow.js';
import styles from './styles.css';
import { summary, type Owed } from './summary.js';
import { TabMemory } from './tab-memory.js';
import { ChooseView } from './views/choose-view.js';
import { confirmingView, endedView, outcomeView, unavailableView } from './views/outcome-view.js';
import { codeView } from './views/code-view.js';
import { redirectView } from './views/redirect-view.js';
import { transferView } from './views/transfer-view.js';
import { unsupportedView } from './views/unsupported-view.js';
import { ussdView } from './views/ussd-view.js';
import type { RenderedView, ViewContext } from './views/view-context.js';

let sheet: CSSStyleSheet | undefined;

/** Views of a final result. They are announced when they appear. */
const SPOKEN = new Set<View['kind']>(['confirming', 'outcome', 'ended', 'unavailable']);

const GOOD = new Set<Payment['status']>(['succeeded', 'authorized']);

/** `<tillfront-checkout>`: the whole checkout of one session. See {@link TillfrontCheckoutElement}. */
export class TillfrontCheckout extends HTMLElement implements TillfrontCheckoutElement {
  static readonly observedAttributes = ['base-url', 'client-token', 'return-token'];

  readonly #summary = h('div', { class: 'summary' });
  readonly #main = h('div', { class: 'main' });
  /** Added to the page before it has any text, because screen readers announce only later changes. */
  readonly #spoken = h('div', { class: 'spoken', role: 'status', 'aria-live': 'polite' });
  readonly #announcer = h('p', { class: 'unseen', role: 'status' });
  readonly #frame = h('div', { class: 'frame' }, this.#summary, this.#main, this.#spoken, this.#announcer);
  #kit: Tillfront | undefined;
  #flow: CheckoutFlow | ReturnFlow | undefined;
  #language: Language = fallbackLanguage;
  #choose: { session: string; view: ChooseView } | undefined;
  #current: RenderedView | undefined;
  #begun = 0;
  #hasBegun = false;

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
    if (this.#frame.parentNode !== this) this.replaceChildren(this.#frame);
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
    if (isBack) void this.#flow?.refresh();
  };

  /** Attributes are often set one after another. This starts once, after the last one. */
  #begin(): void {
    const turn = ++this.#begun;
    queueMicrotask(() => {
      if (turn === this.#begun && this.isConnected) void this.#start(turn);
    });
  }

  async #start(turn: number): Promise<void> {
    this.#end();
    if (this.baseUrl === '') return;
    const language = await loadLanguage(this.baseUrl, this.#wantedLanguages());
    if (turn !== this.#begun || !this.isConnected) return;
    this.#language = language;
    this.#frame.lang = language.locale;
    this.#frame.dir = language.direction;
    const returnToken = this.getAttribute('return-token');
    const flow = returnToken === null ? this.#sessionFlow() : await this.#returnFlow(returnToken, turn);
    if (turn !== this.#begun || !this.isConnected) return;
    this.#flow = flow;
    if (flow === undefined) this.#show({ kind: 'unavailable', reason: 'token' }, undefined);
    else await flow.start();
  }

  /** Starts the flow for the session of the client token. Undefined where the text cannot be a client token. */
  #sessionFlow(): CheckoutFlow | undefined {
    try {
      this.#kit = createTillfront({
        baseUrl: this.baseUrl,
        clientToken: this.clientToken,
        onRetry: this.#retried,
      });
    } catch (error) {
      if (!(error instanceof TillfrontError)) throw error;
      return undefined;
    }
    const events = { show: this.#show, result: this.#report };
    const memory = new TabMemory(this.clientToken.split('.')[0] ?? '');
    return new CheckoutFlow(this.#kit, events, memory, this.getAttribute('payment') ?? undefined);
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

  readonly #retried = ({ offline }: { offline: boolean }): void => this.#current?.onRetry?.(offline);

  #end(): void {
    this.#flow?.stop();
    this.#flow = undefined;
    this.#kit = undefined;
    this.#choose = undefined;
    this.#current?.dispose?.();
    this.#current = undefined;
    this.#hasBegun = false;
    this.#summary.replaceChildren();
    this.#main.replaceChildren();
    this.#spoken.replaceChildren();
  }

  #wantedLanguages(): string[] {
    const own = this.getAttribute('locale') ?? this.closest('[lang]')?.getAttribute('lang');
    return own ? own.split(',').map((tag) => tag.trim()) : [...navigator.languages];
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
    const rendered = this.#render(view, session);
    const isPaid =
      view.kind === 'outcome'
        ? GOOD.has(view.payment.status)
        : view.kind === 'ended' && view.reason === 'paid';
    const isSame = rendered === this.#current;
    if (!isSame) this.#current?.dispose?.();
    this.#current = rendered;
    this.#summary.replaceChildren(...summary(this.#language, owed, isPaid));
    if (!isSame) {
      const isSpoken = SPOKEN.has(view.kind) || (view.kind === 'redirect' && view.stage === 'returned');
      const place = isSpoken ? this.#spoken : this.#main;
      (place === this.#main ? this.#spoken : this.#main).replaceChildren();
      place.replaceChildren(rendered.element);
      // the first view must not take the focus from the page
      if (this.#hasBegun && view.kind !== 'loading') rendered.focus.focus();
    }
    if (view.kind !== 'loading') this.#hasBegun = true;
    this.dataset['view'] = view.kind;
  };

  #render(view: View, session: CheckoutSession | undefined): RenderedView {
    const context: ViewContext = {
      flow: this.#flow as CheckoutFlow,
      restart: () => this.#flow?.start() ?? Promise.resolve(),
      canPay: this.#flow instanceof CheckoutFlow,
      language: this.#language,
      session,
      announce: (text) => (this.#announcer.textContent = text),
      returnLink: this.hasAttribute('return-link'),
    };
    switch (view.kind) {
      case 'loading':
        return this.#loading();
      case 'choose':
        return this.#chooseView(context, view.session);
      case 'otp':
      case 'pin':
        return codeView(context, view.payment, view.kind);
      case 'redirect':
        return redirectView(context, view.payment, view.stage);
      case 'transfer':
        return transferView(context, view.payment);
      case 'unsupported':
        return unsupportedView(context, view.payment);
      case 'ussd':
        return ussdView(context, view.payment);
      case 'confirming':
        return confirmingView(context);
      case 'outcome':
        return outcomeView(context, view.payment);
      case 'ended':
        return endedView(context, view.reason);
      case 'unavailable':
        return unavailableView(context, view.reason);
    }
  }

  #chooseView(context: ViewContext, session: CheckoutSession): ChooseView {
    if (this.#choose?.session !== session.id) {
      this.#choose = { session: session.id, view: new ChooseView(context, this.#kit as Tillfront, session) };
    }
    return this.#choose.view;
  }

  #loading(): RenderedView {
    const element = h('p', { class: 'loading', role: 'status' }, this.#language.t('loading'));
    return { element, focus: element };
  }
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
