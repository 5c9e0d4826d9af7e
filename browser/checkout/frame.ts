import type { TillfrontCheckout } from '../element/checkout-element.js';
import type { TillfrontResult } from '../kit/types.js';
import { frameStartIn, LOOKS, type FrameNews, type FrameStart } from '../element/frame-messages.js';

/**
 * The checkout inside a page of the shop's. It takes a token only from the page that frames it, and only from an allowed
 * origin, and tells that page where the payer has to go, how tall it is and how the payment went.
 */

const { baseUrl = '', allowedOrigins = '' } = document.documentElement.dataset;
const allowed = new Set(allowedOrigins.split(' '));
const element = document.querySelector<TillfrontCheckout>('tillfront-checkout');
const isFramed = window.parent !== window;
const isAtHome = baseUrl !== '' && new URL(baseUrl).origin === location.origin;

let port: MessagePort | undefined;

function tell(news: FrameNews): void {
  port?.postMessage(news);
}

/** Colours and the like. What is neither a colour, a length nor a list of fonts is left out, and so is any address. */
function dress(target: HTMLElement, look: FrameStart['look']): void {
  const properties: Record<string, string> = { radius: 'border-radius', font: 'font-family' };
  for (const name of LOOKS) {
    const value = look[name];
    if (value === undefined || /url|image|var|attr/i.test(value)) continue;
    if (CSS.supports(properties[name] ?? 'color', value))
      target.style.setProperty(`--tillfront-${name}`, value);
  }
  const scheme = look['color-scheme'] ?? 'normal';
  document.documentElement.style.colorScheme = /^(?:only |light|dark| )+$/.test(scheme) ? scheme : 'light';
}

function begin(target: TillfrontCheckout, start: FrameStart): void {
  dress(target, start.look);
  target.leaveBy = (action) => tell({ type: 'redirect', action });
  target.setAttribute('locale', start.locale);
  target.toggleAttribute('return-link', start.returnLink);
  target.toggleAttribute('language-choice', start.languageChoice === true);
  target.tellPage = ({ locale, direction, title }) => {
    Object.assign(document.documentElement, { lang: locale, dir: direction });
    document.title = title;
  };
  for (const [name, value] of [
    ['payment', start.payment],
    ['return-token', start.returnToken],
    ['client-token', start.clientToken],
    ['base-url', baseUrl],
  ] as const) {
    if (value === null) target.removeAttribute(name);
    else target.setAttribute(name, value);
  }
}

if (element !== null && isFramed && isAtHome) {
  addEventListener('message', (event: MessageEvent<unknown>) => {
    const [given] = event.ports;
    if (event.source !== window.parent || !allowed.has(event.origin) || given === undefined) return;
    const start = frameStartIn(event.data);
    if (start === undefined) return;
    port?.close();
    port = given;
    tell({ type: 'started' });
    begin(element, start);
    tell({ type: 'height', height: Math.ceil(document.body.getBoundingClientRect().height) });
  });
  element.addEventListener('tillfront-result', (event) => {
    const { detail } = event as CustomEvent<TillfrontResult>;
    tell({ type: 'result', payment: detail.payment });
  });
  new MutationObserver(() => {
    const view = element.dataset['view'];
    if (view !== undefined) tell({ type: 'view', view });
  }).observe(element, { attributeFilter: ['data-view'] });
  new ResizeObserver(() => {
    tell({ type: 'height', height: Math.ceil(document.body.getBoundingClientRect().height) });
  }).observe(document.body);
} else {
  // nobody hands anything over here, so nothing is being loaded
  element?.replaceChildren();
}
