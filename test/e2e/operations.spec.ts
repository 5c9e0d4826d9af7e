import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import {
  expectStatus,
  newReference,
  problemOf,
  type PaymentBody,
  type SessionBody,
} from '../harness/client.js';
import { answer, approved, cardAnswer, held, otpRequired, usualMoney } from '../harness/gateway-answers.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startScene, type Scene } from '../harness/scene.js';
import { stores } from '../harness/test-store.js';
import { testKeys } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { startWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver.js';

/** What is done with a payment after its start: by the payer, by the merchant, and by the gateway's own word. */

const anna = 'mk_test_anna_5b1f0c93d7a8e2640f1c';
const ben = 'mk_test_ben_e04a7d2c81f6b95d3a70';
const webhookSecret = `whsec_${Buffer.from('a secret of thirty-two bytes, 32').toString('base64')}`;
const notificationSecret = 'ns_test_90b3e7c1d5f24a68b0c7';

interface Refund {
  id: string;
  amount: string;
  status: string;
  reason: string | null;
}
interface Approval {
  approval: { id: string; state: string; amount: string; askedBy: string; decidedBy: string | null };
  result: Refund | null;
}
interface Event {
  id: string;
  type: string;
  sequence: number;
  late?: boolean;
  operation?: object;
  data: { id: string };
  delivery: { status: string; attempts: number; lastResult: string | null };
}

/** The built-in profile's gateway, which here can refund too. */
async function profileWithRefunds(folder: string): Promise<string> {
  const text = await readFile(new URL('../../profiles/built-in.json', import.meta.url), 'utf8');
  const profile = JSON.parse(text) as { operations: Record<string, object> };
  const body = { client_ref: '{client_ref}', transactionRef: '{transactionRef}', refundRef: '{refundRef}' };
  profile.operations['refund'] = { post: '/refund', body: { ...body, amount: '{amount}' } };
  profile.operations['refundStatus'] = { post: '/refund-status', body };
  const file = join(folder, 'profile.json');
  await writeFile(file, JSON.stringify(profile));
  return file;
}

const paidWith = (amount: string) => answer(cardAnswer({ status: 'SUCCESS', amount, currency: 'NGN' }));
const givenBack = (amount: string) => answer(cardAnswer({ status: 'REFUNDED', amount, currency: 'NGN' }));
const refused = answer(cardAnswer({}, { error: true, message: 'Not now', errorCode: '57' }));

describe.each(stores)('operations on the %s store', (kind) => {
  let folder: string;
  let receiver: WebhookReceiver;
  let scene: Scene;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tillfront-test-profile-'));
    receiver = await startWebhookReceiver();
    scene = await startScene(kind, {
      GATEWAY_PROFILE: await profileWithRefunds(folder),
      MERCHANT_API_KEY: `${testKeys.merchant},anna=${anna},ben=${ben}`,
      APPROVAL_ABOVE: 'NGN:1500.00',
      MERCHANT_WEBHOOK_URL: receiver.url,
      MERCHANT_WEBHOOK_SECRET: webhookSecret,
      NOTIFICATION_SECRET: notificationSecret,
    });
  });
  afterAll(async () => {
    await scene?.stop();
    await receiver?.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => scene.gateway.forget());

  async function started(
    behaviour: Behaviour,
    session: object = {},
  ): Promise<{ session: SessionBody; payment: PaymentBody }> {
    scene.gateway.script('POST /payment/card', behaviour);
    const made = await scene.client.createSession(session);
    return { session: made, payment: (await scene.client.payCard(made)).body };
  }

  const act = <T = PaymentBody>(id: string, what: string, body: object = {}, options = {}) =>
    scene.client.post<T>(`/v1/payments/${id}/${what}`, body, options);
  const says = ({ gatewayReference }: PaymentBody, ...behaviours: Behaviour[]) =>
    scene.gateway.script(`GET /transaction/${gatewayReference}`, ...behaviours);
  const eventsOf = async ({ id }: PaymentBody) =>
    expectStatus(await scene.client.get<{ data: Event[] }>(`/v1/events?paymentId=${id}`), 200).body.data;
  const sessionNow = async ({ id }: SessionBody) =>
    (await scene.client.get<SessionBody & { closedReason: string | null }>(`/v1/checkout-sessions/${id}`))
      .body;

  test('a part of what is held is taken, once', async () => {
    const { session, payment } = await started(answer(held));
    expect(problemOf(await act(payment.id, 'complete', { amount: '1500.01' })).code).toBe(
      'validation-failed',
    );
    scene.gateway.script('POST /payment/completion', paidWith('1000.00'));
    const key = { idempotencyKey: randomUUID() };
    const done = expectStatus(await act(payment.id, 'complete', { amount: '1000.00' }, key), 200);
    expect(done.body).toMatchObject({
      status: 'succeeded',
      amountAuthorized: '1500.00',
      amountCaptured: '1000.00',
      pendingOperation: null,
    });
    const again = expectStatus(await act(payment.id, 'complete', { amount: '1000.00' }, key), 200);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(done.body);
    expect(scene.gateway.requestsTo('POST /payment/completion').map(({ json }) => json)).toEqual([
      {
        client_ref: payment.gatewayReference,
        transactionRef: `TRX-${payment.gatewayReference}`,
        amount: '1000.00',
      },
    ]);
    expect((await sessionNow(session)).status).toBe('paid');
  });

  test('a completion whose answer is lost is asked about, and holds up every other operation', async () => {
    const { payment } = await started(answer(held));
    scene.gateway.script('POST /payment/completion', { do: 'reset-after-reading' });
    const lost = expectStatus(await act(payment.id, 'complete'), 202).body;
    expect(lost).toMatchObject({
      status: 'authorized',
      pendingOperation: { type: 'complete', amount: '1500.00' },
    });
    expect(problemOf(expectStatus(await act(payment.id, 'void'), 409))).toMatchObject({
      code: 'operation-in-progress',
      paymentId: payment.id,
    });
    says(payment, answer(approved));
    const paid = await scene.client.waitForStatus(payment.id, 'succeeded');
    expect(paid).toMatchObject({ amountCaptured: '1500.00', pendingOperation: null });
    expect(scene.gateway.requestsTo('POST /payment/completion')).toHaveLength(1);
  });

  test('a refused completion moves nothing, and the hold can be voided', async () => {
    const { session, payment } = await started(answer(held));
    scene.gateway.script('POST /payment/completion', refused);
    expect(problemOf(expectStatus(await act(payment.id, 'complete'), 409)).code).toBe('gateway-refused');
    expect((await scene.client.getPayment(payment.id)).status).toBe('authorized');
    scene.gateway.script('POST /payment/void', answer(cardAnswer({ status: 'VOIDED', ...usualMoney })));
    expect(expectStatus(await act(payment.id, 'void'), 200).body.status).toBe('voided');
    expect((await sessionNow(session)).status).toBe('open');
    const types = (await eventsOf(payment)).map(({ type }) => type);
    expect(types).toEqual(['payment.authorized', 'payment.operation_refused', 'payment.voided']);
  });

  test('a voided payer closes its session', async () => {
    const { session, payment } = await started(answer(approved));
    scene.gateway.script('POST /payment/void', answer(cardAnswer({ status: 'VOIDED', ...usualMoney })));
    expect(expectStatus(await act(payment.id, 'void'), 200).body.status).toBe('voided');
    expect(await sessionNow(session)).toMatchObject({ status: 'closed', closedReason: 'voided' });
  });

  test('a wrong code may be tried again, and no code is kept', async () => {
    const { session, payment } = await started(answer(otpRequired));
    const wrong = cardAnswer({}, { error: true, message: 'INVALID_OTP' });
    scene.gateway.script('POST /payment/validate-otp', answer(wrong), answer(approved));
    const refusedCode = expectStatus(await scene.client.submitOtp(session, payment.id, '918273'), 409);
    expect(problemOf(refusedCode).code).toBe('gateway-refused');
    expect((await scene.client.getPayment(payment.id)).nextAction).toMatchObject({ type: 'otp' });
    const right = expectStatus(await scene.client.submitOtp(session, payment.id, '817263'), 200);
    expect(right.body.status).toBe('succeeded');
    expect(JSON.stringify(await scene.client.getEvents(payment.id))).not.toMatch(/918273|817263/);
    expect(scene.tillfront.logs()).not.toMatch(/918273|817263/);
  });

  test('refunds: a part, more than the rest, the rest with a lost answer', async () => {
    const { payment } = await started(answer(approved));
    scene.gateway.script('POST /refund', givenBack('500.00'), { do: 'reset-after-reading' });
    const part = await act<Refund>(payment.id, 'refunds', { amount: '500.00', reason: 'One book of two' });
    expect(expectStatus(part, 201).body).toMatchObject({ amount: '500.00', status: 'succeeded' });
    expectStatus(await act(payment.id, 'refunds', { amount: '1000.01' }), 409);
    const rest = expectStatus(await act<Refund>(payment.id, 'refunds'), 202).body;
    expect(rest).toMatchObject({ amount: '1000.00', status: 'processing' });
    scene.gateway.script('POST /refund-status', givenBack('1000.00'));
    says(payment, answer(cardAnswer({ status: 'SUCCESS', refundedAmount: '1500.00', ...usualMoney })));
    await until(async () => (await scene.client.getPayment(payment.id)).amountRefunded === '1500.00');
    const listed = await scene.client.get<{ data: Refund[] }>(`/v1/payments/${payment.id}/refunds`);
    expect(listed.body.data.map(({ amount, status }) => [amount, status])).toEqual([
      ['500.00', 'succeeded'],
      ['1000.00', 'succeeded'],
    ]);
    expect(scene.gateway.requestsTo('POST /refund')).toHaveLength(2);
    const refunds = (await eventsOf(payment)).filter(({ type }) => type === 'payment.refunded');
    expect(refunds.map(({ operation }) => operation)).toMatchObject([
      { type: 'refund', amount: '500.00', refundId: part.body.id },
      { type: 'refund', amount: '1000.00', refundId: rest.id },
    ]);
    expect(problemOf(expectStatus(await act(payment.id, 'void'), 409)).code).toBe('invalid-state');
  });

  test('a refused refund is recorded as failed', async () => {
    const { payment } = await started(answer(approved));
    scene.gateway.script('POST /refund', refused);
    expect(problemOf(expectStatus(await act(payment.id, 'refunds'), 409)).code).toBe('gateway-refused');
    const listed = await scene.client.get<{ data: Refund[] }>(`/v1/payments/${payment.id}/refunds`);
    expect(listed.body.data).toMatchObject([{ amount: '1500.00', status: 'failed' }]);
    expect((await eventsOf(payment)).at(-1)).toMatchObject({ type: 'payment.refund_failed' });
    expect((await scene.client.getPayment(payment.id)).amountRefunded).toBeNull();
  });

  test('another amount blocks the order until a person says what was received', async () => {
    const { session, payment } = await started(paidWith('1400.00'));
    expect(payment).toMatchObject({ status: 'processing', attentionReasons: ['differs'] });
    says(payment, paidWith('1400.00'));
    const word = { status: 'succeeded', amountReceived: '1400.00', note: 'Seen on the statement' };
    const resolved = expectStatus(await act(payment.id, 'resolve', word), 200).body;
    expect(resolved).toMatchObject({
      status: 'succeeded',
      amountCaptured: '1400.00',
      needsAttention: false,
      pendingOperation: null,
    });
    expectStatus(await act(payment.id, 'refresh'), 200);
    expect((await scene.client.getPayment(payment.id)).needsAttention).toBe(false);
    expect((await sessionNow(session)).status).toBe('paid');
    const types = (await eventsOf(payment)).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['payment.succeeded', 'payment.resolved']);
    expect(problemOf(expectStatus(await act(payment.id, 'resolve', word), 409)).code).toBe('invalid-state');
  });

  test('a cancel asks first: waiting is canceled, paid is paid, a card being charged stays', async () => {
    const waiting = await started(answer(otpRequired));
    says(waiting.payment, answer(cardAnswer({ status: 'PENDING' })));
    const token = { token: waiting.session.clientToken };
    const canceled = expectStatus(await act(waiting.payment.id, 'cancel', {}, token), 200).body;
    expect(canceled).toMatchObject({ status: 'canceled', failure: { code: 'canceled' }, nextAction: null });

    const paid = await started(answer(otpRequired));
    says(paid.payment, answer(approved));
    expect(expectStatus(await act(paid.payment.id, 'cancel'), 200).body.status).toBe('succeeded');

    const charged = await started({ do: 'reset-after-reading' });
    expect(problemOf(expectStatus(await act(charged.payment.id, 'cancel'), 409)).code).toBe(
      'outcome-unknown',
    );
  });

  test('a notification makes the gateway be asked, and its word about a canceled payment is late', async () => {
    const { session, payment } = await started(answer(otpRequired));
    says(payment, answer(cardAnswer({ status: 'PENDING' })));
    expectStatus(await act(payment.id, 'cancel'), 200);
    says(payment, answer(approved));
    scene.gateway.forget();
    const claim = { client_ref: payment.gatewayReference, status: 'SUCCESS' };
    const path = '/v1/gateway/notifications';
    expectStatus(await scene.client.post(path, claim, { token: 'wrong' }), 401);
    expect(scene.gateway.requestsTo(`GET /transaction/${payment.gatewayReference}`)).toEqual([]);
    expectStatus(await scene.client.post(path, claim, { token: notificationSecret }), 200);
    await scene.client.waitForStatus(payment.id, 'succeeded');
    expect((await eventsOf(payment)).at(-1)).toMatchObject({ type: 'payment.succeeded', late: true });
    expect((await sessionNow(session)).status).toBe('paid');
    const unknown = { ...claim, client_ref: `${newReference()}_1` };
    expectStatus(await scene.client.post(`${path}/${notificationSecret}`, unknown, { token: '' }), 200);
  });

  test('a payer’s return asks the gateway and goes to the shop', async () => {
    const { payment } = await started(answer(otpRequired), {
      returnUrl: 'https://shop.example/thanks?a=%20b',
    });
    const [sent] = scene.gateway.requestsTo('POST /payment/card');
    const { pathname } = new URL((sent?.json as { authNotifyUrl: string }).authNotifyUrl);
    says(payment, answer(approved));
    const back = await scene.client.get(pathname, { token: '' });
    expect([back.status, back.headers.get('location')]).toEqual([
      303,
      `https://shop.example/thanks?a=%20b&payment=${payment.id}&status=succeeded`,
    ]);
    expectStatus(await scene.client.get(`${pathname}x`, { token: '' }), 404);
  });

  test('who waits for a payment hears of its move', async () => {
    const { session, payment } = await started(answer(otpRequired));
    const waiting = scene.client.getPayment(`${payment.id}?wait=30`, { token: session.clientToken });
    says(payment, answer(approved));
    expectStatus(await act(payment.id, 'refresh'), 200);
    expect((await waiting).status).toBe('succeeded');
  });

  test('a second success is a duplicate: it can be given back, the payer cannot', async () => {
    const { session, payment } = await started(answer(otpRequired));
    says(payment, answer(cardAnswer({ status: 'PENDING' })));
    expectStatus(await act(payment.id, 'cancel'), 200);
    scene.gateway.script('POST /payment/card', answer(approved));
    const { body: payer } = await scene.client.payCard(session);
    expect(payer.status).toBe('succeeded');
    says(payment, answer(approved));
    const duplicate = expectStatus(await act(payment.id, 'refresh'), 200).body;
    expect(duplicate).toMatchObject({
      status: 'succeeded',
      duplicateOf: payer.id,
      attentionReasons: ['duplicate'],
    });
    expect((await eventsOf(payment)).map(({ type }) => type).slice(-2)).toContain('payment.duplicate');
    expect(problemOf(expectStatus(await act(payer.id, 'refunds'), 409)).code).toBe('invalid-state');
    scene.gateway.script('POST /refund', givenBack('1500.00'));
    expectStatus(await act(duplicate.id, 'refunds'), 201);
    expect((await scene.client.getPayment(duplicate.id)).needsAttention).toBe(false);
    expectStatus(await act(payer.id, 'refunds'), 201);
  });

  test('of two orders that are told one transaction at the same time, one is not paid by it', async () => {
    const body = cardAnswer({ status: 'SUCCESS' });
    Object.assign(body.data, { transactionRef: `TX-${newReference()}` });
    scene.gateway.script('POST /payment/card', answer(body));
    const sessions = await Promise.all([scene.client.createSession(), scene.client.createSession()]);
    const payments = await Promise.all(sessions.map((session) => scene.client.payCard(session)));
    expect(payments.filter(({ body: { status } }) => status === 'succeeded')).toHaveLength(1);
    expect(payments.flatMap(({ body: { attentionReasons } }) => attentionReasons)).toEqual(['differs']);
  });

  test('events are delivered in order, signed, under the ids of the list', async () => {
    const { payment } = await started(answer(held));
    scene.gateway.script('POST /payment/completion', answer(approved));
    expectStatus(await act(payment.id, 'complete'), 200);
    const mine = () =>
      receiver.received.filter(({ json }) => (json.data as { id: string }).id === payment.id);
    await until(() => mine().length === 2);
    await until(async () =>
      (await eventsOf(payment)).every(({ delivery }) => delivery.status === 'delivered'),
    );
    const listed = await eventsOf(payment);
    expect(listed.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['payment.authorized', 1],
      ['payment.succeeded', 2],
    ]);
    expect(mine().map(({ json }) => json.id)).toEqual(listed.map(({ id }) => id));
    for (const { text, headers } of mine())
      expect(new Webhook(webhookSecret).verify(text, headers)).toMatchObject({ data: { id: payment.id } });
    expect(
      mine()
        .map(({ text }) => text)
        .join(),
    ).not.toMatch(/ada@example|clientToken|5060990580000217499/);

    const after = await scene.client.get<{ data: Event[] }>(`/v1/events?after=${listed[0]?.id}&limit=100`);
    expect(after.body.data.map(({ id }) => id)).toContain(listed[1]?.id);
    expect(after.body.data.map(({ id }) => id)).not.toContain(listed[0]?.id);
    expectStatus(await scene.client.post(`/v1/events/${listed[1]?.id}/redeliver`), 200);
    await until(() => mine().length === 3);
    expect(mine()[2]?.headers['webhook-id']).toBe(mine()[1]?.headers['webhook-id']);
  });

  test('a refund above the bound waits for another named key', async () => {
    const { payment } = await started(answer(cardAnswer({ status: 'SUCCESS' })), { amount: '2000.00' });
    scene.gateway.script('POST /refund', givenBack('2000.00'));
    const key = { token: anna, idempotencyKey: randomUUID() };
    const asked = expectStatus(await act<Approval>(payment.id, 'refunds', {}, key), 202).body;
    expect(asked).toMatchObject({
      approval: { state: 'waiting', amount: '2000.00', askedBy: 'merchant:anna', decidedBy: null },
      result: null,
    });
    const decide = (how: string, token: string) =>
      scene.client.post<Approval>(`/v1/approvals/${asked.approval.id}/${how}`, {}, { token });
    expectStatus(await decide('approve', anna), 403);
    expectStatus(await decide('approve', testKeys.merchant), 403);
    expect(scene.gateway.requestsTo('POST /refund')).toEqual([]);
    const waiting = await scene.client.get<{ data: { id: string }[] }>(
      `/v1/approvals?state=waiting&paymentId=${payment.id}`,
    );
    expect(waiting.body.data.map(({ id }) => id)).toEqual([asked.approval.id]);
    const decided = expectStatus(await decide('approve', ben), 200).body;
    expect(decided).toMatchObject({
      approval: { state: 'approved', decidedBy: 'merchant:ben' },
      result: { amount: '2000.00', status: 'succeeded' },
    });
    expect(expectStatus(await act<Approval>(payment.id, 'refunds', {}, key), 200).body).toEqual(decided);
    expect(problemOf(expectStatus(await decide('decline', ben), 409)).code).toBe('invalid-state');
    expect(scene.gateway.requestsTo('POST /refund')).toHaveLength(1);
    expect((await eventsOf(payment)).map(({ type }) => type)).toContain('payment.approval_needed');
  });

  test.each([
    ['keys of their own', () => randomUUID()],
    ['one key', () => 'one-key-for-all'],
  ])('an approval that many give at once with %s sends one refund', async (_name, keyOf) => {
    const { payment } = await started(answer(cardAnswer({ status: 'SUCCESS' })), { amount: '2000.00' });
    scene.gateway.script('POST /refund', givenBack('2000.00'));
    const asked = expectStatus(await act<Approval>(payment.id, 'refunds', {}, { token: anna }), 202).body;
    const path = `/v1/approvals/${asked.approval.id}/approve`;
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map(() =>
        scene.client.post<Approval>(path, {}, { token: ben, idempotencyKey: keyOf() }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    for (const one of answers) expectStatus(one, 200, 409);
    const refusals = answers.filter(({ status }) => status === 409).map((one) => problemOf(one).code);
    const expected = ['invalid-state', 'operation-in-progress', 'idempotency-in-flight'];
    expect(refusals.filter((code) => !expected.includes(code))).toEqual([]);
    expect(scene.gateway.requestsTo('POST /refund')).toHaveLength(1);
  });

  test('a declined approval sends nothing', async () => {
    const { payment } = await started(answer(cardAnswer({ status: 'SUCCESS' })), { amount: '2000.00' });
    const asked = expectStatus(await act<Approval>(payment.id, 'refunds', {}, { token: anna }), 202).body;
    const path = `/v1/approvals/${asked.approval.id}/decline`;
    const declinedOne = await scene.client.post<Approval>(path, { note: 'No' }, { token: ben });
    expect(expectStatus(declinedOne, 200).body).toMatchObject({
      approval: { state: 'declined', decidedBy: 'merchant:ben' },
      result: null,
    });
    expect(scene.gateway.requestsTo('POST /refund')).toEqual([]);
  });

  test('payments are found by what is known of them', async () => {
    const email = `${newReference()}@Example.com`;
    const { session, payment } = await started(answer(approved), {
      payer: { email, phone: '+2348012345678', firstName: 'Ada' },
    });
    for (const query of [
      payment.id,
      payment.gatewayReference.toLowerCase(),
      `TRX-${payment.gatewayReference}`,
      email.toUpperCase(),
      session.reference.slice(0, -2),
      session.reference.toLowerCase(),
    ]) {
      const found = await scene.client.post<{ data: PaymentBody[] }>('/v1/payments/search', { query });
      expect(expectStatus(found, 200).body.data.map(({ id }) => id)).toEqual([payment.id]);
    }
    const byDigits = await scene.client.post<{ data: PaymentBody[] }>(
      '/v1/payments/search',
      { query: '7499' },
      { token: scene.tillfront.merchantReadKey, idempotencyKey: null },
    );
    expect(expectStatus(byDigits, 200).body.data.map(({ id }) => id)).toContain(payment.id);
  });

  test('what is redacted is gone from the session, its payments and its events', async () => {
    const { session, payment } = await started(answer(approved), { metadata: { cart: 'forty-two' } });
    scene.gateway.script('POST /refund', givenBack('500.00'));
    expectStatus(await act(payment.id, 'refunds', { amount: '500.00', reason: 'A private reason' }), 201);
    expectStatus(await scene.client.post(`/v1/checkout-sessions/${session.id}/redact`), 200);
    const paths = [
      `/v1/checkout-sessions/${session.id}`,
      `/v1/payments/${payment.id}`,
      `/v1/payments/${payment.id}/events`,
      `/v1/payments/${payment.id}/refunds`,
      `/v1/events?paymentId=${payment.id}`,
    ];
    const seen = await Promise.all(paths.map((path) => scene.client.get(path)));
    for (const { status, text } of seen) {
      expect(status).toBe(200);
      expect(text).not.toMatch(/ada@example|2348012345678|Marina|forty-two|A private reason/);
    }
    expect(seen[0]?.text).toContain(session.reference);
    expect(seen[3]?.text).toContain('500.00');
  });
});
