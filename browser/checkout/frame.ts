import { frameStartIn, type FrameNews, type FrameStuck } from '../element/frame-messages.js';
import { dress } from './appear.js';
import type { OpenCheckout, Opening } from './open-checkout.js';

/**
 * The checkout inside a page of the shop's. It takes a token only from the page that frames it, and only from an allowed
 * origin, and tells that page where the payer has to go, how tall it is and how the payment went.
 */
export function serveFrame(
  allowed: ReadonlySet<string>,
  open: (opening: Omit<Opening, 'baseUrl' | 'brand'>) => OpenCheckout,
): void {
  let port: MessagePort | undefined;
  const tell = (news: FrameNews): void => port?.postMessage(news);
  const tellHeight = (): void =>
    tell({ type: 'height', height: Math.ceil(document.body.getBoundingClientRect().height) });

  addEventListener('message', (event: MessageEvent<unknown>) => {
    const [given] = event.ports;
    if (event.source !== window.parent || window.parent === window) return;
    const start = allowed.has(event.origin) ? frameStartIn(event.data) : undefined;
    if (start === undefined || given === undefined) return;
    port?.close();
    port = given;
    tell({ type: 'started', title: document.title });
    dress(start.appearance, start.colorScheme);
    const checkout = open({
      clientToken: start.clientToken,
      payment: start.payment,
      leave: (action) => tell({ type: 'redirect', action }),
      result: (payment) => tell({ type: 'result', payment }),
    });
    given.onmessage = ({ data }: MessageEvent<FrameStuck>) => data.type === 'stuck' && checkout.stuck();
    tellHeight();
  });
  new ResizeObserver(tellHeight).observe(document.body);
}
