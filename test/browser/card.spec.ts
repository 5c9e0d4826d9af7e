import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sessionRequest } from '../harness/client.js';
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

let scene: CheckoutScene;
beforeAll(async () => {
  scene = await startCheckoutScene();
});
afterAll(() => scene.stop());

/** No return address: the payer comes back to the checkout page itself. */
const stay = { returnUrl: undefined };

describe('paying by card', () => {
  test('a Verve card with its PIN', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page, faults } = await scene.open(session);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await fillCard(page, { number: '5060990580000217499', pin: '1111' });
    expect(await page.getByLabel('Card number').inputValue()).toBe('5060 9905 8000 0217 499');
    expect(await accessibilityFaults(page)).toEqual([]);
    await pressPay(page);
    await outcome(page, 'Payment successful');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await scene.charges(session.reference)).toBe(1);
    expect(sent.some((body) => body.includes('encryptedCard'))).toBe(true);
    // What is encrypted may hold anything by chance.
    const plain = sent.join().replaceAll(/"encryptedCard":"[^"]+"/g, '');
    expect(plain).not.toMatch(/5060|217499|1111|Ada Obi/);
    expect(faults).toEqual([]);
  });

  test('only brands that need a PIN are asked for it', async () => {
    const { page } = await scene.open(await scene.client.createSession(sessionRequest(stay)));
    const pin = page.getByLabel('Card PIN');
    await page.getByLabel('Card number').fill('4111111111111111');
    expect(await pin.isVisible()).toBe(false);
    await page.getByLabel('Card number').fill('5061');
    expect(await pin.isVisible()).toBe(true);
    await page.getByLabel('Card number').fill('5500000000000103');
    expect(await pin.isVisible()).toBe(false);
  });

  test('declined, then another card', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page, faults } = await scene.open(session);
    await fillCard(page, { number: '4000000000000309' });
    await pressPay(page);
    await outcome(page, 'Payment failed');
    await page.getByText('You have not been charged.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    // the form stands there as it was filled in, but for what authorizes a payment
    expect(await page.getByLabel('Card number').inputValue()).toBe('4000 0000 0000 0309');
    expect(await page.getByLabel('Expiry date').inputValue()).toBe('12 / 30');
    expect(await page.getByLabel('Name on card').inputValue()).toBe('Ada Obi');
    expect(await page.getByLabel('Security code').inputValue()).toBe('');
    const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
    expect(kept).not.toMatch(/4000|0309/);
    await page.getByRole('button', { name: 'Try another way' }).click();
    // another way comes first; nothing of the first card stands there any more, but nobody types their name twice
    expect(await page.getByRole('radio', { name: 'Wallet', exact: true }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'Card', exact: true }).check();
    expect(await page.getByLabel('Card number').inputValue()).toBe('');
    expect(await page.getByLabel('Security code').inputValue()).toBe('');
    expect(await page.getByLabel('Name on card').inputValue()).toBe('Ada Obi');
    await fillCard(page, { number: '4111111111111111' });
    await pressPay(page);
    await outcome(page, 'Payment successful');
    expect(await scene.charges(session.reference)).toBe(1);
    expect(faults).toEqual([]);
  });

  test('a one-time code, wrong first', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page, faults } = await scene.open(session);
    await fillCard(page, { number: '4000000000000705' });
    await pressPay(page);
    const code = page.getByLabel('One-time code');
    await code.fill('000000');
    expect(await code.getAttribute('autocomplete')).toBe('one-time-code');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('That code was not accepted').waitFor();
    expect(await code.getAttribute('aria-invalid')).toBe('true');
    expect(await accessibilityFaults(page)).toEqual([]);
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
  ])('3-D Secure with %s: %s, and back to "%s"', async (number, decision, heading) => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page, faults } = await scene.open(session);
    const isUnknown = heading.startsWith('We are');
    // It becomes known when the test says so: on a slow machine a second passes before anybody is back.
    if (isUnknown) await scene.configure({ settleAfterMs: 3_600_000 });
    await fillCard(page, { number });
    await pressPay(page);
    await page.getByRole('button', { name: decision }).click();
    await page.waitForURL(/\/checkout\?/);
    await outcome(page, heading);
    expect(await accessibilityFaults(page)).toEqual([]);
    if (isUnknown) {
      await scene.configure({ settleAfterMs: 1_000 });
      const [payment] = await scene.client.paymentsOf(session.reference);
      await scene.move(payment?.gatewayReference ?? '', 'approve');
      await outcome(page, 'Payment successful');
    }
    if (heading === 'Payment failed') {
      await page.getByRole('button', { name: 'Try another way' }).click();
      await fillCard(page, { number: '4111111111111111' });
      await pressPay(page);
      await outcome(page, 'Payment successful');
    }
    expect(faults).toEqual([]);
  });

  test('an unknown outcome is said to be one, until it is known', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page } = await scene.open(session);
    // The news is held back until the page has been looked at: it comes after a second.
    const { promise: looked, resolve: go } = Promise.withResolvers<void>();
    await page.route(/\/v1\/payments\/pay_/, async (route) => {
      await looked;
      await route.continue();
    });
    await fillCard(page, { number: '4000000000002404' });
    await pressPay(page);
    await page
      .locator('[data-view="confirming"]')
      .filter({ has: page.getByRole('heading', { name: 'We are confirming your payment' }) })
      .filter({ hasText: 'Do not pay again', hasNot: page.getByRole('button') })
      .waitFor();
    go();
    await outcome(page, 'Payment successful');
    expect(await scene.charges(session.reference)).toBe(1);
  });

  test('money that is only held is good news to the payer, and not called paid', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page } = await scene.open(session);
    await fillCard(page, { number: '4000000000000903' });
    await pressPay(page);
    await outcome(page, 'Payment authorized');
    await page.getByText('₦1,500.00 is reserved for this order.').waitFor();
    expect(await page.getByText(/paid/i).count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    // The shop completes it while the page is open.
    const [payment] = await scene.client.paymentsOf(session.reference);
    await scene.client.post(`/v1/payments/${payment?.id ?? ''}/complete`, {});
    await outcome(page, 'Payment successful');
  });

  test('pressing twice pays once', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page } = await scene.open(session);
    // Held back until all has been pressed, however long that takes.
    const { promise: pressed, resolve: go } = Promise.withResolvers<void>();
    await page.route('**/v1/payments/card', async (route) => {
      await pressed;
      await route.continue();
    });
    await fillCard(page, { number: '4111111111111111' });
    const pay = page.getByRole('button', { name: 'Pay ₦1,500.00' });
    await pay.dblclick();
    await pay.press('Enter');
    expect(await pay.getAttribute('aria-disabled')).toBe('true');
    go();
    await outcome(page, 'Payment successful');
    expect(await scene.charges(session.reference)).toBe(1);
    expect(await scene.client.paymentsOf(session.reference)).toHaveLength(1);
  });

  test('what the session does not bring is asked for', async () => {
    const session = await scene.client.createSession(
      sessionRequest({ ...stay, payer: undefined, billing: undefined }),
    );
    const { page, faults } = await scene.open(session);
    await fillCard(page, { number: '4111111111111111' });
    await pressPay(page);
    expect(await page.getByLabel('Street').getAttribute('aria-invalid')).toBe('true');
    // contact first, billing after
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(
      await page.getByLabel('Email').getAttribute('id'),
    );
    // the summary names each field, and leads to it
    await page.getByRole('alert').getByRole('button', { name: 'City' }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(
      await page.getByLabel('City').getAttribute('id'),
    );
    await page.getByText('City is missing.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    // not every country has them
    expect(await page.getByLabel('Country').inputValue()).toBe('NGA');
    expect(await page.getByLabel('State').isVisible()).toBe(false);
    expect(await page.getByLabel('Postal code').isVisible()).toBe(false);
    await page.getByLabel('Country').selectOption('DEU');
    expect(await page.getByLabel('State').isVisible()).toBe(false);
    await page.getByLabel('Country').selectOption('USA');
    await page.getByLabel('Street').fill('1 Marina');
    await page.getByLabel('City').fill('Lagos');
    await page.getByLabel('State').fill('Lagos');
    await page.getByLabel('Postal code').fill('101001');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Phone').fill('+234 801 234 5678');
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Obi');
    await pressPay(page);
    await outcome(page, 'Payment successful');
    expect(faults).toEqual([]);
  });

  test('declined, then the same card with the code typed again', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page } = await scene.open(session);
    await fillCard(page, { number: '4000000000000309' });
    await pressPay(page);
    await outcome(page, 'Payment failed');
    await page.getByLabel('Security code').fill('111');
    await pressPay(page);
    await until(async () => (await scene.client.paymentsOf(session.reference)).length === 2);
    await page.locator('tillfront-checkout[data-view=declined] form:not([data-busy])').waitFor();
    expect(await page.getByRole('status').getByRole('heading', { name: 'Payment failed' }).count()).toBe(1);
  });

  test('the billing fields stand as people of the country write them', async () => {
    const session = await scene.client.createSession(sessionRequest({ ...stay, billing: undefined }));
    const { page } = await scene.open(session);
    const order = (): Promise<string[]> =>
      page
        .getByRole('group', { name: 'Billing address' })
        .evaluate((group) =>
          [...group.querySelectorAll<HTMLElement>('.field:not([hidden]) label')].map(
            ({ textContent }) => textContent ?? '',
          ),
        );
    const country = page.getByLabel('Country');
    for (const [code, ...labels] of [
      ['NGA', 'Country', 'Street', 'City'],
      ['USA', 'Country', 'Street', 'City', 'State', 'Postal code'],
      ['DEU', 'Country', 'Street', 'Postal code', 'City'],
    ] as const) {
      await country.selectOption(code);
      expect(await order()).toEqual(labels);
    }
    expect(await country.evaluate((list) => list === document.activeElement)).toBe(false);
    await country.focus();
    await page.keyboard.press('ArrowDown');
    expect(await country.evaluate((list) => list === document.activeElement)).toBe(true);
  });
});
