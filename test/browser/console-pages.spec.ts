import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectStatus, sessionRequest, type PaymentBody, type SessionBody } from '../harness/client.js';
import { testKeys } from '../harness/tillfront.js';
import {
  accessibilityFaults,
  startCheckoutScene,
  type CheckoutScene,
  type WatchedPage,
} from './checkout-scene.js';

/** The console's pages beside payments: what they show, that they can be linked to, and that they refresh themselves. */

const ANNA = 'key-of-anna-0123456789abcdef';

let scene: CheckoutScene;
let succeeded: PaymentBody;
let failed: PaymentBody;
beforeAll(async () => {
  scene = await startCheckoutScene({
    // Nobody listens there, so that events wait.
    MERCHANT_WEBHOOK_URL: 'http://127.0.0.1:9/events',
    MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`,
    MERCHANT_API_KEY: `${testKeys.merchant},ops-anna=${ANNA}`,
  });
  [succeeded, failed] = [await paid('4111111111111111'), await paid('4000000000000309')];
  await paid('4000000000000903');
}, 180_000);
afterAll(() => scene?.stop());

async function paid(number: string): Promise<PaymentBody> {
  const session = await scene.client.createSession(sessionRequest());
  return expectStatus(await scene.client.payCard(session, { card: { number } }), 201, 202).body;
}

async function signIn(place: string, key = ANNA): Promise<WatchedPage> {
  const watched = await scene.newPage({ viewport: { width: 1280, height: 900 } });
  await watched.page.goto(`${scene.tillfront.url}/console${place}`);
  await watched.page.getByText('Test mode').waitFor();
  await watched.page.getByLabel('Merchant key').fill(key);
  await watched.page.getByRole('button', { name: 'Sign in' }).click();
  return watched;
}

async function fitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
}

describe('payments', () => {
  test('filters stand in the address: they can be shared, and the way back leads through them', async () => {
    const { page, faults } = await signIn(`#payments?status=failed&method=card`);
    await page.getByRole('link', { name: failed.reference }).waitFor();
    expect(await page.getByRole('link', { name: succeeded.reference }).count()).toBe(0);
    expect(await page.getByLabel('Method').inputValue()).toBe('card');
    await page.getByRole('link', { name: failed.reference }).click();
    await page.getByRole('heading', { name: failed.reference }).waitFor();
    expect(page.url()).toContain(`#payments/${failed.id}?status=failed&method=card`);
    await page.getByRole('link', { name: 'Back to payments' }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('link', { name: succeeded.reference }).waitFor();
    await page.getByLabel('Status', { exact: true }).selectOption('authorized');
    await page.getByRole('link', { name: succeeded.reference }).waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('link', { name: succeeded.reference }).waitFor();
    expect(await page.getByLabel('Status', { exact: true }).inputValue()).toBe('');
    expect(page.url()).not.toContain(ANNA);
    await fitsPhone(page);
    expect(faults).toEqual([]);
  });

  test('a wrong filter is named', async () => {
    const { page } = await signIn('#payments?currency=nothing');
    await page
      .getByRole('alert')
      .getByText(/^Currency: /)
      .waitFor();
    expect(await page.getByLabel('Currency').getAttribute('aria-invalid')).toBe('true');
  });

  test('a list that refreshes itself keeps what is typed, and the focus', async () => {
    const { page } = await signIn('#payments');
    await page.getByRole('table').getByRole('link', { name: succeeded.reference }).waitFor();
    await page.getByLabel('Find a payment').fill('HALF-');
    const fresh = await paid('4111111111111111');
    await page.getByRole('table').getByRole('link', { name: fresh.reference }).waitFor();
    await page.keyboard.type('TYPED');
    expect(await page.getByLabel('Find a payment').inputValue()).toBe('HALF-TYPED');
  });

  test('more than a page is read on', async () => {
    const { page } = await signIn('#payments');
    await page.route(/\/v1\/payments\?limit=50/, (route) =>
      route.continue({ url: route.request().url().replace('limit=50', 'limit=2') }),
    );
    await page.getByLabel('Status', { exact: true }).selectOption('authorized');
    await page.getByLabel('Status', { exact: true }).selectOption('');
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 4);
  });
});

test('the audit says who did what, newest first', async () => {
  const { page, faults } = await signIn('#audit');
  const first = page.getByRole('row').nth(1);
  await first.getByRole('rowheader', { name: 'sign-in' }).waitFor();
  expect(await first.textContent()).toContain('merchant:ops-anna');
  expect(await accessibilityFaults(page)).toEqual([]);
  await fitsPhone(page);
  expect(faults).toEqual([]);
});

test('a payment link is made, shown as an address and as a QR code, and can be paid', async () => {
  const { page, faults } = await signIn('#links');
  await page.getByLabel('Currency').fill('ngn');
  await page.getByLabel('Reference').fill('not a reference');
  await page.getByLabel('Amount').fill('2500.00');
  await page.getByRole('button', { name: 'Create the link' }).click();
  await page
    .getByRole('alert')
    .getByText(/^Reference: /)
    .waitFor();
  await page.getByLabel('Reference').fill('LINK-1');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Valid for').selectOption('30 days');
  await page.getByRole('button', { name: 'Create the link' }).click();
  await page.getByRole('heading', { name: '₦2,500.00 for LINK-1' }).waitFor();
  await page.getByRole('img', { name: 'The address as a QR code' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await fitsPhone(page);
  const address = await page.getByRole('textbox', { name: 'Address' }).inputValue();
  const [session] = expectStatus(
    await scene.client.get<{ data: SessionBody[] }>('/v1/checkout-sessions?reference=LINK-1'),
    200,
  ).body.data;
  const days = (Date.parse(session?.expiresAt ?? '') - Date.parse(session?.createdAt ?? '')) / 86_400_000;
  expect([days, session?.payer]).toEqual([30, { email: 'ada@example.com' }]);
  const payer = await scene.newPage();
  await payer.page.goto(address);
  await payer.page.getByRole('button', { name: 'Pay ₦2,500.00' }).waitFor();
  expect(faults).toEqual([]);
});
