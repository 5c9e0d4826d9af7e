import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { newReference, type PaymentBody } from '../harness/client.js';
import { testKeys } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { launchFirefox } from '../setup/browser.js';
import { accessibilityFaults, startCheckoutScene, type CheckoutScene, type WatchedPage } from './harness.js';

/** The console as a merchant's people use it: over the built service and the sandbox. */

const ANNA = 'ak_test_4d1f7c92e6b8305a9d2e7f41';
const BEN = 'bk_test_91e7d2c4f8a635b0c1d9e2f7';
const BOOKS = 'ok_test_2b9c7f4e1d8a603f5c7e9d21';

let scene: CheckoutScene;
beforeAll(async () => {
  scene = await startCheckoutScene({
    MERCHANT_API_KEY: `${testKeys.merchant},anna=${ANNA},ben=${BEN}`,
    MERCHANT_BOOKS_API_KEY: `books=${BOOKS}`,
    // The built-in profile has no refunds.
    GATEWAY_PROFILE: resolve('sandbox/refunds.profile.json'),
    APPROVAL_ABOVE: 'NGN:1000.00',
    SETTLEMENT_EXPECTED_DAYS: '0',
    // Nobody listens there: events wait, and can be sent again.
    MERCHANT_WEBHOOK_URL: 'http://127.0.0.1:9/events',
    MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.from('a secret for the console’s tests').toString('base64')}`,
  });
});
afterAll(() => scene.stop());

/** The console at a place, signed in. */
async function enter(place = '', key: string = ANNA, options: object = {}): Promise<WatchedPage> {
  const watched = await scene.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  await watched.page.goto(`${scene.tillfront.url}/console#${place}`);
  await signIn(watched.page, key);
  return watched;
}

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Merchant key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

async function paid(more: object = {}): Promise<PaymentBody> {
  const session = await scene.client.createSession(more);
  const { body } = await scene.client.payCard(session);
  return scene.client.waitForStatus(body.id, 'succeeded');
}

/** A transfer of too little, about which only a person can decide. */
async function paidTooLittle(): Promise<PaymentBody> {
  const session = await scene.client.createSession();
  const { body } = await scene.client.payTransfer(session);
  await scene.move(body.gatewayReference, 'receive', { amount: '1000.00' });
  await scene.client.post(`/v1/payments/${body.id}/refresh`);
  await until(async () => (await scene.client.getPayment(body.id)).needsAttention);
  return body;
}

async function told(page: Page, words: RegExp): Promise<void> {
  const found = page.locator('.told').filter({ hasText: words });
  await found.waitFor().catch(async () => {
    throw new Error(`nobody was told ${String(words)}, but: ${await page.locator('body').innerText()}`);
  });
}

test('one walk: from the sign-in over a payment to its refund, which another person approves', async () => {
  const payment = await paid();
  const { page, faults } = await enter();
  await page.getByText('Test mode').waitFor();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Overview');
  await page.getByRole('img', { name: /Paid in 30 days: ₦/ }).waitFor();
  await page.getByRole('link', { name: /^Paid today/ }).waitFor();

  await page.getByRole('link', { name: 'Payments', exact: true }).click();
  await page.getByLabel('Find a payment').fill(payment.reference.slice(0, 12).toLowerCase());
  await page.getByRole('button', { name: 'Search' }).click();
  // Words that may be a payer's e-mail never enter an address.
  expect(page.url()).toMatch(/#payments\?search=0$/);
  await page.getByRole('link', { name: payment.reference }).click();
  await page.getByText('₦1,500.00 was paid by card (verve ···· 7499)').waitFor();
  expect(await page.title()).toBe(`${payment.reference} – Tillfront console`);

  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('12,00');
  await dialog.getByRole('button', { name: 'Refund' }).click();
  expect(await dialog.getByLabel('Amount').evaluate((input) => input.matches(':invalid:focus'))).toBe(true);
  await dialog.getByLabel('Amount').fill('1200.00');
  await dialog.getByLabel('Reason').fill('One of two books was out of stock.');
  await dialog.getByText('cannot be undone').waitFor();
  await dialog.getByRole('button', { name: 'Refund ₦1,200.00' }).click();
  await told(page, /waits for a second person/);
  await page.getByText('You asked for it').waitFor();

  const ben = await enter('approvals', BEN);
  await ben.page.getByRole('button', { name: 'Approve Refund of ₦1,200.00' }).click();
  const approval = ben.page.getByRole('dialog');
  await approval.getByRole('button', { name: 'Approve the refund of ₦1,200.00' }).click();
  await told(ben.page, /approved and sent/);
  // The page that anna has open notices it by itself.
  await page.getByText('₦1,200.00 was given back.').waitFor();
  await page.getByText('Partly refunded').waitFor();
  expect((await scene.client.getPayment(payment.id)).amountRefunded).toBe('1200.00');

  await ben.page.getByRole('link', { name: 'Audit' }).click();
  await ben.page
    .getByRole('row')
    .filter({ hasText: 'approve' })
    .filter({ hasText: 'merchant:ben' })
    .waitFor();
  expect([...faults, ...ben.faults]).toEqual([]);
});

test('a payment that needs attention is resolved by a person, and says so', async () => {
  const payment = await paidTooLittle();
  const { page, faults } = await enter('payments?needsAttention=true');
  await page.getByRole('link', { name: payment.reference }).click();
  await page.getByText('another amount, currency or reference').first().waitFor();
  await page.getByRole('button', { name: 'Resolve' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Paid', { exact: true }).check();
  await dialog.getByLabel('Amount received').fill('1000.00');
  await dialog.getByLabel('How you know').fill('On the statement.');
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await page.getByText('₦1,000.00 was paid by bank transfer').waitFor();
  await page.getByRole('cell', { name: 'On the statement.' }).waitFor();
  expect(await scene.client.getPayment(payment.id)).toMatchObject({
    status: 'succeeded',
    needsAttention: false,
  });
  expect(faults).toEqual([]);
});

test('an open payment is followed, and its change is announced', async () => {
  const session = await scene.client.createSession();
  const { body } = await scene.client.payTransfer(session);
  const { page } = await enter(`payments/${body.id}`);
  await page.getByText('Waiting for the payer to transfer').waitFor();
  await scene.move(body.gatewayReference, 'receive', { amount: '1500.00' });
  await page
    .getByRole('status')
    .filter({ hasText: `${body.reference}: Succeeded.` })
    .waitFor();
});

test('a refund whose answer is lost is repeated with its key, however often it is pressed', async () => {
  const payment = await paid();
  const { page } = await enter(`payments/${payment.id}`);
  const keys: (string | undefined)[] = [];
  await page.route('**/refunds', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('500.00');
  await dialog.getByRole('button', { name: 'Refund ₦500.00' }).dblclick();
  await dialog.getByText('There was no answer.').waitFor();
  await dialog.getByRole('button', { name: 'Refund ₦500.00' }).click();
  await dialog.waitFor({ state: 'detached' });
  await told(page, /Refund of ₦500\.00: /);
  const refunds = await scene.client.get<{ data: object[] }>(`/v1/payments/${payment.id}/refunds`);
  expect(refunds.body.data).toHaveLength(1);
  expect(keys).toEqual([expect.any(String), keys[0]]);
});

test('an event is sent again', async () => {
  const payment = await paid();
  const { page } = await enter(`payments/${payment.id}`);
  await page.getByRole('button', { name: 'Redeliver payment.succeeded' }).click();
  await page.getByRole('button', { name: 'Redeliver event' }).click();
  await told(page, /on its way/);
});

test('a payment link has an address and a QR code', async () => {
  const { page, faults } = await enter('links');
  const reference = newReference();
  await page.getByLabel('Reference').fill(reference);
  await page.getByLabel('Amount').fill('2500.00');
  await page.getByLabel('Currency').fill('ngn');
  await page.getByLabel('Valid for').selectOption('30 days');
  await page.getByRole('button', { name: 'Create the link' }).click();
  await page.getByRole('heading', { name: `₦2,500.00 for ${reference}` }).waitFor();
  await page.getByRole('img', { name: 'The link as a QR code' }).waitFor();
  await page.getByText(/\/checkout#cst_/).waitFor();
  await page.getByRole('button', { name: 'Create the link' }).click();
  await page.getByLabel('Currency').fill('XXXX');
  await page.getByRole('button', { name: 'Create the link' }).click();
  await page.getByRole('alert').filter({ hasText: /./ }).first().waitFor();
  expect(faults).toEqual([]);
});

describe('the books', () => {
  test('a report is uploaded, and its difference closed and reopened', async () => {
    const payment = await paid();
    const { page, faults } = await enter('settlements', BOOKS);
    const report = await fetch(`${scene.sandbox.url}/sandbox/settlement.csv?plant=unknown`);
    const file = {
      name: 'report.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(await report.arrayBuffer()),
    };
    await page.getByLabel(/Settlement report/).setInputFiles(file);
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByRole('heading', { name: /^Settlement / }).waitFor();
    const row = page.getByRole('row').filter({ hasText: 'SANDBOX-NOBODY-KNOWS_1' });
    await row.getByText('Settled, but unknown here').waitFor();
    await row.getByRole('button', { name: /^Close/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Written off').check();
    await dialog.getByLabel('Note').fill('Below our limit.');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await row.getByText('Written off').waitFor();
    await row.getByRole('button', { name: /^Reopen/ }).click();
    await dialog.getByRole('button', { name: 'Reopen' }).click();
    await row.getByText('Open', { exact: true }).waitFor();

    await page.getByRole('link', { name: 'Ledger' }).click();
    await page.getByRole('rowheader').getByRole('link').first().click();
    await page.getByRole('row').filter({ hasText: payment.reference }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^ledger-\d{4}-\d{2}\.csv$/);
    expect(faults).toEqual([]);
  });
});

describe('keys', () => {
  test('a read key sees everything and offers no action', async () => {
    const payment = await paid();
    const { page } = await enter(`payments/${payment.id}`, testKeys.merchantRead);
    await page.getByText('was paid by card').waitFor();
    await page.getByText('Read only').waitFor();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    expect(await page.getByRole('form', { name: 'What may be done' }).count()).toBe(0);
    expect(await page.getByRole('navigation').getByRole('link').allTextContents()).not.toContain(
      'Payment link',
    );
  });

  test('a books key sees payments and the books', async () => {
    const payment = await paid();
    const { page, faults } = await enter(`payments/${payment.id}`, BOOKS);
    await page.getByText('was paid by card').waitFor();
    expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual([
      ...['Overview', 'Payments', 'Settlements', 'Differences', 'Ledger'],
    ]);
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.getByRole('row').nth(1).waitFor();
    expect(await page.getByRole('search').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test('another key is refused, and a key leaves the page after 15 idle minutes', async () => {
    const { page } = await scene.newPage();
    await page.clock.install();
    await page.goto(`${scene.tillfront.url}/console`);
    await page.getByLabel('Merchant key').fill('not-a-key');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This key is not accepted.').waitFor();
    await signIn(page, ` anna=${ANNA} `);
    await page.clock.fastForward(14 * 60_000);
    expect(await page.getByRole('navigation').count()).toBe(1);
    await page.clock.fastForward(2 * 60_000);
    await page.getByText('signed out after 15 minutes').waitFor();
    expect(await page.getByLabel('Merchant key').inputValue()).toBe('');
  });
});

describe('every page', () => {
  const PLACES = ['', 'payments', 'approvals', 'settlements', 'differences', 'ledger', 'audit', 'links'];

  test.each([
    ['at 320 px', { viewport: { width: 320, height: 700 } }],
    ['in the dark', { colorScheme: 'dark' }],
    ['in forced colours', { forcedColors: 'active', viewport: { width: 768, height: 900 } }],
  ] as const)('%s has no fault of accessibility and no overflow', async (_, options) => {
    const odd = await paidTooLittle();
    const { page, faults } = await enter('', ANNA, options);
    for (const place of [...PLACES, `payments/${odd.id}`]) {
      await page.evaluate((hash) => (location.hash = hash), place);
      await page.waitForLoadState('networkidle');
      expect([place, await accessibilityFaults(page)]).toEqual([place, []]);
      expect([place, await overflow(page)]).toEqual([place, 0]);
    }
    await page.getByRole('button', { name: 'Resolve' }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('the API’s documentation shows its calls', async () => {
    const { page, faults } = await scene.newPage();
    await page.goto(`${scene.tillfront.url}/docs`);
    await page.getByRole('heading', { name: 'Tillfront' }).waitFor();
    await page.getByText('/v1/checkout-sessions', { exact: true }).first().waitFor();
    expect(faults).toEqual([]);
  });

  test('at 200 % text nothing is cut off', async () => {
    const payment = await paid();
    const { page } = await enter('', ANNA, { viewport: { width: 640, height: 900 } });
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    for (const place of [...PLACES, `payments/${payment.id}`]) {
      await page.evaluate((hash) => (location.hash = hash), place);
      await page.waitForLoadState('networkidle');
      expect([place, await overflow(page)]).toEqual([place, 0]);
    }
  });

  function overflow(page: Page): Promise<number> {
    return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  }
});

test('the keyboard alone opens a payment and closes its dialog', async () => {
  const payment = await paid();
  const { page } = await enter(`payments/${payment.id}`);
  const refund = page.getByRole('button', { name: 'Refund', exact: true });
  await refund.waitFor();
  await refund.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await refund.evaluate((button) => button === document.activeElement)).toBe(true);
});

test('Firefox shows an overview, a list and a payment', async () => {
  const payment = await paid();
  const browser = await launchFirefox();
  try {
    const page = await browser.newPage();
    await page.goto(`${scene.tillfront.url}/console`);
    await page.type('input[name=key]', ANNA);
    await page.keyboard.press('Enter');
    const sees = async (words: string): Promise<void> =>
      until(async () => (await page.evaluate(() => document.body.innerText)).includes(words), 60_000);
    await sees('Paid in 30 days');
    await page.evaluate((id) => (location.hash = `payments/${id}`), payment.id);
    await sees('was paid by card');
    await page.evaluate(() => (location.hash = 'payments'));
    await sees(payment.reference);
  } finally {
    await browser.close();
  }
});
