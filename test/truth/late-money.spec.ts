import { describe, expect } from '@jest/globals';
import { expectStatus, problemOf, type PaymentStatus } from '../harness/client.js';
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
  held,
  noWord,
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
  VOID,
  voided,
  will,
  type Situation,
  wait,
} from './situations.js';
import { eventsOf, paidTwice, succeededAs, untilAsked } from './two-paid.js';
import { closedAgo, endSession, silenceSince } from './stored-time.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const always: Record<string, Scenario<Scene>> = {};

for (const status of ['failed', 'canceled', 'expired'] satisfies PaymentStatus[]) {
  always[`money after ${status} is announced as late, and pays the session`] = async (scene) => {
    const { payment, session } = await paymentThatIs(scene, status);
    say(scene, payment, answer(approved));
    expect(await asked(scene, payment)).toMatchObject({ status: 'succeeded', failure: null });
    expect((await sessionOf(scene, session)).status).toBe('paid');
    await until(async () =>
      (await eventsOf(scene, payment)).some(({ type }) => type === 'payment.succeeded'),
    );
    const [told] = (await eventsOf(scene, payment)).filter(({ type }) => type === 'payment.succeeded');
    expect(told?.late).toBe(true);
  };

  always[`a hold after ${status}, beside another payment, moves nothing`] = async (scene) => {
    const { payment, session } = await paymentThatIs(scene, status);
    await payCard(scene, answer(approved), session);
    say(scene, payment, answer(held));
    expect(await asked(scene, payment)).toMatchObject({ status, needsAttention: true });
  };
}

Object.assign(always, {
  'a hold of a payment that was under way when another one paid wants attention until it is voided': async (
    scene,
  ) => {
    const paid = await payWallet(scene);
    say(scene, paid.payment, answer(pending));
    expectStatus(await act(scene, 'cancel', paid.payment), 200);
    const { payment } = await payCard(scene, answer(redirectRequired), paid.session);
    say(scene, paid.payment, answer(approved));
    expect((await asked(scene, paid.payment)).status).toBe('succeeded');
    say(scene, payment, answer(held));
    for (let times = 0; times < 2; times++) {
      expect(await asked(scene, payment)).toMatchObject({ status: 'authorized', needsAttention: true });
    }
    will(scene, VOID, payment, answer(voided));
    const { body } = expectStatus(await act(scene, 'void', payment), 200);
    expect(body).toMatchObject({ status: 'voided', needsAttention: false });
    expect((await sessionOf(scene, paid.session)).status).toBe('paid');
  },

  'money after the session was closed pays it': async (scene) => {
    const { payment, session } = await paymentThatIs(scene, 'canceled');
    expectStatus(await scene.client.post(`/v1/checkout-sessions/${session.id}/close`), 200);
    say(scene, payment, answer(approved));
    await asked(scene, payment);
    expect((await sessionOf(scene, session)).status).toBe('paid');
  },

  'money after the session’s time pays it': async (scene) => {
    const { payment, session } = await paymentThatIs(scene, 'failed');
    await endSession(scene, session);
    await until(async () => (await sessionOf(scene, session)).status === 'expired');
    expect(problemOf(expectStatus(await scene.client.payCard(session), 409)).code).toBe('session-expired');
    say(scene, payment, answer(approved));
    await asked(scene, payment);
    expect((await sessionOf(scene, session)).status).toBe('paid');
  },

  'a session ends by its time, but never while a payment is live': async (scene) => {
    const { payment, session } = await payCard(scene, answer(held));
    await endSession(scene, session);
    await wait(1_500);
    expect((await sessionOf(scene, session)).status).toBe('open');
    will(scene, VOID, payment, answer(voided));
    expectStatus(await act(scene, 'void', payment), 200);
    await until(async () => (await sessionOf(scene, session)).status === 'expired');
    await until(async () =>
      (await eventsOf(scene, session)).some(({ type }) => type === 'checkout_session.expired'),
    );
  },

  'a waiting payment expires on a waiting answer after its session’s end': async (scene) => {
    const { payment, session } = await payWallet(scene);
    say(scene, payment, noWord);
    await endSession(scene, session);
    expect((await asked(scene, payment)).status).toBe('requires_action');
    say(scene, payment, answer(pending));
    expect(await asked(scene, payment)).toMatchObject({
      status: 'expired',
      failure: { code: 'expired' },
      nextAction: null,
    });
    await until(async () => (await sessionOf(scene, session)).status === 'expired');
  },

  'but not before the end that the gateway has named': async (scene) => {
    const { payment, session } = await payWallet(scene);
    const expiresAt = new Date(Date.now() + HOUR).toISOString();
    say(scene, payment, answer(cardAnswer({ status: 'PENDING', expiresAt })), answer(pending));
    await endSession(scene, session);
    expect((await asked(scene, payment)).status).toBe('requires_action');
    expect((await asked(scene, payment)).status).toBe('requires_action');
  },

  'one that is canceled is asked about for 7 days, without anybody’s asking': async (scene) => {
    const [young, old] = [await paymentThatIs(scene, 'canceled'), await paymentThatIs(scene, 'canceled')];
    for (const { payment } of [young, old]) say(scene, payment, answer(approved));
    const before = questions(scene, old.payment);
    await closedAgo(scene, young.payment, 6 * DAY);
    await scene.client.waitForStatus(young.payment.id, 'succeeded');
    await closedAgo(scene, old.payment, 8 * DAY);
    say(scene, old.payment, answer(pending));
    await until(() => questions(scene, old.payment) > before);
    await wait(1_500);
    expect(questions(scene, old.payment)).toBe(before + 1);
  },

  '72 hours without a conclusive answer want a person’s attention': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'processing');
    say(scene, payment, noWord);
    await silenceSince(scene, payment, 72 * HOUR + 1_000);
    expect(await asked(scene, payment)).toMatchObject({ status: 'processing', needsAttention: true });
    await until(async () =>
      (await eventsOf(scene, payment)).some(({ type }) => type === 'payment.needs_attention'),
    );
    say(scene, payment, answer(approved));
    expect(await asked(scene, payment)).toMatchObject({ status: 'succeeded', needsAttention: false });
  },

  'failed by our own decision it is still asked about': async (scene) => {
    const session = await scene.client.createSession();
    will(scene, 'POST /payment/card', session, answer({}, 429));
    const { paymentId = '' } = problemOf(expectStatus(await scene.client.payCard(session), 503));
    const payment = await scene.client.getPayment(paymentId);
    say(scene, payment, answer(approved));
    await closedAgo(scene, payment, HOUR);
    await scene.client.waitForStatus(paymentId, 'succeeded');
  },

  'declined by the gateway it is not': async (scene) => {
    const { payment } = await payCard(scene, answer(declined));
    await wait(1_500);
    expect(questions(scene, payment)).toBe(0);
  },
} satisfies Record<string, Scenario<Scene>>);

const announced: Record<string, Scenario<Scene>> = {
  'of two that paid the second is a duplicate, announced only as that': async (scene) => {
    const { first, second } = await paidTwice(scene, ['T-1', 'T-2']);
    await until(async () =>
      (await eventsOf(scene, second.payment)).some(({ type }) => type === 'payment.duplicate'),
    );
    const told = (await eventsOf(scene, second.payment)).map(({ type }) => type);
    expect(told).toEqual(['payment.requires_action', 'payment.canceled', 'payment.duplicate']);
    expect(await timelineOf(scene, second.payment)).toEqual(
      expect.arrayContaining(['succeeded', 'duplicate']),
    );
    expect((await scene.client.getPayment(first.payment.id)).duplicateOf).toBeNull();
    const ofSession = (await eventsOf(scene, first.session)).map(({ type }) => type);
    expect(ofSession).toEqual(['checkout_session.paid']);
    await wait(1_200);
    expect(sent(scene, VOID, second.payment)).toEqual([]);
  },

  'a duplicate’s void changes no session; that of the one that pays does': async (scene) => {
    const { first, second } = await paidTwice(scene, ['T-1', 'T-2']);
    expectStatus(await act(scene, 'void', second.payment), 200);
    expect((await sessionOf(scene, first.session)).status).toBe('paid');
    expectStatus(await act(scene, 'void', first.payment), 200);
    expect((await sessionOf(scene, first.session)).status).toBe('closed');
  },
};

const isVoided =
  (scene: Scene, { payment }: Situation) =>
  async (): Promise<boolean> =>
    (await scene.client.getPayment(payment.id)).status === 'voided';

const voiding: Record<string, Scenario<Scene>> = {
  'a duplicate under another transaction is voided by itself, never the first': async (scene) => {
    const { first, second } = await paidTwice(scene, ['T-1', 'T-2']);
    await untilAsked(scene, second.payment, isVoided(scene, second));
    const done = await scene.client.getPayment(second.payment.id);
    expect(done.duplicateOf).toBe(first.payment.id);
    expect(sent(scene, VOID, second.payment).map(({ json }) => json)).toEqual([
      { client_ref: second.payment.gatewayReference, transactionRef: 'T-2' },
    ]);
    expect(await asked(scene, first.payment)).toMatchObject({ status: 'succeeded', duplicateOf: null });
    expect((await sessionOf(scene, first.session)).status).toBe('paid');
    const intents = (await scene.client.getEvents(second.payment.id)).filter(
      ({ actor }) => actor === 'policy',
    );
    expect(intents.map(({ type }) => type)).toContain('operation_intended');
  },

  'one transaction under two references is left alone': async (scene) => {
    const { second } = await paidTwice(scene, ['T-1', 'T-1']);
    await untilAsked(scene, second.payment, () => questions(scene, second.payment) >= 4);
    expect(sent(scene, VOID, second.payment)).toEqual([]);
    expect((await scene.client.getPayment(second.payment.id)).status).toBe('succeeded');
  },

  'not as long as the first is not freshly seen as paid': async (scene) => {
    // From before there are two, or the policy might be quicker.
    const { first, second } = await paidTwice(scene, ['T-1', 'T-2'], noWord);
    const before = questions(scene, second.payment);
    await untilAsked(scene, second.payment, () => questions(scene, second.payment) >= before + 3);
    expect(sent(scene, VOID, second.payment)).toEqual([]);
    say(scene, first.payment, succeededAs('T-1'));
    await untilAsked(scene, second.payment, isVoided(scene, second));
  },

  'refused, it is sent again later, not at once and for ever': async (scene) => {
    const second = await payWallet(scene);
    say(scene, second.payment, answer(pending));
    expectStatus(await act(scene, 'cancel', second.payment), 200);
    const first = await payCard(scene, succeededAs('T-1'), second.session);
    say(scene, first.payment, succeededAs('T-1'));
    will(scene, VOID, second.payment, answer(declined));
    say(scene, second.payment, succeededAs('T-2'));
    await asked(scene, second.payment);
    await until(() => sent(scene, VOID, second.payment).length >= 2);
    await wait(2_000);
    expect(sent(scene, VOID, second.payment).length).toBeLessThan(10);
    will(scene, VOID, second.payment, answer(voided));
    await untilAsked(scene, second.payment, isVoided(scene, second));
  },
};

describe.each(anyStore)('money that comes late on the %s store', (store) => {
  const env = { GATEWAY_TIMEOUT_MS: '20000', NOT_FOUND_GRACE_SECONDS: '900' };
  describe('in any case', () => {
    sideBySide(() => startScene(store, env), { ...always, ...announced });
  });
  describe('where duplicates are to be voided', () => {
    sideBySide(() => startScene(store, { ...env, DUPLICATE_POLICY: 'void' }), voiding);
  });
});
