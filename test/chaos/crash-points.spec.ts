import { describe, expect, test } from '@jest/globals';
import { hold } from './hold.ts';
import type { Order } from './preload/orders.ts';
import { WAYS } from './purchase-plan.ts';
import { Random } from './random.ts';
import { startSpecWorld } from './spec-world.ts';
import { aimed } from './trial-plan.ts';

/**
 * A few of the trials of `npm run chaos`, always the same ones: the service is killed at a boundary, started again on
 * its data, and its store is held against the gateway's books and the shop's post.
 */

function way(name: string): (typeof WAYS)[number] {
  const found = WAYS.find((one) => one.name === name);
  if (!found) throw new Error(`no way "${name}"`);
  return found;
}

/** Where it is most tempting to be careless, one of each kind. */
const POINTS: [string, Order['at'], number][] = [
  ['card', 'before store idempotency_keys*payments*', 1],
  ['card', 'after store idempotency_keys*payments*', 1],
  ['card', 'sent gateway POST /payment/card', 1],
  ['card', 'after gateway POST /payment/card', 1],
  ['card', 'before answer POST /v1/payments/card', 1],
  ['one-time code', 'sent gateway POST /payment/validate-otp', 1],
  ['authorized, completed', 'sent gateway POST /payment/completion', 1],
  ['paid, voided', 'after gateway POST /payment/void', 1],
  ['paid, refunded in part', 'before gateway POST /payment/refund', 1],
  ['paid, refunded in part', 'sent gateway POST /payment/refund', 1],
  ['paid, refunded in part', 'after gateway POST /payment/refund', 1],
  ['wallet', 'after store notifications', 1],
  ['wallet', 'after answer POST /v1/gateway/notifications', 1],
  ['transfer', 'head of delivery', 2],
];

/** So many worlds side by side: most of the time is spent waiting for the next start and for everything to come to rest. */
const WORLDS = [0, 1];

describe('killed at a boundary', () => {
  test.concurrent.each(WORLDS)(
    'nothing is charged twice and nothing is lost (world %i)',
    async (one) => {
      const { world, end } = await startSpecWorld('embedded');
      try {
        for (const [index, [name, at, nth]] of POINTS.entries()) {
          if (index % WORLDS.length !== one) continue;
          const plan = aimed(way(name), [{ action: 'kill', at, nth }]);
          const { crashes } = await hold(world, plan, `P${index}`, new Random(index));
          expect({ name, at, crashes }).toEqual({ name, at, crashes: 1 });
        }
      } finally {
        await end();
      }
    },
    300_000,
  );
});

describe('killed at its first start', () => {
  test.each(['embedded', 'postgres'] as const)(
    'on the %s store: the next one starts on what is there',
    async (store) => {
      const { world, end } = await startSpecWorld(store, { asleep: true });
      try {
        world.nextOrders = [
          [{ action: 'kill', at: 'before store payments', nth: 1 }],
          [{ action: 'kill', at: 'after store meta', nth: 1 }],
        ];
        await world.wake([{ action: 'kill', at: 'after store checkout_sessions', nth: 1 }]);
        await hold(world, aimed(way('card'), []), 'first', new Random(1));
      } finally {
        await end();
      }
    },
    300_000,
  );
});
