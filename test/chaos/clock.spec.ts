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
  ['back, and a crash among calls', -HOUR, { at: 'sent gateway POST /payment/card', nth: 4 }],
  ['back, and a crash before calls', -HOUR, { at: 'before gateway POST /payment/card', nth: 1 }],
] as const)(
  'stepped by an hour: %s',
  async (name, milliseconds, crash) => {
    const { world } = scene;
    const [till] = world.replicas as [Replica];
    const faults = [{ kind: 'reset-after', operation: 'payCard', processed: true }];
    const [card] = WAYS as [(typeof WAYS)[number]];
    const purchases = [{ ...card, faults }, ...WAYS];
    const orders = crash ? [{ action: 'kill' as const, ...crash }] : [];
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
