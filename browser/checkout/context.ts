import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { CheckoutSession, Payment } from '../kit/types.js';
import type { CheckoutFlow } from './flow.js';
import type { Language, MessageKey } from './messages.js';
import type { Sentence } from './outcome.js';

/** What every part of the page uses. */
export interface Checkout {
  language: Language;
  /** Undefined on a page that only shows a payment. */
  flow: CheckoutFlow | undefined;
  session: CheckoutSession | undefined;
  /** Who is paid, if the merchant says so. */
  shop: string | undefined;
  /** Said while a request gets no answer. */
  retry: MessageKey | undefined;
  /** The page around the frame could not send the payer away. */
  isStuck: boolean;
  /** The service's time in milliseconds since 1970, if it is known. The payer's own clock decides nothing. */
  now: () => number | undefined;
  /** A text with its amounts, in the payer's language. */
  say: (sentence: Sentence, currency: string) => string;
  /** Announces a text to users of assistive technology without moving their focus. */
  announce: (text: string) => void;
  /** Begins anew. */
  restart: () => void;
  /** Another try, by another method than this one where there is one. */
  tryAnother: (method: Payment['method']) => void;
}

const Context = createContext({} as Checkout);

export const CheckoutProvider = Context.Provider;

export function useCheckout(): Checkout {
  return useContext(Context);
}
