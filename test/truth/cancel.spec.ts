import { describe, expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expectStatus, problemOf, type PaymentStatus } from '../harness/client.js';
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
  declined,
  expired,
  failed,
  held,
  noWord,
  OTP,
  otherAmount,
  otpRequired,
  payCard,
  paymentThatIs,
  payWallet,
  pending,
  questions,
  redirectRequired,
  say,
  sent,
  sessionOf,
  timelineOf,
  voided,
  waitingForCode,
  will,
  type Situation,
} from './situations.js';
import { endSession } from './stored-time.js';

/** The card is being charged: only the gateway's word ends it, and until then nothing else is charged for the order. */
async function staysCharged(scene: Scene, { payment, session }: Situation): Promise<void> {
  for (const said of [noWord, answer(pending)]) {
    say(scene, payment, said);
    const problem = problemOf(expectStatus(await act(scene, 'cancel', payment), 409));
    expect([problem.code, problem.paymentId]).toEqual(['outcome-unknown', payment.id]);
    await endSession(scene, session);
    expect(await asked(scene, payment)).toMatchObject({ status: 'processing', needsAttention: false });
  }
  say(scene, payment, answer(approved));
  expect(expectStatus(await act(scene, 'cancel', payment), 200).body.status).toBe('succeeded');
}

const scenarios: Record<string, Scenario<Scene>> = {};

// Paid, held or not paid: the payment as it then is.
for (const [name, said, status] of [
  ['paid', answer(approved), 'succeeded'],
  ['held', answer(held), 'authorized'],
  ['failed', answer(failed), 'failed'],
  ['expired', answer(expired), 'expired'],
  ['voided', answer(voided), 'voided'],
  ['waiting', answer(pending), 'canceled'],
  ['waiting for a code', answer(otpRequired), 'canceled'],
  ['waiting for the payer', answer(redirectRequired), 'canceled'],
] as const) {
  scenarios[`the gateway says ${name}: ${status}`] = async (scene) => {
    const { payment, session } = await payWallet(scene);
    say(scene, payment, said);
    const { body } = expectStatus(await act(scene, 'cancel', payment), 200);
    expect(body).toMatchObject({ status, nextAction: null, pendingOperation: null });
    expect(questions(scene, payment)).toBe(1);
    expect((await sessionOf(scene, session)).status).toBe(status === 'succeeded' ? 'paid' : 'open');
    if (status === 'canceled') {
      expect(body.failure).toMatchObject({ code: 'canceled', retryable: false });
      expect((await payCard(scene, answer(approved), session)).payment.status).toBe('succeeded');
    }
  };
}

// Inconclusive: still live, and the key is as good as new.
for (const [name, said] of [
  ['HTTP 500', noWord],
  ['HTTP 404', answer({}, 404)],
  ['HTTP 401', answer({}, 401)],
  ['HTTP 429', answer({}, 429)],
  ['silence', { do: 'silent' }],
  ['a reset', { do: 'reset-after-reading' }],
  ['error: true', answer(declined)],
  ['not known', answer(cardAnswer({}, { error: true, errorCode: 'NOT_FOUND' }))],
  ['not decided', answer(cardAnswer({}, { error: true, errorCode: '09' }))],
  ['no listed status', answer(cardAnswer({ status: 'HM' }))],
] as [string, Behaviour][]) {
  scenarios[`the gateway says nothing clear (${name}): still live`] = async (scene) => {
    const { payment, session } = await payWallet(scene);
    say(scene, payment, said);
    const options = { idempotencyKey: randomUUID() };
    const problem = problemOf(expectStatus(await act(scene, 'cancel', payment, {}, options), 409));
    expect([problem.code, problem.paymentId]).toEqual(['outcome-unknown', payment.id]);
    const live = await scene.client.getPayment(payment.id);
    expect(live).toMatchObject({ status: 'requires_action', nextAction: payment.nextAction });
    const other = problemOf(expectStatus(await scene.client.payCard(session), 409));
    expect(other).toMatchObject({ code: 'payment-in-progress', paymentId: payment.id });
    say(scene, payment, answer(pending));
    const again = expectStatus(await act(scene, 'cancel', payment, {}, options), 200);
    expect(again.body.status).toBe('canceled');
    expect(again.headers.get('idempotency-replayed')).toBeNull();
  };
}

Object.assign(scenarios, {
  'a success with another amount cancels nothing, and wants attention': async (scene) => {
    const { payment } = await payWallet(scene);
    say(scene, payment, otherAmount);
    const refused = problemOf(expectStatus(await act(scene, 'cancel', payment), 409));
    expect(refused.code).toBe('outcome-unknown');
    const live = await scene.client.getPayment(payment.id);
    expect(live).toMatchObject({ status: 'requires_action', needsAttention: true });
  },

  'by the payer and by the merchant, as the timeline tells': async (scene) => {
    for (const byPayer of [true, false]) {
      const { payment, session } = await payWallet(scene);
      say(scene, payment, answer(pending));
      const options = byPayer ? { token: session.clientToken } : {};
      expectStatus(await act(scene, 'cancel', payment, {}, options), 200);
      const moves = (await scene.client.getEvents(payment.id)).filter(({ to }) => to === 'canceled');
      expect(moves).toMatchObject([{ from: 'requires_action', actor: byPayer ? 'payer' : 'merchant' }]);
    }
  },

  'not by another session, and not with a key that reads': async (scene) => {
    const { payment } = await payWallet(scene);
    const other = await scene.client.createSession();
    const foreign = await act(scene, 'cancel', payment, {}, { token: other.clientToken });
    expect(problemOf(expectStatus(foreign, 404)).code).toBe('not-found');
    const reading = await act(scene, 'cancel', payment, {}, { token: scene.tillfront.merchantReadKey });
    expect(problemOf(expectStatus(reading, 403)).code).toBe('forbidden');
    expect(questions(scene, payment)).toBe(0);
  },

  'what does not wait cannot be canceled, and the gateway is not asked': async (scene) => {
    const statuses: PaymentStatus[] = ['authorized', 'succeeded', 'failed', 'canceled', 'expired', 'voided'];
    for (const status of statuses) {
      const { payment } = await paymentThatIs(scene, status);
      const before = questions(scene, payment);
      const problem = problemOf(expectStatus(await act(scene, 'cancel', payment), 409));
      expect([status, problem.code]).toEqual([status, 'invalid-state']);
      expect(questions(scene, payment)).toBe(before);
    }
  },

  'a processing payment only once the gateway has said that it waits': async (scene) => {
    const session = await scene.client.createSession();
    will(scene, 'POST /init-partner', session, { do: 'reset-after-reading' });
    const payment = expectStatus(await scene.client.payWallet(session), 202).body;
    say(scene, payment, noWord);
    expect(problemOf(expectStatus(await act(scene, 'cancel', payment), 409)).code).toBe('invalid-state');
    say(scene, payment, answer(pending));
    expect(await asked(scene, payment)).toMatchObject({ status: 'processing', pendingOperation: null });
    expect(expectStatus(await act(scene, 'cancel', payment), 200).body.status).toBe('canceled');
  },

  'not a card that is being charged: its call got no answer': async (scene) => {
    const found = await paymentThatIs(scene, 'processing');
    await staysCharged(scene, found);
  },

  'not a card that is being charged: the gateway has taken its call on': async (scene) => {
    const found = await payCard(scene, answer(pending));
    expect(found.payment.status).toBe('processing');
    await staysCharged(scene, found);
  },

  'not a card that is being charged: its code was taken on, or nobody knows': async (scene) => {
    for (const said of [answer(pending), { do: 'reset-after-reading' }] satisfies Behaviour[]) {
      const found = await waitingForCode(scene);
      will(scene, OTP, found.payment, said);
      say(scene, found.payment, noWord);
      expectStatus(await scene.client.submitOtp(found.session, found.payment.id, '123456'), 202);
      await staysCharged(scene, found);
    }
  },

  'a card that is being charged, once the gateway asks for something': async (scene) => {
    for (const asks of [otpRequired, redirectRequired]) {
      const { payment } = await paymentThatIs(scene, 'processing');
      say(scene, payment, answer(asks));
      expect(expectStatus(await act(scene, 'cancel', payment), 200).body.status).toBe('canceled');
    }
  },

  'the same key again is answered with the payment as it now stands': async (scene) => {
    const { payment } = await payWallet(scene);
    say(scene, payment, answer(pending));
    const options = { idempotencyKey: randomUUID() };
    expectStatus(await act(scene, 'cancel', payment, {}, options), 200);
    const again = expectStatus(await act(scene, 'cancel', payment, {}, options), 200);
    expect([again.body.status, again.headers.get('idempotency-replayed')]).toEqual(['canceled', 'true']);
    say(scene, payment, answer(approved));
    await asked(scene, payment);
    expect(expectStatus(await act(scene, 'cancel', payment, {}, options), 200).body.status).toBe('succeeded');
    const elsewhere = await act(scene, 'void', payment, {}, options);
    expect(problemOf(expectStatus(elsewhere, 422)).code).toBe('idempotency-key-reused');
  },

  'many at once: with one key one asks, with many each gets its answer': async (scene) => {
    const { payment } = await payWallet(scene);
    say(scene, payment, { do: 'answer', body: pending, afterMs: 200 });
    const options = { idempotencyKey: randomUUID() };
    const same = Array.from({ length: 10 }, () => act(scene, 'cancel', payment, {}, options));
    const answers = await Promise.all(same);
    const fresh = answers.filter((one) => one.status === 200 && !one.headers.get('idempotency-replayed'));
    expect(fresh).toHaveLength(1);
    for (const one of answers.filter((other) => other.status !== 200)) {
      expect(problemOf(expectStatus(one, 409)).code).toBe('idempotency-in-flight');
    }
    expect(questions(scene, payment)).toBe(1);
    const others = await Promise.all(Array.from({ length: 5 }, () => act(scene, 'cancel', payment)));
    for (const one of others) expect(problemOf(expectStatus(one, 409)).code).toBe('invalid-state');
  },

  'it waits for a question that is under way, then asks anew': async (scene) => {
    const { payment } = await payWallet(scene);
    say(scene, payment, { do: 'answer', body: pending, afterMs: 800 }, answer(approved));
    const question = act(scene, 'refresh', payment);
    await until(() => questions(scene, payment) === 1);
    const { body } = expectStatus(await act(scene, 'cancel', payment), 200);
    expect(body.status).toBe('succeeded');
    expect(expectStatus(await question, 200).body.status).toBe('requires_action');
    expect(questions(scene, payment)).toBe(2);
  },

  'a code that is under way is waited for': async (scene) => {
    const { payment, session } = await waitingForCode(scene);
    will(scene, OTP, payment, { do: 'answer', body: approved, afterMs: 800 });
    say(scene, payment, answer(approved));
    const code = scene.client.submitOtp(session, payment.id, '123456');
    await until(() => sent(scene, OTP, payment).length === 1);
    const canceled = await act(scene, 'cancel', payment);
    expect((await code).body.status).toBe('succeeded');
    expect(problemOf(expectStatus(canceled, 409)).code).toBe('invalid-state');
  },

  'money after it is told, and asked about on its own': async (scene) => {
    const { payment, session } = await paymentThatIs(scene, 'canceled');
    say(scene, payment, answer(approved));
    const late = await asked(scene, payment);
    expect(late).toMatchObject({ status: 'succeeded', failure: null, amountCaptured: '1500.00' });
    expect((await sessionOf(scene, session)).status).toBe('paid');
    expect(await timelineOf(scene, payment)).toEqual(expect.arrayContaining(['canceled', 'succeeded']));
  },
} satisfies Record<string, Scenario<Scene>>);

describe.each(anyStore)('canceling on the %s store', (store) => {
  sideBySide(() => startScene(store, { GATEWAY_TIMEOUT_MS: '6000' }), scenarios);
});
