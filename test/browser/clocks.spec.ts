import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sessionRequest } from '../harness/client.js';
import { fillCard, outcome, pressPay, startCheckoutScene, type CheckoutScene } from './checkout-scene.js';

/** Payers’ devices whose clocks are wrong: only the service’s time counts. */

let scene: CheckoutScene;
beforeAll(async () => {
  scene = await startCheckoutScene();
});
afterAll(() => scene.stop());

const HOUR = 3_600_000;

/** A new session’s page on a device whose clock differs by so many milliseconds. */
async function openAt(offsetMs: number): Promise<{ page: Page; faults: string[] }> {
  const session = await scene.client.createSession(sessionRequest({ returnUrl: undefined }));
  const { page, context, faults } = await scene.newPage();
  await context.addInitScript((offset) => {
    const now = Date.now.bind(Date);
    globalThis.Date = new Proxy(Date, {
      construct: (target, given: []): object =>
        Reflect.construct(target, given.length === 0 ? [now() + offset] : given) as object,
    });
    Date.now = () => now() + offset;
  }, offsetMs);
  await page.goto(session.checkoutUrl);
  await page.locator('tillfront-checkout[data-view=choose]').waitFor();
  const shown = await page.evaluate(() => Date.now());
  expect(Math.abs(shown - Date.now() - offsetMs)).toBeLessThan(60_000);
  return { page, faults };
}

test.each([
  ['45 minutes fast', 0.75 * HOUR],
  ['a day slow', -24 * HOUR],
  ['six years ahead', 6 * 365 * 24 * HOUR],
])('a clock that is %s promises a transfer’s account for as long as it is kept', async (_, offset) => {
  const { page, faults } = await openAt(offset);
  await page.getByRole('radio', { name: 'Bank transfer', exact: true }).check();
  await pressPay(page);
  const time = page.getByText(/yours for another \d\d:\d\d\./);
  await time.waitFor();
  const [, minutes = ''] = /another (\d\d):/.exec((await time.textContent()) ?? '') ?? [];
  // The sandbox keeps an account for half an hour.
  expect(Number(minutes)).toBeGreaterThan(20);
  expect(Number(minutes)).toBeLessThanOrEqual(30);
  expect(faults).toEqual([]);
});

test.each([
  ['six years ahead', 6 * 365 * 24 * HOUR],
  ['thirty years behind', -30 * 365 * 24 * HOUR],
])('a clock that is %s neither refuses a good card nor has it refused', async (_, offset) => {
  const { page, faults } = await openAt(offset);
  await fillCard(page, { number: '4111111111111111', expiry: '12 / 30' });
  await pressPay(page);
  await outcome(page, 'Payment successful');
  expect(faults).toEqual([]);
});

test('a card that has expired is refused by a device that lags behind, too', async () => {
  const { page } = await openAt(-10 * 365 * 24 * HOUR);
  await fillCard(page, { number: '4111111111111111', expiry: '01 / 20' });
  await pressPay(page);
  await page.getByText('This card has expired.').waitFor();
});
