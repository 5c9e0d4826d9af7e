import { afterAll, beforeAll, expect, test } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, ElementHandle, Frame, Page } from 'puppeteer-core';
import { sessionRequest } from '../harness/client.js';
import { until } from '../harness/until.js';
import { launchFirefox } from '../setup/browser.js';
import { RIGHT_OTP, startServiceScene, type ServiceScene } from './harness.js';
import { shopPage, startShop, type Shop } from './shop.js';

/** What must work in the other engine too: the page and the element, each from the form to the outcome. */

let shop: Shop;
let scene: ServiceScene;
let firefox: Browser;
beforeAll(async () => {
  shop = await startShop();
  scene = await startServiceScene({ ALLOWED_ORIGINS: shop.origin });
  firefox = await launchFirefox({
    'fission.bfcacheInParent': true,
    'browser.sessionhistory.max_total_viewers': 8,
  });
});
afterAll(async () => {
  await firefox?.close();
  await scene?.stop();
  await shop?.close();
});

async function find(where: Page | Frame, role: string, name: string): Promise<ElementHandle> {
  let found: ElementHandle | null = null;
  await until(async () => {
    found = await where.$(`::-p-aria([name="${name}"][role="${role}"])`).catch(() => null);
    return found !== null;
  }, 60_000);
  if (found === null) throw new Error(`no ${role} ${name}`);
  return found;
}

async function payByCard(where: Page | Frame): Promise<void> {
  for (const [label, text] of [
    ['Card number', '4000000000000705'],
    ['Expiry date', '1230'],
    ['Security code', '111'],
    ['Name on card', 'Ada Obi'],
  ] as const)
    await (await find(where, 'textbox', label)).type(text);
  await (await find(where, 'button', 'Pay ₦1,500.00')).click();
  await (await find(where, 'textbox', 'One-time code')).type(RIGHT_OTP);
  await (await find(where, 'button', 'Continue')).click();
  await find(where, 'heading', 'Payment successful');
}

async function axeFaults(where: Page | Frame): Promise<string[]> {
  await where.evaluate(axe.source);
  return where.evaluate(async () => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    const { violations } = await run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

test('the page takes a payment, and axe finds nothing', async () => {
  const session = await scene.client.createSession(sessionRequest({ returnUrl: undefined }));
  const page = await firefox.newPage();
  await page.goto(session.checkoutUrl);
  await find(page, 'radio', 'Card');
  expect(await axeFaults(page)).toEqual([]);
  await payByCard(page);
  expect(await axeFaults(page)).toEqual([]);
  expect(await scene.charges(session.reference)).toBe(1);
  await page.close();
});

test('back from the wallet’s page into the one that the browser kept, the payment goes on', async () => {
  const session = await scene.client.createSession(sessionRequest({ returnUrl: undefined }));
  const page = await firefox.newPage();
  await page.goto(session.checkoutUrl);
  await (await find(page, 'radio', 'Wallet')).click();
  const told: string[] = [];
  page.on('console', (message) => told.push(message.text()));
  await page.evaluate(() =>
    addEventListener('pageshow', ({ persisted }) => {
      const tell = (): void => console.log(document.querySelector('h2')?.textContent);
      if (persisted) new MutationObserver(tell).observe(document.body, { childList: true, subtree: true });
    }),
  );
  const left = new Promise((resolve) => page.once('load', resolve));
  await (await find(page, 'button', 'Pay ₦1,500.00')).click();
  await left;
  // Nobody can ask a page that is kept anything, and nobody hears that it is there again: it tells by itself.
  void page.goBack().catch(() => undefined);
  await until(() => told.includes('One more step'), 30_000);
  const [begun] = await scene.client.paymentsOf(session.reference);
  await scene.move(begun?.gatewayReference ?? '', 'approve');
  await until(() => told.includes('Payment successful'), 60_000);
  expect(await scene.charges(session.reference)).toBe(1);
});

test('the element takes one too, and tells the shop', async () => {
  const session = await scene.client.createSession(sessionRequest({ returnUrl: undefined }));
  shop.show(shopPage(scene.tillfront.url, session.clientToken));
  const page = await firefox.newPage();
  await page.goto(shop.origin);
  let frame: Frame | undefined;
  await until(() => {
    frame = page.frames().find((one) => one.url().endsWith('/checkout/frame'));
    return frame !== undefined;
  }, 60_000);
  await payByCard(frame as unknown as Frame);
  const seen = (): Promise<string[]> =>
    page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
  await until(async () => (await seen()).some((text) => text.startsWith('result {"status":"succeeded"')));
  // The shop learns the last four digits, as from the API.
  expect((await seen()).join()).not.toMatch(/40000|123456|Ada Obi/);
  await page.close();
});
