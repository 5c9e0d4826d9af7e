import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { resolve } from 'node:path';
import type { Sandbox } from '../../sandbox/server.ts';
import { expectStatus, problemOf, TillfrontClient, type PaymentBody } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { anyStore } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';

const SECRET = 'notification-secret-of-the-test';
const CARD = {
  pays: '4111111111111111',
  declines: '4000000000000309',
  asksPin: '5060990000000602',
  asksPinAndOtp: '506099000000000602',
  asksOtp: '4000000000000705',
  redirects: '4000000000000804',
  holds: '4000000000000903',
  lost: '4000000000002107',
  neverArrives: '4000000000002115',
  undecided: '4000000000002503',
  anotherAmount: '4000000000002800',
};

/** The service in front of the third dialect of the sandbox, by its profile file alone. */
describe.each(anyStore)('the third dialect, through the service, on the %s store', (kind) => {
  let sandbox: Sandbox;
  let tillfront: Tillfront;
  let client: TillfrontClient;

  beforeAll(async () => {
    sandbox = await startTestSandbox({ dialect: 'third', settings: { settleAfterMs: 500 } });
    tillfront = await startTillfront({
      store: kind,
      gatewayUrl: sandbox.url,
      env: {
        GATEWAY_PROFILE: resolve('test/dialects/third.profile.json'),
        NOTIFICATION_SECRET: SECRET,
        PAYMENT_METHODS: 'card,wallet',
        GATEWAY_TIMEOUT_MS: '5000',
        NOT_FOUND_GRACE_SECONDS: '10',
      },
    });
    client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  });
  beforeEach(() => {
    Object.assign(sandbox.settings, { notifyUrl: '', notifySecret: '' });
  });
  afterAll(async () => {
    await tillfront.stop();
    const misunderstood = sandbox.recorder
      .list()
      .flatMap(({ operation, problems, unexpected }) =>
        [...problems, ...unexpected].map((what) => `${operation}: ${what}`),
      );
    const twice = sandbox.ledger.entries().filter(({ duplicateClientRef }) => duplicateClientRef);
    await sandbox.close();
    expect({ misunderstood, twice }).toEqual({ misunderstood: [], twice: [] });
  });

  const pay = async (number: string, over: object = {}) => {
    const session = await client.createSession();
    const { body } = await client.payCard(session, { card: { number, pin: undefined }, ...over });
    return { session, payment: body };
  };
  const charged = (payment: PaymentBody) => sandbox.ledger.chargedMinor(payment.gatewayReference);
  const calls = (payment: PaymentBody, operation: string) =>
    sandbox.recorder.list(payment.gatewayReference, operation);

  test('a card is paid, and another one declined', async () => {
    const { payment } = await pay(CARD.pays);
    expect(payment).toMatchObject({ status: 'succeeded', amountCaptured: '1500.00' });
    expect(charged(payment)).toBe(150_000n);
    expect(calls(payment, 'createOrder')).toHaveLength(1);
    expect((await pay(CARD.declines)).payment).toMatchObject({
      status: 'failed',
      failure: { code: 'declined', message: 'Insufficient funds' },
    });
  });

  test('a PIN, wrong and right', async () => {
    const { session, payment } = await pay(CARD.asksPin);
    expect(payment.nextAction).toEqual({ type: 'pin', message: 'Enter the PIN of your card' });
    const wrong = await client.submitPin(session, payment.id, '0000');
    expect(wrong.body).toMatchObject({ status: 'requires_action', nextAction: { type: 'pin' } });
    const right = await client.submitPin(session, payment.id, '1111');
    expect(right.body.status).toBe('succeeded');
  });

  test('a PIN, and the one-time code after it', async () => {
    const { session, payment } = await pay(CARD.asksPinAndOtp);
    const asked = await client.submitPin(session, payment.id, '1111');
    expect(asked.body).toMatchObject({ status: 'requires_action', nextAction: { type: 'otp' } });
    const wrong = await client.submitOtp(session, payment.id, '000000');
    expect(wrong.body.nextAction?.type).toBe('otp');
    const paid = await client.submitOtp(session, payment.id, '123456');
    expect(paid.body.status).toBe('succeeded');
    expect(charged(payment)).toBe(150_000n);
  });

  test('a redirect to an address that the profile puts together, and the way back', async () => {
    const { payment } = await pay(CARD.redirects);
    expect(payment.nextAction).toMatchObject({ type: 'redirect', method: 'GET' });
    const url = String(payment.nextAction?.['url']);
    expect(new URL(url)).toMatchObject({ origin: sandbox.url, pathname: '/challenge' });
    const approved = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token: new URL(url).searchParams.get('token') ?? '', decision: 'approve' }),
    });
    expect(approved.status).toBeLessThan(400);
    await fetch(new URL(approved.headers.get('location') ?? '', sandbox.url), { redirect: 'manual' });
    await client.waitForStatus(payment.id, 'succeeded');
  });

  test('a wallet order, and the signed notification by GET that says it is paid', async () => {
    const session = await client.createSession();
    const { body: payment } = await client.payWallet(session);
    const url = String(payment.nextAction?.['url']);
    expect(new URL(url)).toMatchObject({ origin: sandbox.url, pathname: '/cashier' });
    const transaction = sandbox.ledger.find(payment.gatewayReference);
    if (!transaction) throw new Error('no order');
    Object.assign(sandbox.settings, {
      notifyUrl: `${tillfront.url}/v1/gateway/notifications`,
      notifySecret: SECRET,
    });
    sandbox.bank.charge(transaction, 'cashier');
    await client.waitForStatus(payment.id, 'succeeded');
    await until(() => sandbox.notifications.list(payment.gatewayReference)[0]?.state === 'delivered');
  });

  test('a notification that is not signed as the profile says is refused', async () => {
    const { payment } = await pay(CARD.pays);
    const at = `${tillfront.url}/v1/gateway/notifications?ref=${payment.gatewayReference}&id=1&state=TAKEN`;
    expect((await fetch(at)).status).toBe(401);
    expect((await fetch(`${at}&sig=${'0'.repeat(128)}`)).status).toBe(401);
  });

  test('held money is taken in part, or given up', async () => {
    const { payment: held } = await pay(CARD.holds);
    expect(held).toMatchObject({ status: 'authorized', amountAuthorized: '1500.00' });
    const taken = await client.post<PaymentBody>(`/v1/payments/${held.id}/complete`, { amount: '1000.00' });
    expect(taken.body).toMatchObject({ status: 'succeeded', amountCaptured: '1000.00' });
    expect(charged(held)).toBe(100_000n);

    const { payment: unwanted } = await pay(CARD.holds);
    const voided = await client.post<PaymentBody>(`/v1/payments/${unwanted.id}/void`);
    expect(voided.body.status).toBe('voided');
  });

  test('money is given back, in parts and once each, an answer that was lost too', async () => {
    const { payment } = await pay(CARD.pays);
    const at = `/v1/payments/${payment.id}/refunds`;
    expectStatus(await client.post(at, { amount: '500.00' }), 201);
    expect(await client.getPayment(payment.id)).toMatchObject({
      status: 'succeeded',
      amountRefunded: '500.00',
    });
    expect(problemOf(expectStatus(await client.post(at, { amount: '1000.01' }), 409)).code).toBe(
      'invalid-state',
    );
    sandbox.faults.add({
      fault: { kind: 'reset-after', processed: true },
      operations: ['refund'],
      skip: 0,
      times: 1,
      probability: 1,
      random: () => 0,
    });
    expect((await client.post(at)).status).toBe(202);
    await until(async () => (await client.getPayment(payment.id)).pendingOperation === null, 30_000);
    expect((await client.getPayment(payment.id)).amountRefunded).toBe('1500.00');
    expect(calls(payment, 'refund')).toHaveLength(2);
    expect(charged(payment)).toBe(0n);
    const voided = await client.post(`/v1/payments/${payment.id}/void`);
    expect(problemOf(expectStatus(voided, 409)).code).toBe('invalid-state');
  });

  test('an answer that was lost is asked for, and an HTTP 404 with its word is one', async () => {
    const { payment } = await pay(CARD.lost);
    expect(payment.status).toBe('processing');
    await client.waitForStatus(payment.id, 'succeeded', 20_000);

    const { payment: unknown } = await pay(CARD.neverArrives);
    expect(unknown.status).toBe('processing');
    const failed = await client.waitForStatus(unknown.id, 'failed', 30_000);
    expect(failed.failure).toMatchObject({ code: 'gateway_never_received', retryable: true });
    const answered = new Set(calls(unknown, 'transactionStatus').map((call) => call.answered));
    expect([...answered]).toEqual([404]);
    expect(charged(unknown)).toBe(0n);
  });

  test('what is not decided yet, or names another amount, is no success', async () => {
    const { payment } = await pay(CARD.undecided);
    expect(payment.status).toBe('processing');
    await client.waitForStatus(payment.id, 'succeeded', 20_000);
    const { payment: other } = await pay(CARD.anotherAmount);
    expect(other.status).toBe('processing');
  });

  test('a token that the gateway has ended is fetched anew, and nothing is charged twice', async () => {
    await pay(CARD.pays);
    await fetch(`${sandbox.url}/sandbox/tokens/end`, { method: 'POST' });
    const { payment } = await pay(CARD.pays);
    expect(payment.status).toBe('succeeded');
    expect(calls(payment, 'createOrder').map(({ answered }) => answered)).toEqual([401, 200]);
    expect(calls(payment, 'payCard')).toHaveLength(1);
    expect(charged(payment)).toBe(150_000n);
  });

  test('a token ends between the order and the payment: the payment goes out once', async () => {
    const session = await client.createSession();
    sandbox.faults.add({
      fault: { kind: 'delay', delayMs: 300, processed: true },
      operations: ['createOrder'],
      skip: 0,
      times: 1,
      probability: 1,
      random: () => 0,
    });
    const paying = client.payCard(session, { card: { number: CARD.pays, pin: undefined } });
    const ordered = (): number => sandbox.recorder.list(undefined, 'createOrder').length;
    const before = ordered();
    await until(() => ordered() > before);
    await fetch(`${sandbox.url}/sandbox/tokens/end`, { method: 'POST' });
    const { body: payment } = await paying;
    expect(payment.status).toBe('succeeded');
    expect(charged(payment)).toBe(150_000n);
  });

  test('an order that cannot be made charges nothing', async () => {
    sandbox.faults.add({
      fault: { kind: 'reset-after', processed: true },
      operations: ['createOrder'],
      skip: 0,
      times: 1,
      probability: 1,
      random: () => 0,
    });
    const session = await client.createSession();
    const refused = await client.payCard(session, { card: { number: CARD.pays, pin: undefined } });
    expect(problemOf(expectStatus(refused, 503)).code).toBe('gateway-unavailable');
    const [payment] = await client.paymentsOf(session.reference);
    expect(payment).toMatchObject({ status: 'failed', failure: { code: 'gateway_unavailable' } });
  });

  test('a method that the gateway lacks is not offered', async () => {
    const session = await client.createSession();
    expect(session.methods).toEqual(['card', 'wallet']);
  });
});
