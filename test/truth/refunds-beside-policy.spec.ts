import { describe, expect } from '@jest/globals';
import { expectStatus, problemOf, type PaymentBody } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import { giveBack, lost, REFUND, refundsOf, says, withRefunds } from './refunds.js';
import { sideBySide, type Scenario } from './scenarios.js';
import { act, answer, asked, questions, say, sent, VOID, voided, will } from './situations.js';
import { eventsOf, heldBack, paidTwice, succeededAs, untilAsked } from './two-paid.js';

/** Voids that were sent of just this payment: both are of one order. */
const voidsOf = (scene: Scene, payment: PaymentBody): unknown[] =>
  sent(scene, VOID, payment).filter(
    ({ json }) => (json as { client_ref?: string }).client_ref === payment.gatewayReference,
  );

/** Two paid payments that the policy cannot tell to be two yet, so that it waits. */
async function twoOfOneTransaction(scene: Scene): Promise<{ first: PaymentBody; second: PaymentBody }> {
  const { first, second } = await paidTwice(scene, ['T-1', 'T-1']);
  return { first: first.payment, second: second.payment };
}

/** Lets the policy see that they are two, and waits until it has looked at both more than once. */
async function policyLooks(scene: Scene, first: PaymentBody, second: PaymentBody): Promise<void> {
  say(scene, second, succeededAs('T-2'));
  const before = [questions(scene, first), questions(scene, second)] as const;
  for (let times = 0; times < 3; times += 1) {
    await asked(scene, first);
    await asked(scene, second);
  }
  await untilAsked(scene, second, () => questions(scene, second) > before[1] + 5);
}

const scenarios: Record<string, Scenario<Scene>> = {
  'the policy voids nothing beside an open refund of the second': async (scene) => {
    const { first, second } = await twoOfOneTransaction(scene);
    will(scene, REFUND, second, lost);
    expectStatus(await giveBack(scene, second), 202);
    await policyLooks(scene, first, second);
    expect(voidsOf(scene, second)).toEqual([]);
    expect((await refundsOf(scene, second)).map(({ status }) => status)).toEqual(['processing']);
  },

  'it voids the second though the gateway calls a part that it gave back of the first a reversal': async (
    scene,
  ) => {
    const { first, second } = await twoOfOneTransaction(scene);
    say(scene, first, says('VOIDED', { amount: '500.00', currency: 'NGN' }));
    expect(await asked(scene, first)).toMatchObject({ status: 'succeeded', amountRefunded: '500.00' });
    say(scene, second, succeededAs('T-2'));
    const isVoided = async (): Promise<boolean> =>
      (await scene.client.getPayment(second.id)).status === 'voided';
    await untilAsked(scene, second, isVoided);
    expect((await scene.client.getPayment(first.id)).status).toBe('succeeded');
  },

  'nor beside an open refund of the first, nor once that has given all of it back': async (scene) => {
    const { first, second } = await twoOfOneTransaction(scene);
    will(scene, REFUND, first, lost);
    expectStatus(await giveBack(scene, first), 202);
    await policyLooks(scene, first, second);
    expect(voidsOf(scene, second)).toEqual([]);
    say(scene, first, says('REFUNDED', { amount: '1500.00', currency: 'NGN' }));
    expect((await asked(scene, first)).amountRefunded).toBe('1500.00');
    // The first holds no money any more, so the second pays the order.
    expect((await scene.client.getPayment(second.id)).duplicateOf).toBeNull();
    for (let times = 0; times < 3; times += 1) await asked(scene, second);
    expect(voidsOf(scene, second)).toEqual([]);
  },

  'the first cannot be refunded while the policy voids the second: the order would not be paid': async (
    scene,
  ) => {
    const { responder, release } = heldBack();
    const { first, second } = await paidTwice(scene, ['T-1', 'T-2']);
    will(scene, VOID, second.payment, responder);
    await until(() => voidsOf(scene, second.payment).length === 1);
    const problem = problemOf(expectStatus(await giveBack(scene, first.payment), 409));
    expect([problem.code, problem.paymentId]).toEqual(['operation-in-progress', second.payment.id]);
    release(answer(voided));
    await scene.client.waitForStatus(second.payment.id, 'voided');
    will(scene, REFUND, first.payment, says('REFUNDED'));
    expectStatus(await giveBack(scene, first.payment), 201);
  },

  'a void of the first that is denied for too long may have been done: the second is not voided before a person has looked':
    async (scene) => {
      const { first, second } = await twoOfOneTransaction(scene);
      will(scene, VOID, first, lost, answer(voided));
      expectStatus(await act(scene, 'void', first), 202);
      const denied = async (): Promise<boolean> =>
        (await eventsOf(scene, first)).some(({ type }) => type === 'payment.operation_refused');
      await untilAsked(scene, first, denied);
      expect(await scene.client.getPayment(first.id)).toMatchObject({
        status: 'succeeded',
        needsAttention: true,
        pendingOperation: null,
      });
      say(scene, second, succeededAs('T-2'));
      const before = questions(scene, second);
      await untilAsked(scene, second, () => questions(scene, second) > before + 3);
      expect(voidsOf(scene, second)).toEqual([]);
      const word = { status: 'succeeded', note: 'The portal shows it as paid.' };
      expectStatus(await act(scene, 'resolve', first, word), 200);
      const isVoided = async (): Promise<boolean> =>
        (await scene.client.getPayment(second.id)).status === 'voided';
      await untilAsked(scene, second, isVoided);
      expect((await scene.client.getPayment(first.id)).status).toBe('succeeded');
    },
};

describe.each(anyStore)('refunds beside DUPLICATE_POLICY=void on the %s store', (store) => {
  const env = { GATEWAY_TIMEOUT_MS: '1000', NOT_FOUND_GRACE_SECONDS: '6', DUPLICATE_POLICY: 'void' };
  sideBySide(() => startScene(store, { ...env, GATEWAY_PROFILE: withRefunds() }), scenarios);
});
