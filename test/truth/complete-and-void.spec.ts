import { describe, expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expectStatus, problemOf, type PaymentBody, type PaymentStatus } from '../harness/client.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import { sideBySide, type Scenario } from './scenarios.js';
import {
  act,
  answer,
  approved,
  asked,
  cardAnswer,
  COMPLETION,
  declined,
  expired,
  failed,
  held,
  paidWith,
  payCard,
  paymentThatIs,
  pending,
  questions,
  say,
  sent,
  sessionOf,
  timelineOf,
  usualMoney,
  VOID,
  voided,
  will,
} from './situations.js';
import { heldBack } from './two-paid.js';

const part = paidWith({ ...usualMoney, amount: '1000.00' });
const routes = { complete: COMPLETION, void: VOID } as const;
type Operation = keyof typeof routes;

async function perform(
  scene: Scene,
  doing: Operation,
  payment: PaymentBody,
  said: Behaviour,
  body: object = {},
) {
  will(scene, routes[doing], payment, said);
  return act(scene, doing, payment, body);
}

const scenarios: Record<string, Scenario<Scene>> = {
  'all that is held': async (scene) => {
    const { payment, session } = await paymentThatIs(scene, 'authorized');
    expect((await sessionOf(scene, session)).status).toBe('open');
    const { body } = expectStatus(await perform(scene, 'complete', payment, answer(approved)), 200);
    expect(body).toMatchObject({
      status: 'succeeded',
      amountAuthorized: '1500.00',
      amountCaptured: '1500.00',
      pendingOperation: null,
    });
    expect(sent(scene, COMPLETION, payment).map(({ json }) => json)).toEqual([
      { client_ref: payment.gatewayReference, transactionRef: 'TRX-TEST-1', amount: '1500.00' },
    ]);
    expect((await sessionOf(scene, session)).status).toBe('paid');
  },

  'null is no amount: nothing is taken': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'authorized');
    const refused = await perform(scene, 'complete', payment, answer(approved), { amount: null });
    expect(problemOf(expectStatus(refused, 400))).toMatchObject({
      code: 'validation-failed',
      errors: [{ pointer: '/amount', message: expect.stringMatching(/left out/) }],
    });
    for (const body of [{ amountReceived: null }, { refundId: null }]) {
      const unsaid = await act(scene, 'resolve', payment, { status: 'succeeded', note: 'Seen.', ...body });
      expect(problemOf(expectStatus(unsaid, 400)).code).toBe('validation-failed');
    }
    expect(sent(scene, COMPLETION, payment)).toEqual([]);
    expect((await scene.client.getPayment(payment.id)).status).toBe('authorized');
  },

  'a part of what is held': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'authorized');
    const { body } = expectStatus(await perform(scene, 'complete', payment, part, { amount: '1000' }), 200);
    expect(body).toMatchObject({
      status: 'succeeded',
      amountAuthorized: '1500.00',
      amountCaptured: '1000.00',
    });
    expect(sent(scene, COMPLETION, payment)[0]?.json).toMatchObject({ amount: '1000.00' });
    say(scene, payment, part);
    expect(await asked(scene, payment)).toMatchObject({ status: 'succeeded', needsAttention: false });
  },

  'a part, answered without an amount': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'authorized');
    const { body } = expectStatus(
      await perform(scene, 'complete', payment, paidWith({}), { amount: '0.01' }),
      200,
    );
    expect(body.amountCaptured).toBe('0.01');
  },

  'a part, answered with all: not believed': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'authorized');
    say(scene, payment, answer(approved));
    const answered = await perform(scene, 'complete', payment, answer(approved), { amount: '1000.00' });
    expect(expectStatus(answered, 202).body).toMatchObject({
      status: 'authorized',
      needsAttention: true,
      pendingOperation: { type: 'complete', amount: '1000.00' },
    });
  },

  'an amount that does not fit is refused by its place, and nothing is sent': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'authorized');
    for (const amount of ['1500.01', '0', '0.00', '-1', '1.001', '1e3', '', 'much', 5]) {
      const refused = await perform(scene, 'complete', payment, answer(approved), { amount });
      const problem = problemOf(expectStatus(refused, 400));
      expect(problem).toMatchObject({ code: 'validation-failed', errors: [{ pointer: '/amount' }] });
    }
    expect(sent(scene, COMPLETION, payment)).toEqual([]);
    expect((await scene.client.getPayment(payment.id)).status).toBe('authorized');
  },

  'a void of what is paid closes the session, and its reference may be used again': async (scene) => {
    const { payment, session } = await paymentThatIs(scene, 'succeeded');
    const { body } = expectStatus(await perform(scene, 'void', payment, answer(voided)), 200);
    expect(body).toMatchObject({ status: 'voided', pendingOperation: null });
    expect(sent(scene, VOID, payment).map(({ json }) => json)).toEqual([
      { client_ref: payment.gatewayReference, transactionRef: 'TRX-TEST-1' },
    ]);
    expect((await sessionOf(scene, session)).status).toBe('closed');
    const second = await scene.client.createSession({ reference: session.reference });
    const again = await payCard(scene, answer(approved), second);
    expect(again.payment.gatewayReference).toBe(`${session.reference}_2`);
  },

  'a void of what is held leaves the session open': async (scene) => {
    const { payment, session } = await paymentThatIs(scene, 'authorized');
    expectStatus(await perform(scene, 'void', payment, answer(voided)), 200);
    expect((await sessionOf(scene, session)).status).toBe('open');
    expect((await payCard(scene, answer(approved), session)).payment.status).toBe('succeeded');
  },

  'only “voided” confirms a void': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'succeeded');
    say(scene, payment, answer(approved));
    const { body } = expectStatus(await perform(scene, 'void', payment, answer(approved)), 202);
    expect(body).toMatchObject({ status: 'succeeded', pendingOperation: { type: 'void' } });
    say(scene, payment, answer(voided));
    expect(await asked(scene, payment)).toMatchObject({ status: 'voided', pendingOperation: null });
  },

  'while one is under way there is no other': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'authorized');
    const { responder, release } = heldBack();
    will(scene, COMPLETION, payment, responder);
    const options = { idempotencyKey: randomUUID() };
    const first = act(scene, 'complete', payment, {}, options);
    await until(() => sent(scene, COMPLETION, payment).length === 1);
    for (const doing of ['complete', 'void'] as const) {
      const problem = problemOf(expectStatus(await act(scene, doing, payment), 409));
      expect([problem.code, problem.paymentId]).toEqual(['operation-in-progress', payment.id]);
    }
    const inFlight = problemOf(expectStatus(await act(scene, 'complete', payment, {}, options), 409));
    expect(inFlight.code).toBe('idempotency-in-flight');
    release(answer(approved));
    expectStatus(await first, 200);
    expect(sent(scene, COMPLETION, payment)).toHaveLength(1);
    const again = await act(scene, 'complete', payment, {}, options);
    expect(expectStatus(again, 200).headers.get('idempotency-replayed')).toBe('true');
    const reused = await act(scene, 'complete', payment, { amount: '1.00' }, options);
    expect(problemOf(expectStatus(reused, 422)).code).toBe('idempotency-key-reused');
    expect(problemOf(expectStatus(await act(scene, 'complete', payment), 409)).code).toBe('invalid-state');
  },

  'while one’s outcome is unknown there is no other': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'authorized');
    say(scene, payment, answer(held));
    expectStatus(await perform(scene, 'complete', payment, { do: 'silent' }), 202);
    for (const doing of ['complete', 'void'] as const)
      expect(problemOf(expectStatus(await act(scene, doing, payment), 409)).code).toBe(
        'operation-in-progress',
      );
    expect(sent(scene, VOID, payment)).toEqual([]);
  },

  'one waits for a question that is under way': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'authorized');
    say(scene, payment, { do: 'answer', body: held, afterMs: 900 });
    const question = act(scene, 'refresh', payment);
    await until(() => questions(scene, payment) === 1);
    expectStatus(await perform(scene, 'complete', payment, answer(approved)), 200);
    expectStatus(await question, 200);
    expect((await scene.client.getPayment(payment.id)).status).toBe('succeeded');
  },

  'the timeline tells who asked for what': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'authorized');
    expectStatus(await perform(scene, 'complete', payment, part, { amount: '1000.00' }), 200);
    expectStatus(await perform(scene, 'void', payment, answer(voided)), 200);
    expect(await timelineOf(scene, payment)).toEqual([
      'created',
      'operation_intended',
      'operation_confirmed',
      'authorized',
      'operation_intended',
      'operation_confirmed',
      'succeeded',
      'operation_intended',
      'operation_confirmed',
      'voided',
    ]);
    const intents = (await scene.client.getEvents(payment.id)).filter(
      ({ type }) => type === 'operation_intended',
    );
    expect(intents.map(({ actor, detail }) => [actor, detail])).toMatchObject([
      ['payer', { operation: 'pay' }],
      ['merchant', { operation: 'complete', amount: '1000.00' }],
      ['merchant', { operation: 'void' }],
    ]);
  },
};

const from: Record<Operation, PaymentStatus[]> = {
  complete: ['authorized'],
  void: ['authorized', 'succeeded'],
};
const all: PaymentStatus[] = [
  'processing',
  'requires_action',
  'authorized',
  'succeeded',
  'failed',
  'canceled',
  'expired',
  'voided',
];

for (const doing of ['complete', 'void'] as const) {
  const route = routes[doing];

  scenarios[`${doing}: only from ${from[doing].join(' or ')}`] = async (scene) => {
    for (const status of all.filter((one) => !from[doing].includes(one))) {
      const { payment } = await paymentThatIs(scene, status);
      const refused = problemOf(expectStatus(await perform(scene, doing, payment, answer(approved)), 409));
      expect([status, refused.code]).toEqual([status, 'invalid-state']);
      expect(sent(scene, route, payment)).toEqual([]);
    }
  };

  scenarios[`${doing}: the merchant’s alone, and not with a key that reads`] = async (scene) => {
    const { payment, session } = await paymentThatIs(scene, 'authorized');
    for (const token of [session.clientToken, scene.tillfront.merchantReadKey]) {
      const refused = await act(scene, doing, payment, {}, { token });
      expect(problemOf(expectStatus(refused, 403)).code).toBe('forbidden');
    }
  };

  for (const [name, said] of [
    ['error: true', answer(declined)],
    ['HTTP 400', answer({}, 400)],
    ['HTTP 404', answer({}, 404)],
    ['HTTP 422', answer({}, 422)],
    ['a failure', answer(failed)],
  ] as const) {
    scenarios[`${doing}: refused with ${name}, nothing moves, and the gateway is asked`] = async (scene) => {
      const { payment } = await paymentThatIs(scene, 'authorized');
      say(scene, payment, answer(held));
      const problem = problemOf(expectStatus(await perform(scene, doing, payment, said), 409));
      expect([problem.code, problem.paymentId]).toEqual(['gateway-refused', payment.id]);
      await until(() => questions(scene, payment) >= 1);
      const after = await scene.client.getPayment(payment.id);
      expect(after).toMatchObject({ status: 'authorized', pendingOperation: null, needsAttention: false });
    };
  }

  for (const [status, told, code] of [
    [401, 502, 'gateway-credentials-rejected'],
    [403, 502, 'gateway-credentials-rejected'],
    [429, 503, 'gateway-busy'],
  ] as const) {
    scenarios[`${doing}: HTTP ${status} is told, and nothing moves`] = async (scene) => {
      const { payment } = await paymentThatIs(scene, 'authorized');
      const problem = problemOf(expectStatus(await perform(scene, doing, payment, answer({}, status)), told));
      expect(problem.code).toBe(code);
      const after = await scene.client.getPayment(payment.id);
      expect(after).toMatchObject({ status: 'authorized', pendingOperation: null });
    };
  }

  for (const [name, said] of [
    ['a reset', { do: 'reset-after-reading' }],
    ['a cut body', { do: 'cut' }],
    ['HTTP 503', answer(approved, 503)],
    ['no listed status', answer(cardAnswer({ status: 'HM' }))],
    ['a waiting word', answer(pending)],
    ['not known', answer(cardAnswer({}, { error: true, errorCode: 'NOT_FOUND' }))],
    ['not decided', answer(cardAnswer({}, { error: true, errorCode: '91' }))],
  ] as const) {
    scenarios[`${doing}: unknown after ${name}`] = async (scene) => {
      const { payment } = await paymentThatIs(scene, 'authorized');
      say(scene, payment, answer(held));
      const { body } = expectStatus(await perform(scene, doing, payment, said), 202);
      expect(body).toMatchObject({
        status: 'authorized',
        pendingOperation: { type: doing },
        needsAttention: false,
      });
      expect(sent(scene, route, payment)).toHaveLength(1);
    };
  }

  scenarios[`${doing}: the hold had expired`] = async (scene) => {
    const { payment } = await paymentThatIs(scene, 'authorized');
    const { body } = expectStatus(await perform(scene, doing, payment, answer(expired)), 200);
    expect(body).toMatchObject({ status: 'expired', failure: { code: 'expired' }, pendingOperation: null });
  };
}

describe.each(anyStore)('completing and voiding on the %s store', (store) => {
  sideBySide(() => startScene(store, { GATEWAY_TIMEOUT_MS: '6000' }), scenarios);
});
