import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A shop's page with the element, and a script that looks for card data wherever a page's script can look. */
export interface Shop {
  /** `http://localhost:<port>` and `http://127.0.0.1:<port>`, which are two origins. */
  origin: string;
  foreignOrigin: string;
  /** What this path answers from now on. Other pages are blank. */
  show(html: string, path?: string): void;
  close(): Promise<void>;
}

export async function startShop(): Promise<Shop> {
  const pages = new Map<string, string>([['/spy.js', SPY]]);
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://shop').pathname;
    response
      .setHeader('content-type', `text/${path.endsWith('.js') ? 'javascript' : 'html'}; charset=utf-8`)
      .end(pages.get(path) ?? '<!doctype html><title>Blank</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    foreignOrigin: `http://127.0.0.1:${port}`,
    show: (html, path = '/') => void pages.set(path, html),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The page of an order, with the element as the documentation has it. */
export function shopPage(baseUrl: string, clientToken: string, attributes = ''): string {
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Shop</title><body><main><h1>Shop</h1>
    <script src="/spy.js"></script>
    <script type="module" src="${baseUrl}/kit/tillfront.js"></script>
    <tillfront-checkout base-url="${baseUrl}" client-token="${clientToken}" ${attributes}></tillfront-checkout>
    </main>`;
}

/** Listens to keys, pastes, inputs and messages, reads every port, and tries to reach into the frame. */
const SPY = `
  const seen = (globalThis.seen = []);
  const note = (what, value) => { try { seen.push(what + ' ' + JSON.stringify(value)); } catch { seen.push(what); } };
  for (const type of ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'change', 'paste', 'submit', 'focusin'])
    addEventListener(type, (event) => note(type, [event.key, event.data, event.target && event.target.value]), true);
  addEventListener('message', (event) => note('message', event.data));
  const { set } = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
  Object.defineProperty(MessagePort.prototype, 'onmessage', {
    set(listener) { set.call(this, (event) => { note('port', event.data); listener.call(this, event); }); },
  });
  document.addEventListener('tillfront-result', (event) => note('result', event.detail));
  globalThis.reachIn = () => {
    const frame = document.querySelector('iframe');
    const tries = [
      () => frame.contentDocument.body.innerHTML,
      () => frame.contentWindow.document.querySelector('input').value,
      () => frame.contentWindow.eval('1'),
      () => frame.contentWindow.customElements,
      () => frame.contentWindow.sessionStorage.length,
    ];
    return tries.map((attempt) => { try { return String(attempt()); } catch { return 'refused'; } });
  };
`;
