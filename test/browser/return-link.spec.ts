import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyedHash } from '../../src/secrets/keyed-hash.js';
import { readerToken } from '../../src/auth/tokens.js';
import { Secret } from '../../src/secrets/secret.js';
import { expectStatus, sessionRequest, type PaymentBody, type SessionBody } from '../harness/client.js';
import { testKeys } from '../harness/tillfront.js';
import {
  accessibilityFaults,
  fillCard,
  outcome,
  pressPay,
  startCheckoutScene,
  type CheckoutScene,
} from './checkout-scene.js';

/** The link that a bank sends the payer back with, in the payer's own tab and in others: it may be forwarded, or logged by the bank. */

const stay = { returnUrl: undefined };
const CHALLENGED = '4000000000000804';
const KEPT_TOKEN = 'tillfront:checkout-token';

let scene: CheckoutScene;
beforeAll(async () => {
  scene = await startCheckoutScene({ GATEWAY_TIMEOUT_MS: '8000' });
}, 120_000);
afterAll(() => scene.stop());

const linkOf = ({ id }: { id: string }): string =>
  `${scene.tillfront.url}/v1/payments/${id}/return/${keyedHash(testKeys.secretKey, 'return-token', id)}`;

async function paid(
  number: string,
  body: object = stay,
): Promise<{ session: SessionBody; payment: PaymentBody }> {
  const session = await scene.client.createSession(sessionRequest(body));
  const answered = await scene.client.payCard(session, { card: { number, cvv: '111', pin: undefined } });
  return { session, payment: expectStatus(answered, 201, 202).body };
}

describe('in a tab that is not the payer’s', () => {
  test('it shows how the payment ended, and nothing to do', async () => {
    const { payment } = await paid('4111111111111111');
    const { page, faults } = await scene.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(linkOf(payment));
    await outcome(page, 'Payment successful');
    expect(page.url()).toMatch(/\/checkout\?payment=pay_\w+&status=succeeded#crt_/);
    expect(await page.getByText('₦1,500.00').first().isVisible()).toBe(true);
    const text = await page.locator('main').innerText();
    expect(text).not.toMatch(/1111|Ada|Visa/);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByRole('link').count()).toBe(0);
    expect(asked).not.toContain('/v1/checkout-session');
    expect(await page.evaluate((name) => sessionStorage.getItem(name), KEPT_TOKEN)).toBeNull();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('a failure offers no other payment', async () => {
    const { payment } = await paid('4000000000000200');
    const { page } = await scene.newPage();
    await page.goto(linkOf(payment));
    await outcome(page, 'Payment failed');
    expect(await page.getByRole('button').count()).toBe(0);
  });

  test('one that waits for its payer shows no way on, and its end as soon as it has one', async () => {
    const { payment } = await paid(CHALLENGED);
    expect(payment.nextAction?.type).toBe('redirect');
    const { page, faults } = await scene.newPage();
    await page.goto(linkOf(payment));
    await outcome(page, 'We are confirming your payment');
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await scene.move(payment.gatewayReference, 'approve');
    await scene.client.post(`/v1/payments/${payment.id}/refresh`);
    await outcome(page, 'Payment successful');
    expect(faults).toEqual([]);
  });

  test('a tab that is at another order goes on being that order’s, and shows only this outcome', async () => {
    const { payment } = await paid('4000000000000200');
    const { page } = await scene.open(await scene.client.createSession(sessionRequest(stay)));
    await page.goto(linkOf(payment));
    await outcome(page, 'Payment failed');
    expect(await page.getByRole('button').count()).toBe(0);
  });

  test('after its time it says so, and sends nobody to pay again', async () => {
    const { payment } = await paid('4111111111111111');
    const late = readerToken(
      payment.id,
      new Secret<readonly string[]>([testKeys.secretKey]),
      Date.now() - 16 * 60_000,
    );
    const { page } = await scene.newPage();
    await page.goto(`${scene.tillfront.url}/checkout#${late}`);
    await outcome(page, 'This payment cannot be shown');
    expect(await page.getByText('before you pay again').isVisible()).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('a token that is none opens nothing', async () => {
    const { page } = await scene.newPage();
    await page.goto(`${scene.tillfront.url}/checkout#crt_nothing`);
    await outcome(page, 'This payment cannot be shown');
  });
});

test.each(['%', '%E0%A4%A', 'cst_%zz'])(
  'an address that ends in #%s says that the link is not valid',
  async (end) => {
    const { page, faults } = await scene.newPage();
    await page.goto(`${scene.tillfront.url}/checkout#${end}`);
    await page.getByText('The link is incomplete or no longer valid.').waitFor();
    expect(faults).toEqual([]);
  },
);

describe('in the payer’s own tab', () => {
  test('the page goes on with the session', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page, faults } = await scene.open(session);
    await fillCard(page, { number: CHALLENGED });
    await pressPay(page);
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.waitForURL(/\/checkout\?.*#crt_/);
    await outcome(page, 'Payment failed');
    await page.reload();
    await outcome(page, 'Payment failed');
    await page.getByRole('button', { name: 'Try another way' }).click();
    await fillCard(page, { number: '4111111111111111' });
    await pressPay(page);
    await outcome(page, 'Payment successful');
    expect(await scene.charges(session.reference)).toBe(1);
    expect(faults).toEqual([]);
  });

  test('also after the link’s time', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page } = await scene.open(session);
    const { body: payment } = await scene.client.payCard(session, {
      card: { number: '4111111111111111', cvv: '111', pin: undefined },
    });
    const late = readerToken(
      payment.id,
      new Secret<readonly string[]>([testKeys.secretKey]),
      Date.now() - 16 * 60_000,
    );
    await page.goto(`${scene.tillfront.url}/checkout?payment=${payment.id}#${late}`);
    await outcome(page, 'Payment successful');
    expect(await page.getByText('ending in 1111').isVisible()).toBe(true);
  });
});
