import type { Engine } from './engine.ts';
import { JUDGE, lookAtMoment, lookAtRest, misfit } from './judge.ts';
import { OrderRun } from './order-run.ts';
import { planWorld, without } from './plan.ts';
import { drawFrom } from './randomness.ts';
import { World, type Fault } from './world.ts';

/** Runs one world from its beginning to its rest. */

export interface Outcome {
  seed: number;
  faults: Fault[];
  payments: number;
  orders: number;
  log: string[];
  /** The same world twice is alike to the last timer. */
  fired: number;
  /** How much of the world's time has passed, in milliseconds. */
  lasted: number;
}

const MINUTE = 60_000;
/** Everything settles within this time once faults end, but what only a person can settle. */
const SETTLES_WITHIN = 40 * MINUTE;
/** After so long a person is called. */
const ATTENTION_AFTER = 73 * 60 * MINUTE;
/** A refund that came back is believed when it was heard twice, so far apart. */
const HEARD_TWICE = 11 * MINUTE;

export interface RunOptions {
  left?: ReadonlySet<string>;
  keepsLog?: boolean;
  stopAtFirst?: boolean;
}

export async function runWorld(engine: Engine, seed: number, options: RunOptions = {}): Promise<Outcome> {
  const { left = new Set<string>(), keepsLog = false, stopAtFirst = true } = options;
  const plan = without(planWorld(seed), left);
  drawFrom(engine, seed);
  const world = new World(engine, plan, JUDGE, keepsLog);
  const orders = plan.orders.map((order) => new OrderRun(world, order));
  world.orders = orders;
  const { time } = world;
  let ended = false;
  const life = live(world, orders).then(
    () => {
      ended = true;
    },
    (error: unknown) => {
      world.blame(
        `the world broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      ended = true;
    },
  );
  await time.run(() => ended || (stopAtFirst && world.faults.length > 0));
  if (!ended && world.faults.length === 0) world.blame('everything stands still');
  void life;
  time.clear();
  for (const replica of world.replicas) if (replica) replica.dead = true;
  const payments = world.store.payments().length;
  world.store.database.close();
  return {
    seed,
    faults: world.faults,
    payments,
    orders: plan.orders.length,
    log: world.log,
    fired: time.fired,
    lasted: time.now,
  };
}

async function live(world: World, orders: readonly OrderRun[]): Promise<void> {
  const { plan, time } = world;
  await world.allUp();
  for (const order of orders)
    for (const step of plan.orders.find(({ reference }) => reference === order.reference)?.steps ?? [])
      time.plan(step.at, () => {
        world
          .busy(() => order.take(step))
          .catch((error: unknown) => {
            world.blame(
              `the simulation broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
            );
          });
      });
  for (const strike of plan.strikes)
    time.plan(strike.at, () => {
      world.strike(strike);
    });
  await time.pause(plan.end);
  await world.becomeCalm();
  await world.allUp();
  settleGateway(world);
  if (!(await until(world, () => open(world).length === 0, SETTLES_WITHIN))) await callAPerson(world);
  for (const what of open(world)) world.blame(`not settled: ${what}`);
  await askAboutAll(world, orders);
  const wrong = (): string[] => world.store.payments().flatMap((payment) => misfit(world, payment) ?? []);
  if (wrong().length > 0) {
    await time.pause(HEARD_TWICE);
    await askAboutAll(world, orders);
  }
  for (const what of wrong()) world.blame(what);
  await until(world, () => undelivered(world) === 0, 5 * MINUTE);
  await time.pause(2_000);
  lookAtRest(world);
  await sellAgain(world, orders);
}

/** Payers that are still thought of decide, and what was accepted is carried out by itself. */
function settleGateway(world: World): void {
  const { now } = world.time;
  for (const charge of world.book.all()) {
    if (!charge.waits) continue;
    const random = world.random(`settles ${charge.ref}`);
    world.time.plan(random.next() * MINUTE, () => {
      if (!charge.waits) return;
      const paid = random.chance(0.5);
      charge.change(now, paid ? { state: 'captured', captured: charge.amount } : { state: 'expired' });
      world.moved(charge);
    });
  }
}

const OPEN = `select gateway_reference, status, pending_operation as pending from payments
  where needs_attention = 0 and (status in ('processing', 'requires_action') or pending_operation is not null)`;

/** What is neither settled nor for a person to settle. */
function open(world: World): string[] {
  const found: string[] = [];
  for (const { gateway_reference: name, status, pending } of world.store.rows(OPEN))
    found.push(
      `${String(name)} is ${String(status)}, and ${pending === null ? 'nothing' : 'an operation'} is pending`,
    );
  for (const { id } of world.store.rows("select id from notifications where status = 'received'"))
    found.push(`the notification ${String(id)} waits`);
  const waiting = undelivered(world);
  if (waiting > 0) found.push(`${waiting} events wait for their delivery`);
  if (world.book.all().some(({ accepted, waits }) => accepted !== undefined || waits))
    found.push('the gateway is at work');
  return found;
}

function undelivered(world: World): number {
  return world.store.rows("select id from events where delivery_status = 'pending'").length;
}

async function until(world: World, done: () => boolean, within: number): Promise<boolean> {
  const deadline = world.time.now + within;
  while (world.time.now < deadline) {
    if (!world.isBusy && done()) return true;
    await world.time.pause(10_000);
  }
  return done();
}

/** Days pass with nobody at work, as they do for a service that is off; what is open then is for a person. */
async function callAPerson(world: World): Promise<void> {
  for (const replica of world.replicas) {
    if (replica) await Promise.race([replica.stop(), world.time.pause(60_000)]);
    replica?.kill();
  }
  world.time.skip(ATTENTION_AFTER);
  await world.allUp();
  await until(world, () => open(world).length === 0, SETTLES_WITHIN);
}

async function askAboutAll(world: World, orders: readonly OrderRun[]): Promise<void> {
  for (const order of orders) {
    for (const payment of order.payments) {
      for (let tries = 0; tries < 3; tries++)
        if (await order.refresh(payment, world.random(`asks ${payment.id} ${tries}`))) break;
    }
    lookAtMoment(world, order.reference);
  }
}

/** An order that nobody has paid can be paid. */
async function sellAgain(world: World, orders: readonly OrderRun[]): Promise<void> {
  const sold = orders.slice(0, 3);
  for (const order of sold) {
    const { payments, reference } = order;
    const free = payments.every(
      ({ status, needsAttention, pendingOperation }) =>
        ['failed', 'canceled', 'expired', 'voided'].includes(status) && !needsAttention && !pendingOperation,
    );
    if (!free || world.book.of(reference).some((charge) => charge.hasMoney || charge.waits)) continue;
    const random = world.random(`sells ${reference}`);
    for (let tries = 0; tries < 6 && order.payments.length === payments.length; tries++) {
      if (tries % 3 === 2) await world.time.pause(3.5 * MINUTE);
      await order.pay(`${reference}-again${tries}`, 'card', random);
    }
    if (order.payments.length === payments.length)
      world.blame(`${reference} is not paid, and cannot be paid`);
  }
  await world.time.pause(5_000);
  for (const { reference } of sold) lookAtMoment(world, reference);
}
