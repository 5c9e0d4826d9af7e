import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ASKING_FAULTS, MOVING_FAULTS, type GatewayFault } from './faults.ts';
import { hold } from './hold.ts';
import { APPROVED, WAYS, type PurchasePlan } from './purchase-plan.ts';
import { Random } from './random.ts';
import { startSpecWorld, type SpecWorld } from './spec-world.ts';
import { aimed, type TrialPlan } from './trial-plan.ts';

/**
 * Everything that can happen between the service and the gateway, both truths of each (the gateway did it, or did not),
 * from the operation that moves money to the question what became of it.
 */

let scene: SpecWorld;
beforeAll(async () => {
  scene = await startSpecWorld('embedded');
});
afterAll(() => scene.end());

const HALF = Math.ceil(MOVING_FAULTS.length / 2);
const way = (name: string): PurchasePlan => WAYS.find((one) => one.name === name) as PurchasePlan;
const card = { ...way('card'), cards: [APPROVED], attempts: 2 };
const code = way('one-time code');
const completed = way('authorized, completed');
const voided = way('paid, voided');
const wallet = way('wallet');

function hit(plan: PurchasePlan, ...faults: GatewayFault[]): PurchasePlan {
  return { ...plan, faults };
}

/** Side by side, as in real life; what one meets must not disturb another. */
async function holds(name: string, purchases: PurchasePlan[], more: Partial<TrialPlan> = {}): Promise<void> {
  const { world } = scene;
  const plan = { ...aimed(card, []), ...more, purchases };
  await hold(world, plan, name, new Random(7));
}

test('a payment whose first call goes wrong', async () => {
  // So many at once that a busy machine still begins each call in time: one that waits too long is not made at all.
  for (const [group, faults] of [MOVING_FAULTS.slice(0, HALF), MOVING_FAULTS.slice(HALF)].entries()) {
    const name = `first-${group}`;
    await holds(
      name,
      faults.map((fault) => hit(card, { ...fault, operation: 'payCard' })),
    );
    const met = faults.map((_, index) =>
      scene.world.sandbox.recorder.list(`${name}-${index + 1}_1`, 'payCard'),
    );
    expect(met.map(([call]) => call?.fault)).toEqual(faults.map(({ kind }) => kind));
  }
});

test('a one-time code, a completion, a void and a wallet whose call goes wrong', async () => {
  const faults = MOVING_FAULTS.filter(({ kind }) => kind !== 'gzip-bomb');
  const next = [
    [code, 'validateOtp'],
    [completed, 'complete'],
    [voided, 'void'],
    [way('paid, refunded in part'), 'refund'],
    [wallet, 'initiateWallet'],
  ] as const;
  await holds(
    'later',
    faults.map((fault, index) => {
      const [plan, operation] = next[index % next.length] as (typeof next)[number];
      return hit(plan, { ...fault, operation });
    }),
  );
});

test('a lost answer, and the question about it goes wrong too', async () => {
  await holds(
    'asked',
    ASKING_FAULTS.map((fault) =>
      hit(
        card,
        { kind: 'reset-after', operation: 'payCard', processed: true },
        { times: 2, ...fault, operation: 'transactionStatus' },
      ),
    ),
  );
});

test('a charge after the connection broke, before and after it was given up, and a contradiction', async () => {
  const late = (processAfterMs: number): PurchasePlan => ({
    ...hit(card, { kind: 'reset-before', operation: 'payCard', processed: true, processAfterMs }),
    mayBePaidTwice: true,
  });
  await holds('late', [late(100), late(900), late(4_000), { ...card, contradicted: true }]);
  const [, , third] = ['late-1', 'late-2', 'late-3'].map((reference) =>
    scene.world.sandbox.ledger.entries(`${reference}_1`).filter(({ kind }) => kind === 'charge'),
  );
  // It was charged at last, so the trial has shown what it was to show.
  expect(third).toHaveLength(1);
}, 300_000);

test('a hold after the connection broke, before and after it was given up: it is found, and completed or given back', async () => {
  const late = (plan: PurchasePlan, processAfterMs: number): PurchasePlan => ({
    ...hit(plan, { kind: 'reset-before', operation: 'payCard', processed: true, processAfterMs }),
    waitsForLate: true,
    attempts: 1,
  });
  await holds('hold', [late(completed, 200), late(completed, 4_000), late(way('authorized, voided'), 4_000)]);
  const ends = ['hold-1', 'hold-2', 'hold-3'].map(
    (reference) => scene.world.sandbox.ledger.find(`${reference}_1`)?.state,
  );
  expect(ends).toEqual(['succeeded', 'succeeded', 'voided']);
}, 240_000);

test.each(['refuse', 'reset', 'swallow', 'cut'] as const)(
  'a line that is down (%s)',
  async (mode) => {
    const { world } = scene;
    // Connections that are kept alive die with it, and nobody is told.
    await holds(`warm-${mode}`, [card, card]);
    if (mode === 'cut') world.line.cut();
    else await world.line.turn(mode);
    await holds(`line-${mode}`, [card, wallet, completed, card], {
      line: [{ afterMs: 250, mode: 'cut', forMs: 0 }],
    });
  },
  120_000,
);
