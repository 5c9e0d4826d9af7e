import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, problemOf } from '../harness/client.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import { expectGivenBack, giveBack, paid, REFUND, refundsSent, says, withRefunds } from './refunds.js';
import { act, say, will } from './situations.js';
import { settleMeanwhile } from './stored-time.js';

describe.each(anyStore)(
  'a refund that was recorded as failed while its call went on, on the %s store',
  (store) => {
    let scene: Scene;

    beforeAll(async () => {
      scene = await startScene(store, { GATEWAY_TIMEOUT_MS: '20000', GATEWAY_PROFILE: withRefunds() });
    });
    afterAll(() => scene.stop());

    test('and was done: nothing more is given back until a person has looked, whatever was given back since', async () => {
      const { payment } = await paid(scene);
      say(scene, payment, says('SUCCESS'));
      const held = Promise.withResolvers<Behaviour>();
      will(scene, REFUND, payment, () => held.promise, says('PARTIALLY_REFUNDED'));
      const first = giveBack(scene, payment, { amount: '500.00' });
      await until(() => refundsSent(scene, payment).length === 1);
      await settleMeanwhile(scene, payment, 'succeeded');
      // It gives the same sum back as the first one, so the sum alone does not tell that both were done.
      expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 201);
      held.resolve(says('PARTIALLY_REFUNDED'));
      expect(expectStatus(await first, 201).body.status).toBe('failed');
      await expectGivenBack(scene, payment, '500.00', ['failed', 'succeeded']);
      expect((await scene.client.getPayment(payment.id)).needsAttention).toBe(true);
      const third = await giveBack(scene, payment, { amount: '1000.00' });
      expect(problemOf(expectStatus(third, 409)).code).toBe('invalid-state');
      expect(refundsSent(scene, payment)).toHaveLength(2);
      const looked = act(scene, 'resolve', payment, { status: 'succeeded', note: 'Seen at the portal.' });
      expect(expectStatus(await looked, 200).body.needsAttention).toBe(false);
      will(scene, REFUND, payment, says('PARTIALLY_REFUNDED'));
      expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 201);
    });
  },
);
