import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startCheckoutScene, type CheckoutScene } from './checkout-scene.js';

/** What is on the page already stays where it is while the rest comes: a payer may be about to touch it. */

let scene: CheckoutScene;
beforeAll(async () => {
  scene = await startCheckoutScene();
});
afterAll(() => scene.stop());

interface Shift extends PerformanceEntry {
  value: number;
}

/** Opens the checkout on a phone whose network is so slow that each step of it is drawn. */
async function openSlowly(url: string): Promise<Page> {
  const { page } = await scene.newPage({ viewport: { width: 390, height: 780 } });
  await page.route('**/v1/checkout-session', async (route) => {
    await page.locator('tillfront-checkout .loading').waitFor();
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    await route.continue();
  });
  await page.goto(url);
  return page;
}

async function shiftOf(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((done) => {
        let sum = 0;
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as Shift[]) sum += entry.value;
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => setTimeout(() => done(sum)));
      }),
  );
}

test.each([
  ['all that the payer need not type', { billing: { country: 'NGA' } }],
  ['nothing of the payer, as by a payment link', { payer: undefined, billing: undefined }],
])('the form appears below the amount and moves nothing, with %s', async (_, more) => {
  const session = await scene.client.createSession(more);
  const page = await openSlowly(session.checkoutUrl);
  await page.getByLabel('Card number').waitFor();
  expect(await shiftOf(page)).toBeLessThan(0.01);
});
