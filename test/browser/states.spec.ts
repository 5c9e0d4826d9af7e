import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sessionRequest } from '../harness/client.js';
import {
  accessibilityFaults,
  fillCard,
  outcome,
  pressPay,
  startCheckoutScene,
  type CheckoutScene,
} from './checkout-scene.js';

/** Every state of the page, narrow and wide, light and dark: nothing is cut off, and axe finds nothing. */

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

const looks = [
  ['390 pixels', { viewport: { width: 390, height: 740 } }],
  [
    '320 pixels, dark, with less motion',
    { viewport: { width: 320, height: 640 }, colorScheme: 'dark', reducedMotion: 'reduce' },
  ],
  ['1280 pixels', { viewport: { width: 1280, height: 900 } }],
] as const;

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

test.each(looks)('at %s', async (_, options) => {
  const asking = await scene.client.createSession(sessionRequest({ payer: undefined, billing: undefined }));
  const bare = await scene.open(asking, options);
  await pressPay(bare.page);
  await whole(bare.page, 'errors');

  const { page, faults } = await scene.open(await scene.client.createSession(sessionRequest()), options);
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
