import { followRedirect } from '../kit/follow-redirect.js';
import type { Payment } from '../kit/types.js';
import { h } from './dom.js';
import { LOOKS, type FrameNews, type FrameStart } from './frame-messages.js';

/** How long the frame may take to answer. */
const PATIENCE_MS = 20_000;

/** Taller than any view, so that a mistake cannot make the page endless. */
const TALLEST = 10_000;

export interface FramedEvents {
  view: (view: string) => void;
  result: (payment: Payment) => void;
  /** The frame does not answer. */
  silent: () => void;
}

/**
 * The checkout in a frame of the service's origin. No script of the page around it can read its fields: the page hands the
 * session's token over, and learns the view, the height, the result, and where the payer has to go.
 */
export class Framed {
  readonly element: HTMLIFrameElement;
  readonly #host: HTMLElement;
  readonly #origin: string;
  readonly #events: FramedEvents;
  readonly #timer: ReturnType<typeof setTimeout>;
  #port: MessagePort | undefined;

  constructor(host: HTMLElement, baseUrl: string, title: string, events: FramedEvents) {
    const address = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/checkout/frame`;
    this.#host = host;
    this.#origin = new URL(address, location.href).origin;
    this.#events = events;
    this.element = h('iframe', {
      class: 'framed',
      src: address,
      title,
      allow: 'clipboard-write',
      referrerpolicy: 'no-referrer',
      onload: () => this.#greet(),
    });
    this.#timer = setTimeout(events.silent, PATIENCE_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#port?.close();
    this.element.remove();
  }

  /** Only a page of the service's own origin gets this, whatever the frame has loaded. */
  #greet(): void {
    const { port1, port2 } = new MessageChannel();
    this.#port?.close();
    this.#port = port1;
    port1.onmessage = ({ data }: MessageEvent<FrameNews>) => this.#hear(data);
    this.element.contentWindow?.postMessage(this.#start(), this.#origin, [port2]);
  }

  #start(): FrameStart {
    const host = this.#host;
    const own = host.getAttribute('locale') ?? host.closest('[lang]')?.getAttribute('lang');
    const style = getComputedStyle(host);
    const look = LOOKS.map((name) => [name, style.getPropertyValue(`--tillfront-${name}`).trim()] as const);
    return {
      tillfront: 'start',
      clientToken: host.getAttribute('client-token') ?? '',
      returnToken: host.getAttribute('return-token'),
      payment: host.getAttribute('payment'),
      locale: own ?? navigator.languages.join(','),
      returnLink: host.hasAttribute('return-link'),
      languageChoice: host.hasAttribute('language-choice'),
      look: {
        ...Object.fromEntries(look.filter(([, value]) => value !== '')),
        'color-scheme': style.colorScheme,
      },
    };
  }

  #hear(news: FrameNews): void {
    switch (news.type) {
      case 'started':
        clearTimeout(this.#timer);
        return;
      case 'height':
        this.element.style.blockSize = `${Math.min(news.height, TALLEST)}px`;
        return;
      case 'view':
        this.#events.view(news.view);
        // a short view after a long one must not stand above what the payer sees
        if (this.element.getBoundingClientRect().top < 0) this.element.scrollIntoView({ block: 'start' });
        return;
      case 'result':
        this.#events.result(news.payment);
        return;
      case 'redirect':
        followRedirect(news.action);
    }
  }
}
