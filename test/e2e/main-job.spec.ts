import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Sandbox } from '../../sandbox/server.ts';
import { expectStatus, TillfrontClient, type PaymentBody, type SessionBody } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { stores } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';

/**
 * The main job, from a shop's session to the money and back, against the sandbox gateway, which reads the gateway's
 * words on its own: what both understand is not one mistake made twice.
 */
describe.each(stores)('the main job on the %s store', (store) => {
  let sandbox: Sandbox;
  let tillfront: Tillfront;
  let client: TillfrontClient;

  beforeAll(async () => {
    sandbox = await startTestSandbox({ settings: { settleAfterMs: 500 } });
    tillfront = await startTillfront({
      store,
      gatewayUrl: sandbox.url,
      env: { GATEWAY_TIMEOUT_MS: '4000' },
      emptyStore: true,
    });
    client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
    const notifyUrl = `${tillfront.url}/v1/gateway/notifications`;
    const changed = await fetch(`${sandbox.url}/sandbox/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ notifyUrl }),
    });
    expect(changed.status).toBe(200);
  });
  afterAll(async () => {
    await tillfront.stop();
    await sandbox.close();
  });

  function payWith(session: SessionBody, number: string, more: object = {}) {
    const cvv = number.startsWith('37') ? '1234' : '111';
    return client.payCard(session, { card: { number, cvv, ...more } });
  }

  /** Sends a form as the payer's browser would, and follows nothing. */
  function submit(url: string, fields: Record<string, string>): Promise<Response> {
    return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  }

  const cards: [string, string, object, PaymentBody['status']][] = [
    ['Verve with a PIN', '5060990580000217499', { pin: '1111' }, 'succeeded'],
    ['Verve without its PIN', '5060990580000217499', { pin: undefined }, 'failed'],
    ['Visa', '4111111111111111', { pin: undefined }, 'succeeded'],
    ['Mastercard', '5500000000000103', { pin: undefined }, 'succeeded'],
    ['American Express', '370000000000101', { pin: undefined }, 'succeeded'],
    ['a decline in the bare shape', '4000000000000200', {}, 'failed'],
    ['insufficient funds', '4000000000000309', {}, 'failed'],
    ['a decline that repeats the number', '4000000000000507', {}, 'failed'],
    ['authorized only', '4000000000000903', {}, 'authorized'],
    ['a one-time code', '4000000000000705', {}, 'requires_action'],
  ];

  test.each(cards)('a card: %s', async (_name, number, more, status) => {
    const session = await client.createSession();
    const answered = expectStatus(await payWith(session, number, more), 201);
    expect(answered.body.status).toBe(status);
    expect(answered.text).not.toContain(number);
    if (status === 'succeeded') {
      const paid = await client.get<SessionBody>(`/v1/checkout-sessions/${session.id}`);
      expect(paid.body.status).toBe('paid');
    }
  });

  test.each([
    ['never answers', '4000000000002008', 'succeeded'],
    ['is reset after charging', '4000000000002107', 'succeeded'],
    ['is garbage', '4000000000002206', 'succeeded'],
    ['is HTTP 500', '4000000000002404', 'succeeded'],
    ['is not decided yet, then paid', '4000000000002503', 'succeeded'],
    ['is not decided yet, then declined', '4000000000002511', 'failed'],
    ['is pending, then paid', '4000000000001109', 'succeeded'],
  ] as const)('an answer that %s is cleared up by asking', async (_name, number, status) => {
    const session = await client.createSession();
    const answered = expectStatus(await payWith(session, number), 201, 202);
    expect(answered.body.status).toBe('processing');
    const payment = await client.waitForStatus(answered.body.id, status);
    expect(sandbox.recorder.calls(payment.gatewayReference)['payCard']).toBe(1);
  });

  test('a one-time code, wrong and then right', async () => {
    const session = await client.createSession();
    const { body: payment } = await payWith(session, '4000000000000705');
    const wrong = await client.submitOtp(session, payment.id, '000000');
    expect(expectStatus(wrong, 200).body).toMatchObject({
      status: 'requires_action',
      nextAction: { type: 'otp' },
    });
    const right = await client.submitOtp(session, payment.id, '123456');
    expect(expectStatus(right, 200).body).toMatchObject({ status: 'succeeded', amountCaptured: '1500.00' });
  });

  test.each([
    ['by GET', '4000000000000804', 'approve', 'succeeded'],
    ['by a form', '5500000000000806', 'approve', 'succeeded'],
    ['having declined', '4000000000000804', 'decline', 'failed'],
    ['authorized only', '4000000000000812', 'approve', 'authorized'],
  ])('3-D Secure: the payer comes back %s', async (_name, number, decision, status) => {
    const session = await client.createSession();
    const { body: payment } = await payWith(session, number);
    expect(payment).toMatchObject({ status: 'requires_action', nextAction: { type: 'redirect' } });
    const challenge = new URL(String(payment.nextAction?.['url']));
    const decided = await submit(`${sandbox.url}/challenge`, {
      token: challenge.searchParams.get('token') ?? '',
      decision,
    });
    const returned = await comeBack(decided);
    expect(returned.status).toBe(303);
    const target = new URL(returned.headers.get('location') ?? '');
    expect(target.origin + target.pathname).toBe('https://shop.example/thanks');
    expect(Object.fromEntries(target.searchParams)).toEqual({ payment: payment.id, status });
    expect((await client.getPayment(payment.id)).status).toBe(status);
  });

  /** What a browser does with the bank's answer: goes where it is sent, or submits the form that it is given. */
  async function comeBack(decided: Response): Promise<Response> {
    const address = decided.headers.get('location');
    if (address !== null) return fetch(address, { redirect: 'manual' });
    const page = await decided.text();
    const action = /action="([^"]+)"/.exec(page)?.[1];
    if (action === undefined) throw new Error(`no way back on the page: ${page}`);
    return submit(action.replaceAll('&amp;', '&'), { transactionRef: 'x', client_ref: 'x' });
  }

  test.each([
    ['approves', 'approve', 'succeeded'],
    ['declines', 'decline', 'failed'],
  ] as const)(
    'a wallet: the payer %s at the cashier, and the notification brings the news',
    async (_name, decision, status) => {
      const session = await client.createSession();
      const { body: payment } = await client.payWallet(session);
      expect(payment).toMatchObject({ status: 'requires_action', nextAction: { type: 'redirect' } });
      const cashier = new URL(String(payment.nextAction?.['url']));
      expect((await fetch(cashier)).status).toBe(200);
      await submit(`${sandbox.url}/cashier`, {
        orderToken: cashier.searchParams.get('orderToken') ?? '',
        decision,
      });
      const settled = await client.waitForStatus(payment.id, status);
      expect(settled.nextAction).toBeNull();
    },
  );

  test('a wallet answer with another amount hands out no address', async () => {
    const session = await client.createSession({ amount: '100.52' });
    const answered = expectStatus(await client.payWallet(session), 202);
    expect(answered.body).toMatchObject({ nextAction: null, needsAttention: true });
  });

  test('the sandbox found nothing missing, nothing beyond and no wrong credential', () => {
    const calls = sandbox.recorder.list();
    expect(calls.length).toBeGreaterThan(20);
    for (const { operation, unexpected, problems, credentials } of calls) {
      expect({ operation, unexpected, problems }).toEqual({ operation, unexpected: [], problems: [] });
      const expected = operation === 'initiateWallet' ? 'absent' : 'right';
      expect(credentials).toEqual({ apiKey: expected, accessToken: expected });
    }
  });
});
