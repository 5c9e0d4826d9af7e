import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FrameLocator, Page } from 'playwright-core';
import { sessionRequest } from '../harness/client.js';
import { until } from '../harness/until.js';
import {
  accessibilityFaults,
  inElement,
  RIGHT_OTP,
  startCheckoutScene,
  type CheckoutScene,
  type WatchedPage,
} from './harness.js';
import { shopPage, startShop, type Shop } from './shop.js';

/** The element in a page of a shop's, whose scripts are hostile. */

let shop: Shop;
let scene: CheckoutScene;
beforeAll(async () => {
  shop = await startShop();
  scene = await startCheckoutScene({ ALLOWED_ORIGINS: `${shop.origin},https://shop.example` });
});
afterAll(async () => {
  await scene.stop();
  await shop.close();
});

const seen = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as { seen?: string[] }).seen ?? []);

type Opened = WatchedPage & { reference: string; html: string };

async function open(over: object = {}, attributes = '', width = 800): Promise<Opened> {
  const session = await scene.client.createSession(sessionRequest({ returnUrl: undefined, ...over }));
  const html = shopPage(scene.tillfront.url, session.clientToken, attributes);
  shop.show(html);
  const watched = await scene.newPage({ viewport: { width, height: 700 } });
  await watched.page.goto(shop.origin);
  return { ...watched, reference: session.reference, html };
}

async function pay(form: FrameLocator, page: Page, number: string): Promise<void> {
  for (const [label, text] of [
    ['Card number', number],
    ['Expiry date', '1230'],
    ['Security code', '987'],
    ['Name on card', 'Ada Secret'],
  ] as const) {
    await form.getByLabel(label).click();
    await page.keyboard.type(text);
  }
  await form.getByRole('button', { name: 'Pay ₦1,500.00' }).click();
}

test('pays, tells the shop, and no script of the page sees a digit of the card', async () => {
  const { page, faults, reference } = await open();
  await pay(inElement(page), page, '4000000000000705');
  expect(await page.evaluate(() => (globalThis as unknown as { reachIn: () => string[] }).reachIn())).toEqual(
    Array.from({ length: 5 }, () => 'refused'),
  );
  await inElement(page).getByLabel('One-time code').fill(RIGHT_OTP);
  await inElement(page).getByRole('button', { name: 'Continue' }).click();
  await inElement(page).getByRole('status').getByRole('heading', { name: 'Payment successful' }).waitFor();
  await until(async () => (await seen(page)).some((text) => text.startsWith('result')));
  const all = await seen(page);
  const [result = '', ...more] = all.filter((text) => text.startsWith('result'));
  expect(more).toEqual([]);
  expect(JSON.parse(result.slice('result '.length))).toMatchObject({
    status: 'succeeded',
    payment: { reference, status: 'succeeded' },
  });
  expect(all.filter((text) => /^(?:key|input|beforeinput|change|paste|submit)/.test(text))).toEqual([]);
  // Times and ids have such digits by chance, among others.
  expect(all.join()).not.toMatch(/4000000|(?<![\w.])987(?!\w)|Ada Secret|(?<!\w)123456(?!\w)/);
  expect(faults).toEqual([]);
});

test('3-D Secure takes the whole page there, and back', async () => {
  const { page, faults } = await open();
  await pay(inElement(page), page, '4000000000000804');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.waitForURL(/\/checkout\?/);
  await page.getByRole('heading', { name: 'Payment successful' }).waitFor();
  expect(faults).toEqual([]);
});

describe('in a frame of another page', () => {
  /** The shop's page inside of one that frames it. */
  async function openFramed(sandbox: string): Promise<{ page: Page; form: FrameLocator }> {
    const { page, html } = await open();
    const attribute = sandbox === '' ? '' : `sandbox="${sandbox}"`;
    shop.show(
      `<!doctype html><title>Outer</title><iframe id="outer" ${attribute} width="700" height="1200" src="/inner"></iframe>`,
    );
    shop.show(html, '/inner');
    await page.goto(shop.origin);
    return { page, form: page.frameLocator('#outer').frameLocator('tillfront-checkout iframe') };
  }

  test('redirects leave at the top', async () => {
    const { page, form } = await openFramed('');
    await pay(form, page, '4000000000000804');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Payment successful' }).waitFor();
  });

  test('where a sandbox forbids it, a link leads there, and the frame learns the outcome', async () => {
    const { page, form } = await openFramed('allow-scripts allow-same-origin allow-forms allow-popups');
    await pay(form, page, '4000000000000804');
    const opened = page.context().waitForEvent('page');
    await form.getByRole('link', { name: 'Continue' }).click();
    await (await opened).getByRole('button', { name: 'Approve' }).click();
    await form.getByRole('heading', { name: 'Payment successful' }).waitFor();
  });
});

test('looks as the shop wants it, follows the height, and nothing is cut off', async () => {
  const { page, faults } = await open(
    { payer: undefined, billing: undefined },
    `appearance="accent: #123456; radius: 3px; font-size: 20px; dark: true"`,
    320,
  );
  const button = inElement(page).getByRole('button', { name: /^Pay/ });
  await button.waitFor();
  const look = await button.evaluate((element) => {
    const { backgroundColor, borderRadius, fontSize } = getComputedStyle(element);
    return [backgroundColor, borderRadius, fontSize, getComputedStyle(document.documentElement).colorScheme];
  });
  expect(look).toEqual(['rgb(18, 52, 86)', '3px', '20px', 'dark']);
  await until(async () => {
    const frame = (await page.locator('iframe').boundingBox())?.height ?? 0;
    const content = await inElement(page)
      .locator('body')
      .evaluate((body) => Math.ceil(body.getBoundingClientRect().height));
    return frame > 700 && Math.abs(frame - content) <= 1;
  });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(faults).toEqual([]);
});

test('a page that is not allowed cannot frame it, and the frame takes no token from one', async () => {
  const { page } = await open();
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.goto(shop.foreignOrigin);
  await refused;
  expect(await inElement(page).getByRole('radiogroup').count()).toBe(0);
  // Nor from a window that opened it.
  await page.goto(shop.origin);
  const popup = page.waitForEvent('popup');
  await page.evaluate((address) => {
    const opened = window.open(address);
    setInterval(() => {
      const { port2 } = new MessageChannel();
      const start = {
        tillfront: 'start',
        clientToken: 'cst_a.b',
        payment: null,
        appearance: {},
        colorScheme: '',
      };
      opened?.postMessage(start, '*', [port2]);
    }, 100);
  }, `${scene.tillfront.url}/checkout/frame`);
  const alone = await popup;
  await alone.waitForTimeout(1_000);
  expect(await alone.locator('[data-view]').count()).toBe(0);
});
