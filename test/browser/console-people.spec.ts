import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { expectStatus, sessionRequest, type PaymentBody } from '../harness/client.js';
import { ANNA, approvalsOf, BEN, FOUR_EYES } from '../truth/approvals.js';
import {
  accessibilityFaults,
  startCheckoutScene,
  type CheckoutScene,
  type WatchedPage,
} from './checkout-scene.js';

/** What people at the console look for, see at a glance, decide together and take to their books. */

let scene: CheckoutScene;
beforeAll(async () => {
  scene = await startCheckoutScene({
    ...FOUR_EYES,
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

/** An order that was paid twice: first by card, then by a transfer that had been given up. */
async function paidTwice(): Promise<{ payer: PaymentBody; duplicate: PaymentBody }> {
  const session = await scene.client.createSession(sessionRequest());
  const token = { token: session.clientToken };
  const transfer = expectStatus(
    await scene.client.post<PaymentBody>('/v1/payments/transfer', {}, token),
    201,
  ).body;
  await scene.move(transfer.gatewayReference, 'expire');
  await refresh(transfer);
  const answer = await scene.client.payCard(session, { card: { number: '4111111111111111' } });
  const payer = expectStatus(answer, 201).body;
  await scene.move(transfer.gatewayReference, 'receive');
  await refresh(transfer);
  return { payer, duplicate: await scene.client.getPayment(transfer.id) };
}

async function refresh({ id }: PaymentBody): Promise<void> {
  await scene.client.post(`/v1/payments/${id}/refresh`, {});
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

test('one field finds a payment by whatever is known of it, and no address tells of the payer', async () => {
  const email = 'Chioma.Eze@example.com';
  const wanted = await paid({
    payer: { email, phone: '+2348031112222', firstName: 'Chioma', lastName: 'Eze' },
  });
  const other = await paid({ amount: '1777.00' });
  const { page, faults } = await signIn('#payments', `anna=${ANNA}`);
  const find = async (words: string, found: PaymentBody, lost: PaymentBody): Promise<void> => {
    await page.getByLabel('Find a payment').fill(words);
    await page.getByRole('button', { name: 'Search' }).click();
    await row(page, lost).waitFor({ state: 'detached' });
    await row(page, found).waitFor();
    expect(page.url()).toMatch(/#payments\?search=\d+$/);
    await page.getByRole('button', { name: 'Clear' }).click();
    await row(page, lost).waitFor();
  };
  await row(page, wanted).waitFor();
  await find(email.toLowerCase(), wanted, other);
  await find('+2348031112222', wanted, other);
  await find(other.reference.slice(6).toUpperCase(), other, wanted);
  await find(wanted.gatewayReference, wanted, other);
  await find('1777.00', other, wanted);
  // A search is left and found again like any other place.
  await page.goBack();
  await row(page, wanted).waitFor({ state: 'detached' });
  expect(await page.getByLabel('Find a payment').inputValue()).toBe('1777.00');
  await fits(page);
  expect(faults).toEqual([]);
});

describe('what is', () => {
  test('stands in the list: refunded, partly refunded, disputed, a duplicate of another one', async () => {
    const [whole, part, disputed] = [await paid(), await paid(), await paid()];
    await scene.client.post(`/v1/payments/${whole.id}/refunds`, {});
    await scene.client.post(`/v1/payments/${part.id}/refunds`, { amount: '400.00' });
    await scene.move(disputed.gatewayReference, 'chargeback');
    await refresh(disputed);
    const { payer, duplicate } = await paidTwice();
    const { page, faults } = await signIn('#payments');
    const shows = async (payment: PaymentBody, ...words: string[]): Promise<void> => {
      await row(page, payment).waitFor();
      const text = await row(page, payment).innerText();
      for (const word of words) expect(text).toContain(word);
    };
    await shows(whole, 'Refunded', '₦1,500.00 refunded');
    await shows(part, 'Partly refunded', '₦400.00 refunded');
    await shows(disputed, 'Disputed', '₦1,500.00 disputed');
    await shows(duplicate, 'Duplicate', `of ${payer.gatewayReference}`);
    await fits(page);
    // The other one is named and linked, here and on the payment's page, from both sides.
    await row(page, duplicate).getByRole('link', { name: payer.gatewayReference }).click();
    await page.getByRole('heading', { name: 'Other payments of this order' }).waitFor();
    await page.locator('.detail').getByRole('link', { name: duplicate.gatewayReference }).click();
    await page.getByText('This order was paid twice: this payment is the duplicate.').waitFor();
    expect(await page.locator('.detail').getByRole('link', { name: payer.gatewayReference }).count()).toBe(1);
    await fits(page);
    expect(faults).toEqual([]);
  });

  test('the open row is marked, the way back leads to it, and each page has a title', async () => {
    const payments = [];
    for (let index = 0; index < 12; index++) payments.push(await paid());
    const [first] = payments as [PaymentBody];
    const { page, faults } = await signIn('#payments');
    await page.setViewportSize({ width: 800, height: 500 });
    await page.waitForFunction(() => document.title === 'Payments – Tillfront console');
    const link = row(page, first).getByRole('link', { name: first.reference });
    await link.scrollIntoViewIfNeeded();
    const scrolled = await page.evaluate(() => scrollY);
    expect(scrolled).toBeGreaterThan(0);
    await link.click();
    await page.waitForFunction((title) => document.title === title, `${first.reference} – Tillfront console`);
    await page.goBack();
    await page.waitForFunction((id) => document.activeElement?.getAttribute('data-payment') === id, first.id);
    expect(await page.evaluate(() => scrollY)).toBe(scrolled);
    await page.setViewportSize({ width: 1280, height: 900 });
    await link.click();
    await page.getByRole('heading', { name: first.reference }).waitFor();
    expect(await row(page, first).getAttribute('aria-current')).toBe('true');
    expect(await page.locator('tr[aria-current]').count()).toBe(1);
    expect(faults).toEqual([]);
  });

  test('references are copied with one press', async () => {
    const payment = await paid();
    const { page, context, faults } = await signIn(`#payments/${payment.id}`);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the gateway reference' }).click();
    await page.getByRole('status').getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(payment.gatewayReference);
    expect(faults).toEqual([]);
  });

  test('paper shows the payment, and nothing to press', async () => {
    const payment = await paid();
    const { page } = await signIn(`#payments/${payment.id}`);
    await page.getByRole('heading', { name: payment.reference }).waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText(payment.gatewayReference).first().isVisible()).toBe(true);
    for (const hidden of ['nav', 'button', 'form', '.list'])
      expect(await page.locator(`${hidden}:visible`).count()).toBe(0);
  });
});

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
  expect(await approvalsOf(scene, `?paymentId=${payment.id}`)).toMatchObject([
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

test('the ledger stands by month, with its movements and their table for a spreadsheet', async () => {
  const payment = await paid({ amount: '1234.00' });
  await scene.client.post(`/v1/payments/${payment.id}/refunds`, { amount: '34.00' });
  const { page, faults } = await signIn('#ledger');
  await page.getByRole('table', { name: 'Sums by month and currency' }).waitFor();
  const { movements } = expectStatus(
    await scene.client.get<{ movements: { month: string; net: string; captured: string }[] }>(
      '/v1/reports/summary?by=month',
    ),
    200,
  ).body;
  const [{ month, net, captured } = { month: '', net: '', captured: '' }] = movements;
  const naira = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'NGN',
    currencyDisplay: 'narrowSymbol',
  });
  const text = await page.getByRole('table').innerText();
  expect(text).toContain(naira.format(Number(net)));
  expect(text).toContain(naira.format(Number(captured)));
  await fits(page);
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('heading', { name: /^Ledger of / }).waitFor();
  const refund = page.getByRole('row').filter({ hasText: '−₦34.00' });
  expect(await refund.getByRole('link', { name: payment.reference }).count()).toBe(1);
  await fits(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the movements (CSV)' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`movements-${month}.csv`);
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
  expect(lines[0]).toMatch(/^\uFEFFid,date,time,kind,amount/);
  expect(lines.filter((line) => line.includes(payment.reference))).toHaveLength(2);

  // The payment's own movements, on its page.
  await refund.getByRole('link').click();
  const own = page.getByRole('table', { name: 'Movements of this payment, the oldest first' });
  await own.getByRole('row', { name: /^Refund −₦34\.00 Not settled yet/ }).waitFor();
  expect(await own.getByRole('row', { name: /^Payment ₦1,234\.00 Not settled yet/ }).count()).toBe(1);
  expect(faults).toEqual([]);
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
  for (const place of ['#', '#payments', `#payments/${payment.id}`, '#ledger']) {
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
