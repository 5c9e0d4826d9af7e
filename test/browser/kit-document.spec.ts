import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RIGHT_OTP, startCheckoutScene, type CheckoutScene } from './checkout-scene.js';

/** What docs/kit.md prints, in a shop's page under the Content-Security-Policy that it prints. */

const text = readFileSync('docs/kit.md', 'utf8');
const PRINTED_ORIGIN = 'https://pay.shop.example';

function snippet(language: string, having: string): string {
  const blocks = [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)];
  const found = blocks.filter(([, kind, code = '']) => kind === language && code.includes(having));
  expect([language, having, found.length]).toEqual([language, having, 1]);
  return (found[0]?.[2] ?? '').replaceAll(PRINTED_ORIGIN, scene.tillfront.url).trim();
}

let pages: Record<string, { type: string; body: string }> = {};
let policy = '';
let shop: Server;
let shopOrigin: string;
let scene: CheckoutScene;

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
  const printed = snippet('', 'script-src').replace('script-src', "script-src 'self'");
  policy = `${printed.replaceAll('\n', ' ')}; require-trusted-types-for 'script'`;
});
afterAll(async () => {
  await scene.stop();
  shop.closeAllConnections();
  await new Promise((resolve) => shop.close(resolve));
});

const shows = (head: string, body: string, script = ''): void => {
  pages = {
    '/': {
      type: 'text/html',
      body: `<!doctype html><html lang="en"><title>Shop</title>${head}<body>${body}`,
    },
    '/shop.js': { type: 'text/javascript', body: script },
  };
};

test('the element, in the colours of the shop', async () => {
  const { clientToken } = await scene.client.createSession();
  const html = snippet('html', '<tillfront-checkout base-url').replace('cst_…', clientToken);
  shows(`<style>${snippet('css', 'tillfront-checkout')}</style>`, html);
  const { page, faults } = await scene.newPage();
  await page.goto(shopOrigin);
  const pay = page.getByRole('button', { name: 'Pay ₦1,500.00' });
  expect(await pay.evaluate((button) => getComputedStyle(button).backgroundColor)).toBe('rgb(138, 75, 31)');
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
  const script = `${snippet('js', 'createTillfront')}
    document.body.append(payment.status);`;
  const givens = `const clientToken = ${JSON.stringify(clientToken)};
    const card = ${JSON.stringify(card)};
    const show = (words) => document.body.append(words);
    const askForCode = async () => ${JSON.stringify(RIGHT_OTP)};`;
  shows('', '<script type="module" src="/shop.js"></script>', `${givens}\n${script}`);
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
  const html = snippet('html', 'integrity=')
    .replace('<version>', version)
    .replace('sha384-…', files['tillfront.js']?.integrity ?? '');
  shows('', html);
  const { page, faults } = await scene.newPage();
  await page.goto(shopOrigin);
  await page.waitForFunction(() => customElements.get('tillfront-checkout') !== undefined);
  expect(faults).toEqual([]);
});
