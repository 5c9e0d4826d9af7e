import type { CheckoutSession, Payment } from '../../kit/types.js';
import type { CheckoutFlow } from '../flow.js';
import type { Language } from '../messages.js';
import type { FormMemory } from '../tab-memory.js';

/** What every view uses. */
export interface ViewContext {
  /** Present only where actions are possible. A page that only shows a payment does not have it. */
  flow: CheckoutFlow;
  /** Starts again. */
  restart: () => Promise<void>;
  /** Whether the page may start another payment. */
  canPay: boolean;
  language: Language;
  session: CheckoutSession | undefined;
  /** The service's time in milliseconds since 1970, if it is known. The payer's own clock decides nothing. */
  now: () => number | undefined;
  /** Announces a text to users of assistive technology without moving their focus. */
  announce: (text: string) => void;
  /** Whether a link to the session's `returnUrl` is offered. */
  returnLink: boolean;
  /** Who is paid, if the service says so. */
  shop: string | undefined;
  /** A payment is being sent, and the payer had better not leave. */
  busy: (isBusy: boolean) => void;
  /** The next choice begins with another method than this one, where there is one. */
  avoid: (method: Payment['method']) => void;
  /** What was typed into the form, for the next try. Never a card. */
  memory: FormMemory;
  /** Whether what the payer typed has errors. The page's title says so. */
  wrong: (isWrong: boolean) => void;
}

/** A part of the page that stays until another view replaces it. */
export interface RenderedView {
  element: HTMLElement;
  /** Shown above the element, and announced. */
  news?: HTMLElement;
  /** What gets the focus when the view replaces another one. */
  focus: HTMLElement;
  /** Tells the payer that the kit repeats a request. */
  onRetry?: (offline: boolean) => void;
  dispose?: () => void;
}
