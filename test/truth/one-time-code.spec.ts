import { describe, expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expectStatus, problemOf } from '../harness/client.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { sideBySide, type Scenario } from './scenarios.js';
import {
  answer,
  approved,
  asked,
  cardAnswer,
  declined,
  expired,
  failed,
  held,
  noWord,
  OTP,
  otherAmount,
  otpRequired,
  paymentThatIs,
  pending,
  questions,
  redirectRequired,
  say,
  sent,
  timelineOf,
  voided,
  waitingForCode,
  will,
  type Situation,
} from './situations.js';
import { until } from '../harness/until.js';
import { heldBack } from './two-paid.js';

const code = '123456';

async function submit(scene: Scene, { session, payment }: Situation, said: Behaviour) {
  will(scene, OTP, payment, said);
  return scene.client.submitOtp(session, payment.id, code);
}

const scenarios: Record<string, Scenario<Scene>> = {};

// What the gateway says decides.
for (const [name, said, httpStatus, expected] of [
  ['paid', answer(approved), 200, { status: 'succeeded', amountCaptured: '1500.00' }],
  ['held', answer(held), 200, { status: 'authorized', amountAuthorized: '1500.00' }],
  ['failed', answer(failed), 200, { status: 'failed', failure: { code: 'declined' } }],
  ['expired', answer(expired), 200, { status: 'expired', failure: { code: 'expired' } }],
  ['voided', answer(voided), 200, { status: 'voided' }],
  [
    'the code once more',
    answer(otpRequired),
    200,
    { status: 'requires_action', nextAction: { type: 'otp' } },
  ],
  [
    'a redirect',
    answer(redirectRequired),
    200,
    { status: 'requires_action', nextAction: { type: 'redirect' } },
  ],
  ['it is pending', answer(pending), 202, { status: 'processing', nextAction: null, pendingOperation: null }],
] as const) {
  scenarios[`the gateway says: ${name}`] = async (scene) => {
    const found = await waitingForCode(scene);
    const { body } = expectStatus(await submit(scene, found, said), httpStatus);
    expect(body).toMatchObject({ ...expected, needsAttention: false });
    expect(sent(scene, OTP, found.payment).map(({ json }) => json)).toEqual([
      { client_ref: found.payment.gatewayReference, transactionRef: 'TRX-TEST-1', otp: code },
    ]);
  };
}

// Refused: the action is kept, and the gateway is asked.
for (const [name, said] of [
  ['error: true', answer(declined)],
  ['HTTP 400', answer({}, 400)],
  ['HTTP 404', answer({}, 404)],
  ['HTTP 422', answer({}, 422)],
] as const) {
  scenarios[`refused with ${name}`] = async (scene) => {
    const found = await waitingForCode(scene);
    say(scene, found.payment, answer(otpRequired));
    const problem = problemOf(expectStatus(await submit(scene, found, said), 409));
    expect([problem.code, problem.paymentId]).toEqual(['gateway-refused', found.payment.id]);
    expect(await scene.client.getPayment(found.payment.id)).toMatchObject({
      status: 'requires_action',
      nextAction: found.payment.nextAction,
      pendingOperation: null,
    });
    await until(() => questions(scene, found.payment) >= 1);
  };
}

for (const [name, said, httpStatus, code_] of [
  ['401', answer({}, 401), 502, 'gateway-credentials-rejected'],
  ['403', answer({}, 403), 502, 'gateway-credentials-rejected'],
  ['429', answer({}, 429), 503, 'gateway-busy'],
] as const) {
  scenarios[`HTTP ${name}: told, and the action is kept`] = async (scene) => {
    const found = await waitingForCode(scene);
    const problem = problemOf(expectStatus(await submit(scene, found, said), httpStatus));
    expect([problem.code, problem.paymentId]).toEqual([code_, found.payment.id]);
    expect(await scene.client.getPayment(found.payment.id)).toMatchObject({
      status: 'requires_action',
      nextAction: { type: 'otp' },
    });
    expectStatus(await submit(scene, found, answer(approved)), 200);
  };
}

// Unknown: processing until a status answer says more.
for (const [name, said] of [
  ['a reset', { do: 'reset-after-reading' }],
  ['silence', { do: 'silent' }],
  ['HTTP 500', answer(approved, 500)],
  ['a contradiction', answer({ ...approved, error: true })],
  ['not decided', answer(cardAnswer({}, { error: true, errorCode: '96' }))],
  ['not known', answer(cardAnswer({}, { error: true, errorCode: 'NOT_FOUND' }))],
] as const) {
  scenarios[`unknown (${name}), then the code is asked for again`] = async (scene) => {
    const found = await waitingForCode(scene);
    say(scene, found.payment, noWord);
    const { body } = expectStatus(await submit(scene, found, said), 202);
    expect(body).toMatchObject({ status: 'processing', nextAction: null, pendingOperation: { type: 'otp' } });
    say(scene, found.payment, answer(pending));
    expect(await asked(scene, found.payment)).toMatchObject({ status: 'processing' });
    say(scene, found.payment, answer(otpRequired));
    await scene.client.waitForStatus(found.payment.id, 'requires_action');
    const again = await scene.client.getPayment(found.payment.id);
    expect(again).toMatchObject({ nextAction: { type: 'otp' }, pendingOperation: null });
    expectStatus(await submit(scene, found, answer(approved)), 200);
    expect(sent(scene, OTP, found.payment)).toHaveLength(2);
  };
  scenarios[`unknown (${name}), and it was taken`] = async (scene) => {
    const found = await waitingForCode(scene);
    say(scene, found.payment, answer(approved));
    expectStatus(await submit(scene, found, said), 202);
    const paid = await scene.client.waitForStatus(found.payment.id, 'succeeded');
    expect(paid).toMatchObject({ amountCaptured: '1500.00', pendingOperation: null });
    expect(sent(scene, OTP, found.payment)).toHaveLength(1);
  };
}

Object.assign(scenarios, {
  'a success with another amount is not believed': async (scene) => {
    const found = await waitingForCode(scene);
    say(scene, found.payment, otherAmount);
    const { body } = expectStatus(await submit(scene, found, otherAmount), 202);
    expect(body).toMatchObject({ status: 'processing', needsAttention: true, amountCaptured: null });
  },

  'five codes, and no sixth; the gateway’s word still decides': async (scene) => {
    const found = await waitingForCode(scene);
    for (let tries = 0; tries < 5; tries += 1)
      expectStatus(await submit(scene, found, answer(otpRequired)), 200);
    const problem = problemOf(expectStatus(await submit(scene, found, answer(approved)), 409));
    expect(problem.code).toBe('invalid-state');
    expect(sent(scene, OTP, found.payment)).toHaveLength(5);
    expect((await scene.client.getPayment(found.payment.id)).status).toBe('requires_action');
    say(scene, found.payment, answer(approved));
    expect((await asked(scene, found.payment)).status).toBe('succeeded');
  },

  'nothing else takes a code': async (scene) => {
    for (const status of [
      'processing',
      'requires_action',
      'authorized',
      'succeeded',
      'failed',
      'voided',
    ] as const) {
      const found = await paymentThatIs(scene, status);
      const problem = problemOf(expectStatus(await submit(scene, found, answer(approved)), 409));
      expect(problem.code).toBe('invalid-state');
      expect(sent(scene, OTP, found.payment)).toEqual([]);
    }
  },

  'another session’s payment is not found, and a merchant sends no codes': async (scene) => {
    const found = await waitingForCode(scene);
    const other = await scene.client.createSession();
    will(scene, OTP, found.payment, answer(approved));
    const foreign = await scene.client.submitOtp(other, found.payment.id, code);
    expect(problemOf(expectStatus(foreign, 404)).code).toBe('not-found');
    const merchant = await scene.client.post(`/v1/payments/${found.payment.id}/otp`, { otp: code });
    expect(problemOf(expectStatus(merchant, 403)).code).toBe('forbidden');
    expect(sent(scene, OTP, found.payment)).toEqual([]);
  },

  'a code of letters, or none, is refused by its place': async (scene) => {
    const found = await waitingForCode(scene);
    for (const otp of ['12a4', '123', '12345678901', '', undefined]) {
      const refused = await scene.client.submitOtp(found.session, found.payment.id, otp as string);
      const problem = problemOf(expectStatus(refused, 400));
      expect(problem).toMatchObject({ code: 'validation-failed', errors: [{ pointer: '/otp' }] });
    }
  },

  'the same key again, even with another code, is answered with the payment': async (scene) => {
    const found = await waitingForCode(scene);
    const { responder, release } = heldBack();
    will(scene, OTP, found.payment, responder);
    const options = { idempotencyKey: randomUUID() };
    const first = scene.client.submitOtp(found.session, found.payment.id, code, options);
    await until(() => sent(scene, OTP, found.payment).length === 1);
    const meanwhile = await scene.client.submitOtp(found.session, found.payment.id, code, options);
    expect(problemOf(expectStatus(meanwhile, 409))).toMatchObject({
      code: 'idempotency-in-flight',
      paymentId: found.payment.id,
    });
    const otherKey = await scene.client.submitOtp(found.session, found.payment.id, code);
    expect(problemOf(expectStatus(otherKey, 409)).code).toBe('operation-in-progress');
    release(answer(otpRequired));
    expectStatus(await first, 200);
    const again = await scene.client.submitOtp(found.session, found.payment.id, '999999', options);
    expect(expectStatus(again, 200).headers.get('idempotency-replayed')).toBe('true');
    expect(sent(scene, OTP, found.payment)).toHaveLength(1);
  },

  'a refused code’s key is answered with the payment as it now stands': async (scene) => {
    const found = await waitingForCode(scene);
    will(scene, OTP, found.payment, answer({}, 422));
    say(scene, found.payment, answer(otpRequired));
    const options = { idempotencyKey: randomUUID() };
    expectStatus(await scene.client.submitOtp(found.session, found.payment.id, code, options), 409);
    const again = await scene.client.submitOtp(found.session, found.payment.id, code, options);
    expect(expectStatus(again, 200).body).toMatchObject({ id: found.payment.id, status: 'requires_action' });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(sent(scene, OTP, found.payment)).toHaveLength(1);
  },

  'the timeline tells it without the code': async (scene) => {
    const found = await waitingForCode(scene);
    expectStatus(await submit(scene, found, answer(otpRequired)), 200);
    const { text, body } = expectStatus(await submit(scene, found, answer(approved)), 200);
    expect(text).not.toContain(code);
    expect(await timelineOf(scene, body)).toEqual([
      'created',
      'operation_intended',
      'operation_confirmed',
      'requires_action',
      'operation_intended',
      'operation_refused',
      'otp_asked_again',
      'operation_intended',
      'operation_confirmed',
      'succeeded',
    ]);
    expect(JSON.stringify(await scene.client.getEvents(body.id))).not.toContain(code);
    // Six digits stand in a time or a random id by chance, but hardly by themselves.
    expect(scene.tillfront.logs()).not.toMatch(new RegExp(`(?<![0-9a-f])${code}(?![0-9a-f])`));
  },
} satisfies Record<string, Scenario<Scene>>);

describe.each(anyStore)('one-time codes on the %s store', (store) => {
  sideBySide(() => startScene(store, { GATEWAY_TIMEOUT_MS: '6000' }), scenarios);
});
