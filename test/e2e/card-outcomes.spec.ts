import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { expectStatus, problemOf, type PaymentBody, type SessionBody } from '../harness/client.js';
import {
  answer,
  approved,
  cardAnswer,
  challengeUrl,
  declined,
  held,
  otpRequired,
  redirectRequired,
  usualMoney,
} from '../harness/gateway-answers.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';

/** What a payer's browser and the merchant see of each thing that a gateway may do with a card payment. */

const decided: [string, Behaviour, number, Partial<PaymentBody>][] = [
  ['approval', answer(approved), 201, { status: 'succeeded', amountCaptured: '1500.00', failure: null }],
  ['approval by its code alone', answer(cardAnswer({}, { errorCode: '00' })), 201, { status: 'succeeded' }],
  ['approval with HTTP 201', answer(approved, 201), 201, { status: 'succeeded' }],
  ['approval with HTTP 202', answer(approved, 202), 201, { status: 'succeeded' }],
  ['a hold', answer(held), 201, { status: 'authorized', amountAuthorized: '1500.00', amountCaptured: null }],
  ['a 3-D Secure redirect', answer(redirectRequired), 201, { status: 'requires_action' }],
  ['a one-time code', answer(otpRequired), 201, { status: 'requires_action' }],
  ['a decline', answer(declined), 201, { status: 'failed' }],
  ['a decline by status', answer(cardAnswer({ status: 'DECLINED' })), 201, { status: 'failed' }],
  ['an expiry', answer(cardAnswer({ status: 'EXPIRED' })), 201, { status: 'expired' }],
  ['HTTP 400', answer({ message: 'bad' }, 400), 201, { status: 'failed' }],
  ['HTTP 404', answer({ message: 'bad' }, 404), 201, { status: 'failed' }],
  ['HTTP 422', { do: 'text', status: 422, text: 'no' }, 201, { status: 'failed' }],
];

const unknown: [string, Behaviour][] = [
  ['a reset before it reads', { do: 'reset-before-reading' }],
  ['a reset after it has read', { do: 'reset-after-reading' }],
  ['a close after it has read', { do: 'close-after-reading' }],
  ['a body that is cut', { do: 'cut' }],
  ['a body that trickles', { do: 'trickle', everyMs: 20 }],
  ['silence', { do: 'silent' }],
  ['more than 1 MiB', { do: 'huge' }],
  ['more than 1 MiB behind gzip', { do: 'gzip-bomb', megabytes: 20 }],
  ['HTML', { do: 'text', text: '<html>Approved</html>' }],
  ['broken JSON', { do: 'text', contentType: 'application/json', text: '{"error":false,' }],
  ['an empty body', { do: 'text', contentType: 'application/json', text: '' }],
  ['a JSON text', answer('SUCCESS')],
  ['a JSON null', answer(null)],
  ['a JSON array', answer([approved])],
  ['no known status', answer(cardAnswer({ status: 'FLOWN_AWAY' }))],
  ['no status', answer({ error: false, message: 'ok', data: {} })],
  ['a pending code beside error', answer(cardAnswer({}, { error: true, errorCode: '09' }))],
  ['error as a text', answer({ ...approved, error: 'false' })],
  ['error as a number', answer({ ...approved, error: 0 })],
  ['error true beside a success', answer({ ...approved, error: true })],
  [
    'failed beside succeeded',
    answer(cardAnswer({ status: 'SUCCESS', ...usualMoney }, { errorCode: 'DECLINED' })),
  ],
  [
    'an amount that cannot be read',
    answer(cardAnswer({ status: 'SUCCESS', amount: 'much', currency: 'NGN' })),
  ],
  ['a success that hides in __proto__', { do: 'text', contentType: 'application/json', text: hidden() }],
  ['HTTP 301', { do: 'redirect', status: 301, location: '/elsewhere' }],
  ['HTTP 302', { do: 'redirect', status: 302, location: '/elsewhere' }],
  ['HTTP 307', { do: 'redirect', status: 307, location: '/elsewhere' }],
  ['HTTP 308', { do: 'redirect', status: 308, location: '/elsewhere' }],
  ...[402, 408, 409, 500, 502, 503, 504].map((status): [string, Behaviour] => [
    `HTTP ${status}`,
    answer(approved, status),
  ]),
  ['HTTP 500 with a decline', answer(declined, 500)],
];

function hidden(): string {
  return '{"__proto__":{"error":false,"data":{"transaction":{"status":"SUCCESS"}}}}';
}

const failureCodes: Record<string, string> = {
  'a decline': 'declined',
  'a decline by status': 'declined',
  'an expiry': 'expired',
  'HTTP 400': 'gateway_rejected',
  'HTTP 404': 'gateway_rejected',
  'HTTP 422': 'gateway_rejected',
};

describe.each(anyStore)('paying by card on the %s store', (store) => {
  let scene: Scene;
  let session: SessionBody;

  beforeAll(async () => {
    scene = await startScene(store, { GATEWAY_TIMEOUT_MS: '3000' });
  });
  afterAll(() => scene.stop());
  beforeEach(async () => {
    scene.gateway.forget();
    session = await scene.client.createSession();
  });

  test.each(decided)('%s', async (name, behaviour, httpStatus, expected) => {
    scene.gateway.script('POST /payment/card', behaviour);
    const payment = expectStatus(await scene.client.payCard(session), httpStatus).body;
    expect(payment).toMatchObject({
      livemode: false,
      sessionId: session.id,
      reference: session.reference,
      gatewayReference: `${session.reference}_1`,
      method: 'card',
      amount: '1500.00',
      currency: 'NGN',
      card: { brand: 'verve', last4: '7499' },
      pendingOperation: null,
      needsAttention: false,
      ...expected,
    });
    expect(payment.failure?.code).toBe(failureCodes[name]);
    expect(await scene.client.getPayment(payment.id)).toEqual(payment);
    expect(scene.gateway.requestsTo('POST /payment/card')).toHaveLength(1);
  });

  test.each(unknown)('outcome unknown: %s', async (_name, behaviour) => {
    scene.gateway.script('POST /payment/card', behaviour);
    const payment = expectStatus(await scene.client.payCard(session), 202).body;
    expect(payment).toMatchObject({
      status: 'processing',
      failure: null,
      nextAction: null,
      amountCaptured: null,
      pendingOperation: { type: 'pay' },
    });
    expect(scene.gateway.requests.filter((request) => request.path === '/elsewhere')).toEqual([]);
    expect(scene.gateway.requestsTo('POST /payment/card').length).toBeLessThanOrEqual(1);
  });

  test('the actions of a payer', async () => {
    scene.gateway.script('POST /payment/card', answer(redirectRequired), answer(otpRequired));
    const redirect = await scene.client.payCard(session);
    expect(redirect.body.nextAction).toMatchObject({ type: 'redirect', url: challengeUrl, method: 'GET' });
    const otp = await scene.client.payCard(await scene.client.createSession());
    expect(otp.body.nextAction).toEqual({ type: 'otp', message: 'Enter the code sent to your phone' });
  });

  test('a redirect to an address that is not https is not handed out', async () => {
    const transaction = { status: 'REDIRECT_REQUIRED', redirectUrl: 'javascript:alert(1)' };
    scene.gateway.script('POST /payment/card', answer(cardAnswer(transaction)));
    const payment = await scene.client.payCard(session);
    expect(payment.text).not.toContain('javascript:');
    expect(payment.body.nextAction).toBeNull();
    expect(payment.body.status).toBe('processing');
  });

  test('a decline says what the payer may read, without what the payer sent', async () => {
    const message = 'Card 5060 9905 8000 0217 499 of Ada Obi (ada@example.com) was declined';
    scene.gateway.script(
      'POST /payment/card',
      answer(cardAnswer({}, { error: true, message, errorCode: '05' })),
    );
    const payment = expectStatus(await scene.client.payCard(session), 201).body;
    expect(payment.failure).toMatchObject({ code: 'declined', gatewayCode: '05', reason: 'askBank' });
    expect(payment.failure?.message).toContain('declined');
    expect(payment.failure?.message).not.toMatch(/Ada|Obi|5060|217/);
  });

  test.each([
    [
      'by its code',
      cardAnswer({}, { error: true, message: 'No', errorCode: '51' }),
      200,
      'insufficientFunds',
    ],
    ['by its message', cardAnswer({}, { error: true, message: 'Expired_card' }), 200, 'expiredCard'],
    ['in no words that are listed', cardAnswer({}, { error: true, message: 'No' }), 200, null],
    ['with an HTTP status', { error: true, message: 'INCORRECT_PIN' }, 422, 'wrongPin'],
  ])('a refusal says why, %s', async (_name, body, status, reason) => {
    scene.gateway.script('POST /payment/card', answer(body, status));
    const { id, failure } = expectStatus(await scene.client.payCard(session), 201).body;
    expect(failure).toHaveProperty('reason', reason);
    expect((await scene.client.getPayment(id)).failure).toEqual(failure);
  });

  test.each([
    ['another amount', { amount: '1.00', currency: 'NGN' }],
    ['another currency', { amount: '1500.00', currency: 'USD' }],
  ])('a success with %s is not believed', async (_name, money) => {
    scene.gateway.script('POST /payment/card', answer(cardAnswer({ status: 'SUCCESS', ...money })));
    const payment = expectStatus(await scene.client.payCard(session), 202).body;
    expect(payment).toMatchObject({ status: 'processing', needsAttention: true });
  });

  test.each([401, 403])('credentials that the gateway rejects with %i', async (status) => {
    scene.gateway.script('POST /payment/card', answer({ message: 'who are you' }, status));
    const refused = await scene.client.payCard(session);
    const problem = problemOf(expectStatus(refused, 502));
    expect(problem.code).toBe('gateway-credentials-rejected');
    expect(await scene.client.getPayment(problem.paymentId ?? '')).toMatchObject({
      status: 'failed',
      failure: { code: 'gateway_credentials_rejected' },
    });
  });

  test.each([400, 401, 403, 404, 422])('a firewall’s page with HTTP %i', async (status) => {
    scene.gateway.script('POST /payment/card', { do: 'text', status, text: ' <html>Blocked</html>' });
    const problem = problemOf(expectStatus(await scene.client.payCard(session), 503));
    expect(problem.code).toBe('gateway-unavailable');
    expect(await scene.client.getPayment(problem.paymentId ?? '')).toMatchObject({
      status: 'failed',
      failure: { code: 'gateway_unavailable', retryable: true },
    });
  });

  test('a gateway that is busy', async () => {
    scene.gateway.script('POST /payment/card', {
      do: 'answer',
      status: 429,
      headers: { 'retry-after': '7' },
      body: {},
    });
    const refused = expectStatus(await scene.client.payCard(session), 503);
    const problem = problemOf(refused);
    expect(problem.code).toBe('gateway-busy');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await scene.client.getPayment(problem.paymentId ?? '')).toMatchObject({
      status: 'failed',
      failure: { code: 'gateway_busy', retryable: true },
    });
  });

  test('what is unknown is asked about until the gateway says it, and nothing is paid twice', async () => {
    scene.gateway.script('POST /payment/card', { do: 'reset-after-reading' });
    const { body: payment } = await scene.client.payCard(session);
    const route = `GET /transaction/${payment.gatewayReference}`;
    scene.gateway.script(route, answer(approved));
    expect(await scene.client.waitForStatus(payment.id, 'succeeded')).toMatchObject({
      amountCaptured: '1500.00',
      pendingOperation: null,
    });
    expect(scene.gateway.requestsTo('POST /payment/card')).toHaveLength(1);
    const paid = await scene.client.get<SessionBody>(`/v1/checkout-sessions/${session.id}`);
    expect(paid.body.status).toBe('paid');
  });

  test('a status query that says nothing fails no payment', async () => {
    scene.gateway.script('POST /payment/card', { do: 'silent' });
    const { body: payment } = await scene.client.payCard(session);
    const route = `GET /transaction/${payment.gatewayReference}`;
    scene.gateway.script(
      route,
      answer(declined),
      answer({}, 404),
      answer({}, 500),
      answer(cardAnswer({ status: '?' })),
    );
    await until(() => scene.gateway.requestsTo(route).length >= 2);
    expect((await scene.client.getPayment(payment.id)).status).toBe('processing');
  });

  test('the timeline tells it from the start', async () => {
    scene.gateway.script('POST /payment/card', answer(approved));
    const { body: payment } = await scene.client.payCard(session);
    const events = await scene.client.getEvents(payment.id);
    expect(events.length).toBeGreaterThanOrEqual(2);
    expect(events.at(0)).toMatchObject({ to: 'processing' });
    expect(events.some((event) => event.from === 'processing' && event.to === 'succeeded')).toBe(true);
    const times = events.map((event) => Date.parse(event.at));
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });
});
