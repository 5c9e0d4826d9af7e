import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sessionRequest } from '../harness/client.js';
import { until } from '../harness/until.js';
import {
  fillCard,
  outcome,
  pressPay,
  RIGHT_OTP,
  startCheckoutScene,
  type CheckoutScene,
} from './checkout-scene.js';

let scene: CheckoutScene;
beforeAll(async () => {
  scene = await startCheckoutScene({ GATEWAY_TIMEOUT_MS: '15000' });
  // A busy machine needs a while to reload a page, or to fill another one in.
  await scene.configure({ slowMs: 8_000 });
});
afterAll(() => scene.stop());

const stay = { returnUrl: undefined };

/** The service has heard of the payment, so that nothing that happens to the page undoes it. */
const isBegun = (reference: string): Promise<void> =>
  until(async () => (await scene.client.paymentsOf(reference)).length === 1);
const SLOW = '4000000000002305';
const APPROVED = '4111111111111111';

describe('whatever comes between, the payer pays once and learns how it went', () => {
  test('reload while a code is awaited', async () => {
    const { page } = await scene.open(await scene.client.createSession(sessionRequest(stay)));
    await fillCard(page, { number: '4000000000000705' });
    await pressPay(page);
    await page.getByLabel('One-time code').waitFor();
    await page.reload();
    await page.getByLabel('One-time code').fill(RIGHT_OTP);
    await page.getByRole('button', { name: 'Continue' }).click();
    await outcome(page, 'Payment successful');
  });

  test('reload while the gateway still works on it', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page } = await scene.open(session);
    await fillCard(page, { number: SLOW });
    await pressPay(page);
    await isBegun(session.reference);
    await page.reload();
    await outcome(page, 'We are confirming your payment');
    await outcome(page, 'Payment successful');
    expect(await scene.charges(session.reference)).toBe(1);
  });

  test('the answer is lost: it is asked for again with the same key', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page } = await scene.open(session);
    const keys: (string | undefined)[] = [];
    await page.route('**/v1/payments/card', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      return route.abort('connectionreset');
    });
    await fillCard(page, { number: APPROVED });
    await pressPay(page);
    await outcome(page, 'Payment successful');
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
    expect(await scene.charges(session.reference)).toBe(1);
  });

  test('the answer is lost and the page reloaded: the same card again is the same payment', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page } = await scene.open(session);
    const keys: (string | undefined)[] = [];
    // However often the first page repeats it before it is gone.
    let isReloaded = false;
    await page.route('**/v1/payments/card', (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      return isReloaded ? route.continue() : route.abort('connectionreset');
    });
    await fillCard(page, { number: '4000000000000309' });
    const asked = page.waitForRequest('**/v1/payments/card');
    await pressPay(page);
    await asked;
    await page.reload();
    isReloaded = true;
    await fillCard(page, { number: '4000000000000309' });
    await pressPay(page);
    await outcome(page, 'Payment failed');
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
    // answered now, so another try is a new attempt
    await page.getByRole('button', { name: 'Try another way' }).click();
    await fillCard(page, { number: APPROVED });
    await pressPay(page);
    await outcome(page, 'Payment successful');
    expect(new Set(keys).size).toBe(2);
    const stored = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
    // A key is random, and its third part may well be 4111.
    const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
    expect(stored.replaceAll(uuids, '')).not.toMatch(/4111|\bAda\b/);
  });

  test('offline in the middle: it says so, and goes on by itself', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page, context } = await scene.open(session);
    await fillCard(page, { number: APPROVED });
    await context.setOffline(true);
    await pressPay(page);
    await page.getByText('You’re offline').waitFor();
    await context.setOffline(false);
    await outcome(page, 'Payment successful');
    expect(await scene.charges(session.reference)).toBe(1);
  });

  test('offline while a transfer is awaited', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page, context } = await scene.open(session);
    await page.getByRole('radio', { name: 'Bank transfer', exact: true }).check();
    await pressPay(page);
    await page.getByRole('heading', { name: 'Transfer ₦1,500.00' }).waitFor();
    await context.setOffline(true);
    const [payment] = await scene.client.paymentsOf(session.reference);
    await scene.move(payment?.gatewayReference ?? '', 'approve');
    await page.waitForTimeout(500);
    await context.setOffline(false);
    await outcome(page, 'Payment successful');
  });

  test('failed while the page was away: said once, then the methods again', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page } = await scene.open(session);
    await page.getByRole('radio', { name: 'Bank transfer', exact: true }).check();
    await pressPay(page);
    await page.getByRole('heading', { name: 'Transfer ₦1,500.00' }).waitFor();
    await page.goto('about:blank');
    const [payment] = await scene.client.paymentsOf(session.reference);
    await scene.move(payment?.gatewayReference ?? '', 'decline');
    await scene.client.post(`/v1/payments/${payment?.id}/refresh`, {});
    await page.goto(session.checkoutUrl);
    await outcome(page, 'Payment failed');
    await page.reload();
    await page.getByRole('radiogroup').waitFor();
  });

  test('back from the bank by the back button, then on to it again', async () => {
    const { page } = await scene.open(await scene.client.createSession(sessionRequest(stay)));
    await fillCard(page, { number: '4000000000000804' });
    await pressPay(page);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await outcome(page, 'Payment successful');
  });

  test('two tabs: the second joins the payment of the first', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page: first, context } = await scene.open(session);
    const second = await context.newPage();
    await second.goto(session.checkoutUrl);
    await fillCard(first, { number: SLOW });
    await fillCard(second, { number: APPROVED });
    await pressPay(first);
    await isBegun(session.reference);
    await pressPay(second);
    await outcome(second, 'We are confirming your payment');
    await Promise.all([outcome(first, 'Payment successful'), outcome(second, 'Payment successful')]);
    expect(await scene.charges(session.reference)).toBe(1);
  });

  test('paid in one tab, the other says so as soon as it is looked at', async () => {
    const session = await scene.client.createSession(sessionRequest(stay));
    const { page: first, context } = await scene.open(session);
    const second = await context.newPage();
    await second.goto(session.checkoutUrl);
    await fillCard(first, { number: APPROVED });
    await pressPay(first);
    await outcome(first, 'Payment successful');
    await second.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await outcome(second, 'Payment successful');
  });

  test('the session ends while the payer types', async () => {
    const session = await scene.client.createSession(
      sessionRequest({ returnUrl: 'https://shop.example/thanks' }),
    );
    const { page } = await scene.open(session);
    await fillCard(page, { number: APPROVED });
    await scene.client.post(`/v1/checkout-sessions/${session.id}/close`, {});
    await pressPay(page);
    await outcome(page, 'This checkout is closed');
    const back = page.getByRole('link', { name: 'Back to the shop' });
    expect(await back.getAttribute('href')).toBe('https://shop.example/thanks');
  });

  test('a link that is no link to a session', async () => {
    const { page } = await scene.newPage();
    await page.goto(`${scene.tillfront.url}/checkout`);
    await outcome(page, 'This payment cannot be shown');
    await page.goto(`${scene.tillfront.url}/checkout#cst_cs_0000000000000000.forged`);
    await outcome(page, 'This payment cannot be shown');
  });
});
