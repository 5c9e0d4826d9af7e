import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inElement, RIGHT_OTP, startCheckoutScene, type CheckoutScene } from './harness.js';

/** What docs/kit.md prints, in a shop's page under the Content-Security-Policy that it prints. */

const text = readFileSync('docs/kit.md', 'utf8');
const PRINTED_ORIGIN = 'https://pay.shop.example';

let scene: CheckoutScene;
let shop: Server;
let shopOrigin: string;
let pages: Record<string, { type: string; body: string }> = {};
let policy = '';

beforeAll(async () => {
  shop = createServer((request, response) => {
    const found = pages[request.url ?? ''];
    response.setHeader('content-security-policy', policy);
    response.setHeader('content-type', `${found?.type ?? 'text/plain'}; charset=utf-8`);
    response.writeHead(found ? 200 : 204).end(found?.body);
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  shopOrigin = `http://localhost:${(shop.address() as AddressInfo).port}`;
  scene = await startCheckoutScene({ ALLOWED_ORIGINS: `${shopOrigin},https://shop.example` });
});
afterAll(async () => {
  await scene.stop();
  shop.closeAllConnections();
  await new Promise((resolve) => shop.close(resolve));
});

function snippet(language: string, having: string): string {
  const blocks = [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)];
  const found = blocks.filter(([, kind, code = '']) => kind === language && code.includes(having));
  expect([language, having, found.length]).toEqual([language, having, 1]);
  return (found[0]?.[2] ?? '').replaceAll(PRINTED_ORIGIN, scene.tillfront.url).trim();
}

/** Serves a shop's page with a script of its own, under the printed policy. */
function show(body: string, { script = '', own = false } = {}): void {
  const printed = snippet('', 'script-src').replace('script-src', "script-src 'self'");
  const applied = own ? printed.replace('frame-src', 'connect-src') : `${printed}; connect-src 'none'`;
  policy = `${applied.replaceAll('\n', ' ')}; require-trusted-types-for 'script'`;
  pages = {
    '/': {
      type: 'text/html',
      body: `<!doctype html><html lang="en"><title>Shop</title><body>${body}`,
    },
    '/shop.js': { type: 'text/javascript', body: script },
  };
}

test('the element', async () => {
  const { clientToken } = await scene.client.createSession();
  show(snippet('html', '<tillfront-checkout base-url').replace('cst_…', clientToken));
  const { page, faults } = await scene.newPage();
  await page.goto(shopOrigin);
  await inElement(page).getByRole('button', { name: 'Pay ₦1,500.00' }).waitFor();
  expect(faults).toEqual([]);
});

test('a form of the shop’s own, with a one-time code', async () => {
  const { clientToken } = await scene.client.createSession();
  const card = {
    number: '5060990000000000704',
    expiryMonth: '12',
    expiryYear: '2030',
    cvv: '111',
    pin: '1111',
    nameOnCard: 'Ada Obi',
  };
  const givens = `const clientToken = ${JSON.stringify(clientToken)};
    const card = ${JSON.stringify(card)};
    const show = (words) => document.body.append(words);
    const askForCode = async () => ${JSON.stringify(RIGHT_OTP)};`;
  const script = `${givens}\n${snippet('js', 'createTillfront')}\ndocument.body.append(payment.status);`;
  show('<script type="module" src="/shop.js"></script>', { script, own: true });
  const { page, faults } = await scene.newPage();
  await page.goto(shopOrigin);
  await page.getByText('succeeded').waitFor();
  expect(faults).toEqual([]);
});

test('a version that never changes', async () => {
  const answer = await fetch(`${scene.tillfront.url}/kit/integrity.json`);
  const { version, files } = (await answer.json()) as {
    version: string;
    files: Record<string, { integrity: string }>;
  };
  const pinned = snippet('html', 'integrity=')
    .replace('<version>', version)
    .replace('sha384-…', files['tillfront.js']?.integrity ?? '');
  show(pinned);
  const { page, faults } = await scene.newPage();
  await page.goto(shopOrigin);
  await page.waitForFunction(() => customElements.get('tillfront-checkout') !== undefined);
  expect(faults).toEqual([]);
});
