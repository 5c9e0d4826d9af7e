import type { CheckoutSession, Payment, Tillfront } from '../kit/types.js';
import { brandHeader, paint } from './brand.js';
import { h } from './dom.js';
import { CheckoutFlow } from './flow.js';
import type { UnavailableReason, View } from './view.js';
import { LanguageChoice } from './language-choice.js';
import { fallbackLanguage, type Language, type MessageKey } from './messages.js';
import type { Merchant } from './merchant.js';
import type { ReturnFlow } from './return-flow.js';
import { summary, type Owed } from './summary.js';
import { TabMemory } from './tab-memory.js';
import { ChooseView } from './views/choose-view.js';
import { codeView } from './views/code-view.js';
import { mayStillArrive, otherAmount, outcomeOf } from './outcome.js';
import { declinedNews } from './views/declined-news.js';
import { elsewhereView } from './views/elsewhere-view.js';
import {
  confirmingView,
  endedView,
  outcomeView,
  partialView,
  unavailableView,
} from './views/outcome-view.js';
import { redirectView } from './views/redirect-view.js';
import { returnLink } from './views/return-link.js';
import { transferView } from './views/transfer-view.js';
import { unsupportedView } from './views/unsupported-view.js';
import { ussdView } from './views/ussd-view.js';
import type { RenderedView, ViewContext } from './views/view-context.js';

/** Views of a final result. They are announced when they appear. */
const SPOKEN = new Set<View['kind']>(['confirming', 'partial', 'outcome', 'ended', 'unavailable']);

/** Views without a way back to the shop below them: they offer it themselves, or have nothing to go back from. */
const OWN_WAY_BACK = new Set<View['kind']>(['loading', 'outcome', 'ended']);

/** After these views no card is used again. */
const OVER = new Set<View['kind']>(['outcome', 'ended', 'unavailable']);

/** What leads the payer, and by what the payer pays. */
export interface Lead {
  flow: CheckoutFlow | ReturnFlow | undefined;
  kit: Tillfront | undefined;
  memory: TabMemory | undefined;
  /** Begins anew, where there is no flow yet. */
  restart: () => void;
  /** The payer has chosen a language. */
  speak: (tag: string) => void;
}

/** What a page around the element says in its own title. */
export interface PageWords {
  /** For `lang` and `dir`. */
  locale: string;
  direction: Language['direction'];
  /** What the page is. */
  name: string;
  /** What it shows now, in a few words: `Checkout`, `Error: Checkout`, `Paid`. */
  title: string;
}

/** What `/kit/merchant.json` said. `foreign` and `silent`: see `loadMerchant`. */
export type Known = Merchant | 'foreign' | 'silent' | undefined;

/** The visible part of the element: who is paid, what is owed, the news, the view, and the way back. */
export class Stage {
  readonly element: HTMLElement;
  language: Language = fallbackLanguage;
  readonly #host: HTMLElement;
  readonly #lead: Lead;
  readonly #who = h('div', { class: 'who' });
  readonly #summary = h('div', { class: 'summary' });
  readonly #main = h('div', { class: 'main' });
  /** Added to the page before it has any text, because screen readers announce only later changes. */
  readonly #warning = h('p', { class: 'notice', role: 'status' });
  readonly #spoken = h('div', { class: 'spoken', role: 'status', 'aria-live': 'polite' });
  readonly #leave = h('div', { class: 'leave' });
  readonly #announcer = h('p', { class: 'unseen', role: 'status' });
  readonly #languages: LanguageChoice;
  readonly #tell: (words: PageWords) => void;
  #merchant: Known;
  #choose: { session: string; language: Language; view: ChooseView } | undefined;
  #current: RenderedView | undefined;
  #hasBegun = false;
  #avoided: Payment['method'] | undefined;
  #shown: Parameters<Stage['show']> | undefined;

  /** `tell`: hears what the page around the element may say in its title. */
  constructor(host: HTMLElement, lead: Lead, tell: (words: PageWords) => void) {
    this.#host = host;
    this.#lead = lead;
    this.#tell = tell;
    this.#languages = new LanguageChoice((tag) => lead.speak(tag));
    const parts = [
      this.#who,
      this.#summary,
      this.#warning,
      this.#spoken,
      this.#main,
      this.#leave,
      this.#languages.element,
      this.#announcer,
    ];
    this.element = h('div', { class: 'frame' }, ...parts);
  }

  /** Says everything in this language, what is shown already too. What was typed stays. */
  speak(language: Language): void {
    this.language = language;
    this.element.lang = language.locale;
    this.element.dir = language.direction;
    this.#languages.show(language);
    if (this.#shown !== undefined) this.#draw(this.#shown, false);
  }

  /** Shows who is paid, in their colours. */
  meet(merchant: Known, baseUrl: string): void {
    this.#merchant = merchant;
    // only now it is known why
    if (this.#shown?.[0].kind === 'unavailable') this.#draw(this.#shown, true);
    if (typeof merchant !== 'object') return;
    paint(this.#host, merchant);
    this.#who.replaceChildren(...brandHeader(baseUrl, merchant));
  }

  retrying(offline: boolean): void {
    this.#current?.onRetry?.(offline);
  }

  /** Empties it, the card's fields too. */
  clear(): void {
    this.#choose?.view.forgetCard();
    this.#choose = undefined;
    this.#current?.dispose?.();
    this.#current = undefined;
    this.#hasBegun = false;
    this.#merchant = undefined;
    this.#shown = undefined;
    for (const part of [this.#who, this.#summary, this.#warning, this.#main, this.#spoken, this.#leave])
      part.replaceChildren();
  }

  show(view: View, session: CheckoutSession | undefined, owed: Owed | undefined = session): void {
    this.#shown = [view, session, owed];
    this.#draw(this.#shown, true);
  }

  /** `isNew`: the payer's focus goes where the news is. */
  #draw([view, session, owed]: Parameters<Stage['show']>, isNew: boolean): void {
    const context = this.#context(session);
    const rendered = this.#render(view, context);
    const isSame = rendered === this.#current;
    if (!isSame) this.#current?.dispose?.();
    this.#current = rendered;
    if (OVER.has(view.kind)) this.#choose?.view.forgetCard();
    if (captionOf(view) === 'paid') context.memory.forgetForm();
    // While nothing is known yet, the word of waiting stands where the amount will be: so nothing moves when it comes.
    const waits = view.kind === 'loading' && owed === undefined;
    this.#summary.replaceChildren(
      ...(waits ? [rendered.element] : summary(this.language, owed, captionOf(view))),
    );
    if (waits) for (const part of [this.#spoken, this.#main]) part.replaceChildren();
    else if (!isSame) {
      // the first view must not take the focus from the page
      const takesFocus = isNew && this.#hasBegun && view.kind !== 'loading';
      // what has the focus is read then: as a live region it would be read twice
      this.#spoken.setAttribute('aria-live', takesFocus || !isNew ? 'off' : 'polite');
      this.#place(rendered, SPOKEN.has(view.kind) || (view.kind === 'redirect' && view.stage === 'returned'));
      if (takesFocus) rendered.focus.focus();
    }
    if (view.kind !== 'loading') this.#hasBegun = true;
    // it comes with the first view, so that nothing moves
    this.#languages.element.hidden = !(this.#hasBegun && this.#host.hasAttribute('language-choice'));
    const isForm = view.kind === 'choose' || view.kind === 'declined';
    if (!isForm) this.#warning.textContent = '';
    else if (!isNew && this.#warning.textContent !== '') this.warn();
    this.#offerReturn(view, context);
    this.#host.dataset['view'] = view.kind;
    this.#entitle(false);
  }

  /** The same words again are read again only when they were gone in between. */
  #announce(text: string): void {
    this.#announcer.textContent = '';
    setTimeout(() => (this.#announcer.textContent = text), 50);
  }

  #entitle(isWrong: boolean): void {
    const { locale, direction, t } = this.language;
    const [view] = this.#shown ?? [];
    const heading = this.element.querySelector('h2[tabindex]')?.textContent;
    const title = view && captionOf(view) === 'paid' ? t('paid') : (heading ?? t('checkout'));
    const name = t('checkout');
    this.#tell({ locale, direction, name, title: isWrong ? t('errorTitle', { title }) : title });
  }

  /** Little time is left to begin a payment. */
  warn(): void {
    const text = this.language.t('session.soon');
    if (this.#warning.textContent !== text) this.#warning.textContent = text;
  }

  /** Says that this page belongs elsewhere, and links there. */
  pointTo(href: string): void {
    this.#summary.replaceChildren();
    this.#place(elsewhereView(this.#context(undefined), href), true);
    this.#host.dataset['view'] = 'elsewhere';
  }

  #place({ element, news }: RenderedView, isSpoken: boolean): void {
    const [spoken, main] = news !== undefined ? [news, element] : isSpoken ? [element] : [undefined, element];
    this.#spoken.replaceChildren(...(spoken ? [spoken] : []));
    this.#main.replaceChildren(...(main ? [main] : []));
  }

  #offerReturn(view: View, context: ViewContext): void {
    const isLeaving = view.kind === 'redirect' && view.stage === 'leaving';
    const link =
      !isLeaving && !OWN_WAY_BACK.has(view.kind)
        ? returnLink(context, 'payment' in view ? view.payment : undefined)
        : undefined;
    this.#leave.replaceChildren(...(link ? [link] : []));
  }

  #context(session: CheckoutSession | undefined): ViewContext {
    const { flow, restart } = this.#lead;
    return {
      flow: flow as CheckoutFlow,
      restart: async () => (flow === undefined ? restart() : flow.start()),
      canPay: flow instanceof CheckoutFlow,
      language: this.language,
      session,
      now: () => this.#lead.kit?.serviceTime(),
      announce: (text) => this.#announce(text),
      returnLink: this.#host.hasAttribute('return-link'),
      shop: typeof this.#merchant === 'object' ? (this.#merchant.name ?? undefined) : undefined,
      busy: (isBusy) => (this.#leave.hidden = this.#languages.isBusy = isBusy),
      avoid: (method) => (this.#avoided = method),
      memory: this.#lead.memory ?? new TabMemory(''),
      wrong: (isWrong) => this.#entitle(isWrong),
    };
  }

  #render(view: View, context: ViewContext): RenderedView {
    switch (view.kind) {
      case 'loading':
        return this.#loading();
      case 'choose':
        return this.#formView(context, view.session);
      case 'declined':
        return this.#declinedView(context, view.session, view.payment);
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
        return confirmingView(context, view.elsewhere);
      case 'partial':
        return partialView(context, view.payment, otherAmount());
      case 'outcome':
        return outcomeView(context, view.payment);
      case 'ended':
        return endedView(context, view.session, view.reason);
      case 'unavailable':
        return unavailableView(context, this.#reason(view.reason), this.#detail);
    }
  }

  /** A wrong address looks like a poor connection from inside of a page. */
  #reason(reason: UnavailableReason): UnavailableReason {
    return reason === 'connection' && this.#merchant === 'foreign' ? 'setup' : reason;
  }

  /** What whoever builds the shop has to mend. */
  get #detail(): string | undefined {
    const { t } = this.language;
    const address = this.#host.getAttribute('base-url') ?? '';
    const merchant = this.#merchant;
    if (address === '') return t('detail.noAddress');
    if (merchant === 'foreign') return t('detail.foreign', { address });
    if (merchant === 'silent') return t('detail.silent', { address });
    if (merchant?.refusedOrigin) return t('detail.origin', { origin: merchant.refusedOrigin });
    if (!this.#host.hasAttribute('client-token')) return t('detail.noToken');
    return this.#host.hasAttribute('framed') ? t('detail.frame') : undefined;
  }

  #chooseView(context: ViewContext, session: CheckoutSession): ChooseView {
    const { language } = this;
    if (this.#choose?.session !== session.id || this.#choose.language !== language) {
      const before = this.#choose?.session === session.id ? this.#choose.view : undefined;
      const view = new ChooseView(context, this.#lead.kit as Tillfront, session);
      if (before) view.takeOver(before);
      this.#choose = { session: session.id, language, view };
    }
    const { view } = this.#choose;
    if (this.#avoided !== undefined) view.avoid(this.#avoided);
    this.#avoided = undefined;
    return view;
  }

  /** The form, and above it a warning for those who have perhaps paid already. */
  #formView(context: ViewContext, session: CheckoutSession): RenderedView {
    const form = this.#chooseView(context, session);
    const isMaybePaid = session.payments.some((payment) =>
      mayStillArrive(payment, context.flow.partOf(payment.id)),
    );
    if (!isMaybePaid) return form;
    const news = h('p', { class: 'notice' }, this.language.t('ifSent.any'));
    return {
      element: form.element,
      news,
      focus: form.focus,
      onRetry: (offline) => form.onRetry(offline),
      dispose: () => form.dispose(),
    };
  }

  /** The form as it was filled in, and above it why the payment failed. */
  #declinedView(context: ViewContext, session: CheckoutSession, payment: Payment): RenderedView {
    const form = this.#chooseView(context, session);
    const { element: news, focus } = declinedNews(context, payment, () => {
      form.forgetCard();
      context.avoid(payment.method);
      return context.flow.chooseAgain();
    });
    return {
      element: form.element,
      news,
      focus,
      onRetry: (offline) => form.onRetry(offline),
      dispose: () => form.dispose(),
    };
  }

  #loading(): RenderedView {
    const { t } = this.language;
    const element = h('p', { class: 'loading', role: 'status' }, t('loading'));
    const onRetry = (offline: boolean): void => {
      const text = t(offline ? 'offline' : 'retrying');
      // a live region reads out whatever is put into it, the same words too
      if (element.textContent !== text) element.textContent = text;
    };
    return { element, focus: element, onRetry };
  }
}

/** What the amount above a view is. */
function captionOf(view: View): MessageKey {
  if (view.kind === 'ended') return view.reason === 'paid' ? 'paid' : 'toPay';
  if (view.kind !== 'outcome') return 'toPay';
  return outcomeOf(view.payment, { hasSent: false, hasLeft: false }, false).caption;
}
