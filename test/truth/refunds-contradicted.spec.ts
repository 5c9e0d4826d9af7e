import { describe, expect } from '@jest/globals';
import { expectStatus } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import {
  announcedOf,
  expectGivenBack,
  giveBack,
  lost,
  paid,
  REFUND,
  says,
  withRefunds,
  withRefundStatus,
} from './refunds.js';
import { sideBySide, type Scenario } from './scenarios.js';
import { act, answer, asked, say, VOID, voided, will } from './situations.js';
import { eventsOf } from './two-paid.js';

const byRefundStatus: Record<string, Scenario<Scene>> = {
  'a refund that bounces after it was done failed late, and what came back can be refunded again': async (
    scene,
  ) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, says('PARTIALLY_REFUNDED'));
    expectStatus(await giveBack(scene, payment, { amount: '100.00' }), 201);
    const at = `GET /refund/${payment.gatewayReference}_r1`;
    scene.gateway.script(at, says('REFUNDED'));
    // What the sum falls short of may only lag behind.
    expect((await asked(scene, payment)).needsAttention).toBe(false);
    scene.gateway.script(at, says('FAILED'));
    expect((await asked(scene, payment)).needsAttention).toBe(false);
    await expectGivenBack(scene, payment, null, ['failed']);
    await announcedOf(scene, payment, 2);
    const [, late] = (await eventsOf(scene, payment)).filter(({ type }) => type.startsWith('payment.refund'));
    expect(late).toMatchObject({
      type: 'payment.refund_failed',
      late: true,
      operation: { amount: '100.00' },
    });
    will(scene, REFUND, payment, says('REFUNDED'));
    expect(expectStatus(await giveBack(scene, payment), 201).body.amount).toBe('1500.00');
  },

  'a refund that failed and was done after all needs a person, and its money counts': async (scene) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, says('FAILED'));
    expectStatus(await giveBack(scene, payment, { amount: '100.00' }), 409);
    scene.gateway.script(`GET /refund/${payment.gatewayReference}_r1`, says('REFUNDED'));
    expect(await asked(scene, payment)).toMatchObject({ needsAttention: true, amountRefunded: '100.00' });
    await expectGivenBack(scene, payment, '100.00', ['failed']);
  },
};

const bySum: Record<string, Scenario<Scene>> = {
  'called refunded without a sum, while a refund of a part is open, it is not all given back': async (
    scene,
  ) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, lost);
    expectStatus(await giveBack(scene, payment, { amount: '100.00' }), 202);
    say(scene, payment, says('REFUNDED'));
    expect(await asked(scene, payment)).toMatchObject({ needsAttention: true, amountRefunded: null });
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '100.00' }));
    expect(await asked(scene, payment)).toMatchObject({ needsAttention: false, amountRefunded: '100.00' });
    await expectGivenBack(scene, payment, '100.00', ['succeeded']);
  },

  'a reversal of the whole after a refund of a part may be the void that was denied: a person looks': async (
    scene,
  ) => {
    const { payment } = await paid(scene);
    will(scene, VOID, payment, lost);
    say(scene, payment, says('SUCCESS'));
    expectStatus(await act(scene, 'void', payment), 202);
    const denied = async (): Promise<boolean> =>
      (await eventsOf(scene, payment)).some(({ type }) => type === 'payment.operation_refused');
    await until(denied, 60_000);
    will(scene, REFUND, payment, says('PARTIALLY_REFUNDED'));
    expectStatus(await giveBack(scene, payment, { amount: '100.00' }), 201);
    say(scene, payment, answer(voided));
    expect(await asked(scene, payment)).toMatchObject({ needsAttention: true, amountRefunded: '100.00' });
    await expectGivenBack(scene, payment, '100.00', ['succeeded']);
  },
};

describe.each(anyStore)('refunds that later answers contradict, on the %s store', (store) => {
  const env = { GATEWAY_TIMEOUT_MS: '1000', NOT_FOUND_GRACE_SECONDS: '6' };
  describe('where the gateway can be asked about one', () => {
    sideBySide(() => startScene(store, { ...env, GATEWAY_PROFILE: withRefundStatus() }), byRefundStatus);
  });
  describe('by the payment’s own answers', () => {
    sideBySide(() => startScene(store, { ...env, GATEWAY_PROFILE: withRefunds() }), bySum);
  });
});
