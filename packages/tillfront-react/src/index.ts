'use client';
import { useEffect, useState, type ClassAttributes, type HTMLAttributes } from 'react';
import type { Payment } from './api.js';

export type * from './api.js';

/** The attributes of `<tillfront-checkout>`. A flag is set with an empty text, which every version of React writes alike. */
export interface TillfrontCheckoutAttributes
  extends HTMLAttributes<HTMLElement>, ClassAttributes<HTMLElement> {
  /** Where Tillfront is. */
  'base-url': string;
  /** The session's `clientToken`, from your server. */
  'client-token'?: string | undefined;
  /** Language of the texts and of the amount: one tag or several in order, `fr-SN,fr,en`. By default the page's. */
  locale?: string | undefined;
  /** Id of a payment whose outcome is shown first: the `payment` in the address of the page that payers return to. */
  payment?: string | undefined;
  /** Shows a list of the languages. */
  'language-choice'?: '' | undefined;
  /** Offers the way back to the session's `returnUrl` whenever it is safe to leave. */
  'return-link'?: '' | undefined;
  /** Shows the checkout in a frame of Tillfront's origin. */
  framed?: '' | undefined;
  /** The token with which a payer comes back from the bank (`crt_…`). */
  'return-token'?: string | undefined;
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'tillfront-checkout': TillfrontCheckoutAttributes;
    }
  }
}

/** What the page may show next. It is no proof of payment: ship only on the signed event that your server gets. */
export interface TillfrontResult {
  status: Payment['status'];
  payment: Payment;
}

/** What {@link useTillfrontCheckout} gives. */
export interface TillfrontCheckout {
  /** For the element: `<tillfront-checkout ref={ref} …>`. */
  ref: (element: HTMLElement | null) => void;
  /** The latest outcome of a payment. Null until there is one. */
  result: TillfrontResult | null;
}

/**
 * Loads the element from Tillfront, once for the page, and hears its results.
 *
 * @param baseUrl Where Tillfront is: the element's `base-url`.
 */
export function useTillfrontCheckout(baseUrl: string): TillfrontCheckout {
  const [element, ref] = useState<HTMLElement | null>(null);
  const [result, setResult] = useState<TillfrontResult | null>(null);

  useEffect(() => loadElement(`${baseUrl.replace(/\/$/, '')}/kit/tillfront.js`), [baseUrl]);

  useEffect(() => {
    if (!element) return undefined;
    const hear = (event: Event): void => setResult((event as CustomEvent<TillfrontResult>).detail);
    element.addEventListener('tillfront-result', hear);
    return () => element.removeEventListener('tillfront-result', hear);
  }, [element]);

  return { ref, result };
}

/** A script that is there already, such as one with `integrity`, is left as it is. */
function loadElement(src: string): void {
  const isLoaded = customElements.get('tillfront-checkout') !== undefined;
  if (isLoaded || [...document.scripts].some((script) => script.src === src)) return;
  const script = document.createElement('script');
  script.type = 'module';
  script.src = src;
  document.head.append(script);
}
