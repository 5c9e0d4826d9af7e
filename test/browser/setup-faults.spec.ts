import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startCheckoutScene, accessibilityFaults, type CheckoutScene } from './checkout-scene.js';

/** Where nothing could work, the page says what is wrong instead of staying empty, and nothing leaks meanwhile. */

let body = '';
let shop: Server;
let port: number;
let scene: CheckoutScene;

beforeAll(async () => {
  shop = createServer((request, response) => {
    const isPage = request.url === '/';
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .setHeader('access-control-allow-origin', '*');
    response.writeHead(isPage ? 200 : 404).end(isPage ? body : 'nothing');
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  port = (shop.address() as AddressInfo).port;
  scene = await startCheckoutScene({ ALLOWED_ORIGINS: `http://localhost:${port},https://shop.example` });
});
afterAll(async () => {
  await scene.stop();
  shop.closeAllConnections();
  await new Promise((resolve) => shop.close(resolve));
});

/** A shop's page with the element. */
async function shopPage(attributes: string, host = 'localhost'): ReturnType<CheckoutScene['newPage']> {
  body = `<!doctype html><html lang="en"><title>Shop</title><body><main><h1>Shop</h1>
    <script type="module" src="${scene.tillfront.url}/kit/tillfront.js"></script>
    <tillfront-checkout ${attributes}></tillfront-checkout>`;
  const watched = await scene.newPage();
  await watched.page.goto(`http://${host}:${port}/`);
  return watched;
}

const heading = 'This payment cannot be shown';

describe('the element says that', () => {
  test('the origin is not allowed, and sends no token', async () => {
    const { clientToken } = await scene.client.createSession();
    const { page } = await shopPage(
      `base-url="${scene.tillfront.url}" client-token="${clientToken}"`,
      '127.0.0.1',
    );
    await page.getByRole('heading', { name: heading }).waitFor();
    await page.getByText(`add http://127.0.0.1:${port} to ALLOWED_ORIGINS`).waitFor();
    expect(await page.getByRole('status').getByRole('heading', { name: heading }).count()).toBe(1);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('another server answers at base-url', async () => {
    const { clientToken } = await scene.client.createSession();
    const { page } = await shopPage(`base-url="http://localhost:${port}" client-token="${clientToken}"`);
    await page.getByText(`http://localhost:${port} answers, but not as Tillfront`).waitFor();
  });

  test('nothing answers at base-url, once it has tried', async () => {
    const { clientToken } = await scene.client.createSession();
    const { page } = await shopPage(`base-url="http://127.0.0.1:9" client-token="${clientToken}"`);
    await page.getByText('The payment service is not answering yet').waitFor();
    await page.getByText('there is no answer from http://127.0.0.1:9').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  });

  test.each([
    ['base-url', 'client-token="cst_cs_1.x"'],
    ['client-token', 'base-url="%"'],
  ])('the attribute %s is missing', async (name, attributes) => {
    const { page } = await shopPage(attributes.replace('%', scene.tillfront.url));
    await page.getByText(`the attribute ${name} is missing`).waitFor();
  });

  test.each(['', 'not a token', 'cst_cs_1.x'])('the token %j is unknown', async (token) => {
    const { page } = await shopPage(`base-url="${scene.tillfront.url}" client-token="${token}"`);
    await page.getByText('The link is incomplete or no longer valid').waitFor();
  });
});

describe('a ready-made page at another address', () => {
  test.each(['checkout', 'console'])(
    'of this machine: %s goes to its own, with everything behind the #',
    async (name) => {
      const { page } = await scene.newPage();
      const other = scene.tillfront.url.replace('127.0.0.1', 'localhost');
      await page.goto(`${other}/${name}?a=b#cst_cs_1.x`);
      await page.waitForURL(`${scene.tillfront.url}/${name}?a=b#cst_cs_1.x`);
    },
  );

  test('of elsewhere: says so, links, and tells nobody the token', async () => {
    const session = await scene.client.createSession();
    const { page, faults } = await scene.newPage();
    const foreign = 'https://pay-alias.example';
    const told: string[] = [];
    await page.route(`${foreign}/**`, async (route) => {
      const request = route.request();
      told.push(`${request.url()} ${JSON.stringify(await request.allHeaders())} ${request.postData() ?? ''}`);
      const answer = await route.fetch({ url: request.url().replace(foreign, scene.tillfront.url) });
      await route.fulfill({ response: answer });
    });
    await page.goto(session.checkoutUrl.replace(scene.tillfront.url, foreign));
    const { host } = new URL(scene.tillfront.url);
    const link = page.getByRole('link', { name: `Continue at ${host}` });
    expect(await link.getAttribute('href')).toBe(session.checkoutUrl);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(told.length).toBeGreaterThan(0);
    expect(told.filter((text) => text.includes(session.clientToken))).toEqual([]);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    expect(faults).toEqual([]);

    await page.goto(`${foreign}/console`);
    await page.getByRole('link', { name: `${scene.tillfront.url}/console` }).waitFor();
    expect(await page.getByLabel('Merchant key').count()).toBe(0);
  });
});
