import type { CheckoutSession, Payment, Tillfront } from '../kit/types.js';
import { brandHeader, paint } from './brand.js';
import { h } from './dom.js';
import { CheckoutFlow } from './flow.js';
import type { UnavailableReason, View } from './view.js';
import { fallbackLanguage, type Language, type MessageKey } from './messages.js';
import type { Merchant } from './merchant.js';
import type { ReturnFlow } from './return-flow.js';
import { summary, type Owed } from './summary.js';
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
  /** Begins anew, where there is no flow yet. */
  restart: () => void;
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
  #merchant: Known;
  #choose: { session: string; view: ChooseView } | undefined;
  #current: RenderedView | undefined;
  #hasBegun = false;
  /** What is shown, if it is that nothing can be shown. */
  #unavailable: Parameters<Stage['show']> | undefined;

  constructor(host: HTMLElement, lead: Lead) {
    this.#host = host;
    this.#lead = lead;
    const parts = [
      this.#who,
      this.#summary,
      this.#warning,
      this.#spoken,
      this.#main,
      this.#leave,
      this.#announcer,
    ];
    this.element = h('div', { class: 'frame' }, ...parts);
  }

  speak(language: Language): void {
    this.language = language;
    this.element.lang = language.locale;
    this.element.dir = language.direction;
  }

  /** Shows who is paid, in their colours. */
  meet(merchant: Known, baseUrl: string): void {
    this.#merchant = merchant;
    // only now it is known why
    if (this.#unavailable !== undefined) this.show(...this.#unavailable);
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
    this.#unavailable = undefined;
    for (const part of [this.#who, this.#summary, this.#warning, this.#main, this.#spoken, this.#leave])
      part.replaceChildren();
  }

  show(view: View, session: CheckoutSession | undefined, owed: Owed | undefined = session): void {
    this.#unavailable = view.kind === 'unavailable' ? [view, session, owed] : undefined;
    const context = this.#context(session);
    const rendered = this.#render(view, context);
    const isSame = rendered === this.#current;
    if (!isSame) this.#current?.dispose?.();
    this.#current = rendered;
    if (OVER.has(view.kind)) this.#choose?.view.forgetCard();
    // While nothing is known yet, the word of waiting stands where the amount will be: so nothing moves when it comes.
    const waits = view.kind === 'loading' && owed === undefined;
    this.#summary.replaceChildren(
      ...(waits ? [rendered.element] : summary(this.language, owed, captionOf(view))),
    );
    if (waits) for (const part of [this.#spoken, this.#main]) part.replaceChildren();
    else if (!isSame) {
      this.#place(rendered, SPOKEN.has(view.kind) || (view.kind === 'redirect' && view.stage === 'returned'));
      // the first view must not take the focus from the page
      if (this.#hasBegun && view.kind !== 'loading') rendered.focus.focus();
    }
    if (view.kind !== 'loading') this.#hasBegun = true;
    if (view.kind !== 'choose' && view.kind !== 'declined') this.#warning.textContent = '';
    this.#offerReturn(view, context);
    this.#host.dataset['view'] = view.kind;
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
      announce: (text) => (this.#announcer.textContent = text),
      returnLink: this.#host.hasAttribute('return-link'),
      shop: typeof this.#merchant === 'object' ? (this.#merchant.name ?? undefined) : undefined,
      busy: (isBusy) => (this.#leave.hidden = isBusy),
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
        return partialView(context, view.payment, otherAmount(view.payment));
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
    if (this.#choose?.session !== session.id) {
      const view = new ChooseView(context, this.#lead.kit as Tillfront, session);
      this.#choose = { session: session.id, view };
    }
    return this.#choose.view;
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
      element.textContent = t(offline ? 'offline' : 'retrying');
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
