import { describe, expect } from '@jest/globals';
import { expectStatus, problemOf } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import {
  expectGivenBack,
  giveBack,
  lost,
  paid,
  REFUND,
  refundsSent,
  refused,
  says,
  withRefunds,
} from './refunds.js';
import { sideBySide, type Scenario } from './scenarios.js';
import { asked, noWord, questions, say, will } from './situations.js';

const scenarios: Record<string, Scenario<Scene>> = {
  'what the gateway gave back by itself is not given back again, though nobody had asked since': async (
    scene,
  ) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '900.00' }));
    will(scene, REFUND, payment, says('REFUNDED'));
    const more = problemOf(expectStatus(await giveBack(scene, payment, { amount: '900.00' }), 409));
    expect(more.code).toBe('invalid-state');
    expect(refundsSent(scene, payment)).toEqual([]);
    await expectGivenBack(scene, payment, '900.00', []);
    expect(expectStatus(await giveBack(scene, payment), 201).body.amount).toBe('600.00');
    await expectGivenBack(scene, payment, '1500.00', ['succeeded']);
  },

  'nothing is sent where the payment turns out to be disputed or reversed': async (scene) => {
    for (const word of ['CHARGEBACK', 'VOIDED']) {
      const { payment } = await paid(scene);
      say(scene, payment, says(word));
      expect(problemOf(expectStatus(await giveBack(scene, payment), 409)).code).toBe('invalid-state');
      expect(refundsSent(scene, payment)).toEqual([]);
    }
  },

  'what was given back before a refund is not taken for it': async (scene) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '100.00' }));
    will(scene, REFUND, payment, lost);
    expectStatus(await giveBack(scene, payment, { amount: '100.00' }), 202);
    for (let times = 0; times < 3; times += 1) await asked(scene, payment);
    await expectGivenBack(scene, payment, '100.00', ['processing']);
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '200.00' }));
    expect((await asked(scene, payment)).needsAttention).toBe(false);
    await expectGivenBack(scene, payment, '200.00', ['succeeded']);
  },

  'without a clear answer before, a rise may be older than the refund: a person decides': async (scene) => {
    for (const unclear of [noWord, says('WHO_KNOWS'), says('SUCCESS', { currency: 'USD' })]) {
      const { payment } = await paid(scene);
      say(scene, payment, unclear);
      will(scene, REFUND, payment, lost);
      expectStatus(await giveBack(scene, payment, { amount: '100.00' }), 202);
      say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '100.00' }));
      expect(await asked(scene, payment)).toMatchObject({ needsAttention: true, amountRefunded: '100.00' });
      await expectGivenBack(scene, payment, '100.00', ['processing']);
    }
  },

  'an answer that falls short of what is known says nothing of what was given back meanwhile': async (
    scene,
  ) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, says('PARTIALLY_REFUNDED'), lost);
    expectStatus(await giveBack(scene, payment, { amount: '100.00' }), 201);
    expectStatus(await giveBack(scene, payment, { amount: '100.00' }), 202);
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '200.00' }));
    expect((await asked(scene, payment)).needsAttention).toBe(true);
    await expectGivenBack(scene, payment, '200.00', ['succeeded', 'processing']);
  },

  'a question that is not answered delays a refund for seconds only': async (scene) => {
    const { payment } = await paid(scene);
    say(scene, payment, { do: 'silent' }, says('SUCCESS'));
    will(scene, REFUND, payment, says('PARTIALLY_REFUNDED'));
    const began = performance.now();
    expectStatus(await giveBack(scene, payment, { amount: '100.00' }), 201);
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(4_500);
    expect(took).toBeLessThan(20_000);
    await expectGivenBack(scene, payment, '100.00', ['succeeded']);
  },

  'an answer that comes after the refund waits for it no longer is recorded': async (scene) => {
    const { payment } = await paid(scene);
    const late = { ...says('PARTIALLY_REFUNDED', { refundedAmount: '900.00' }), afterMs: 5_600 };
    say(scene, payment, () => Promise.resolve(late), noWord);
    will(scene, REFUND, payment, refused);
    expectStatus(await giveBack(scene, payment, { amount: '1500.00' }), 409);
    expect((await scene.client.getPayment(payment.id)).amountRefunded).toBeNull();
    await until(async () => (await scene.client.getPayment(payment.id)).amountRefunded === '900.00');
  },

  'nothing is asked for a replay, nor for more than is known to be left': async (scene) => {
    const { payment } = await paid(scene);
    say(scene, payment, says('SUCCESS'));
    will(scene, REFUND, payment, says('PARTIALLY_REFUNDED'));
    const key = { idempotencyKey: `once-${payment.id}` };
    expectStatus(await giveBack(scene, payment, { amount: '100.00' }, key), 201);
    const before = questions(scene, payment);
    expectStatus(await giveBack(scene, payment, { amount: '100.00' }, key), 200);
    expectStatus(await giveBack(scene, payment, { amount: '1400.01' }), 409);
    expect(questions(scene, payment)).toBe(before);
    expect(refundsSent(scene, payment)).toHaveLength(1);
  },
};

describe.each(anyStore)(
  'what the gateway has given back is asked before a refund, on the %s store',
  (store) => {
    const env = { GATEWAY_TIMEOUT_MS: '30000', GATEWAY_PROFILE: withRefunds() };
    sideBySide(() => startScene(store, env), scenarios);
  },
);
