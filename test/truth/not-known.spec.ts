import { describe, expect } from '@jest/globals';
import { expectStatus, type PaymentBody } from '../harness/client.js';
import { notFoundAnswer } from '../harness/gateway-answers.js';
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
  held,
  noWord,
  otherAmount,
  payCard,
  payWallet,
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
  wait,
  will,
} from './situations.js';

/** Long enough that the answers which count must be spread over it. */
const GRACE_MS = 6_000;
const notKnown = answer(notFoundAnswer);

const age = (payment: PaymentBody) => Date.parse(payment.updatedAt) - Date.parse(payment.createdAt);

/** Asks so often as would be enough if the grace were over; what is answered before its end must leave the payment open. */
async function askedWithinGrace(scene: Scene, payment: PaymentBody, expected: object): Promise<void> {
  for (let times = 0; times < 4; times += 1) {
    const now = await asked(scene, payment);
    // A busy machine may take longer than the grace.
    if (Date.now() - Date.parse(payment.createdAt) < GRACE_MS) expect(now).toMatchObject(expected);
  }
}

const word: Record<string, Scenario<Scene>> = {
  'often and long enough: it never arrived, and may be tried again': async (scene) => {
    const { payment, session } = await paymentThatIs(scene, 'processing');
    say(scene, payment, notKnown);
    await askedWithinGrace(scene, payment, { status: 'processing', pendingOperation: { type: 'pay' } });
    const never = await scene.client.waitForStatus(payment.id, 'failed');
    expect(never).toMatchObject({
      failure: { code: 'gateway_never_received', retryable: true },
      pendingOperation: null,
      nextAction: null,
    });
    expect(age(never)).toBeGreaterThanOrEqual(GRACE_MS);
    expect(age(never)).toBeLessThan(GRACE_MS + 30_000);
    const again = await payCard(scene, answer(approved), session);
    expect(again.payment).toMatchObject({ status: 'succeeded', gatewayReference: `${session.reference}_2` });
  },

  'by the schedule alone; and if it arrived after all, the money is told': async (scene) => {
    const { payment, session } = await paymentThatIs(scene, 'processing');
    say(scene, payment, notKnown);
    await scene.client.waitForStatus(payment.id, 'failed');
    say(scene, payment, answer(approved));
    expect(await asked(scene, payment)).toMatchObject({ status: 'succeeded', amountCaptured: '1500.00' });
    expect((await sessionOf(scene, session)).status).toBe('paid');
  },

  'other non-answers never make it so': async (scene) => {
    const others = [answer(notFoundAnswer, 404), answer({}, 404), noWord, answer(notFoundAnswer, 400)];
    const all = await Promise.all(
      others.map(async (behaviour) => {
        const { payment } = await paymentThatIs(scene, 'processing');
        say(scene, payment, behaviour);
        return payment;
      }),
    );
    await wait(GRACE_MS);
    for (const payment of all)
      for (let times = 0; times < 4; times += 1)
        expect((await asked(scene, payment)).status).toBe('processing');
  },

  'nor does the word itself about one that the gateway has answered about': async (scene) => {
    const undecided = answer(cardAnswer({}, { error: true, errorCode: '09' }));
    const all = [
      await payCard(scene, answer(pending)),
      await payCard(scene, otherAmount),
      await payCard(scene, undecided),
      await payWallet(scene),
    ];
    for (const { payment } of all) say(scene, payment, notKnown);
    await wait(GRACE_MS);
    for (const { payment } of all)
      for (let times = 0; times < 4; times += 1)
        expect((await asked(scene, payment)).status).toBe(payment.status);
  },

  'nor two of them, however late': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'processing');
    say(scene, payment, noWord);
    await wait(GRACE_MS);
    const before = questions(scene, payment);
    say(scene, payment, notKnown, notKnown, noWord);
    await until(async () => {
      await asked(scene, payment);
      return questions(scene, payment) >= before + 3;
    });
    expect((await asked(scene, payment)).status).toBe('processing');
    say(scene, payment, notKnown);
    expect(await asked(scene, payment)).toMatchObject({ failure: { code: 'gateway_never_received' } });
  },
};

for (const [method, route] of [
  ['transfer', 'POST /payment/transfer'],
  ['USSD', 'POST /ussd/code'],
] as const) {
  word[`a ${method} payment is asked about by its own operation`] = async (scene) => {
    const session = await scene.client.createSession();
    will(scene, route, session, { do: 'reset-after-reading' });
    will(scene, 'POST /payment/status', session, notKnown);
    const paying = method === 'USSD' ? scene.client.payUssd(session) : scene.client.payTransfer(session);
    const { body: payment } = expectStatus(await paying, 202);
    const failed = await scene.client.waitForStatus(payment.id, 'failed');
    expect(failed.failure?.code).toBe('gateway_never_received');
    expect(sent(scene, 'POST /payment/status', payment).at(-1)?.json).toMatchObject({
      client_ref: payment.gatewayReference,
    });
    expect(scene.gateway.requestsTo(`GET /transaction/${payment.gatewayReference}`)).toEqual([]);
  };
}

const former: Record<string, Scenario<Scene>> = {};
for (const [operation, route, status, before, after, becomes] of [
  ['complete', COMPLETION, 'authorized', held, approved, 'succeeded'],
  ['void', VOID, 'authorized', held, voided, 'voided'],
  ['void', VOID, 'succeeded', approved, voided, 'voided'],
] as const) {
  const begin = async (scene: Scene, said: object) => {
    const { payment } = await paymentThatIs(scene, status);
    will(scene, route, payment, { do: 'reset-after-reading' });
    say(scene, payment, answer(said));
    const unknown = expectStatus(await act(scene, operation, payment), 202).body;
    expect(unknown).toMatchObject({ status, pendingOperation: { type: operation } });
    return payment;
  };

  former[`${operation} of one that is ${status}: it was not done`] = async (scene) => {
    const payment = await begin(scene, before);
    await askedWithinGrace(scene, payment, { pendingOperation: { type: operation } });
    await until(async () => (await scene.client.getPayment(payment.id)).pendingOperation === null);
    const now = await scene.client.getPayment(payment.id);
    expect(now).toMatchObject({ status, needsAttention: false });
    expect(age(now)).toBeGreaterThanOrEqual(GRACE_MS);
    expect(sent(scene, route, payment)).toHaveLength(1);
    expect(await timelineOf(scene, payment)).toEqual(
      expect.arrayContaining(['operation_intended', 'operation_unknown', 'operation_refused']),
    );
  };

  former[`${operation} of one that is ${status}: it was done`] = async (scene) => {
    const payment = await begin(scene, after);
    const done = await scene.client.waitForStatus(payment.id, becomes);
    expect(done).toMatchObject({ pendingOperation: null, needsAttention: false });
    expect(sent(scene, route, payment)).toHaveLength(1);
  };
}

former['a completion in part is known by its own amount'] = async (scene) => {
  const { payment } = await paymentThatIs(scene, 'authorized');
  will(scene, COMPLETION, payment, { do: 'reset-after-reading' });
  say(scene, payment, answer(cardAnswer({ status: 'SUCCESS', ...usualMoney, amount: '1000.00' })));
  const unknown = expectStatus(await act(scene, 'complete', payment, { amount: '1000.00' }), 202).body;
  expect(unknown.pendingOperation).toMatchObject({ type: 'complete', amount: '1000.00' });
  expect(await scene.client.waitForStatus(payment.id, 'succeeded')).toMatchObject({
    amountAuthorized: '1500.00',
    amountCaptured: '1000.00',
    needsAttention: false,
  });
};

describe.each(anyStore)('on the %s store', (store) => {
  const env = { NOT_FOUND_GRACE_SECONDS: String(GRACE_MS / 1000), GATEWAY_TIMEOUT_MS: '1000' };
  describe('“I do not know it”', () => {
    sideBySide(() => startScene(store, env), word);
  });
  describe('the former state, after an outcome that is unknown', () => {
    sideBySide(() => startScene(store, env), former);
  });
});
