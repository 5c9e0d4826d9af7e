import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { cardAnswer, notFoundAnswer } from '../harness/gateway-answers.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { problemOf, type PaymentBody, type SessionBody } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { profileFile } from '../profiles/strict-gateway.js';

const PIN = '4917';
const operations = { validatePin: { method: 'POST', path: '/payment/validate-pin', credentials: true } };
const profile = { operations, outcome: { meanings: { pin: ['PIN_REQUIRED'] } } };
const says = (status: string, more: object = {}): Behaviour => ({
  do: 'answer',
  body: cardAnswer({ status, amount: '1500.00' }, more),
});

describe.each(anyStore)("a card's PIN that the gateway asks for, on the %s store", (kind) => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene(kind, { GATEWAY_PROFILE: profileFile(profile) });
  });
  afterAll(() => scene.stop());
  beforeEach(() => {
    scene.gateway.forget();
    scene.gateway.script('POST /payment/card', says('PIN_REQUIRED', { message: 'Enter your PIN' }));
    scene.gateway.script('GET /transaction/*', { do: 'answer', body: notFoundAnswer });
  });

  const waiting = async (): Promise<{ session: SessionBody; payment: PaymentBody }> => {
    const session = await scene.client.createSession();
    const { body: payment } = await scene.client.payCard(session, { card: { pin: undefined } });
    expect(payment.nextAction).toEqual({ type: 'pin', message: 'Enter your PIN' });
    return { session, payment };
  };

  test('is sent once, and a one-time code after it', async () => {
    const { session, payment } = await waiting();
    scene.gateway.script('POST /payment/validate-pin', says('OTP_REQUIRED'));
    scene.gateway.script('POST /payment/validate-otp', says('SUCCESS'));
    const asked = await scene.client.submitPin(session, payment.id, PIN);
    expect(asked).toMatchObject({
      status: 200,
      body: { nextAction: { type: 'otp' }, pendingOperation: null },
    });
    expect(scene.gateway.requestsTo('POST /payment/validate-pin').map(({ json }) => json)).toEqual([
      { client_ref: payment.gatewayReference, transactionRef: expect.any(String), pin: PIN },
    ]);
    const paid = await scene.client.submitOtp(session, payment.id, '123456');
    expect(paid.body.status).toBe('succeeded');
    expect(problemOf(await scene.client.submitPin(session, payment.id, PIN)).code).toBe('invalid-state');
  });

  test('is sent three times at most', async () => {
    const { session, payment } = await waiting();
    scene.gateway.script('POST /payment/validate-pin', says('PIN_REQUIRED'));
    for (const pin of ['1111', '2222', '3333']) {
      const wrong = await scene.client.submitPin(session, payment.id, pin);
      expect(wrong.body).toMatchObject({ status: 'requires_action', nextAction: { type: 'pin' } });
    }
    expect(problemOf(await scene.client.submitPin(session, payment.id, '4444'))).toMatchObject({
      code: 'invalid-state',
    });
    expect(scene.gateway.requestsTo('POST /payment/validate-pin')).toHaveLength(3);
    const types = (await scene.client.getEvents(payment.id)).map(({ type }) => type);
    expect(types).toContain('pin_asked_again');
  });

  test('leaves all five one-time codes, and they leave the PINs', async () => {
    const { session, payment } = await waiting();
    scene.gateway.script(
      'POST /payment/validate-pin',
      says('PIN_REQUIRED'),
      says('PIN_REQUIRED'),
      says('OTP_REQUIRED'),
    );
    for (const pin of ['1111', '2222', '3333']) await scene.client.submitPin(session, payment.id, pin);
    scene.gateway.script(
      'POST /payment/validate-otp',
      ...Array.from({ length: 5 }, () => says('OTP_REQUIRED')),
    );
    for (const otp of ['100001', '100002', '100003', '100004', '100005']) {
      const wrong = await scene.client.submitOtp(session, payment.id, otp);
      expect(wrong.body).toMatchObject({ status: 'requires_action', nextAction: { type: 'otp' } });
    }
    expect(problemOf(await scene.client.submitOtp(session, payment.id, '100006')).code).toBe('invalid-state');
    expect(scene.gateway.requestsTo('POST /payment/validate-otp')).toHaveLength(5);
  });

  test('may follow one-time codes, which use none of the three up', async () => {
    scene.gateway.script('POST /payment/card', says('OTP_REQUIRED'));
    const session = await scene.client.createSession();
    const { body: payment } = await scene.client.payCard(session);
    const again = Array.from({ length: 3 }, () => says('OTP_REQUIRED'));
    scene.gateway.script('POST /payment/validate-otp', ...again, says('PIN_REQUIRED'));
    for (const otp of ['100001', '100002', '100003', '100004']) {
      await scene.client.submitOtp(session, payment.id, otp);
    }
    scene.gateway.script(
      'POST /payment/validate-pin',
      says('PIN_REQUIRED'),
      says('PIN_REQUIRED'),
      says('SUCCESS'),
    );
    for (const pin of ['1111', '2222']) await scene.client.submitPin(session, payment.id, pin);
    const paid = await scene.client.submitPin(session, payment.id, PIN);
    expect(paid.body.status).toBe('succeeded');
  });

  test('is not sent twice where its answer was lost: the gateway is asked', async () => {
    const { session, payment } = await waiting();
    scene.gateway.script('POST /payment/validate-pin', { do: 'reset-after-reading' });
    scene.gateway.script('GET /transaction/*', says('PROCESSING'), says('SUCCESS'));
    const lost = await scene.client.submitPin(session, payment.id, PIN);
    expect(lost).toMatchObject({
      status: 202,
      body: { status: 'processing', pendingOperation: { type: 'pin' } },
    });
    await scene.client.waitForStatus(payment.id, 'succeeded');
    expect(scene.gateway.requestsTo('POST /payment/validate-pin')).toHaveLength(1);
  });

  test.each(['12', '1234567', 'abcd', ''])('%j is none', async (pin) => {
    const { session, payment } = await waiting();
    const refused = problemOf(await scene.client.submitPin(session, payment.id, pin));
    expect(refused).toMatchObject({ code: 'validation-failed', errors: [{ pointer: '/pin' }] });
  });

  test('stands in no answer, event or log, though the gateway repeats it', async () => {
    const { session, payment } = await waiting();
    scene.gateway.script(
      'POST /payment/validate-pin',
      says('DECLINED', { message: `PIN ${PIN} is wrong`, transactionRef: `T-${PIN}` }),
    );
    const declined = await scene.client.submitPin(session, payment.id, PIN);
    expect(declined.body).toMatchObject({ status: 'failed', failure: { code: 'declined' } });
    const shown = JSON.stringify([declined.body.failure, await scene.client.getEvents(payment.id)]);
    expect(shown).not.toContain(PIN);
    expect(scene.tillfront.logs()).not.toContain(`"${PIN}"`);
  });
});

test('is not asked for where the gateway has no operation for it', async () => {
  const scene = await startScene('embedded');
  try {
    scene.gateway.script('POST /payment/card', says('OTP_REQUIRED'));
    const session = await scene.client.createSession();
    const { body: payment } = await scene.client.payCard(session);
    expect(problemOf(await scene.client.submitPin(session, payment.id, PIN)).code).toBe('not-supported');
  } finally {
    await scene.stop();
  }
});
