import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Frame, Page } from 'puppeteer-core';
import type { Sandbox } from '../../sandbox/server.ts';
import { sessionRequest, TillfrontClient } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { launchFirefox } from '../setup/browser.js';
import { framedPage, startFramedShop, type FramedShop } from './framed-shop.js';

/** The framed checkout in another engine. */

/** This browser is slow to start and to find things. */
const PATIENCE_MS = 180_000;

let shop: FramedShop;
let sandbox: Sandbox;
let tillfront: Tillfront;
let client: TillfrontClient;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  shop = await startFramedShop();
  sandbox = await startTestSandbox();
  tillfront = await startTillfront({
    store: 'embedded',
    gatewayUrl: sandbox.url,
    env: { ALLOWED_ORIGINS: `${shop.origin},https://shop.example` },
  });
  client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  browser = await launchFirefox();
  page = await browser.newPage();
  page.setDefaultTimeout(60_000);
}, PATIENCE_MS);
afterAll(async () => {
  await browser.close();
  await tillfront.stop();
  await sandbox.close();
  await shop.close();
});

async function open(origin: string): Promise<void> {
  const { clientToken } = await client.createSession(sessionRequest({ returnUrl: undefined }));
  shop.show(framedPage({ baseUrl: tillfront.url, clientToken }));
  await page.goto(origin);
}

async function checkoutFrame(): Promise<Frame> {
  const element = await page.waitForSelector('tillfront-checkout iframe');
  const frame = await element?.contentFrame();
  if (!frame) throw new Error('there is no frame');
  return frame;
}

/** By the keyboard alone: Firefox's long-term release cannot tell where in the window a frame stands, so nothing in it can be pointed at. */
async function type(frame: Frame, label: string, text: string): Promise<void> {
  const field = await frame.waitForSelector(`::-p-aria([name="${label}"][role="textbox"])`);
  await field?.focus();
  await page.keyboard.type(text);
}

async function press(frame: Frame | Page, name: string): Promise<void> {
  const button = await frame.waitForSelector(`::-p-aria([name="${name}"][role="button"])`);
  await button?.focus();
  await page.keyboard.press('Enter');
}

test(
  'a card payment, of which no script of the page sees a digit',
  async () => {
    await open(shop.origin);
    const frame = await checkoutFrame();
    await type(frame, 'Card number', '4111111111111111');
    await type(frame, 'Expiry date', '1230');
    await type(frame, 'Security code', '987');
    await type(frame, 'Name on card', 'Ada Secret');
    expect(
      await page.evaluate(() => (globalThis as unknown as { reachIn: () => string[] }).reachIn()),
    ).toEqual(Array.from({ length: 5 }, () => 'refused'));
    await press(frame, 'Pay ₦1,500.00');
    await frame.waitForSelector('[role=status] ::-p-aria([name="Payment successful"][role="heading"])');
    await page.waitForFunction(() =>
      (globalThis as { seen?: string[] }).seen?.some((text) => text.startsWith('result')),
    );
    const seen = await page.evaluate(() => (globalThis as { seen?: string[] }).seen ?? []);
    expect(seen.filter((text) => /^(?:key|input|beforeinput|change|paste|submit)/.test(text))).toEqual([]);
    expect(seen.join()).not.toMatch(/4111111|987|Ada Secret/);
  },
  PATIENCE_MS,
);

test(
  '3-D Secure takes the whole page there, and back',
  async () => {
    await open(shop.origin);
    const frame = await checkoutFrame();
    await type(frame, 'Card number', '5500000000000806');
    await type(frame, 'Expiry date', '1230');
    await type(frame, 'Security code', '111');
    await type(frame, 'Name on card', 'Ada Obi');
    await press(frame, 'Pay ₦1,500.00');
    await press(page, 'Approve');
    await page.waitForSelector('[role=status] ::-p-aria([name="Payment successful"][role="heading"])');
  },
  PATIENCE_MS,
);

test(
  'an origin that is not allowed reads why, and cannot frame it by itself',
  async () => {
    await open(shop.foreignOrigin);
    await page.waitForSelector(`::-p-text(add ${shop.foreignOrigin} to ALLOWED_ORIGINS)`);
    const inner = await page.evaluate(async (src) => {
      const frame = document.createElement('iframe');
      frame.src = src;
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      document.body.append(frame);
      await loaded;
      // a page that was refused leaves no window that takes a message of its origin
      return frame.contentDocument === null;
    }, `${tillfront.url}/checkout/frame`);
    expect(inner).toBe(true);
    const texts = await Promise.all(
      page
        .frames()
        .map((frame) => frame.$$eval('tillfront-checkout', (found) => found.length).catch(() => 0)),
    );
    // the page's own element, and none in a frame
    expect(texts.reduce((sum, count) => sum + count, 0)).toBe(1);
  },
  PATIENCE_MS,
);
