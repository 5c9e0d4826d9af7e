import type { CheckoutSession } from '../../kit/types.js';
import type { CheckoutFlow } from '../flow.js';
import type { Language } from '../messages.js';

/** What every view works with. */
export interface ViewContext {
  /** Only where something can be done: where a payment is merely shown, no view asks for it. */
  flow: CheckoutFlow;
  /** Begins anew. */
  restart: () => Promise<void>;
  /** Whether the page may lead to another payment. */
  canPay: boolean;
  language: Language;
  session: CheckoutSession | undefined;
  /** Says something to users of assistive technology without moving their focus. */
  announce: (text: string) => void;
  /** Whether a link to the session's `returnUrl` is offered. */
  returnLink: boolean;
}

/** A part of the page that stands for itself until another view replaces it. */
export interface RenderedView {
  element: HTMLElement;
  /** What gets the focus when the view comes in the place of another. */
  focus: HTMLElement;
  /** The kit repeats a request: say so. */
  onRetry?: (offline: boolean) => void;
  dispose?: () => void;
}
