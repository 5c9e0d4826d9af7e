import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { expectStatus, sessionRequest, type PaymentBody } from '../harness/client.js';
import {
  accessibilityFaults,
  startCheckoutScene,
  type CheckoutScene,
  type WatchedPage,
} from './checkout-scene.js';

/** What people at the console look for, see at a glance, decide together and take to their books. */

const ANNA = 'anna-kR7wQz2TnV5yBd8MfL3xHc';
const BEN = 'ben-pJ6sGu9WqE4mZa1NrY8tKv';

let scene: CheckoutScene;
beforeAll(async () => {
  scene = await startCheckoutScene({
    MERCHANT_API_KEY: `anna=${ANNA},ben=${BEN}`,
    APPROVAL_ABOVE: 'NGN:2000.00',
    GATEWAY_PROFILE: resolve('sandbox/refunds.profile.json'),
  });
}, 180_000);
afterAll(() => scene?.stop());

async function paid(more: object = {}): Promise<PaymentBody> {
  const session = await scene.client.createSession(sessionRequest(more));
  const answer = await scene.client.payCard(session, { card: { number: '4111111111111111' } });
  return expectStatus(answer, 201).body;
}

async function signIn(place: string, key = ANNA): Promise<WatchedPage> {
  const watched = await scene.newPage({ viewport: { width: 1280, height: 900 } });
  await watched.page.goto(`${scene.tillfront.url}/console${place}`);
  await watched.page.getByLabel('Merchant key').fill(key);
  await watched.page.getByRole('button', { name: 'Sign in' }).click();
  await watched.page.getByRole('button', { name: 'Sign out' }).waitFor();
  return watched;
}

async function fits(page: Page): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
}

const row = (page: Page, payment: PaymentBody) =>
  page.locator('.list .rows tbody tr').filter({ has: page.locator(`a[data-payment="${payment.id}"]`) });

test('a large refund waits, and another person approves it', async () => {
  const payment = await paid({ amount: '5000.00' });
  const anna = await signIn(`#payments/${payment.id}`);
  await anna.page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = anna.page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('3000.00');
  await dialog.getByLabel('Reason').fill('Half of it came back.');
  await dialog.getByRole('button', { name: 'Refund ₦3,000.00' }).click();
  await dialog.getByRole('button', { name: 'Yes, refund ₦3,000.00' }).click();
  await anna.page
    .getByText(/^Nothing was done yet\. Refund: ₦3,000\.00 waits until another person approves it/)
    .waitFor();
  await anna.page.getByText('Refund: ₦3,000.00 waits for approval.').waitFor();
  await anna.page.getByText('You asked for it: another person must approve it.').waitFor();
  expect(await anna.page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
  await fits(anna.page);
  expect((await scene.client.getPayment(payment.id)).amountRefunded).toBeNull();

  const ben = await signIn('', BEN);
  await ben.page.getByRole('link', { name: /^Waiting for approval ?1/ }).click();
  await ben.page.getByText('“Half of it came back.”').waitFor();
  await fits(ben.page);
  await ben.page.getByRole('button', { name: 'Approve Refund: ₦3,000.00' }).click();
  await ben.page.getByLabel('Note').fill('Seen in the warehouse.');
  await ben.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await ben.page.getByText('Approved. Refund: ₦3,000.00.').waitFor();
  await ben.page.getByText('Nothing waits for approval.').waitFor();
  expect((await scene.client.getPayment(payment.id)).amountRefunded).toBe('3000.00');
  const { body } = await scene.client.get<{ data: object[] }>(`/v1/approvals?paymentId=${payment.id}`, {
    token: ANNA,
  });
  expect(body.data).toMatchObject([
    { state: 'approved', decidedBy: 'merchant:ben', note: 'Seen in the warehouse.' },
  ]);
  expect([...anna.faults, ...ben.faults]).toEqual([]);
});

test('what was asked for can be declined', async () => {
  const payment = await paid({ amount: '4000.00' });
  await scene.client.post(`/v1/payments/${payment.id}/refunds`, {}, { token: ANNA });
  const { page } = await signIn(`#payments/${payment.id}`, BEN);
  await page.getByRole('button', { name: 'Decline Refund: ₦4,000.00' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await page.getByText('Declined. Refund: ₦4,000.00.').waitFor();
  await page.getByText('waits for approval').waitFor({ state: 'detached' });
  expect((await scene.client.getPayment(payment.id)).amountRefunded).toBeNull();
});

test.each([
  ['NGN', '123456789.00'],
  ['USD', '123456789.00'],
  ['JPY', '123456789'],
  ['KWD', '123456789.000'],
  ['CHF', '123456789.00'],
  ['XOF', '123456789'],
])('an amount in %s never breaks inside its digits', async (currency, amount) => {
  const payment = await paid({ currency, amount });
  const { page } = await signIn('#payments');
  await row(page, payment).waitFor();
  for (const place of ['#payments', `#payments/${payment.id}`]) {
    await page.evaluate((hash) => (location.hash = hash), place);
    await page.locator('main .sum:visible').first().waitFor();
    for (const width of [320, 390, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      const broken = await page.locator('main .sum:visible').evaluateAll((sums) =>
        sums
          .filter((element) => {
            const { left, right } = element.getBoundingClientRect();
            const isInside = element.closest('.scroll') !== null || (left >= 0 && right <= innerWidth);
            return element.getClientRects().length !== 1 || !isInside;
          })
          .map((element) => element.outerHTML),
      );
      expect([place, width, ...broken]).toEqual([place, width]);
    }
  }
});
