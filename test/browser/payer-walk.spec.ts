import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { sessionRequest, type SessionBody } from '../harness/client.js';
import { until } from '../harness/until.js';
import {
  accessibilityFaults,
  fillCard,
  outcome,
  pressPay,
  RIGHT_OTP,
  startCheckoutScene,
  type CheckoutScene,
} from './harness.js';

/** The payer's way through the real page, service and sandbox: each method, each outcome, and what comes between. */

let scene: CheckoutScene;
beforeAll(async () => {
  scene = await startCheckoutScene();
});
afterAll(() => scene.stop());

const APPROVED = '4111111111111111';
/** On slow 3G (400 kbit/s, 400 ms there and back): in a second, after the rounds for the page and for its style. */
const MOST_BEFORE_FIRST_WORDS = 10_000;

/** No return address: the payer comes back to the checkout page itself. */
function begin(over: object = {}): Promise<SessionBody> {
  return scene.client.createSession(sessionRequest({ returnUrl: undefined, ...over }));
}

const methods = { card: 'Card', wallet: 'Wallet', transfer: 'Bank transfer', ussd: 'USSD' } as const;

async function choose(page: Page, method: keyof typeof methods): Promise<void> {
  await page.getByRole('radiogroup', { name: 'How do you want to pay?' }).waitFor();
  await page.getByRole('radio', { name: methods[method], exact: true }).check();
}

async function gatewayReference(session: SessionBody): Promise<string> {
  const [payment] = await scene.client.paymentsOf(session.reference);
  return payment?.gatewayReference ?? '';
}

describe('by card', () => {
  test.each([
    ['5060990580000217499', 'Payment successful', 1],
    [APPROVED, 'Payment successful', 1],
    ['370000000000101', 'Payment successful', 1],
    ['4000000000000903', 'Payment authorized', 0],
    ['4000000000000309', 'Payment failed', 0],
    ['4000000000002404', 'Payment successful', 1],
  ])('%s: %s', async (number, heading, charges) => {
    const session = await begin();
    const { page, faults } = await scene.open(session);
    expect(await page.getByText('Loading your payment').count()).toBe(0);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await fillCard(page, {
      number,
      ...(number.startsWith('5060') ? { pin: '1111' } : {}),
      ...(number.startsWith('37') ? { securityCode: '1234' } : {}),
    });
    expect(await accessibilityFaults(page)).toEqual([]);
    await pressPay(page);
    await outcome(page, heading);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await page.getByText('You have not been charged.').count()).toBe(
      heading === 'Payment failed' ? 1 : 0,
    );
    expect(await scene.charges(session.reference)).toBe(charges);
    // What is encrypted may hold anything by chance.
    const plain = sent.join().replaceAll(/"encryptedCard":"[^"]+"/g, '');
    expect(plain).not.toMatch(/1111|217499|0309|Ada Obi/);
    expect(faults).toEqual([]);
  });

  test('declined: the form stays as it was, but for what authorizes a payment, and another card pays', async () => {
    const session = await begin();
    const { page, faults } = await scene.open(session);
    await fillCard(page, { number: '4000000000000309' });
    await pressPay(page);
    await outcome(page, 'Payment failed');
    expect(await page.getByLabel('Card number').inputValue()).toBe('4000 0000 0000 0309');
    expect(await page.getByLabel('Name on card').inputValue()).toBe('Ada Obi');
    expect(await page.getByLabel('Security code').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Try another way' }).click();
    expect(await page.getByRole('radio', { name: 'Wallet', exact: true }).isChecked()).toBe(true);
    await fillCard(page, { number: APPROVED });
    await pressPay(page);
    await outcome(page, 'Payment successful');
    expect(await scene.charges(session.reference)).toBe(1);
    expect(faults).toEqual([]);
  });

  test('a one-time code, wrong first: the bank’s words are with the field', async () => {
    const session = await begin();
    const { page, faults } = await scene.open(session);
    await fillCard(page, { number: '4000000000000705' });
    await pressPay(page);
    const code = page.getByLabel('One-time code');
    await code.fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('That code was not accepted').waitFor();
    expect(await code.getAttribute('aria-invalid')).toBe('true');
    expect(await described(page, 'One-time code')).toContain('Wrong code. Enter the one-time code again');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.reload();
    await code.fill(RIGHT_OTP);
    await page.getByRole('button', { name: 'Continue' }).click();
    await outcome(page, 'Payment successful');
    expect(faults).toEqual([]);
  });

  test.each([
    ['4000000000000804', 'Approve', 'Payment successful'],
    ['5500000000000806', 'Approve', 'Payment successful'],
    ['4000000000000804', 'Decline', 'Payment failed'],
    ['4000000000000838', 'Approve', 'We are confirming your payment'],
  ])('3-D Secure with %s: %s, then %s', async (number, decision, heading) => {
    const session = await begin({ payer: undefined });
    const { page, faults } = await scene.open(session);
    const isUnknown = heading.startsWith('We are');
    // It becomes known when the test says so: on a slow machine a second passes before anybody is back.
    if (isUnknown) await scene.configure({ settleAfterMs: 3_600_000 });
    await fillCard(page, { number });
    await fillPayer(page);
    await pressPay(page);
    await page.getByRole('button', { name: decision }).click();
    await page.waitForURL(/\/checkout\?/);
    await outcome(page, heading);
    if (isUnknown) {
      await scene.configure({ settleAfterMs: 1_000 });
      await scene.move(await gatewayReference(session), 'approve');
      await outcome(page, 'Payment successful');
    }
    if (heading === 'Payment failed') {
      // Nothing that was typed is stored anywhere.
      expect(await stored(page)).not.toMatch(/4000000000000804|"111"|12 \/ 30|ada@/);
      await fillCard(page, { number: APPROVED });
      await fillPayer(page);
      await pressPay(page);
      await outcome(page, 'Payment successful');
    }
    expect(await scene.charges(session.reference)).toBe(1);
    expect(faults).toEqual([]);
  });

  test('pressing twice pays once', async () => {
    const session = await begin();
    const { page } = await scene.open(session);
    await fillCard(page, { number: APPROVED });
    const pay = page.getByRole('button', { name: 'Pay ₦1,500.00' });
    await pay.dblclick();
    await outcome(page, 'Payment successful');
    expect(await scene.client.paymentsOf(session.reference)).toHaveLength(1);
  });
});

describe('by another method', () => {
  test.each([
    ['Approve', 'Payment successful', 1],
    ['Decline', 'Payment failed', 0],
  ])('wallet: %s', async (decision, heading, charges) => {
    const session = await begin();
    const { page, faults } = await scene.open(session);
    await choose(page, 'wallet');
    expect(await accessibilityFaults(page)).toEqual([]);
    await pressPay(page);
    await page.getByRole('button', { name: decision }).click();
    await page.getByText(decision === 'Approve' ? 'The order is paid' : 'The order was declined').waitFor();
    await page.goto(session.checkoutUrl);
    await outcome(page, heading);
    expect(await scene.charges(session.reference)).toBe(charges);
    expect(faults).toEqual([]);
  });

  test('wallet: back by the back button, there again, and canceled', async () => {
    const session = await begin();
    const { page, faults } = await scene.open(session);
    await choose(page, 'wallet');
    await pressPay(page);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await outcome(page, 'Payment canceled');
    // They may have approved it all the same.
    expect(await page.getByText('You have not been charged.').count()).toBe(0);
    await page.getByRole('button', { name: 'Try another way' }).click();
    await page.getByRole('radiogroup').waitFor();
    // Nor after another way that took nothing.
    await choose(page, 'card');
    await fillCard(page, { number: '4000000000000309' });
    await pressPay(page);
    await outcome(page, 'Payment failed');
    await page.getByText('If you have already paid').waitFor();
    expect(await page.getByText('You have not been charged.').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test('transfer: the account with its time, until the money is there', async () => {
    const session = await begin();
    const { page, faults } = await scene.open(session);
    await choose(page, 'transfer');
    await pressPay(page);
    await page.getByRole('heading', { name: 'Transfer ₦1,500.00' }).waitFor();
    await page.getByText(/yours for another \d\d:\d\d/).waitFor();
    expect(await page.getByRole('button', { name: 'Copy account number' }).count()).toBe(1);
    expect(await accessibilityFaults(page)).toEqual([]);
    await scene.move(await gatewayReference(session), 'approve');
    await outcome(page, 'Payment successful');
    expect(faults).toEqual([]);
  });

  test('USSD: canceled without a word of no charge; money that comes late all the same is shown', async () => {
    const session = await begin();
    const { page, faults } = await scene.open(session);
    await choose(page, 'ussd');
    await page.getByRole('button', { name: 'Pay ₦1,500.00' }).click();
    expect(await described(page, 'Your bank')).toContain('Choose your bank.');
    await page.getByLabel('Your bank').selectOption({ index: 1 });
    await pressPay(page);
    await page.getByRole('heading', { name: 'Dial this code' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await outcome(page, 'Payment canceled');
    await page.getByText('If you dialed the code and paid, do not pay again').waitFor();
    expect(await page.getByText('You have not been charged.').count()).toBe(0);
    await scene.move(await gatewayReference(session), 'approve');
    await outcome(page, 'Payment successful');
    expect(faults).toEqual([]);
  });
});

describe('what payers meet', () => {
  test.each(['2031-12', '203112', '12/2031'])(
    'an expiry date filled in as %s, by a change alone',
    async (date) => {
      const session = await begin();
      const { page } = await scene.open(session);
      await fillCard(page, { number: APPROVED });
      await page.getByLabel('Expiry date').evaluate((input: HTMLInputElement, value) => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
        input.dispatchEvent(new Event('change', { bubbles: true }));
      }, date);
      await pressPay(page);
      await outcome(page, 'Payment successful');
    },
  );

  test('what the session does not have is asked for; the first wrong field gets the focus', async () => {
    const session = await begin({ payer: undefined, billing: undefined });
    const { page, faults } = await scene.open(session);
    await fillCard(page, { number: APPROVED });
    await pressPay(page);
    await page.getByText('Email is missing.').waitFor();
    await until(() => page.getByLabel('Email').evaluate((field) => field === document.activeElement));
    await page.getByRole('alert').getByRole('button', { name: 'City' }).click();
    await until(() => page.getByLabel('City').evaluate((field) => field === document.activeElement));
    expect(await accessibilityFaults(page)).toEqual([]);
    // Not every country has them.
    expect(await page.getByLabel('State').count()).toBe(0);
    await page.getByLabel('Country').selectOption('USA');
    await page.getByLabel('Street').fill('1 Marina');
    await page.getByLabel('City').fill('Lagos');
    await page.getByLabel('State').fill('Lagos');
    await page.getByLabel('Postal code').fill('101001');
    // With marks that nobody sees, as a phone's own contacts put them; and a local number.
    await fillPayer(page, { phone: '\u202a0801 234 5678\u202c', firstName: 'علي', lastName: 'O' });
    const directionOf = (label: string): Promise<string> =>
      page.getByLabel(label).evaluate((field) => getComputedStyle(field).direction);
    expect([await directionOf('First name'), await directionOf('Last name')]).toEqual(['rtl', 'ltr']);
    await pressPay(page);
    await outcome(page, 'Payment successful');
    const [last] = await scene.client.paymentsOf(session.reference);
    expect(last?.status).toBe('succeeded');
    expect(faults).toEqual([]);
  });

  test('no network for 30 s: it says so, and goes on by itself', async () => {
    const session = await begin();
    const { page, context } = await scene.open(session);
    await fillCard(page, { number: APPROVED });
    await context.setOffline(true);
    await pressPay(page);
    await page.getByText('You’re offline').waitFor();
    await page.waitForTimeout(30_000);
    await context.setOffline(false);
    await outcome(page, 'Payment successful');
    expect(await scene.charges(session.reference)).toBe(1);
  });

  test('two tabs: the other one learns what the first has paid', async () => {
    const session = await begin();
    const { page, context } = await scene.open(session);
    const other = await context.newPage();
    await other.goto(session.checkoutUrl);
    await other.getByRole('radiogroup').waitFor();
    await fillCard(page, { number: APPROVED });
    await pressPay(page);
    await outcome(page, 'Payment successful');
    await outcome(other, 'Payment successful');
    expect(await scene.charges(session.reference)).toBe(1);
  });

  test('back from the bank into the browser’s own memory of the page: it asks again, and nothing is paid twice', async () => {
    const session = await begin();
    const { page, faults } = await scene.open(session);
    // These browsers keep no page in memory. This one is never left, and then shown as from memory, with its waits dead.
    await page.route(`${scene.sandbox.url}/**`, (route) => route.fulfill({ status: 204 }));
    await page.route('**/v1/payments/pay_*', () => undefined);
    const showFromMemory = (): Promise<boolean> =>
      page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    await choose(page, 'wallet');
    await pressPay(page);
    const leaving = page.getByText('Taking you there');
    await leaving.waitFor();
    const posts: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));

    await showFromMemory();
    await leaving.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
    const [begun] = await scene.client.paymentsOf(session.reference);
    await scene.move(begun?.gatewayReference ?? '', 'approve');
    await scene.client.waitForStatus(begun?.id ?? '', 'succeeded');
    await showFromMemory();
    await outcome(page, 'Payment successful');
    expect(posts).toEqual([]);
    expect(await scene.client.paymentsOf(session.reference)).toHaveLength(1);
    expect(await scene.charges(session.reference)).toBe(1);
    expect(faults).toEqual([]);
  });

  test('the first words need the page and its style alone, and these are small', async () => {
    const session = await begin();
    const { page } = await scene.newPage();
    const needed: Promise<{ responseBodySize: number; responseHeadersSize: number }>[] = [];
    page.on('requestfinished', (request) => needed.push(request.sizes()));
    let held = 0;
    await page.route('**/*', (route) => {
      if (['document', 'stylesheet'].includes(route.request().resourceType())) return route.continue();
      // Never answered.
      held += 1;
      return undefined;
    });
    await page.goto(session.checkoutUrl, { waitUntil: 'commit' });
    await page.getByText('Loading your payment…').waitFor();
    await until(() => needed.length === 2);
    expect(held).toBeGreaterThan(0);
    const sizes = await Promise.all(needed);
    const bytes = sizes.reduce((sum, size) => sum + size.responseBodySize + size.responseHeadersSize, 0);
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThanOrEqual(MOST_BEFORE_FIRST_WORDS);
  });

  test.each([
    ['no-preference', 1],
    ['reduce', 0],
  ] as const)('reduced motion, %s: %i things turn', async (reducedMotion, turning) => {
    const session = await begin();
    const { page } = await scene.open(session, { reducedMotion });
    await scene.configure({ settleAfterMs: 3_600_000 });
    await fillCard(page, { number: '4000000000001125' });
    await pressPay(page);
    await outcome(page, 'We are confirming your payment');
    await scene.configure({ settleAfterMs: 1_000 });
    const endless = (): number =>
      document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations === Infinity).length;
    expect(await page.evaluate(endless)).toBe(turning);
  });

  test('a fresh browser on the way back from the bank shows that payment, and nothing else', async () => {
    const session = await begin();
    const { page } = await scene.open(session);
    await fillCard(page, { number: '4000000000000804' });
    await pressPay(page);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(/\/checkout\?.*#crt_/);
    const fresh = await scene.newPage();
    await fresh.page.goto(page.url());
    await outcome(fresh.page, 'Payment successful');
    expect(await fresh.page.getByRole('button').count()).toBe(0);
    expect(fresh.faults).toEqual([]);
  });

  test.each(['ar-EG', 'es-ES', 'fr-FR', 'ha-NG', 'pt-BR', 'sw-KE'])(
    'in the language of %s',
    async (locale) => {
      const language = locale.slice(0, 2);
      const file = await readFile(`browser/messages/${language}.json`, 'utf8');
      const texts = JSON.parse(file) as Record<'chooseMethod', string>;
      const session = await begin();
      const { page, faults } = await scene.open(session, { locale });
      await page.getByText(texts.chooseMethod).waitFor();
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale);
      expect(await page.evaluate(() => document.documentElement.dir)).toBe(language === 'ar' ? 'rtl' : 'ltr');
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.locator('.language select').selectOption('en');
      await page.getByText('How do you want to pay?').waitFor();
      expect(faults).toEqual([]);
    },
  );

  test.each([
    ['320 px', {}, ''],
    ['200 % text', {}, 'html { font-size: 200% }'],
    ['forced colours', { forcedColors: 'active' }, ''],
    ['dark', { colorScheme: 'dark' }, ''],
  ] as const)('%s: nothing is cut off', async (_, options, style) => {
    const session = await begin({ payer: undefined, billing: undefined });
    const { page } = await scene.open(session, { viewport: { width: 320, height: 640 }, ...options });
    await page.evaluate((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      document.adoptedStyleSheets.push(sheet);
    }, style);
    await pressPay(page);
    await page.getByText('Please check:').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('a link that is not valid says so', async () => {
    const { page } = await scene.newPage();
    await page.goto(`${scene.tillfront.url}/checkout#cst_nonsense`);
    await outcome(page, 'This payment cannot be shown');
  });
});

async function fillPayer(
  page: Page,
  over: Partial<Record<'phone' | 'firstName' | 'lastName', string>> = {},
): Promise<void> {
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Phone').fill(over.phone ?? '+234 801 234 5678');
  await page.getByLabel('First name').fill(over.firstName ?? 'Ada');
  await page.getByLabel('Last name').fill(over.lastName ?? 'Obi');
}

/** What is read out with a field. */
function described(page: Page, label: string): Promise<string> {
  return page.getByLabel(label).evaluate((field) => {
    const ids = (field.getAttribute('aria-describedby') ?? '').split(' ');
    return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
  });
}

function stored(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
}
