import { appearanceIn } from './appearance.js';
import { followRedirect } from '../kit/follow-redirect.js';
import type { FrameNews, FrameStart, FrameStuck } from './frame-messages.js';
import type { Appearance, Payment, RedirectAction, TillfrontCheckoutElement } from '../kit/types.js';

/** How long the frame may take to answer before the shop's developer is told. */
const PATIENCE_MS = 20_000;
/** Taller than any view, so that a mistake cannot make the page endless. */
const TALLEST = 10_000;
/** A page that is still here after this time was not left. */
const LEAVING_MS = 5_000;

/**
 * `<tillfront-checkout>`: a frame of the service's origin, so that no script of the shop's page can read a field. The page
 * hands the session's token over, and learns the height, the result, and where the payer has to go.
 */
export class TillfrontCheckout extends HTMLElement implements TillfrontCheckoutElement {
  static readonly observedAttributes = ['base-url', 'client-token', 'appearance'];

  #frame: HTMLIFrameElement | undefined;
  #port: MessagePort | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
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

  get appearance(): Appearance {
    return appearanceIn(this.getAttribute('appearance') ?? '');
  }

  set appearance(appearance: Appearance) {
    this.setAttribute('appearance', JSON.stringify(appearance));
  }

  connectedCallback(): void {
    this.#begin();
  }

  disconnectedCallback(): void {
    this.#end();
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (this.isConnected && before !== after) this.#begin();
  }

  /** Attributes are often set one after another. This starts once, after the last one. */
  #begin(): void {
    const turn = ++this.#begun;
    queueMicrotask(() => {
      if (turn !== this.#begun || !this.isConnected) return;
      this.#end();
      if (this.baseUrl === '' || this.clientToken === '')
        this.#complain('it needs base-url and client-token');
      else this.#load();
    });
  }

  #load(): void {
    const address = new URL(`${this.baseUrl.replace(/(?<!\/)\/+$/, '')}/checkout/frame`, location.href);
    const frame = document.createElement('iframe');
    frame.src = address.href;
    frame.title = 'Payment';
    frame.allow = 'clipboard-write';
    frame.referrerPolicy = 'no-referrer';
    const { colorScheme } = getComputedStyle(this);
    frame.style.cssText = 'display: block; width: 100%; height: 32rem; border: 0';
    frame.style.colorScheme = colorScheme;
    // Only a page of the service's own origin gets the token, whatever the frame has loaded.
    frame.onload = () => this.#greet(frame, address.origin, colorScheme);
    this.#frame = frame;
    this.#timer = setTimeout(
      () =>
        this.#complain(
          'the frame did not start: ALLOWED_ORIGINS must list the origin of every page around it',
        ),
      PATIENCE_MS,
    );
    this.replaceChildren(frame);
  }

  #greet(frame: HTMLIFrameElement, origin: string, colorScheme: string): void {
    const { port1, port2 } = new MessageChannel();
    this.#port?.close();
    this.#port = port1;
    port1.onmessage = ({ data }: MessageEvent<FrameNews>) => this.#hear(data, frame);
    const named = new URLSearchParams(location.search).get('payment');
    const { clientToken, appearance } = this;
    const start: FrameStart = { tillfront: 'start', clientToken, payment: named, appearance, colorScheme };
    frame.contentWindow?.postMessage(start, origin, [port2]);
  }

  #hear(news: FrameNews, frame: HTMLIFrameElement): void {
    switch (news.type) {
      case 'started':
        clearTimeout(this.#timer);
        frame.title = news.title;
        return;
      case 'height':
        frame.style.height = `${Math.min(news.height, TALLEST)}px`;
        return;
      case 'result':
        this.#report(news.payment);
        return;
      case 'redirect':
        this.#leave(news.action);
    }
  }

  #report(payment: Payment): void {
    const detail = { status: payment.status, payment };
    this.dispatchEvent(new CustomEvent('tillfront-result', { detail, bubbles: true, composed: true }));
  }

  /** Sends the whole page to the bank. Where a sandbox forbids it, the frame is told, and offers a link. */
  #leave(action: RedirectAction): void {
    const port = this.#port;
    const stuck: FrameStuck = { type: 'stuck' };
    const timer = setTimeout(() => port?.postMessage(stuck), LEAVING_MS);
    addEventListener('pagehide', () => clearTimeout(timer), { once: true });
    try {
      followRedirect(action, '_top');
    } catch {
      clearTimeout(timer);
      port?.postMessage(stuck);
    }
  }

  #complain(what: string): void {
    console.error(`<tillfront-checkout>: ${what}`);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#port?.close();
    this.#port = undefined;
    this.#frame?.remove();
    this.#frame = undefined;
  }
}

if (customElements.get('tillfront-checkout') === undefined) {
  customElements.define('tillfront-checkout', TillfrontCheckout);
}
