import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expectStatus, sessionRequest, type PaymentBody } from '../harness/client.js';
import { until } from '../harness/until.js';
import { startWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver.js';
import {
  accessibilityFaults,
  startCheckoutScene,
  type CheckoutScene,
  type WatchedPage,
} from './checkout-scene.js';

let scene: CheckoutScene;
let shop: WebhookReceiver;
beforeAll(async () => {
  shop = await startWebhookReceiver();
  scene = await startCheckoutScene({
    GATEWAY_PROFILE: resolve('sandbox/refunds.profile.json'),
    MERCHANT_WEBHOOK_URL: shop.url,
    MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`,
  });
}, 180_000);
afterAll(async () => {
  await scene.stop();
  await shop.close();
});

async function paid(number: string): Promise<PaymentBody> {
  const session = await scene.client.createSession(sessionRequest());
  return expectStatus(await scene.client.payCard(session, { card: { number } }), 201, 202).body;
}

async function signIn(key: string, place = '#payments'): Promise<WatchedPage> {
  const watched = await scene.newPage({ viewport: { width: 1280, height: 900 } });
  await watched.page.goto(`${scene.tillfront.url}/console${place}`);
  await watched.page.getByLabel('Merchant key').fill(key);
  await watched.page.getByRole('button', { name: 'Sign in' }).click();
  return watched;
}

async function openPayment(page: Page, payment: PaymentBody): Promise<void> {
  await page.getByRole('table').getByRole('link', { name: payment.reference }).click();
  await page.getByRole('heading', { name: payment.reference }).waitFor();
}

/** Asks for ₦500.00 back, and says so once more. */
async function refund(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Refund ₦500.00' }).click();
  await dialog.getByRole('button', { name: 'Yes, refund ₦500.00' }).click();
}

describe('the console', () => {
  test('lets nobody in without a merchant key, and keeps the key in memory only', async () => {
    const { page } = await signIn('no-such-key-0123456789abcdef');
    await page.getByText('This key is not accepted.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel('Merchant key').fill(scene.tillfront.merchantKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Payments', exact: true }).waitFor();
    const kept = await page.evaluate(() =>
      JSON.stringify({ ...sessionStorage, ...localStorage, cookie: document.cookie }),
    );
    expect(kept).not.toContain(scene.tillfront.merchantKey);
    expect(page.url()).not.toContain(scene.tillfront.merchantKey);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('finds payments by reference and status', async () => {
    const [succeeded, failed] = [await paid('4111111111111111'), await paid('4000000000000309')];
    const { page, faults } = await signIn(scene.tillfront.merchantKey);
    const rows = page.getByRole('table').getByRole('row');
    await page.getByRole('link', { name: succeeded.reference }).waitFor();
    await page.getByLabel('Status', { exact: true }).selectOption('failed');
    await page.getByRole('link', { name: succeeded.reference }).waitFor({ state: 'detached' });
    expect(await page.getByRole('link', { name: failed.reference }).count()).toBe(1);
    await page.getByLabel('Status', { exact: true }).selectOption('');
    await page.getByLabel('Find a payment').fill(succeeded.reference.toLowerCase());
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: failed.reference }).waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(2);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('draws a payment’s timeline, completes it in part, and voids another', async () => {
    const [held, other] = [await paid('4000000000000903'), await paid('4000000000000903')];
    const { page, faults } = await signIn(scene.tillfront.merchantKey);
    await openPayment(page, held);
    await page
      .getByRole('img', { name: "The payment's states in order: Processing, then Authorized" })
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Complete', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Complete ${held.reference}?` });
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByLabel('Amount').fill('2000.00');
    await dialog.getByRole('button', { name: 'Take ₦2,000.00' }).click();
    await dialog.getByRole('alert').filter({ hasText: /./ }).waitFor();
    await dialog.getByLabel('Amount').fill('1000.00');
    await dialog.getByRole('button', { name: 'Take ₦1,000.00' }).click();
    await page.getByRole('img', { name: /then Succeeded$/ }).waitFor();
    expect((await scene.client.getPayment(held.id)).amountCaptured).toBe('1000.00');

    await openPayment(page, other);
    await page.getByRole('button', { name: 'Void', exact: true }).click();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    expect((await scene.client.getPayment(other.id)).status).toBe('authorized');
    await page.getByRole('button', { name: 'Void', exact: true }).click();
    await page.getByRole('button', { name: 'Void ₦1,500.00' }).click();
    await page.getByRole('img', { name: /then Voided$/ }).waitFor();
    expect(faults).toEqual([]);
  });

  test('puts first what needs attention, and lets a person resolve it', async () => {
    const session = await scene.client.createSession(sessionRequest());
    const token = { token: session.clientToken };
    const odd = expectStatus(
      await scene.client.post<PaymentBody>('/v1/payments/transfer', {}, token),
      201,
    ).body;
    // less than what is owed arrives
    await scene.move(odd.gatewayReference, 'receive', { amount: '1000.00' });
    await scene.client.post(`/v1/payments/${odd.id}/refresh`, {});
    expect((await scene.client.getPayment(odd.id)).needsAttention).toBe(true);
    const { page, faults } = await signIn(scene.tillfront.merchantKey);
    // The list stays in sight: what needs attention stands above it, folded.
    await page.getByRole('table').getByRole('link', { name: odd.reference }).waitFor();
    expect(await page.getByRole('listitem').getByRole('link', { name: odd.reference }).isVisible()).toBe(
      false,
    );
    await page.getByText(/^Needs attention \(\d+\)$/).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: odd.reference })
      .getByText('The gateway named another amount, currency or reference.')
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('listitem').getByRole('link', { name: odd.reference }).click();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('button', { name: 'Resolve' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('radio', { checked: true }).count()).toBe(0);
    const figures = await dialog.getByRole('definition').allTextContents();
    expect(figures).toEqual(['₦1,500.00', 'The gateway named another amount, currency or reference.']);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('radio', { name: 'Paid', exact: true }).check();
    await dialog.getByLabel('Amount received').fill('1000.00');
    await dialog.getByLabel('How you know').fill('Seen on the bank statement.');
    await dialog.getByRole('button', { name: 'Resolve: ₦1,000.00 paid' }).click();
    await page.getByRole('img', { name: /then Succeeded$/ }).waitFor();
    expect((await scene.client.getPayment(odd.id)).status).toBe('succeeded');
    expect(faults).toEqual([]);
  });

  test('gives back a part, then the rest, and shows both sides', async () => {
    const payment = await paid('4111111111111111');
    const { page, faults } = await signIn(scene.tillfront.merchantKey);
    await openPayment(page, payment);
    const dialog = page.getByRole('dialog', { name: `Refund ${payment.reference}?` });
    const amount = dialog.getByLabel('Amount');
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    expect(await amount.inputValue()).toBe('1500.00');
    // Nothing typed is nothing meant.
    await amount.fill('all');
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog.getByRole('alert').getByText('Amount: must be an amount, such as 1500.00').waitFor();
    expect(await amount.getAttribute('aria-invalid')).toBe('true');
    expect(await amount.evaluate((field) => field === document.activeElement)).toBe(true);
    await amount.fill('9000.00');
    await dialog.getByRole('button', { name: 'Refund ₦9,000.00' }).click();
    await dialog.getByRole('button', { name: 'Yes, refund ₦9,000.00' }).click();
    await dialog.getByRole('alert').filter({ hasText: /./ }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await amount.fill('500.00');
    await dialog.getByLabel('Reason').fill('One book was out of stock.');
    // A double click is no second word.
    await dialog.getByRole('button', { name: 'Refund ₦500.00' }).dblclick();
    await dialog
      .getByText(`Refund ₦500.00 of ${payment.reference} to the payer? This cannot be undone.`)
      .waitFor();
    // Back leads to what was typed, and nothing was sent.
    await dialog.getByRole('button', { name: 'Back' }).click();
    expect(await amount.inputValue()).toBe('500.00');
    expect((await scene.client.getPayment(payment.id)).amountRefunded).toBeNull();
    await dialog.getByRole('button', { name: 'Refund ₦500.00' }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Yes, refund ₦500.00' }).click();
    await page.getByText('One book was out of stock.').waitFor();
    await page.getByRole('heading', { name: /Partly refunded$/ }).waitFor();
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    expect(await amount.inputValue()).toBe('1000.00');
    await dialog.getByRole('button', { name: 'Refund ₦1,000.00' }).click();
    await dialog.getByRole('button', { name: 'Yes, refund ₦1,000.00' }).click();
    await page.getByRole('button', { name: 'Refund', exact: true }).waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Void', exact: true }).count()).toBe(0);
    expect(await scene.client.getPayment(payment.id)).toMatchObject({
      status: 'succeeded',
      amountRefunded: '1500.00',
    });
    const sides = page.getByRole('table', { name: 'What was requested, and what the gateway said' });
    expect(await sides.getByRole('row', { name: 'Refund ₦500.00 Refunded' }).count()).toBe(1);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('asks again under the same key when the answer was lost, and never gives back twice', async () => {
    const payment = await paid('4111111111111111');
    const { page } = await signIn(scene.tillfront.merchantKey);
    const keys: (string | undefined)[] = [];
    await page.route('**/refunds', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await openPayment(page, payment);
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount').fill('500.00');
    await refund(dialog);
    await dialog.getByText('There was no answer.').waitFor();
    await dialog.getByLabel('Reason').fill('Another wish.');
    await refund(dialog);
    await dialog.getByText('The last attempt got no clear answer').waitFor();
    expect(keys).toHaveLength(1);
    expect((await scene.client.getPayment(payment.id)).amountRefunded).toBe('500.00');

    const other = await paid('4111111111111111');
    keys.length = 0;
    await dialog.getByRole('button', { name: 'Back' }).click();
    await openPayment(page, other);
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog.getByLabel('Amount').fill('500.00');
    await refund(dialog);
    await dialog.getByText('There was no answer.').waitFor();
    await refund(dialog);
    await dialog.waitFor({ state: 'detached' });
    expect(keys[1]).toBe(keys[0]);
    expect((await scene.client.getPayment(other.id)).amountRefunded).toBe('500.00');
  });

  test('sends an event again', async () => {
    const payment = await paid('4111111111111111');
    const deliveries = (): number =>
      shop.received.filter(({ json }) => (json.data as { id?: string }).id === payment.id).length;
    // One that is still on its way would stay as it is.
    await until(async () => {
      const path = `/v1/events?paymentId=${payment.id}`;
      const { body } = await scene.client.get<{ data: { delivery: { status: string } }[] }>(path);
      return body.data.length === 1 && body.data[0]?.delivery.status === 'delivered';
    });
    const { page, faults } = await signIn(scene.tillfront.merchantKey);
    await openPayment(page, payment);
    await page.getByRole('button', { name: 'Redeliver payment.succeeded' }).click();
    await page.getByRole('button', { name: 'Redeliver event' }).click();
    await page.getByText('The event is on its way.').waitFor({ state: 'attached' });
    await until(() => deliveries() === 2);
    expect(faults).toEqual([]);
  });

  test('follows a payment that is still on its way', async () => {
    const payment = await paid('4000000000001109');
    const { page } = await signIn(scene.tillfront.merchantKey);
    await openPayment(page, payment);
    await page.getByRole('img', { name: /then Succeeded$/ }).waitFor();
  });

  test('offers nothing to a key that only reads', async () => {
    const held = await paid('4000000000000903');
    const { page } = await signIn(scene.tillfront.merchantReadKey);
    await page.getByText('Read only').waitFor();
    await openPayment(page, held);
    await page.getByRole('img', { name: /then Authorized$/ }).waitFor();
    for (const name of ['Complete', 'Void', 'Refund', 'Resolve', 'Refresh', 'Cancel payment', 'Redeliver']) {
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    }
    expect(await page.getByRole('link', { name: 'Payment link' }).count()).toBe(0);
    await page.goto(`${scene.tillfront.url}/console#links`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  test('works on a phone: the payment takes the list’s place, and the way back is there', async () => {
    const payment = await paid('4111111111111111');
    const { page } = await signIn(scene.tillfront.merchantKey);
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await accessibilityFaults(page)).toEqual([]);
    await openPayment(page, payment);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.goBack();
    await page.getByRole('heading', { name: 'Payments', exact: true }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });
});
