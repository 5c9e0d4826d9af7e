import { audit, type Audited } from './audit.ts';
import { Buyer } from './buyer.ts';
import { pause } from './calls.ts';
import { settle } from './quiescence.ts';
import type { Random } from './random.ts';
import type { TcpProxy } from './tcp-proxy.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { World } from './world.ts';

export interface TrialResult extends Audited {
  crashes: number;
  /** Processes that stood still for longer than their leases. */
  stops: number;
  /** How often a wall clock was set. */
  clockSteps: number;
  faults: number;
  /** What struck, by the boundary's name. */
  struck: string[];
  violations: string[];
}

/** Runs one trial in a world that may have seen others: purchases side by side, with what the plan says going wrong. */
export async function runTrial(
  world: World,
  plan: TrialPlan,
  name: string,
  random: Random,
): Promise<TrialResult> {
  world.history.clear();
  world.violations.length = 0;
  const crashesBefore = world.crashes;
  const stepsBefore = world.clockSteps;
  const struck: string[] = [];
  await Promise.all(world.replicas.map((replica) => replica.ready()));
  world.onStruck = (order) => struck.push(order);
  world.nextOrders = plan.ordersAfterRestart.map((orders) => [...orders]);
  world.restartAfterMs = plan.restartAfterMs;
  world.sandbox.notifications.mode = plan.notifications;
  world.sandbox.notifications.delayMs = 60;
  world.history.note('plan', JSON.stringify({ ...plan, purchases: plan.purchases.length }));
  for (const [index, replica] of world.replicas.entries()) {
    if (plan.replica === 'every' || plan.replica % world.replicas.length === index)
      await replica.command({ do: 'arm', orders: plan.orders });
  }

  const buyers = plan.purchases.map(
    (purchase, index) => new Buyer(world, purchase, `${name}-${index + 1}`, random),
  );
  const meanwhile = [
    breakLine(world, 'line', world.line, plan.line),
    breakLine(world, 'database', world.databaseLine, plan.databaseLine),
    ...plan.killsAfterMs.map(async (afterMs) => {
      await pause(afterMs);
      world.kill(random.pick(world.replicas));
    }),
  ];
  meanwhile.push(...stepClocks(world, plan.clockSteps));
  const reading = { on: true };
  const reader = readOn(world, reading);
  await Promise.all([...buyers.map((buyer) => buyer.run()), ...meanwhile]);
  const purchases = buyers.map(({ purchase }) => purchase);
  await settle(world, purchases);
  // Orders that nothing has met yet are not for the next trial.
  world.nextOrders = [];
  for (const replica of world.replicas) await replica.command({ do: 'arm', orders: [] });
  world.sandbox.faults.clear();
  await Promise.all(buyers.map((buyer) => buyer.runAgain()));
  const evidence = await settle(world, purchases);
  reading.on = false;
  await reader;
  const audited = await audit(world, evidence);
  return {
    ...audited,
    crashes: world.crashes - crashesBefore,
    clockSteps: world.clockSteps - stepsBefore,
    stops: struck.filter((order) => order.startsWith('stop')).length,
    faults: plan.purchases.reduce(
      (sum, { faults, shop }) => sum + faults.length + (shop.length > 0 ? 1 : 0),
      plan.line.length + plan.databaseLine.length,
    ),
    struck,
    violations: [...world.violations],
  };
}

/** The outages of a line, one after the other. */
async function breakLine(
  world: World,
  name: string,
  line: TcpProxy | undefined,
  outages: TrialPlan['line'] | TrialPlan['databaseLine'],
): Promise<void> {
  if (!line) return;
  for (const { afterMs, mode, forMs } of outages) {
    await pause(afterMs);
    world.history.note(name, `${mode} for ${forMs} ms`);
    if (mode === 'mute') line.mute();
    else if (mode !== 'cut') await line.turn(mode);
    await pause(forMs);
    if (mode === 'mute' || mode === 'cut') line.cut();
    // It may have been turned off before the trial began.
    await line.turn('open');
  }
}

function stepClocks(world: World, steps: TrialPlan['clockSteps']): Promise<void>[] {
  return steps.map(async ({ afterMs, replica, milliseconds }) => {
    await pause(afterMs);
    const one = world.replicas[replica % world.replicas.length];
    if (one?.alive) await world.stepClock(one, milliseconds);
  });
}

async function readOn(world: World, reading: { on: boolean }): Promise<void> {
  while (reading.on) {
    await world.events.catchUp();
    await pause(60);
  }
}
