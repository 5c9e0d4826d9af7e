import type { Rules } from '../../src/payments/core/input.js';
import { Refusal } from '../../src/payments/core/refusal.js';
import { RULES } from '../core/given.js';
import { OWN_MOVES, type Ending } from '../core/true-gateway.js';
import { BEGINNINGS, type Beginning } from './beginnings.js';
import { Chance, drawIdsFrom } from './chance.js';
import { Database } from './database.js';
import { Faults } from './faults.js';
import { SimulatedGateway } from './gateway.js';
import { Judge } from './judge.js';
import { live, Person } from './people.js';
import { Replica } from './replica.js';
import { BEGINNING, time } from './virtual-time.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** So long after it took something, one of the gateway's own machines may not know it yet. */
const LAG_MS = 100_000;
/** How long a world rests before it is judged: three denials fit into it, and all urgent queries. */
const REST_MS = 40 * MINUTE;

export interface Outcome {
  payments: number;
  failure: string | undefined;
  log: readonly string[];
}

/** A few orders, one to three processes, a gateway, and whatever goes wrong. */
export class World {
  readonly chance: Chance;
  readonly faults: Faults;
  readonly database: Database;
  readonly gateway: SimulatedGateway;
  readonly judge: Judge;
  readonly rules: Omit<Rules, 'restoredAt'>;
  /** The gateway's answers have no amounts and totals. */
  readonly lean: boolean;
  /** How starts and codes end, where a beginning says so. */
  ending: Ending | undefined;
  lostAt = -Infinity;
  longestWait = 5 * MINUTE;
  private readonly arrivedAt = new Map<string, number>();
  private replicas: Replica[] = [];
  private processes = 0;
  private failure: string | undefined;
  private readonly lines: string[] = [];
  private readonly logs: boolean;
  private readonly seed: number;

  constructor(seed: number, logs: boolean, beginning?: Beginning) {
    time.clear();
    drawIdsFrom(seed);
    this.seed = seed;
    this.logs = logs;
    this.chance = new Chance(seed);
    const { chance } = this;
    this.faults = new Faults(chance, beginning ? 0 : chance.of([0, 0.3, 1, 1, 2]));
    this.lean = beginning?.lean ?? chance.is(0.3);
    this.rules = {
      ...RULES,
      duplicatePolicy: beginning?.duplicatePolicy ?? chance.of(['announce', 'void']),
      has: { ...RULES.has, refundStatus: beginning ? (beginning.refundStatus ?? false) : chance.is(0.5) },
    };
    this.judge = new Judge(this);
    this.gateway = new SimulatedGateway(this);
    this.database = new Database((reference, change) => {
      this.judge.committed(reference, change);
      for (const replica of this.replicas) replica.rouse();
    });
    const count = beginning ? 1 : chance.whole(1, 3);
    for (let index = 0; index < count; index++) this.begin();
  }

  /** Runs the whole life of it. */
  async run(beginning?: Beginning): Promise<Outcome> {
    try {
      const lives = beginning ? [this.play(beginning)] : this.lives();
      let over = 0;
      for (const life of lives)
        void life.catch((error: unknown) => this.fail(error)).finally(() => (over += 1));
      if (!beginning) this.mishaps();
      await time.run(() => this.failure !== undefined || over === lives.length);
      await this.rest(beginning !== undefined);
      if (beginning && this.failure === undefined) this.judge.ended(beginning.ends, 'B');
    } catch (error) {
      this.failure ??= `${textOf(error)}\n${this.due()}`;
    }
    for (const replica of this.replicas) replica.dead = true;
    return { payments: this.database.payments.size, failure: this.failure, log: this.lines };
  }

  /** A fault of the service: the world ends. */
  fail(error: unknown): void {
    if (this.failure !== undefined) return;
    this.failure = textOf(error);
    this.log(`FAILED: ${this.failure}`);
  }

  log(line: string): void {
    if (this.logs) this.lines.push(`${(time.now / 1_000).toFixed(1)} ${line}`);
  }

  anyReplica(): Replica {
    const living = this.replicas.filter(({ dead }) => !dead);
    return living.length > 0 ? this.chance.of(living) : this.begin();
  }

  lives(): Promise<void>[];
  lives(process: string): boolean;
  lives(process?: string): Promise<void>[] | boolean {
    if (process !== undefined) return this.replicas.some(({ name, lives }) => name === process && lives);
    return Array.from({ length: this.chance.whole(1, 3) }, (_, index) => {
      const reference = `O${this.seed}.${index}`;
      return live(new Person(this, reference), this.chance);
    });
  }

  crash(replica: Replica): void {
    replica.dead = true;
    this.log(`${replica.name} dies`);
    time.plan(this.chance.whole(500, 30_000), () => this.begin());
  }

  /** One of the gateway's own machines may not know it yet. */
  lags(name: string): boolean {
    return time.now - (this.arrivedAt.get(name) ?? time.now) < LAG_MS;
  }

  private begin(): Replica {
    this.processes += 1;
    const replica = new Replica(this, `p${this.processes}`);
    replica.clockOffset = this.processes === 1 ? 0 : this.chance.whole(-800, 800);
    this.replicas = [...this.replicas.filter(({ dead }) => !dead), replica];
    return replica;
  }

  /** When the next payment or session is due, in the world's time. */
  nextDue(): number {
    let next = Infinity;
    for (const { payment, lease } of this.database.payments.values()) {
      const until = lease && this.lives(lease.owner.split(':')[0] ?? '') ? lease.until : 0;
      next = Math.min(next, Math.max(payment.check.at ?? Infinity, until));
    }
    for (const { order } of this.database.orders.values()) next = Math.min(next, order.dueAt ?? Infinity);
    return next - BEGINNING - this.database.clockOffset;
  }

  private due(): string {
    const payments = [...this.database.payments.values()].map(
      ({ payment: { id, status, check, operations }, lease }) =>
        `${id} ${status} ${JSON.stringify(check)} ${operations.map(({ type, state }) => `${type} ${state}`).join()} ${JSON.stringify(lease)}`,
    );
    const orders = [...this.database.orders.values()].map(
      ({ order }) => `${order.reference} due ${order.dueAt}`,
    );
    return [BEGINNING + time.now, this.database.clockOffset, ...payments, ...orders].join('\n');
  }

  /** A caller was told that an operation was recorded. */
  acknowledge(reference: string, operation: string | undefined): void {
    if (operation === undefined || this.judge.lossy.has(reference)) return;
    const { payments } = this.database.state(reference);
    if (!payments.some(({ operations }) => operations.some(({ id }) => id === operation)))
      this.fail(`${operation} was acknowledged, and is not there`);
  }

  /** The gateway took a payment: later on, things happen to it there. */
  livesOn(name: string): void {
    this.arrivedAt.set(name, time.now);
    if (this.ending !== undefined) return;
    const count = this.chance.whole(0, 3);
    for (let index = 0; index < count; index++)
      time.plan(this.chance.wait(this.chance.of([5_000, 5 * MINUTE, 2 * HOUR])), () =>
        this.own(name, this.chance.of(Object.keys(OWN_MOVES))),
      );
  }

  /** A move of the gateway's own, and its notification. */
  own(name: string, move: string): void {
    if (!this.gateway.moves(name, move)) return;
    if (this.lean && (move === 'gives' || move === 'bounces')) this.judge.untold.add(name);
    if (!this.faults.happens('lostNotification')) this.notify(name);
  }

  private notify(name: string): void {
    const replica = this.anyReplica();
    const reference = name.slice(0, name.lastIndexOf('_'));
    const payment = this.database.state(reference).payments.find((one) => one.gatewayReference === name);
    const told = payment
      ? replica.orders.take(reference, { by: 'notification', payment: payment.id })
      : this.database.restoredAt === undefined
        ? Promise.resolve()
        : replica.prober.adopt(reference, Number(name.slice(name.lastIndexOf('_') + 1)));
    told.catch((error: unknown) => (error instanceof Refusal ? undefined : replica.failed(error)));
  }

  /** Clocks that jump, commits that are lost: until the world rests. */
  private mishaps(): void {
    const { chance, faults, database } = this;
    if (faults.level === 0) return;
    if (chance.is(0.15))
      time.plan(chance.wait(10 * MINUTE), () => {
        if (faults.level === 0) return;
        database.clockOffset += chance.of([-HOUR, -30_000, 40_000, 2 * HOUR]);
        this.log(`the database's clock jumps to ${database.clockOffset}`);
      });
    if (chance.is(0.15))
      time.plan(chance.wait(5 * MINUTE), () => {
        if (faults.level > 0) this.lose(chance.of([2_000, 40_000, 600_000]));
      });
  }

  lose(ms: number): void {
    const lost = this.database.lose(ms, BEGINNING + time.now + this.database.clockOffset);
    if (lost.length === 0) return;
    this.lostAt = time.now;
    this.log(`the last ${ms} ms of commits are lost`);
    for (const reference of lost) this.judge.lossy.add(reference);
    for (const { store } of this.replicas) store.sawLoss();
  }

  /** Nothing goes wrong any more, the gateway comes to its ends, and everything is asked about. */
  private async rest(asItIs: boolean): Promise<void> {
    if (this.failure !== undefined) return;
    this.faults.level = 0;
    this.ending = 'paid';
    this.longestWait = 6 * HOUR;
    const quiet = time.now + 3 * MINUTE;
    time.plan(3 * MINUTE, () => undefined);
    await time.run(() => this.failure !== undefined || time.now >= quiet);
    for (const name of asItIs ? [] : this.gateway.accounts.keys()) {
      this.gateway.moves(name, 'refunds');
      this.gateway.moves(name, this.chance.of(['pays', 'declines', 'expires']));
    }
    const rest = REST_MS + Math.max(0, -this.database.clockOffset);
    const end = time.now + rest;
    time.plan(rest, () => undefined);
    await time.run(() => this.failure !== undefined || time.now >= end);
    if (this.failure !== undefined) return;
    let over = false;
    void this.refreshAll()
      .catch((error: unknown) => this.fail(error))
      .finally(() => (over = true));
    await time.run(() => this.failure !== undefined || over);
    // What the last answers brought about is sent.
    const still = time.now + 2 * MINUTE;
    time.plan(2 * MINUTE, () => undefined);
    await time.run(() => this.failure !== undefined || time.now >= still);
    if (this.failure === undefined) this.judge.atRest();
  }

  private async refreshAll(): Promise<void> {
    for (let round = 0; round < 3; round++)
      for (const { payment } of [...this.database.payments.values()])
        await this.anyReplica().asker.ask(payment.reference, payment.id, 25_000);
  }

  private async play({ steps }: Beginning): Promise<void> {
    const person = new Person(this, 'B');
    for (const step of steps) {
      if ('ending' in step) this.ending = step.ending;
      else if ('gateway' in step) this.own(`B_${step.n}`, step.gateway);
      else if ('wait' in step) await time.sleep(step.wait);
      else if ('fate' in step) this.faults.fate = step.fate;
      else if ('says' in step) this.faults.says = step.says;
      else if ('slow' in step) this.faults.slow = true;
      else if ('lose' in step) this.lose(step.lose);
      else if ('meanwhile' in step) void person.act(step.meanwhile);
      else await person.act(step);
    }
  }
}

export function runSeed(seed: number, logs = false): Promise<Outcome> {
  return new World(seed, logs).run();
}

export function runBeginning(name: string, logs = false): Promise<Outcome> {
  const beginning = BEGINNINGS[name];
  if (!beginning) throw new Error(`There is no beginning ${name}`);
  return new World(1, logs, beginning).run(beginning);
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
