import type { PaymentDto } from '../../src/payments/views/payment.dto.ts';
import type { Engine } from './engine.ts';
import { JUDGE, lookAtMoment, lookAtRest, misfit, unaskedRefunds, unvoided } from './judge.ts';
import { lookAtLedger } from './judge-ledger.ts';
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
const DAY = 24 * 60 * MINUTE;
/** Everything settles within this time once faults end, but what only a person can settle. */
const SETTLES_WITHIN = 40 * MINUTE;
/** After so many days a person is called for whatever is open, and for a hold that nobody has settled. */
const OPEN_TOO_LONG = 3.1;
const HELD_TOO_LONG = 6.1;
/** So long an order's session is open. */
const LONGEST_SESSION = 2 * MINUTE;
/** The last question after a notification is asked so late; a refund that came back is believed when that was heard twice, so far apart. */
const HEARD_TWICE = 11 * MINUTE;
/** A refund that was done is asked about again an hour later, by a question that others may delay. */
const REFUND_ASKED_WITHIN = 70 * MINUTE;

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
  for (const { ref, timeline } of world.store.rows('select gateway_reference as ref, timeline from payments'))
    world.note(`timeline of ${String(ref)}: ${String(timeline)}`);
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
  await until(world, () => open(world).every(({ isStuck }) => isStuck), SETTLES_WITHIN);
  await until(world, () => world.store.rows(WAITING_SESSIONS).length === 0, LONGEST_SESSION);
  await lookAtTold(world);
  const days = Math.max(plan.days, open(world).length > 0 ? OPEN_TOO_LONG : 0);
  if (days > 0) await pass(world, orders, days);
  for (const { what } of open(world)) world.blame(`not settled: ${what}`);
  await askAboutAll(world, orders);
  if (misfits(world).length + unvoided(world).length > 0) {
    await time.pause(HEARD_TWICE);
    await askAboutAll(world, orders);
    await time.pause(MINUTE);
  }
  for (const what of [...misfits(world), ...unvoided(world)]) world.blame(what);
  await until(world, () => undelivered(world) === 0, 5 * MINUTE);
  await time.pause(2_000);
  lookAtLedger(world);
  lookAtRest(world);
  await sellAgain(world, orders);
}

function misfits(
  world: World,
  of: (payment: PaymentDto) => boolean = () => true,
  unasked: (payment: PaymentDto) => bigint = () => 0n,
): string[] {
  return world.store
    .payments()
    .filter(({ reference }) => !world.lost.has(reference))
    .flatMap((payment) => (of(payment) ? (misfit(world, payment, unasked(payment)) ?? []) : []));
}

/**
 * What was told by a notification that was acknowledged is known, whoever may have asked besides; and so is what was answered. A refund that
 * came back is asked about after a notification, or else an hour after it was done.
 */
async function lookAtTold(world: World): Promise<void> {
  const chargeOf = ({ gatewayReference: ref }: PaymentDto) => world.book.find(ref);
  const isNotified = ({ gatewayReference: ref }: PaymentDto): boolean =>
    (world.told.get(ref) ?? 0) >= (world.book.find(ref)?.changedAt ?? Infinity);
  const isFollowed = (payment: PaymentDto): boolean => {
    const charge = chargeOf(payment);
    return charge !== undefined && !charge.settledByPerson && !payment.pendingOperation;
  };
  const isTold = (payment: PaymentDto): boolean => {
    const charge = chargeOf(payment);
    if (!charge || !isFollowed(payment)) return false;
    const heard = world.book.heard(charge.ref).filter(({ by }) => !by.dead);
    const isAnswered = heard.some(({ money }) => money === charge.money);
    // It was known, and then an answer that lagged said what was before.
    if (isAnswered && heard.at(-1)?.money !== charge.money) return false;
    return isAnswered || isNotified(payment);
  };
  const unasked = (payment: PaymentDto): bigint => {
    const charge = chargeOf(payment);
    return charge && !isNotified(payment) ? unaskedRefunds(world, charge) : 0n;
  };
  if (misfits(world, isTold, unasked).length > 0) {
    await world.time.pause(HEARD_TWICE);
    for (const what of misfits(world, isTold, unasked)) world.blame(`${what}, of which it was told`);
  }
  // Where the database's clock was set, its hours are others.
  if (world.store.clockOffset !== 0) return;
  const isLate = (payment: PaymentDto): boolean => isFollowed(payment) && unasked(payment) > 0n;
  if (misfits(world, isLate).length === 0) return;
  await world.time.pause(REFUND_ASKED_WITHIN);
  for (const what of misfits(world, isLate)) world.blame(`${what}, and nobody has asked about the refund`);
}

/** Payers that are still thought of decide, and what was accepted is carried out by itself. */
function settleGateway(world: World): void {
  for (const charge of world.book.all()) {
    const random = world.random(`settles ${charge.ref}`);
    world.time.plan(random.next() * MINUTE, () => charge.carryOut?.());
    if (!charge.waits) continue;
    if (world.plan.days >= OPEN_TOO_LONG && charge.money.state === 'pending' && random.chance(0.5)) {
      charge.isStuck = true;
      continue;
    }
    world.time.plan(random.next() * MINUTE, () => {
      if (!charge.waits) return;
      const paid = random.chance(0.5);
      charge.change(
        world.time.now,
        paid ? { state: 'captured', captured: charge.amount } : { state: 'expired' },
      );
      world.moved(charge);
    });
  }
}

const WAITING_SESSIONS = `select id from checkout_sessions where status = 'open' and not exists (select 1 from payments
  where session_id = checkout_sessions.id and status in ('processing', 'requires_action', 'authorized'))`;
const OPEN = `select gateway_reference as ref, reference, status, pending_operation as pending from payments
  where needs_attention = 0 and (status in ('processing', 'requires_action') or pending_operation is not null)`;

/** What is neither settled nor for a person to settle; whether nothing can settle it but a person. */
function open(world: World): { what: string; isStuck: boolean }[] {
  const found: { what: string; isStuck: boolean }[] = [];
  for (const { ref, reference, status, pending } of world.store.rows(OPEN)) {
    if (world.lost.has(String(reference))) continue;
    const charge = world.book.find(String(ref));
    const operation = pending === null ? undefined : (JSON.parse(pending as string) as { type: string }).type;
    const isStuck = charge?.isStuck === true || (operation === 'refund' && isLost(world, String(ref)));
    found.push({
      what: `${String(ref)} is ${String(status)}, and ${operation ?? 'nothing'} is pending`,
      isStuck,
    });
  }
  const others = world.store
    .rows("select id from notifications where status = 'received'")
    .map(({ id }) => `the notification ${String(id)} waits`);
  const waiting = undelivered(world);
  if (waiting > 0) others.push(`${waiting} events wait for their delivery`);
  if (world.book.all().some(({ accepted, waits, isStuck }) => accepted !== undefined || (waits && !isStuck)))
    others.push('the gateway is at work');
  return [...found, ...others.map((what) => ({ what, isStuck: false }))];
}

/** Whether the gateway has never got an open refund, and so nobody can say what became of it, or has refused it where nobody can ask. */
function isLost(world: World, ref: string): boolean {
  const rows = world.store.rows(
    `select refund_reference as refund from operations join payments on payments.id = payment_id
      where gateway_reference = ? and type = 'refund' and operations.status = 'unknown'`,
    ref,
  );
  const charge = world.book.find(ref);
  return rows.some(({ refund }) => {
    const state = charge?.refunds.get(String(refund))?.state;
    return state === undefined || (state !== 'open' && world.plan.refunds !== 'status');
  });
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
async function pass(world: World, orders: readonly OrderRun[], days: number): Promise<void> {
  for (const replica of world.replicas) {
    if (replica) await Promise.race([replica.stop(), world.time.pause(60_000)]);
    replica?.kill();
  }
  const held = leftAlone(world, days);
  world.note(`${days} days pass`);
  world.time.skip(days * DAY);
  await world.allUp();
  await until(world, () => open(world).length === 0, SETTLES_WITHIN);
  const stillHeld = (): string[] => leftAlone(world, days).filter((name) => held.includes(name));
  await until(world, () => stillHeld().length === 0, SETTLES_WITHIN);
  for (const name of stillHeld()) world.blame(`${name} was held for ${days} days, and nobody is told`);
  for (const order of orders) {
    await order.refundAgain();
    await order.approveLate();
  }
  await until(world, () => open(world).length === 0, SETTLES_WITHIN);
}

/** Holds of which nobody is told, where they have long been held. */
function leftAlone(world: World, days: number): string[] {
  if (days < HELD_TOO_LONG) return [];
  return world.store
    .rows("select gateway_reference as ref from payments where status = 'authorized' and needs_attention = 0")
    .map(({ ref }) => String(ref));
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
    if (world.lost.has(reference)) continue;
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
