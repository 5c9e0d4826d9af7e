import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { sessionRequest, type SessionBody } from '../harness/client.js';
import {
  accessibilityFaults,
  fillCard,
  outcome,
  pressPay,
  startCheckoutScene,
  type CheckoutScene,
  type WatchedPage,
} from './checkout-scene.js';

/** Every state of the page, narrow and wide, light and dark, with large text and forced colours: nothing is cut off, and axe finds nothing. */

let scene: CheckoutScene;
beforeAll(async () => {
  scene = await startCheckoutScene({
    MERCHANT_NAME: 'The Bookshop of Ada Obi and her Sisters in Lagos',
    MERCHANT_ACCENT_COLOR: '#8a4b1f',
    MAX_DECLINES_PER_SESSION: '50',
    MAX_PAYMENTS_PER_SESSION: '0',
  });
});
afterAll(() => scene.stop());

const looks: readonly [name: string, options: BrowserContextOptions, textSize: string][] = [
  ['390 pixels', { viewport: { width: 390, height: 740 } }, '100%'],
  [
    '320 pixels, dark, with less motion',
    { viewport: { width: 320, height: 640 }, colorScheme: 'dark', reducedMotion: 'reduce' },
    '100%',
  ],
  ['1280 pixels', { viewport: { width: 1280, height: 900 } }, '100%'],
  ['360 pixels, with text twice as large', { viewport: { width: 360, height: 740 } }, '200%'],
  [
    '390 pixels, in forced colours',
    { viewport: { width: 390, height: 740 }, forcedColors: 'active' },
    '100%',
  ],
];

/** A page whose reader has set the size of text in the browser. */
async function open(
  session: SessionBody,
  options: BrowserContextOptions,
  textSize: string,
): Promise<WatchedPage> {
  const watched = await scene.newPage(options);
  await watched.context.addInitScript((size) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`html { font-size: ${size} }`);
    document.adoptedStyleSheets.push(sheet);
  }, textSize);
  await watched.page.goto(session.checkoutUrl);
  await watched.page.locator('tillfront-checkout[data-view]:not([data-view=loading])').waitFor();
  return watched;
}

async function whole(page: Page, state: string): Promise<void> {
  const outside = await page.evaluate(() => {
    const cut = [...document.querySelectorAll<HTMLElement>('tillfront-checkout *')].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 1 && (left < 0 || right > innerWidth + 0.5);
    });
    return [document.documentElement.scrollWidth - innerWidth, ...cut.map((element) => element.outerHTML)];
  });
  expect([state, ...outside]).toEqual([state, 0]);
  expect([state, ...(await accessibilityFaults(page))]).toEqual([state]);
}

test.each(looks)('at %s', async (_, options, textSize) => {
  const asking = await scene.client.createSession(sessionRequest({ payer: undefined, billing: undefined }));
  const bare = await open(asking, options, textSize);
  await pressPay(bare.page);
  await whole(bare.page, 'errors');

  const { page, faults } = await open(await scene.client.createSession(sessionRequest()), options, textSize);
  const another = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Cancel' }).click();
    await outcome(page, 'Payment canceled');
    await whole(page, 'canceled');
    await page.getByRole('button', { name: 'Try another way' }).click();
  };
  await whole(page, 'form');
  await fillCard(page, { number: '4000000000000309' });
  await pressPay(page);
  await outcome(page, 'Payment failed');
  await whole(page, 'declined');
  await fillCard(page, { number: '4000000000000705' });
  await pressPay(page);
  await page.getByLabel('One-time code').waitFor();
  await whole(page, 'one-time code');
  await another();
  await page.getByRole('radio', { name: 'Bank transfer', exact: true }).check();
  await pressPay(page);
  await page.getByRole('heading', { name: 'Transfer ₦1,500.00' }).waitFor();
  await whole(page, 'transfer');
  await another();
  await page.getByRole('radio', { name: 'USSD', exact: true }).check();
  await page.getByLabel('Your bank').selectOption({ index: 1 });
  await pressPay(page);
  await page.getByRole('heading', { name: 'Dial this code' }).waitFor();
  await whole(page, 'USSD');
  await another();
  // The news is held back until the page has been looked at: it comes after a second.
  const { promise: looked, resolve: go } = Promise.withResolvers<void>();
  await page.route(/\/v1\/payments\/pay_/, async (route) => {
    await looked;
    await route.continue();
  });
  await fillCard(page, { number: '4000000000002404' });
  await pressPay(page);
  await outcome(page, 'We are confirming your payment');
  await whole(page, 'confirming');
  go();
  await outcome(page, 'Payment successful');
  await whole(page, 'successful');
  expect(faults).toEqual([]);
  await page.goto('about:blank');
  await page.goto(`${scene.tillfront.url}/checkout#cst_cs_1.x`);
  await outcome(page, 'This payment cannot be shown');
  await whole(page, 'unavailable');
});

/** One of each form: two digits, none, three; a sign of its own, a shared one, letters. The longest sum that is taken. */
const CURRENCIES = [
  ['NGN', '123456789.00'],
  ['USD', '123456789.00'],
  ['JPY', '123456789'],
  ['KWD', '123456789.000'],
  ['CHF', '123456789.00'],
  ['XOF', '123456789'],
] as const;

test.each(CURRENCIES)('an amount in %s never breaks inside its digits', async (currency, amount) => {
  const session = await scene.client.createSession(sessionRequest({ currency, amount }));
  const { page } = await scene.open(session);
  for (const width of [320, 360, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const sums = await page.locator('tillfront-checkout .sum').evaluateAll((elements) =>
      elements.map((element) => {
        const { left, right } = element.getBoundingClientRect();
        return { lines: element.getClientRects().length, isInside: left >= 0 && right <= innerWidth };
      }),
    );
    expect(sums.length).toBeGreaterThanOrEqual(2);
    expect([width, ...sums]).toEqual([width, ...sums.map(() => ({ lines: 1, isInside: true }))]);
  }
});
