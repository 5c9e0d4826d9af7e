import type { Order } from './preload/orders.ts';
import { Random } from './random.ts';
import { runTrial } from './trial.ts';
import { aimed, somewhere, stepAt, type TrialPlan } from './trial-plan.ts';
import { WAYS, type PurchasePlan } from './purchase-plan.ts';
import type { World } from './world.ts';

/** One boundary of one way through the service: where a sweep ends the process. */
export interface CrashPoint {
  way: PurchasePlan;
  at: string;
  nth: number;
}

/** What is passed again and again, such as the claiming of events, is met so often at most. */
const MOST_PASSES = 3;

/** Goes each way once without any crash, and returns every boundary that was passed. */
export async function surveyBoundaries(
  world: World,
  ways: readonly PurchasePlan[] = WAYS,
): Promise<CrashPoint[]> {
  const points: CrashPoint[] = [];
  for (const [index, way] of ways.entries()) {
    const before = world.replicas.map(({ boundaries }) => boundaries.length);
    const { violations } = await runTrial(world, aimed(way, []), `S${index}`, new Random(index));
    if (violations.length > 0) {
      throw new Error(
        `"${way.name}" fails without any crash:\n${violations.join('\n')}\n${world.history.text()}`,
      );
    }
    const met = new Map<string, number>();
    for (const [replica, { boundaries }] of world.replicas.entries()) {
      for (const at of boundaries.slice(before[replica])) {
        const nth = (met.get(at) ?? 0) + 1;
        met.set(at, nth);
        if (nth > MOST_PASSES) continue;
        points.push({ way, at, nth });
      }
    }
  }
  // In an order of their own: which was passed first differs from run to run.
  return points.sort((one, other) => (writePoint(one) < writePoint(other) ? -1 : 1));
}

/** A point as it is named on a command line. */
export function writePoint({ way, at, nth }: CrashPoint): string {
  return `${way.name}: ${at} #${nth}`;
}

export function readPoint(text: string): CrashPoint {
  const [, name, at, nth] = /^(.*?): (.*) #(\d+)$/.exec(text) ?? [];
  const way = WAYS.find((one) => one.name === name);
  if (!way || at === undefined)
    throw new Error(`"${text}" names no boundary, as "card: before delivery #1" does`);
  return { way, at, nth: Number(nth) };
}

/** A trial that ends the process at one boundary; where replicas share the work, whichever meets it. */
export function planCrash({ way, at, nth }: CrashPoint, random: Random, replicas: number): TrialPlan {
  const orders: Order[] = [{ action: replicas > 1 && random.chance(0.3) ? 'stop' : 'kill', at, nth }];
  if (random.chance(0.3)) orders.push(stepAt(random, somewhere(random, 'step')));
  const onSilence = random.shuffled(['same-key', 'session-again', 'other-key', 'look', 'come-back'] as const);
  return { ...aimed({ ...way, onSilence }, orders), replica: 'every' };
}
