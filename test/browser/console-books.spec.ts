import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expectStatus, sessionRequest, type PaymentBody } from '../harness/client.js';
import { profileFile } from '../profiles/strict-gateway.js';
import { report, reportRow, upload, type DifferenceBody } from '../settlement/settlement-scene.js';
import { ANNA, approvalsOf, BEN, BOOKS, FOUR_EYES } from '../truth/approvals.js';
import { storedRows } from '../truth/stored-time.js';
import {
  accessibilityFaults,
  startCheckoutScene,
  type CheckoutScene,
  type WatchedPage,
} from './checkout-scene.js';

/** What whoever keeps the books does at the console: works off differences, looks at refunds, takes months to a spreadsheet. */

const ZONE = 'Pacific/Kiritimati';
const DAY_MS = 24 * 3_600_000;

let scene: CheckoutScene;
beforeAll(async () => {
  scene = await startCheckoutScene({
    ...FOUR_EYES,
    APPROVAL_ABOVE: 'NGN:2000.00',
    BOOKS_TIME_ZONE: ZONE,
    GATEWAY_PROFILE: profileFile({
      operations: { refund: { method: 'POST', path: '/payment/refund', credentials: true } },
      // Nobody can ask what became of a refund.
      outcome: { refundedAmount: [] },
    }),
  });
}, 180_000);
afterAll(() => scene?.stop());

async function paid(more: object = {}): Promise<PaymentBody> {
  const session = await scene.client.createSession(sessionRequest(more));
  const answer = await scene.client.payCard(session, { card: { number: '4111111111111111' } });
  return expectStatus(answer, 201).body;
}

/** A payment that a report has with another amount. */
async function differing(amount: string, inReport: string, currency = 'NGN'): Promise<DifferenceBody> {
  const { gatewayReference } = await paid({ amount, currency });
  const csv = report(reportRow(gatewayReference, { amount: inReport, currency, fee: '' }));
  expectStatus(await upload(scene.tillfront, '/v1/settlements', csv), 201);
  return (await listed(gatewayReference))[0] as DifferenceBody;
}

async function listed(reference: string): Promise<DifferenceBody[]> {
  const path = `/v1/differences?reference=${reference}`;
  return (await scene.client.get<{ data: DifferenceBody[] }>(path)).body.data;
}

async function signIn(place: string, key: string, more: object = {}): Promise<WatchedPage> {
  const watched = await scene.newPage({ viewport: { width: 1280, height: 900 }, ...more });
  await watched.page.goto(`${scene.tillfront.url}/console${place}`);
  await watched.page.getByLabel('Merchant key').fill(key);
  await watched.page.getByRole('button', { name: 'Sign in' }).click();
  await watched.page.getByRole('button', { name: 'Sign out' }).waitFor();
  return watched;
}

/** Nothing is at fault, at a phone's width too and in the dark, and no amount breaks inside its digits. */
async function fits(page: Page): Promise<void> {
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: width === 390 ? 'dark' : 'light' });
    expect([width, await accessibilityFaults(page)]).toEqual([width, []]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const broken = await page.locator('main .sum:visible').evaluateAll((sums) =>
      sums
        .filter((element) => {
          const { left, right } = element.getBoundingClientRect();
          const isInside = element.closest('.scroll') !== null || (left >= 0 && right <= innerWidth);
          return element.getClientRects().length !== 1 || !isInside;
        })
        .map((element) => element.outerHTML),
    );
    expect([width, ...broken]).toEqual([width]);
  }
}

const row = (page: Page, reference: string) =>
  page.getByRole('table').getByRole('row').filter({ hasText: reference });

describe('differences', () => {
  test('are worked off with a key for the books: closed with a reason and a note, noted, opened again', async () => {
    const found = await differing('1500.00', '1400.00');
    const other = await differing('1500.00', '1300.00');
    const { page, faults } = await signIn('#differences', BOOKS);
    await page.waitForFunction(() => document.title === 'Differences – Tillfront console');
    await page.getByText('For the books').waitFor();
    const own = row(page, found.reference);
    await own.waitFor();
    for (const words of ['Different amount in the report', '₦1,500.00', '₦1,400.00', 'Report, line 2'])
      expect(await own.innerText()).toContain(words);
    await fits(page);

    await own.getByRole('button', { name: /^Close/ }).click();
    const dialog = page.getByRole('dialog');
    // What is missing is said in words, at its place.
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await dialog.getByRole('alert').getByText('Choose why it is over.').waitFor();
    await dialog.getByLabel('It is explained').check();
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await dialog.getByRole('alert').getByText('Write why.').waitFor();
    const note = dialog.getByLabel('Note', { exact: true });
    expect(await note.getAttribute('aria-invalid')).toBe('true');
    expect(await note.evaluate((field) => field === document.activeElement)).toBe(true);
    await fits(page);
    await note.fill('The gateway keeps 100.');
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('status').getByText(`Closed. ${found.reference}`).waitFor();
    await own.waitFor({ state: 'detached' });
    expect((await listed(found.reference))[0]).toMatchObject({
      ...{ state: 'closed', closedBy: 'merchant:carol', reason: 'explained', note: 'The gateway keeps 100.' },
    });
    // The focus is where one goes on, and not at the page's beginning.
    await page.waitForFunction(() => document.activeElement?.closest('tr, h2') !== null);

    await row(page, other.reference).getByRole('button', { name: /^Note/ }).click();
    await dialog.getByLabel('Note', { exact: true }).fill('Asked the gateway.');
    await dialog.getByRole('button', { name: 'Note', exact: true }).click();
    await row(page, other.reference).getByText('“Asked the gateway.”').waitFor();
    await page.waitForFunction(
      (id) => document.activeElement?.closest('tr')?.getAttribute('data-difference') === id,
      other.id,
    );

    await page.getByLabel('State', { exact: true }).selectOption('closed');
    await own.getByText('Closed: explained. By carol.').waitFor();
    expect(page.url()).toContain('#differences?state=closed');
    await own.getByRole('button', { name: /^Reopen/ }).click();
    await dialog.getByLabel('Note', { exact: true }).fill('It came again.');
    await dialog.getByRole('button', { name: 'Open again' }).click();
    await page.getByText(`Open again. ${found.reference}`).waitFor();
    expect((await listed(found.reference))[0]).toMatchObject({ state: 'open', note: 'It came again.' });
    expect(faults).toEqual([]);
  });

  test('are found by kind, currency and age, which stand in the address', async () => {
    const [naira, dollars] = [
      await differing('1200.00', '1100.00'),
      await differing('12.00', '11.00', 'USD'),
    ];
    await storedRows(
      scene,
      `update differences set id = 'dif_${(Date.now() - 10 * DAY_MS).toString(36).padStart(8, '0')}aaaaaaaaaaaaaaaa' where id = '${naira.id}'`,
    );
    const { page, faults } = await signIn('#differences?currency=USD', ANNA);
    await row(page, dollars.reference).waitFor();
    expect(await row(page, naira.reference).count()).toBe(0);
    await page.getByRole('button', { name: 'Clear' }).click();
    await row(page, naira.reference).waitFor();
    await page.getByLabel('Age', { exact: true }).selectOption('7');
    await row(page, dollars.reference).waitFor({ state: 'detached' });
    expect(await row(page, naira.reference).innerText()).toContain('(10 days ago)');
    await page.getByLabel('Kind', { exact: true }).selectOption('settled_twice');
    await page.getByText('No differences match.').waitFor();
    expect(page.url()).toContain('#differences?kind=settled_twice&age=7');
    await page.goBack();
    await row(page, naira.reference).waitFor();
    expect(await page.getByLabel('Kind', { exact: true }).inputValue()).toBe('');
    await page.getByLabel('Currency', { exact: true }).fill('naira');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No differences match.').waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  test('a large write-off waits, and says so; a second person approves it', async () => {
    const found = await differing('9000.00', '5000.00');
    const { page, faults } = await signIn('#differences', BOOKS);
    await row(page, found.reference)
      .getByRole('button', { name: /^Close/ })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('We write it off').check();
    await dialog.getByText(/a write-off waits until a second person approves it/).waitFor();
    await dialog.getByLabel('Note', { exact: true }).fill('Not worth a letter.');
    await dialog.getByRole('button', { name: 'Write off ₦4,000.00' }).click();
    await page
      .getByText(/^Nothing was done yet\. Write off: ₦4,000\.00 waits until another person/)
      .waitFor();
    await row(page, found.reference).getByText('Waits for approval').waitFor();
    await fits(page);
    expect((await listed(found.reference))[0]?.state).toBe('open');

    const ben = await signIn('#approvals', BEN);
    await ben.page.getByRole('button', { name: 'Approve Write off: ₦4,000.00' }).click();
    await ben.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await ben.page.getByText('Approved. Write off: ₦4,000.00.').waitFor();
    expect((await listed(found.reference))[0]).toMatchObject({ state: 'closed', reason: 'written_off' });
    expect((await approvalsOf(scene, '?state=waiting')).length).toBe(0);
    expect([...faults, ...ben.faults]).toEqual([]);
  });
});

test('a refund that came back by a report alone waits for a second person, who sees why', async () => {
  const payment = await paid();
  expectStatus(await scene.client.post(`/v1/payments/${payment.id}/refunds`, { amount: '250.00' }), 201);
  const csv = report(
    reportRow(payment.gatewayReference, { type: 'REFUND_REVERSAL', amount: '250.00', fee: '' }),
  );
  const { url } = scene.tillfront;
  expectStatus(await upload({ url, merchantKey: BOOKS }, '/v1/settlements', csv), 201);
  const carol = await signIn('#differences', BOOKS);
  await row(carol.page, payment.gatewayReference)
    .getByText(/^Waits for approval$/)
    .waitFor();
  const { page, faults } = await signIn('#approvals', BEN);
  const card = page.getByRole('region', { name: 'Refund that came back: ₦250.00' });
  await card.getByText(/^A settlement report says so, and the gateway cannot be asked\./).waitFor();
  await card.getByText(/^Asked by carol, /).waitFor();
  await fits(page);
  await card.getByRole('button', { name: /^Approve/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved. Refund that came back: ₦250.00.').waitFor();
  expect((await scene.client.getPayment(payment.id)).amountRefunded).toBeNull();
  expect([...faults, ...carol.faults]).toEqual([]);
});

test.each([
  ['#payments', 'Payments', /^\uFEFFid,/],
  ['#ledger', 'Movements', /^\uFEFFid,date,time,kind,amount/],
])('%s gives a month of %s with one press', async (place, table, header) => {
  const payment = await paid();
  const { page, faults } = await signIn(place, BOOKS);
  await page.getByText('Downloads by month (CSV)').click();
  const now = new Date();
  const month = new Intl.DateTimeFormat('sv', { timeZone: ZONE }).format(now).slice(0, 7);
  const words = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', timeZone: ZONE }).format(
    now,
  );
  await fits(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `${table} of ${words} (CSV)` }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${table.toLowerCase()}-${month}.csv`);
  const text = await readFile(await download.path(), 'utf8');
  expect(text).toMatch(header);
  expect(text).toContain(payment.reference);
  expect(faults).toEqual([]);
});

test('times are those of the books, whatever the clock of the browser says, and so are the days of filters', async () => {
  const payment = await paid();
  const csv = report(reportRow(payment.gatewayReference, { fee: '' }));
  expectStatus(await upload(scene.tillfront, '/v1/settlements', csv), 201);
  const elsewhere = { timezoneId: 'America/Los_Angeles', locale: 'en-US' };
  const { page, faults } = await signIn('#payments', ANNA, elsewhere);
  const inZone = (options: Intl.DateTimeFormatOptions, time = payment.createdAt): string =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone: ZONE }).format(new Date(time));
  const short = inZone({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
  const whole = inZone({ dateStyle: 'medium', timeStyle: 'medium' });
  await row(page, payment.reference).getByText(short).waitFor();

  const today = new Intl.DateTimeFormat('sv', { timeZone: ZONE }).format(new Date(payment.createdAt));
  const after = new Date(Date.parse(today) + DAY_MS).toISOString().slice(0, 10);
  for (const [from, to, isThere] of [
    [today, after, true],
    [after, '2099-01-01', false],
  ] as const) {
    await page.goto(`${scene.tillfront.url}/console#payments?from=${from}&to=${to}`);
    const shown = row(page, payment.reference);
    if (isThere) await shown.waitFor();
    else await page.getByText('No payments match').first().waitFor();
    expect(await shown.count()).toBe(isThere ? 1 : 0);
  }

  await page.goto(`${scene.tillfront.url}/console#payments/${payment.id}`);
  await page.getByText(whole).first().waitFor();
  for (const place of ['', 'settlements', 'audit', 'ledger', 'differences', 'approvals']) {
    await page.goto(`${scene.tillfront.url}/console#${place}`);
    await page.locator('main h2').first().waitFor();
    // Named once, wherever one is.
    expect([place, await page.getByText(ZONE).count()]).toEqual([place, 1]);
  }
  await page.goto(`${scene.tillfront.url}/console#audit`);
  await page.locator('main time').first().waitFor();
  const times = await page
    .locator('main time')
    .evaluateAll((all) => all.map((one) => [one.getAttribute('datetime') ?? '', one.textContent]));
  for (const [at, text] of times)
    expect(text).toBe(inZone({ dateStyle: 'medium', timeStyle: 'medium' }, at ?? ''));
  expect(faults).toEqual([]);
});
