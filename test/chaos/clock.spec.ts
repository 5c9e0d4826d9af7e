import { afterAll, beforeAll, test } from '@jest/globals';
import { hold } from './hold.ts';
import { WAYS } from './purchase-plan.ts';
import { Random } from './random.ts';
import type { Replica } from './replica.ts';
import { startSpecWorld, type SpecWorld } from './spec-world.ts';
import { aimed } from './trial-plan.ts';

/** A wall clock that is set right, or wrong, by an hour while payments run. */

const HOUR = 3_600_000;
let scene: SpecWorld;
beforeAll(async () => {
  scene = await startSpecWorld('embedded');
}, 90_000);
afterAll(() => scene.end());

test.each([
  ['forward', HOUR, undefined],
  ['back', -HOUR, undefined],
  ['back, and then a crash', -HOUR, 'sent gateway POST /payment/card'],
] as const)(
  'stepped by an hour: %s',
  async (name, milliseconds, killedAt) => {
    const { world } = scene;
    const [till] = world.replicas as [Replica];
    const faults = [{ kind: 'reset-after', operation: 'payCard', processed: true }];
    const [card] = WAYS as [(typeof WAYS)[number]];
    const purchases = [{ ...card, faults }, ...WAYS];
    const orders = killedAt ? [{ action: 'kill' as const, at: killedAt, nth: 4 }] : [];
    const stepping = setTimeout(() => void till.command({ do: 'step-clock', milliseconds }), 250);
    world.clockMoved = true;
    await hold(
      world,
      { ...aimed(card, orders), purchases },
      `clock-${name.replaceAll(/\W+/g, '-')}`,
      new Random(5),
    ).finally(() => clearTimeout(stepping));
  },
  180_000,
);
