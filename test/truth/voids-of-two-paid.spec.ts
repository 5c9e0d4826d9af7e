import { describe, expect } from '@jest/globals';
import { expectStatus, problemOf, type PaymentBody, type SessionBody } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import { sideBySide, type Scenario } from './scenarios.js';
import {
  act,
  answer,
  asked,
  otherAmount,
  payCard,
  questions,
  say,
  sent,
  sessionOf,
  timelineOf,
  VOID,
  voided,
  will,
} from './situations.js';
import { eventsOf, givenUp, heldBack, paidTwice, succeededAs } from './two-paid.js';

/** Waits until this many events of a payment or a session are listed, and gives their types. */
async function told(scene: Scene, subject: { id: string }, count: number): Promise<string[]> {
  await until(async () => (await eventsOf(scene, subject)).length >= count);
  return (await eventsOf(scene, subject)).map(({ type }) => type);
}

const ofSecond = ['payment.requires_action', 'payment.canceled', 'payment.duplicate', 'payment.succeeded'];

/** The first is voided, the second pays: in the answers, in the events, and to whoever would pay again. */
async function expectHandedOver(
  scene: Scene,
  first: PaymentBody,
  second: PaymentBody,
  session: SessionBody,
): Promise<void> {
  expect((await scene.client.getPayment(first.id)).status).toBe('voided');
  const payer = await scene.client.getPayment(second.id);
  expect(payer).toMatchObject({ status: 'succeeded', duplicateOf: null });
  expect((await sessionOf(scene, session)).status).toBe('paid');
  expect(await told(scene, first, 2)).toEqual(['payment.succeeded', 'payment.voided']);
  expect(await told(scene, second, 4)).toEqual(ofSecond);
  expect((await eventsOf(scene, second)).at(-1)?.data).toMatchObject({
    status: 'succeeded',
    duplicateOf: null,
  });
  expect(await told(scene, session, 2)).toEqual(['checkout_session.paid', 'checkout_session.paid']);
  expect((await timelineOf(scene, second)).at(-1)).toBe('duplicate_ended');
  const again = problemOf(expectStatus(await scene.client.payCard(session), 409));
  expect([again.code, again.paymentId]).toEqual(['session-paid', second.id]);
  const another = await scene.client.post('/v1/checkout-sessions', {
    reference: session.reference,
    amount: '1500.00',
    currency: 'NGN',
  });
  expect(problemOf(expectStatus(another, 409)).code).toBe('reference-in-use');
}

const announced: Record<string, Scenario<Scene>> = {
  'the merchant voids the first: the other pays, and its own void closes the session': async (scene) => {
    const { first, second } = await paidTwice(scene, ['T-1', 'T-2']);
    will(scene, VOID, first.payment, answer(voided));
    expectStatus(await act(scene, 'void', first.payment), 200);
    await expectHandedOver(scene, first.payment, second.payment, first.session);
    expectStatus(await act(scene, 'void', second.payment), 200);
    expect((await sessionOf(scene, first.session)).status).toBe('closed');
    expect((await told(scene, first.session, 3)).at(-1)).toBe('checkout_session.closed');
    expectStatus(await scene.client.post('/v1/checkout-sessions/' + first.session.id + '/redact'), 200);
    await scene.client.createSession({ reference: first.session.reference });
  },

  'the gateway says by itself that the first was voided': async (scene) => {
    const { first, second } = await paidTwice(scene, ['T-1', 'T-2']);
    say(scene, first.payment, answer(voided));
    expect((await asked(scene, first.payment)).status).toBe('voided');
    await expectHandedOver(scene, first.payment, second.payment, first.session);
  },

  'a void of the first whose answer was lost turns out to be done': async (scene) => {
    const { first, second } = await paidTwice(scene, ['T-1', 'T-2']);
    will(scene, VOID, first.payment, { do: 'reset-after-reading' });
    expectStatus(await act(scene, 'void', first.payment), 202);
    expect((await scene.client.getPayment(second.payment.id)).duplicateOf).toBe(first.payment.id);
    say(scene, first.payment, answer(voided));
    await scene.client.waitForStatus(first.payment.id, 'voided');
    await expectHandedOver(scene, first.payment, second.payment, first.session);
  },

  'a person says that the first was voided': async (scene) => {
    const { first, second } = await paidTwice(scene, ['T-1', 'T-2']);
    say(scene, first.payment, otherAmount);
    expect((await asked(scene, first.payment)).needsAttention).toBe(true);
    const body = { status: 'voided', note: 'Seen on the bank statement of today.' };
    expectStatus(await act(scene, 'resolve', first.payment, body), 200);
    const types = (await told(scene, first.payment, 3)).filter((type) => type !== 'payment.needs_attention');
    expect(types).toEqual(['payment.succeeded', 'payment.voided']);
    expect(await told(scene, second.payment, 4)).toEqual(ofSecond);
    expect((await sessionOf(scene, first.session)).status).toBe('paid');
  },

  'a question under way about the other keeps what the void made of it': async (scene) => {
    const { first, second } = await paidTwice(scene, ['T-1', 'T-2']);
    const { responder, release } = heldBack();
    const before = questions(scene, second.payment);
    say(scene, second.payment, responder);
    const asking = asked(scene, second.payment);
    await until(() => questions(scene, second.payment) > before);
    will(scene, VOID, first.payment, answer(voided));
    expectStatus(await act(scene, 'void', first.payment), 200);
    release(succeededAs('T-2'));
    expect(await asking).toMatchObject({ status: 'succeeded', duplicateOf: null });
    await expectHandedOver(scene, first.payment, second.payment, first.session);
  },

  'the other is of another session of the reference: that one is paid, and the first one’s is closed': async (
    scene,
  ) => {
    const early = await givenUp(scene);
    expectStatus(await scene.client.post(`/v1/checkout-sessions/${early.session.id}/close`), 200);
    const session = await scene.client.createSession({ reference: early.session.reference });
    const first = await payCard(scene, succeededAs('T-1'), session);
    say(scene, early.payment, succeededAs('T-2'));
    expect((await asked(scene, early.payment)).duplicateOf).toBe(first.payment.id);
    expect((await sessionOf(scene, early.session)).status).toBe('closed');
    will(scene, VOID, first.payment, answer(voided));
    expectStatus(await act(scene, 'void', first.payment), 200);
    expect(await scene.client.getPayment(early.payment.id)).toMatchObject({
      status: 'succeeded',
      duplicateOf: null,
    });
    expect((await sessionOf(scene, session)).status).toBe('closed');
    expect((await sessionOf(scene, early.session)).status).toBe('paid');
    expect(await told(scene, session, 2)).toEqual(['checkout_session.paid', 'checkout_session.closed']);
    expect(await told(scene, early.session, 2)).toEqual(['checkout_session.closed', 'checkout_session.paid']);
    expect(await told(scene, early.payment, 4)).toEqual(ofSecond);
    const last = (await eventsOf(scene, early.payment)).at(-1);
    expect([last?.type, last?.late]).toEqual(['payment.succeeded', true]);
  },

  'of three, the third becomes a duplicate of the second': async (scene) => {
    const second = await givenUp(scene);
    const third = await givenUp(scene, second.session);
    const first = await payCard(scene, succeededAs('T-1'), second.session);
    for (const [index, { payment }] of [second, third].entries()) {
      say(scene, payment, succeededAs(`T-${index + 2}`));
      expect((await asked(scene, payment)).duplicateOf).toBe(first.payment.id);
    }
    will(scene, VOID, first.payment, answer(voided));
    expectStatus(await act(scene, 'void', first.payment), 200);
    expect((await scene.client.getPayment(second.payment.id)).duplicateOf).toBeNull();
    expect((await scene.client.getPayment(third.payment.id)).duplicateOf).toBe(second.payment.id);
    expectStatus(await act(scene, 'void', second.payment), 200);
    expect((await scene.client.getPayment(third.payment.id)).duplicateOf).toBeNull();
    expect((await sessionOf(scene, first.session)).status).toBe('paid');
    expectStatus(await act(scene, 'void', third.payment), 200);
    expect((await sessionOf(scene, first.session)).status).toBe('closed');
  },
};

const voiding: Record<string, Scenario<Scene>> = {
  'the first cannot be voided while the policy voids the second: both would be reversed': async (scene) => {
    const { responder, release } = heldBack();
    const { first, second } = await paidTwice(scene, ['T-1', 'T-2']);
    will(scene, VOID, second.payment, responder);
    await until(() => sent(scene, VOID, second.payment).length === 1);
    const problem = problemOf(expectStatus(await act(scene, 'void', first.payment), 409));
    expect([problem.code, problem.paymentId]).toEqual(['operation-in-progress', second.payment.id]);
    release(answer(voided));
    await scene.client.waitForStatus(second.payment.id, 'voided');
    expect((await scene.client.getPayment(first.payment.id)).status).toBe('succeeded');
    expect((await sessionOf(scene, first.session)).status).toBe('paid');
    will(scene, VOID, first.payment, answer(voided));
    expectStatus(await act(scene, 'void', first.payment), 200);
    expect((await sessionOf(scene, first.session)).status).toBe('closed');
  },

  'the policy voids nothing while the merchant voids the first: the second pays': async (scene) => {
    const [aboutFirst, aboutSecond, voidOfFirst] = [heldBack(), heldBack(), heldBack()];
    const { first, second } = await paidTwice(scene, ['T-1', 'T-2'], aboutFirst.responder);
    // The policy has seen the second paid, and asks about the first.
    await until(() => questions(scene, first.payment) >= 1);
    const before = questions(scene, second.payment);
    say(scene, second.payment, aboutSecond.responder);
    const asking = asked(scene, second.payment);
    await until(() => questions(scene, second.payment) > before);
    // It hears that the first is paid too, and waits for its turn on the second; the merchant is quicker.
    will(scene, VOID, first.payment, voidOfFirst.responder);
    aboutFirst.release(succeededAs('T-1'));
    const voidingFirst = act(scene, 'void', first.payment);
    const sentOf = ({ gatewayReference }: PaymentBody) =>
      sent(scene, VOID, first.payment).filter(
        ({ json }) => (json as { client_ref?: string }).client_ref === gatewayReference,
      );
    await until(() => sentOf(first.payment).length === 1);
    aboutSecond.release(succeededAs('T-2'));
    await asking;
    // It has had its turn when it asks about the second again.
    await until(() => questions(scene, second.payment) > before + 1);
    say(scene, first.payment, answer(voided));
    voidOfFirst.release(answer(voided));
    expectStatus(await voidingFirst, 200);
    await expectHandedOver(scene, first.payment, second.payment, first.session);
    expect(sentOf(second.payment)).toEqual([]);
  },
};

describe.each(anyStore)('a void beside a second paid payment on the %s store', (store) => {
  const env = { GATEWAY_TIMEOUT_MS: '20000' };
  describe('where duplicates are announced', () => {
    sideBySide(() => startScene(store, env), announced);
  });
  describe('where duplicates are to be voided', () => {
    sideBySide(() => startScene(store, { ...env, DUPLICATE_POLICY: 'void' }), voiding);
  });
});
