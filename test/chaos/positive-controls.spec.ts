import { expect, test } from '@jest/globals';
import type { SabotageName } from './preload/sabotage.ts';
import { WAYS, type PurchasePlan } from './purchase-plan.ts';
import { Random } from './random.ts';
import { startSpecWorld } from './spec-world.ts';
import { aimed, type TrialPlan } from './trial-plan.ts';
import { runTrial } from './trial.ts';

/** An audit that never finds anything proves nothing: builds that break a promise on purpose must be caught. */

const [card] = WAYS as [PurchasePlan];
const wallet = WAYS.find(({ name }) => name === 'wallet') as PurchasePlan;

function killed(way: PurchasePlan, at: string): TrialPlan {
  return aimed(way, [{ action: 'kill', at, nth: 1 }]);
}

const CONTROLS: [SabotageName, TrialPlan, RegExp][] = [
  ['intent-after-call', killed(card, 'sent gateway POST /payment/card'), /reached the gateway 2 times/],
  [
    'sends-again',
    aimed({ ...card, faults: [{ kind: 'reset-after', operation: 'payCard', processed: true }] }, []),
    /was sent 2 times for 1 intents/,
  ],
  ['events-apart', killed(card, 'after store checkout_sessions*payments*'), /and announced/],
  [
    'notification-unstored',
    killed(wallet, 'after answer POST /v1/gateway/notifications'),
    /was answered with 200 and is gone/,
  ],
  ['keys-forgotten', killed(card, 'before answer POST /v1/checkout-sessions'), /reference-in-use/],
];

test.each(CONTROLS)(
  'a build with the fault "%s" is caught',
  async (sabotage, plan, says) => {
    const { world, end } = await startSpecWorld('embedded', { sabotage, patienceMs: 4_000 });
    try {
      const { violations } = await runTrial(world, plan, 'K', new Random(1));
      expect(violations.join('\n')).toMatch(says);
    } finally {
      await end();
    }
  },
  120_000,
);
