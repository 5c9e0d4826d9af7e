import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FrameLocator, Page } from 'playwright-core';
import { sessionRequest } from '../harness/client.js';
import { until } from '../harness/until.js';
import { framedPage, startFramedShop, type FramedShop } from './framed-shop.js';
import {
  accessibilityFaults,
  RIGHT_OTP,
  startCheckoutScene,
  type CheckoutScene,
  type WatchedPage,
} from './checkout-scene.js';

/** The checkout in a frame, inside of a page whose scripts are hostile. */

const NUMBER = '4000000000000705';

let shop: FramedShop;
let scene: CheckoutScene;
beforeAll(async () => {
  shop = await startFramedShop();
  scene = await startCheckoutScene({ ALLOWED_ORIGINS: `${shop.origin},https://shop.example` });
});
afterAll(async () => {
  await scene.stop();
  await shop.close();
});

const seen = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as { seen?: string[] }).seen ?? []);
const inside = (page: Page): FrameLocator => page.frameLocator('tillfront-checkout iframe');

async function open(
  request: object = {},
  options: { attributes?: string; style?: string; locale?: string; width?: number } = {},
): Promise<WatchedPage & { reference: string; clientToken: string }> {
  const session = await scene.client.createSession(sessionRequest({ returnUrl: undefined, ...request }));
  shop.show(framedPage({ baseUrl: scene.tillfront.url, clientToken: session.clientToken, ...options }));
  const watched = await scene.newPage({
    viewport: { width: options.width ?? 800, height: 700 },
    ...(options.locale === undefined ? {} : { locale: options.locale }),
  });
  await watched.page.goto(shop.origin);
  return { ...watched, reference: session.reference, clientToken: session.clientToken };
}

async function fill(page: Page, number: string): Promise<void> {
  const form = inside(page);
  for (const [label, text] of [
    ['Card number', number],
    ['Expiry date', '1230'],
    ['Security code', '987'],
    ['Name on card', 'Ada Secret'],
  ] as const) {
    await form.getByLabel(label).click();
    await page.keyboard.type(text);
  }
}

describe('a card payment in the frame', () => {
  test('ends with the same event, and no script of the page sees a digit of it', async () => {
    const { page, faults, reference } = await open();
    await fill(page, NUMBER);
    expect(
      await page.evaluate(() => (globalThis as unknown as { reachIn: () => string[] }).reachIn()),
    ).toEqual(Array.from({ length: 5 }, () => 'refused'));
    await inside(page).getByRole('button', { name: 'Pay ₦1,500.00' }).click();
    await inside(page).getByLabel('One-time code').fill(RIGHT_OTP);
    await inside(page).getByRole('button', { name: 'Continue' }).click();
    await inside(page).getByRole('heading', { name: 'Payment successful' }).waitFor();
    // the focus is where the news is, inside of the frame
    expect(await inside(page).locator(':focus').textContent()).toBe('Payment successful');
    await page.waitForFunction(() =>
      (globalThis as { seen?: string[] }).seen?.some((text) => text.startsWith('result')),
    );
    const all = await seen(page);
    expect(all.filter((text) => text.startsWith('result'))).toHaveLength(1);
    expect(all.find((text) => text.startsWith('result'))).toContain(`"reference":"${reference}","`);
    expect(all.filter((text) => /^port/.test(text)).length).toBeGreaterThan(2);
    expect(all.filter((text) => /^(?:key|input|beforeinput|change|paste|submit)/.test(text))).toEqual([]);
    expect(all.join()).not.toMatch(/4000000|987|Ada Secret|123456/);
    expect(faults).toEqual([]);
  });

  test('3-D Secure takes the whole page there, and back', async () => {
    const { page, faults } = await open();
    await fill(page, '4000000000000804');
    await inside(page).getByRole('button', { name: 'Pay ₦1,500.00' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(/\/checkout\?/);
    await page.getByRole('heading', { name: 'Payment successful' }).waitFor();
    expect(faults).toEqual([]);
  });
});

test('the frame has the shop’s language, colours and height, and nothing is cut off', async () => {
  const { page, faults } = await open(
    { payer: undefined, billing: undefined },
    {
      attributes: 'locale="fr-FR"',
      width: 320,
      style:
        'body { margin: 0 } tillfront-checkout { --tillfront-accent: #123456; --tillfront-surface: url("https://evil.example/x") }',
    },
  );
  const pay = inside(page).getByRole('button', { name: /^Payer/ });
  await pay.waitFor();
  expect(await page.locator('iframe').getAttribute('title')).toBe('Paiement');
  expect(await pay.evaluate((button) => getComputedStyle(button).backgroundColor)).toBe('rgb(18, 52, 86)');
  const heights = async (): Promise<number[]> => [
    Math.round((await page.locator('iframe').boundingBox())?.height ?? 0),
    await inside(page)
      .locator('body')
      .evaluate((body) => Math.ceil(body.getBoundingClientRect().height)),
  ];
  // The frame follows what is in it a moment later.
  await until(async () => {
    const [frame = 0, content] = await heights();
    return frame > 900 && frame === content;
  });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  expect(
    await inside(page)
      .locator('html')
      .evaluate((root) => root.scrollWidth <= root.clientWidth),
  ).toBe(true);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(faults).toEqual([]);
});

describe('strangers', () => {
  test('of an origin that is not allowed cannot frame it, and read why', async () => {
    const { clientToken } = await scene.client.createSession(sessionRequest({ returnUrl: undefined }));
    shop.show(framedPage({ baseUrl: scene.tillfront.url, clientToken }));
    const { page } = await scene.newPage();
    await page.goto(shop.foreignOrigin);
    await page.getByText(`add ${shop.foreignOrigin} to ALLOWED_ORIGINS`).waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
    // and not by a frame of their own either
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.evaluate((src) => {
      const frame = document.createElement('iframe');
      frame.src = src;
      document.body.append(frame);
    }, `${scene.tillfront.url}/checkout/frame`);
    await refused;
    expect(await page.frameLocator('iframe').locator('tillfront-checkout').count()).toBe(0);
  });

  test('cannot hand it a token by a window that they opened, nor a page beside the one around it', async () => {
    const other = await scene.client.createSession(sessionRequest({ returnUrl: undefined, amount: '7.00' }));
    const { page, clientToken } = await open();
    await inside(page).getByRole('button', { name: 'Pay ₦1,500.00' }).waitFor();
    const start = {
      tillfront: 'start',
      clientToken: other.clientToken,
      returnToken: null,
      payment: null,
      locale: 'en',
      returnLink: false,
      look: {},
    };
    // a window that was opened is no frame: it takes no token from its opener
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.evaluate(
        (url) => void Object.assign(globalThis, { opened: window.open(url) }),
        `${scene.tillfront.url}/checkout/frame`,
      ),
    ]);
    await opened.waitForLoadState('load');
    await page.evaluate((data) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => Object.assign(globalThis, { heard: true });
      (globalThis as unknown as { opened: Window }).opened.postMessage(data, '*', [port2]);
    }, start);
    // a frame beside it, of the same allowed origin, is not the page around it
    const attached = page.waitForEvent('framenavigated', (frame) => frame.url().endsWith('/sibling'));
    await page.evaluate(() => {
      const frame = document.createElement('iframe');
      frame.src = '/sibling';
      document.body.append(frame);
    });
    const sibling = await attached;
    await sibling.evaluate((data) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => Object.assign(globalThis, { heard: true });
      parent.frames[0]?.postMessage(data, '*', [port2]);
    }, start);
    // what comes after from the page around it is heard, so the others were refused before
    await page.evaluate(
      ([data, token]) => {
        const { port1, port2 } = new MessageChannel();
        const answered = new Promise((resolve) => (port1.onmessage = resolve));
        frames[0]?.postMessage({ ...(data as object), clientToken: token }, '*', [port2]);
        return answered;
      },
      [start, clientToken] as const,
    );
    await inside(page).getByRole('button', { name: 'Pay ₦1,500.00' }).waitFor();
    for (const stranger of [page.mainFrame(), sibling]) {
      expect(await stranger.evaluate(() => 'heard' in globalThis)).toBe(false);
    }
    expect(await opened.locator('tillfront-checkout').getAttribute('client-token')).toBeNull();
    expect(await inside(page).locator('tillfront-checkout').getAttribute('client-token')).toBe(clientToken);
  });
});
