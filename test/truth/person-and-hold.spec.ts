import { describe, expect } from '@jest/globals';
import { expectStatus, problemOf, type PaymentBody } from '../harness/client.js';
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
  expired,
  failed,
  held,
  noWord,
  otherAmount,
  payCard,
  paymentThatIs,
  payWallet,
  pending,
  questions,
  say,
  sent,
  sessionOf,
  VOID,
  voided,
  will,
} from './situations.js';
import { closedAgo, heldFor, silenceSince, storedRows } from './stored-time.js';
import { eventsOf, heldBack } from './two-paid.js';

const DAY = 24 * 3_600_000;
const note = 'Seen on the bank statement of today.';

async function told(scene: Scene, subject: { id: string }, type: string, count = 1): Promise<number> {
  const times = async () => (await eventsOf(scene, subject)).filter((event) => event.type === type).length;
  await until(async () => (await times()) >= count);
  return times();
}

/** A hold of which a person must hear. */
async function leftAlone(scene: Scene) {
  const found = await paymentThatIs(scene, 'authorized');
  say(scene, found.payment, answer(held));
  await heldFor(scene, found.payment, 6 * DAY);
  await until(async () => (await scene.client.getPayment(found.payment.id)).needsAttention);
  return found;
}

/** One that a person has closed as failed, and the gateway is asked about by the schedule alone. */
async function resolvedAsFailed(scene: Scene) {
  const { payment, session } = await payWallet(scene);
  say(scene, payment, otherAmount);
  expect((await asked(scene, payment)).needsAttention).toBe(true);
  say(scene, payment, answer(pending));
  const resolved = await act(scene, 'resolve', payment, { status: 'failed', note });
  expect(expectStatus(resolved, 200).body).toMatchObject({ status: 'failed', needsAttention: false });
  return { payment, session };
}

const scenarios: Record<string, Scenario<Scene>> = {
  'a hold that nobody settles needs attention after 6 days, once, until it is completed': async (scene) => {
    const young = await paymentThatIs(scene, 'authorized');
    say(scene, young.payment, answer(held));
    await heldFor(scene, young.payment, 6 * DAY - 60_000);
    expect((await asked(scene, young.payment)).needsAttention).toBe(false);
    const { payment } = await leftAlone(scene);
    for (let times = 0; times < 3; times += 1) {
      expect(await asked(scene, payment)).toMatchObject({ status: 'authorized', needsAttention: true });
    }
    expect(await told(scene, payment, 'payment.needs_attention')).toBe(1);
    will(scene, COMPLETION, payment, answer(approved));
    const completed = expectStatus(await act(scene, 'complete', payment), 200).body;
    expect(completed).toMatchObject({ status: 'succeeded', needsAttention: false });
  },

  'a hold blocks its order until a person has closed it; then a new session is paid, and it is redacted':
    async (scene) => {
      const { payment, session } = await leftAlone(scene);
      const owed = { reference: session.reference, amount: '1500.00', currency: 'NGN' };
      const attempts = [
        () => scene.client.post(`/v1/checkout-sessions/${session.id}/redact`),
        () => scene.client.post(`/v1/checkout-sessions/${session.id}/close`),
        () => scene.client.post('/v1/checkout-sessions', owed),
      ];
      for (const attempt of attempts) {
        expect(problemOf(expectStatus(await attempt(), 409)).code).toBe('payment-in-progress');
      }
      expectStatus(await act(scene, 'resolve', payment, { status: 'failed', note }), 200);
      for (const attempt of attempts) expectStatus(await attempt(), 200, 201);
      const last = await sessionOf(scene, session);
      expect(last.status).toBe('closed');
    },

  'the gateway’s word on a hold: what ends it ends it, all else leaves it': async (scene) => {
    const unknown = answer(cardAnswer({}, { error: true, errorCode: 'NOT_FOUND' }));
    const words: [Behaviour, PaymentBody['status'], boolean][] = [
      [answer(expired), 'expired', false],
      [answer(voided), 'voided', false],
      [answer(failed), 'authorized', true],
      [unknown, 'authorized', false],
      [noWord, 'authorized', false],
    ];
    for (const [said, status, needsAttention] of words) {
      const { payment } = await paymentThatIs(scene, 'authorized');
      say(scene, payment, said);
      expect(await asked(scene, payment)).toMatchObject({ status, needsAttention });
    }
  },

  'one that a person has closed is still asked about: late money counts, is told, and needs attention':
    async (scene) => {
      const { payment, session } = await resolvedAsFailed(scene);
      say(scene, payment, answer(approved));
      const [row] = await storedRows(
        scene,
        `select next_status_check_at as due from payments where id = '${payment.id}'`,
      );
      expect(row?.due).not.toBeNull();
      await closedAgo(scene, payment, 6 * DAY);
      expect(await scene.client.waitForStatus(payment.id, 'succeeded')).toMatchObject({
        needsAttention: true,
      });
      expect((await sessionOf(scene, session)).status).toBe('paid');
      expect(await told(scene, payment, 'payment.needs_attention', 2)).toBe(2);
      const paid = (await eventsOf(scene, payment)).find(({ type }) => type === 'payment.succeeded');
      expect(paid?.late).toBe(true);
    },

  'one that was canceled can be said to have failed, and stays as it is': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'canceled');
    say(scene, payment, otherAmount);
    expect((await asked(scene, payment)).needsAttention).toBe(true);
    const resolved = await act(scene, 'resolve', payment, { status: 'failed', note });
    expect(expectStatus(resolved, 200).body).toMatchObject({
      status: 'canceled',
      needsAttention: false,
      failure: { code: 'canceled' },
    });
  },

  'a question waits for one that is under way, and is then asked anew': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'authorized');
    const { responder, release } = heldBack();
    say(scene, payment, responder, answer(approved));
    const first = asked(scene, payment);
    await until(() => questions(scene, payment) === 1);
    const second = asked(scene, payment);
    release(answer(held));
    expect((await first).status).toBe('authorized');
    expect((await second).status).toBe('succeeded');
    expect(questions(scene, payment)).toBe(2);
  },
};

for (const [doing, route, status, done] of [
  ['complete', COMPLETION, 'authorized', approved],
  ['void', VOID, 'succeeded', voided],
] as const) {
  scenarios[
    `a ${doing} that was accepted as pending is never refused; one whose answer was lost is, and told`
  ] = async (scene) => {
    const before = status === 'authorized' ? held : approved;
    const [accepted, lost] = [await payCard(scene, answer(before)), await payCard(scene, answer(before))];
    for (const { payment } of [accepted, lost]) say(scene, payment, answer(before));
    will(scene, route, accepted.payment, answer(pending));
    will(scene, route, lost.payment, { do: 'reset-after-reading' });
    expectStatus(await act(scene, doing, accepted.payment), 202);
    expectStatus(await act(scene, doing, lost.payment), 202);
    await until(async () => {
      expect((await asked(scene, accepted.payment)).pendingOperation).toMatchObject({ type: doing });
      return (await asked(scene, lost.payment)).pendingOperation === null;
    });
    expect((await scene.client.getPayment(lost.payment.id)).status).toBe(status);
    expect(await told(scene, lost.payment, 'payment.operation_refused')).toBe(1);
    const refused = (await eventsOf(scene, lost.payment)).at(-1);
    expect(refused?.operation).toMatchObject({ type: doing });
    await silenceSince(scene, accepted.payment, 3 * DAY);
    expect(await asked(scene, accepted.payment)).toMatchObject({
      status,
      needsAttention: true,
      pendingOperation: { type: doing },
    });
    const again = problemOf(expectStatus(await act(scene, doing, accepted.payment), 409));
    expect(again.code).toBe('operation-in-progress');
    expect(sent(scene, route, accepted.payment)).toHaveLength(1);
    say(scene, accepted.payment, answer(done));
    expect(await asked(scene, accepted.payment)).toMatchObject({
      status: doing === 'complete' ? 'succeeded' : 'voided',
      needsAttention: false,
      pendingOperation: null,
    });
  };
}

describe.each(anyStore)('a person’s word and what the gateway keeps on the %s store', (store) => {
  const env = { GATEWAY_TIMEOUT_MS: '1000', NOT_FOUND_GRACE_SECONDS: '6' };
  sideBySide(() => startScene(store, env), scenarios);
});
