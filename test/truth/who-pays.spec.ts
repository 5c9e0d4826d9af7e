import { describe, expect, test } from '@jest/globals';
import { expectStatus, problemOf, TillfrontClient, type PaymentBody } from '../harness/client.js';
import { startMisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { startScene, type Scene } from '../harness/scene.js';
import { createTestStore, anyStore } from '../harness/test-store.js';
import { startTillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { giveBack, lost, refused, REFUND, says, withRefunds } from './refunds.js';
import { sideBySide, type Scenario } from './scenarios.js';
import {
  act,
  answer,
  asked,
  held,
  payCard,
  questions,
  say,
  sent,
  sessionOf,
  VOID,
  voided,
  will,
  type Situation,
} from './situations.js';
import { endSession } from './stored-time.js';
import { eventsOf, givenUp, paidTwice, succeededAs, untilAsked } from './two-paid.js';

const whole = { amount: '1500.00', currency: 'NGN' };

/** What was announced of a payment or a session, once there is so much. */
async function told(scene: Scene, subject: { id: string }, count: number): Promise<string[]> {
  await until(async () => (await eventsOf(scene, subject)).length >= count);
  return (await eventsOf(scene, subject)).map(({ type }) => type);
}

/** Voids that were sent of just this payment. */
const voidsOf = (scene: Scene, payment: PaymentBody): unknown[] =>
  sent(scene, VOID, payment).filter(
    ({ json }) => (json as { client_ref?: string }).client_ref === payment.gatewayReference,
  );

async function voidFirst(scene: Scene, first: PaymentBody): Promise<void> {
  will(scene, VOID, first, answer(voided));
  say(scene, first, answer(voided));
  expectStatus(await act(scene, 'void', first), 200);
}

const announced: Record<string, Scenario<Scene>> = {
  'a duplicate that was given back whole does not pay when the first is voided, and the reference is free':
    async (scene) => {
      const { first, second } = await paidTwice(scene, ['T-1', 'T-2']);
      will(scene, REFUND, second.payment, says('REFUNDED'));
      expectStatus(await giveBack(scene, second.payment), 201);
      await voidFirst(scene, first.payment);
      expect((await sessionOf(scene, first.session)).status).toBe('closed');
      expect(await told(scene, first.session, 2)).toEqual([
        'checkout_session.paid',
        'checkout_session.closed',
      ]);
      expect(await told(scene, second.payment, 4)).toEqual([
        'payment.requires_action',
        'payment.canceled',
        'payment.duplicate',
        'payment.refunded',
      ]);
      await scene.client.createSession({ reference: first.session.reference });
    },

  'nor does one that was charged back': async (scene) => {
    const { first, second } = await paidTwice(scene, ['T-1', 'T-2']);
    say(scene, second.payment, says('CHARGEBACK'));
    expect((await asked(scene, second.payment)).disputed).toBe(true);
    await voidFirst(scene, first.payment);
    expect((await sessionOf(scene, first.session)).status).toBe('closed');
    expect(await told(scene, second.payment, 4)).not.toContain('payment.succeeded');
    await scene.client.createSession({ reference: first.session.reference });
  },

  'one whose refund is open pays once the refund was not done': async (scene) => {
    const { first, second } = await paidTwice(scene, ['T-1', 'T-2']);
    will(scene, REFUND, second.payment, lost);
    expectStatus(await giveBack(scene, second.payment, { amount: '1500.00' }), 202);
    await voidFirst(scene, first.payment);
    expect((await sessionOf(scene, first.session)).status).toBe('paid');
    const inUse = await scene.client.post('/v1/checkout-sessions', {
      reference: first.session.reference,
      ...whole,
    });
    expect(problemOf(expectStatus(inUse, 409)).code).toBe('reference-in-use');
    expect((await eventsOf(scene, second.payment)).map(({ type }) => type)).not.toContain(
      'payment.succeeded',
    );
    say(scene, second.payment, says('REFUNDED', whole));
    expect(await asked(scene, second.payment)).toMatchObject({ amountRefunded: '1500.00' });
    expect((await sessionOf(scene, first.session)).status).toBe('closed');
    expect((await eventsOf(scene, second.payment)).map(({ type }) => type)).not.toContain(
      'payment.succeeded',
    );
  },

  'the other pays when the first is given back whole, and its reference stays taken': async (scene) => {
    const { first, second } = await paidTwice(scene, ['T-1', 'T-2']);
    will(scene, REFUND, first.payment, says('REFUNDED'));
    expectStatus(await giveBack(scene, first.payment), 201);
    expect(await scene.client.getPayment(second.payment.id)).toMatchObject({ duplicateOf: null });
    expect((await told(scene, second.payment, 4)).at(-1)).toBe('payment.succeeded');
    expect(await told(scene, first.session, 2)).toEqual(['checkout_session.paid', 'checkout_session.paid']);
    will(scene, REFUND, second.payment, says('REFUNDED'));
    expectStatus(await giveBack(scene, second.payment), 201);
    expect((await sessionOf(scene, first.session)).status).toBe('paid');
    const again = problemOf(expectStatus(await scene.client.payCard(first.session), 409));
    expect(again.code).toBe('session-paid');
  },

  'a payment that was given back whole and that a person calls paid pays no order': async (scene) => {
    const late = await givenUp(scene);
    say(scene, late.payment, says('REFUNDED', whole));
    expect(await asked(scene, late.payment)).toMatchObject({ attentionReasons: ['refund_of_unpaid'] });
    const word = { status: 'succeeded', note: 'The portal shows it as paid and given back.' };
    expectStatus(await act(scene, 'resolve', late.payment, word), 200);
    expect(await scene.client.getPayment(late.payment.id)).toMatchObject({
      ...{ status: 'succeeded', amountRefunded: '1500.00', needsAttention: false },
    });
    expect((await told(scene, late.payment, 4)).slice(3)).toEqual(['payment.refunded']);
    expect((await sessionOf(scene, late.session)).status).toBe('open');
  },

  'late money that was given back already is announced by that alone': async (scene) => {
    const late = await givenUp(scene);
    say(scene, late.payment, says('SUCCESS', { ...whole, refundedAmount: '1500.00' }));
    expect(await asked(scene, late.payment)).toMatchObject({
      status: 'succeeded',
      amountRefunded: '1500.00',
    });
    expect((await told(scene, late.payment, 3)).slice(2)).toEqual(['payment.refunded']);
    expect((await sessionOf(scene, late.session)).status).toBe('open');
    const { payment } = await payCard(scene, succeededAs('T-9'), late.session);
    expect(payment).toMatchObject({ status: 'succeeded', duplicateOf: null });
  },

  'a hold needs attention as soon as late money has paid its order': async (scene) => {
    const late = await givenUp(scene);
    const hold = await payCard(scene, answer(held), late.session);
    expect(hold.payment).toMatchObject({ status: 'authorized', needsAttention: false });
    say(scene, late.payment, succeededAs('T-1'));
    expect((await asked(scene, late.payment)).status).toBe('succeeded');
    expect((await scene.client.getPayment(hold.payment.id)).needsAttention).toBe(true);
    expect((await told(scene, hold.payment, 2)).at(-1)).toBe('payment.needs_attention');
    will(scene, VOID, hold.payment, answer(voided));
    expectStatus(await act(scene, 'void', hold.payment), 200);
    expect((await scene.client.getPayment(hold.payment.id)).needsAttention).toBe(false);
  },

  'a session that expires after its order was paid by another is not announced as expired': async (scene) => {
    const late = await givenUp(scene);
    expectStatus(await scene.client.post(`/v1/checkout-sessions/${late.session.id}/close`), 200);
    const second = await scene.client.createSession({ reference: late.session.reference });
    const unpaid = await scene.client.createSession();
    say(scene, late.payment, succeededAs('T-1'));
    expect((await asked(scene, late.payment)).status).toBe('succeeded');
    for (const session of [second, unpaid]) await endSession(scene, session);
    for (const session of [second, unpaid]) {
      await until(async () => (await sessionOf(scene, session)).status === 'expired');
    }
    expect(await told(scene, unpaid, 1)).toEqual(['checkout_session.expired']);
    expect(await eventsOf(scene, second)).toEqual([]);
  },
};

/** A first payment that was paid, and whose void time has ended: nobody knows whether it was done. */
async function voidDenied(scene: Scene): Promise<{ first: PaymentBody; late: PaymentBody }> {
  const late = await givenUp(scene);
  const first = await payCard(scene, succeededAs('T-1'), late.session);
  say(scene, first.payment, succeededAs('T-1'));
  will(scene, VOID, first.payment, lost, answer(voided));
  expectStatus(await act(scene, 'void', first.payment), 202);
  const denied = async (): Promise<boolean> =>
    (await eventsOf(scene, first.payment)).some(({ type }) => type === 'payment.operation_refused');
  await untilAsked(scene, first.payment, denied);
  return { first: first.payment, late: late.payment };
}

/** A wallet order that was given up, that the gateway calls charged back, and that a person calls paid. It holds no money. */
async function resolvedWhileChargedBack(scene: Scene): Promise<Situation> {
  const late = await givenUp(scene);
  say(scene, late.payment, says('CHARGEBACK'));
  expect(await asked(scene, late.payment)).toMatchObject({ disputed: true, needsAttention: true });
  const word = { status: 'succeeded', note: 'The portal shows it as paid.' };
  expectStatus(await act(scene, 'resolve', late.payment, word), 200);
  expect((await told(scene, late.payment, 5)).slice(2)).toEqual([
    ...['payment.disputed', 'payment.needs_attention', 'payment.disputed'],
  ]);
  expect((await sessionOf(scene, late.session)).status).toBe('open');
  return late;
}

/** Money for the late one. The policy must not void it before a person has said what became of the void of the first. */
async function expectAPersonFirst(scene: Scene, first: PaymentBody, late: PaymentBody): Promise<void> {
  const attention = async (): Promise<boolean> => (await scene.client.getPayment(first.id)).needsAttention;
  await untilAsked(scene, late, attention);
  expect(voidsOf(scene, late)).toEqual([]);
  const word = { status: 'succeeded', note: 'The portal shows it as paid.' };
  expectStatus(await act(scene, 'resolve', first, word), 200);
  const isVoided = async (): Promise<boolean> => (await scene.client.getPayment(late.id)).status === 'voided';
  await untilAsked(scene, late, isVoided);
  expect((await scene.client.getPayment(first.id)).status).toBe('succeeded');
}

const voiding: Record<string, Scenario<Scene>> = {
  'a duplicate is voided whatever was given back of the first in part': async (scene) => {
    const { first, second } = await paidTwice(scene, ['T-1', 'T-1']);
    will(scene, REFUND, first.payment, says('REFUNDED'));
    expectStatus(await giveBack(scene, first.payment, { amount: '100.00' }), 201);
    say(scene, first.payment, says('PARTIALLY_REFUNDED', { ...whole, refundedAmount: '100.00' }));
    say(scene, second.payment, succeededAs('T-2'));
    const isVoided = async (): Promise<boolean> =>
      (await scene.client.getPayment(second.payment.id)).status === 'voided';
    await untilAsked(scene, second.payment, isVoided);
    expect(await scene.client.getPayment(first.payment.id)).toMatchObject({
      status: 'succeeded',
      amountRefunded: '100.00',
    });
  },

  'a duplicate beside an operation of unknown outcome is not voided, and a person is told, until it is known':
    async (scene) => {
      const { first, second } = await paidTwice(scene, ['T-1', 'T-1']);
      will(scene, REFUND, first.payment, lost);
      expectStatus(await giveBack(scene, first.payment, { amount: '100.00' }), 202);
      say(scene, second.payment, succeededAs('T-2'));
      const look = (): Promise<PaymentBody> => scene.client.getPayment(second.payment.id);
      await untilAsked(scene, second.payment, async () => (await look()).needsAttention);
      expect(voidsOf(scene, second.payment)).toEqual([]);
      say(scene, first.payment, says('PARTIALLY_REFUNDED', { ...whole, refundedAmount: '100.00' }));
      expect((await asked(scene, first.payment)).amountRefunded).toBe('100.00');
      await untilAsked(scene, second.payment, async () => (await look()).status === 'voided');
      expect((await look()).needsAttention).toBe(false);
    },

  'a void that the gateway refuses is sent again, and a person is told until it is done': async (scene) => {
    const late = await givenUp(scene);
    const first = await payCard(scene, succeededAs('T-1'), late.session);
    say(scene, first.payment, succeededAs('T-1'));
    will(scene, VOID, late.payment, refused, answer(voided));
    say(scene, late.payment, succeededAs('T-2'));
    expect((await asked(scene, late.payment)).duplicateOf).toBe(first.payment.id);
    const look = (): Promise<PaymentBody> => scene.client.getPayment(late.payment.id);
    await untilAsked(scene, late.payment, async () => (await look()).status === 'voided');
    expect(voidsOf(scene, late.payment)).toHaveLength(2);
    expect(await look()).toMatchObject({ needsAttention: false });
    expect(await told(scene, late.payment, 5)).toContain('payment.needs_attention');
    expect((await scene.client.getPayment(first.payment.id)).status).toBe('succeeded');
  },

  'one transaction under two references is not voided, and a person is told': async (scene) => {
    const { first, second } = await paidTwice(scene, ['T-1', 'T-1']);
    const look = (): Promise<PaymentBody> => scene.client.getPayment(second.payment.id);
    await untilAsked(scene, second.payment, async () => (await look()).needsAttention);
    expect(await look()).toMatchObject({
      status: 'succeeded',
      attentionReasons: ['duplicate_not_voided'],
    });
    expect([...voidsOf(scene, first.payment), ...voidsOf(scene, second.payment)]).toEqual([]);
  },

  'never one that was announced as paying, whatever comes of a payment from before it': async (scene) => {
    const late = await resolvedWhileChargedBack(scene);
    const { payment } = await payCard(scene, succeededAs('T-2'), late.session);
    expect(payment).toMatchObject({ status: 'succeeded', duplicateOf: null });
    say(scene, payment, succeededAs('T-2'));
    say(scene, late.payment, says('CHARGEBACK_REVERSED'), succeededAs('T-1'));
    will(scene, VOID, late.payment, answer(voided));
    expect(await asked(scene, late.payment)).toMatchObject({ disputed: false, duplicateOf: payment.id });
    const look = (): Promise<PaymentBody> => scene.client.getPayment(late.payment.id);
    await untilAsked(scene, late.payment, async () => (await look()).status === 'voided');
    expect(await scene.client.getPayment(payment.id)).toMatchObject({
      status: 'succeeded',
      duplicateOf: null,
    });
    expect(voidsOf(scene, payment)).toEqual([]);
    expect(await told(scene, payment, 1)).toEqual(['payment.succeeded']);
    expect(await told(scene, late.session, 1)).toEqual(['checkout_session.paid']);
  },

  'where two were announced as paying, none of them, and a person is told': async (scene) => {
    const { first, second } = await paidTwice(scene, ['T-1', 'T-1']);
    say(scene, first.payment, says('CHARGEBACK'));
    expect((await asked(scene, first.payment)).disputed).toBe(true);
    expect((await told(scene, second.payment, 4)).at(-1)).toBe('payment.succeeded');
    say(scene, first.payment, says('CHARGEBACK_REVERSED'), succeededAs('T-1'));
    expect((await asked(scene, first.payment)).disputed).toBe(false);
    say(scene, second.payment, succeededAs('T-2'));
    const attentionReasons = ['duplicate_not_voided'];
    expect(await asked(scene, second.payment)).toMatchObject({
      duplicateOf: first.payment.id,
      attentionReasons,
    });
    const word = { status: 'succeeded', note: 'Goods were sent for both.' };
    expectStatus(await act(scene, 'resolve', second.payment, word), 200);
    const before = questions(scene, second.payment);
    await untilAsked(scene, second.payment, () => questions(scene, second.payment) > before + 1);
    expect(await scene.client.getPayment(second.payment.id)).toMatchObject({
      ...{ status: 'succeeded', needsAttention: false },
    });
    expect([...voidsOf(scene, first.payment), ...voidsOf(scene, second.payment)]).toEqual([]);
  },

  'a void of the first that the gateway refused in words: a person first': async (scene) => {
    const late = await givenUp(scene);
    const first = await payCard(scene, succeededAs('T-1'), late.session);
    say(scene, first.payment, succeededAs('T-1'));
    will(scene, VOID, first.payment, refused, answer(voided));
    expect(problemOf(expectStatus(await act(scene, 'void', first.payment), 409)).code).toBe(
      'gateway-refused',
    );
    will(scene, VOID, late.payment, answer(voided));
    say(scene, late.payment, succeededAs('T-2'));
    expect((await asked(scene, late.payment)).duplicateOf).toBe(first.payment.id);
    await expectAPersonFirst(scene, first.payment, late.payment);
  },

  'a void of the first that time ended before there was a duplicate: a person first': async (scene) => {
    const { first, late } = await voidDenied(scene);
    expect((await scene.client.getPayment(first.id)).needsAttention).toBe(false);
    will(scene, VOID, late, answer(voided));
    say(scene, late, succeededAs('T-2'));
    expect((await asked(scene, late)).duplicateOf).toBe(first.id);
    await expectAPersonFirst(scene, first, late);
  },
};

describe.each(anyStore)('who pays an order on the %s store', (store) => {
  const env = { GATEWAY_TIMEOUT_MS: '1000', NOT_FOUND_GRACE_SECONDS: '6' };
  describe('where duplicates are announced', () => {
    sideBySide(() => startScene(store, { ...env, GATEWAY_PROFILE: withRefunds() }), announced);
  });
  describe('where duplicates are to be voided', () => {
    const policy = { DUPLICATE_POLICY: 'void', GATEWAY_PROFILE: withRefunds() };
    sideBySide(() => startScene(store, { ...env, ...policy }), voiding);
  });

  test('a void of the first that time ended while duplicates were only announced', async () => {
    const kept = await createTestStore(store);
    const gateway = await startMisbehavingGateway();
    const open = async (policy: string): Promise<Scene> => {
      const options = { store: kept, gatewayUrl: gateway.url, env: { ...env, DUPLICATE_POLICY: policy } };
      const tillfront = await startTillfront(options);
      const stop = async (): Promise<void> => void (await tillfront.stop());
      return { gateway, tillfront, client: new TillfrontClient(tillfront.url, tillfront.merchantKey), stop };
    };
    let scene = await open('announce');
    try {
      const { first, late } = await voidDenied(scene);
      say(scene, late, succeededAs('T-2'));
      expect((await asked(scene, late)).duplicateOf).toBe(first.id);
      await scene.stop();
      scene = await open('void');
      will(scene, VOID, late, answer(voided));
      // Its schedule ended under the former policy. The start has it judged again.
      await expectAPersonFirst(scene, first, late);
    } finally {
      await scene.stop();
      await gateway.close();
      await kept.dispose();
    }
  });
});
