import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hold } from './hold.ts';
import { WAYS } from './purchase-plan.ts';
import { Random } from './random.ts';
import type { Replica } from './replica.ts';
import { startSpecWorld, type SpecWorld } from './spec-world.ts';
import { aimed } from './trial-plan.ts';

/** A wall clock that is set right, or wrong, while payments run: between calls, and in the middle of one. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let scene: SpecWorld;
let trials = 0;
beforeAll(async () => {
  scene = await startSpecWorld('embedded');
});
afterAll(() => scene.end());

test.each([
  ['an hour back', -HOUR, undefined],
  ['a day forward', DAY, undefined],
  ['an hour back, and a crash among calls', -HOUR, { at: 'sent gateway POST /payment/card', nth: 4 }],
  ['an hour back, and a crash before calls', -HOUR, { at: 'before gateway POST /payment/card', nth: 1 }],
  ['a day forward, and a crash among calls', DAY, { at: 'sent gateway POST /payment/card', nth: 4 }],
] as const)(
  'stepped: %s',
  async (_name, milliseconds, crash) => {
    const { world } = scene;
    const [till] = world.replicas as [Replica];
    const faults = [{ kind: 'reset-after', operation: 'payCard', processed: true }];
    const [card] = WAYS as [(typeof WAYS)[number]];
    const purchases = [{ ...card, faults }, ...WAYS];
    const orders = crash ? [{ action: 'kill' as const, ...crash }] : [];
    const stepping = setTimeout(() => void till.command({ do: 'step-clock', milliseconds }), 250);
    world.clockMoved = true;
    await hold(world, { ...aimed(card, orders), purchases }, `stepped-${++trials}`, new Random(5)).finally(
      () => clearTimeout(stepping),
    );
  },
  300_000,
);

test.each([-HOUR, DAY])(
  'stepped by %d ms in the middle of a call, of a question and of a commit',
  async (milliseconds) => {
    const { world } = scene;
    const orders = [
      'sent gateway POST /payment/card',
      'head of gateway POST /payment/completion',
      'sent gateway GET /transaction/:client_ref',
      'before store payments*',
    ].map((at) => ({ action: 'step' as const, at, nth: 1, milliseconds }));
    const faults = [{ kind: 'reset-after', operation: 'payCard', processed: true }];
    const [card] = WAYS as [(typeof WAYS)[number]];
    const before = world.clockSteps;
    await hold(
      world,
      { ...aimed(card, orders), purchases: [{ ...card, faults }, ...WAYS] },
      `mid-call-${++trials}`,
      new Random(6),
    );
    expect(world.clockSteps).toBeGreaterThan(before);
  },
  300_000,
);
