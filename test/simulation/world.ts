import type { Config } from '../../src/config/config.ts';
import type { Random } from '../chaos/random.ts';
import { Decisions } from './decisions.ts';
import { Book, major, type Charge } from './book.ts';
import { randomOf, spread } from './chance.ts';
import type { Engine } from './engine.ts';
import { SimulatedGateway, type Call } from './gateway.ts';
import type { Strike, WorldPlan } from './plan.ts';
import { Replica, type ReplicaParts, type Reply } from './replica.ts';
import { SharedStore } from './shared-store.ts';
import { ShopEars, type Heard } from './shop.ts';
import { newTime, theTime, type VirtualTime } from './virtual-time.ts';

/** What the judge needs to know of an order. */
export interface OrderNotes {
  readonly reference: string;
  /** How often the shop or the payer has asked for an operation, each key once: by operation and charge. */
  readonly asked: ReadonlyMap<string, number>;
}

/** Whoever looks, while something happens, whether it may. */
export interface Judge {
  sends(world: World, call: Call): void;
  hears(world: World, event: Heard): void;
}

/** A failure of a promise, with the world's time at which it was seen. */
export interface Fault {
  at: number;
  what: string;
}

const PIN = { validatePin: { method: 'POST', path: '/payment/validate-pin', credentials: true } };
const REFUND_PROFILES = {
  none: {},
  sum: { refund: { method: 'POST', path: '/payment/refund', credentials: true } },
  status: {
    refund: { method: 'POST', path: '/payment/refund', credentials: true },
    refundStatus: { method: 'GET', path: '/refund/{refundRef}', credentials: true },
  },
};

/** What was heard has been recorded so soon after, if nothing is wrong. */
const RECORDED_WITHIN_MS = 5_000;
/** So long after a trouble its consequences may be seen. */
const TROUBLE_PASSES_MS = 20_000;
/** How long a process that died is away, in milliseconds. */
const AWAY = { least: 200, most: 20_000 };

const configs = new Map<string, Config>();
const telemetries = new WeakMap<Engine, ReplicaParts['telemetry']>();

/** One simulated world: replicas of the service, and everything around them. */
export class World {
  readonly time: VirtualTime = newTime();
  readonly book = new Book();
  readonly store: SharedStore;
  readonly gateway: SimulatedGateway;
  readonly ears: ShopEars;
  orders: readonly OrderNotes[] = [];
  readonly faults: Fault[] = [];
  readonly log: string[] = [];
  /** Each slot's living process, if it has one. */
  readonly replicas: (Replica | undefined)[];
  losesAnswers = 0;
  /** No faults any more, and nothing moves by itself but what was begun. */
  calm = false;
  /** Notifications that were acknowledged: for each charge, when its last change was told. */
  readonly told = new Map<string, number>();
  /** Until then something was wrong with a process or with the store. */
  troubleUntil = 0;
  /** When each intent was committed, by its operation; that of a payment by its `client_ref`. */
  readonly intended = new Map<string, number>();
  /** The intents that became calls. */
  readonly wentOut = new Set<string>();
  /** Orders of which the store has forgotten something: what was confirmed of them nobody can know any more. */
  readonly lost = new Set<string>();
  /** In which commit each event was written. */
  readonly writtenIn = new Map<string, number>();
  readonly decisions = new Decisions();
  #starts = 0;
  #busy = 0;
  readonly #parts: Omit<ReplicaParts, 'random'>;
  readonly plan: WorldPlan;
  readonly engine: Engine;
  private readonly keepsLog: boolean;

  constructor(engine: Engine, plan: WorldPlan, judge: Judge, keepsLog: boolean) {
    this.engine = engine;
    this.plan = plan;
    this.keepsLog = keepsLog;
    this.store = new SharedStore(engine, plan.kind, {
      intends: (name) => {
        this.intended.set(name, this.time.now);
      },
      announces: (id, commit) => {
        this.writtenIn.set(id, commit);
      },
      takesOver: (from, to, payment) => {
        this.#takenOver(from, to, payment);
      },
    });
    const randomOf = (name: string): Random => this.random(name);
    const blame = (what: string): void => {
      this.blame(what);
    };
    const note = (what: string): void => {
      this.note(what);
    };
    this.gateway = new SimulatedGateway(this.book, {
      grace: plan.grace * 1_000,
      randomOf,
      blame,
      note,
      changed: (charge, by) => {
        this.#changed(charge, by);
      },
      isLost: (reference) => this.lost.has(reference),
      sends: (call) => {
        judge.sends(this, call);
      },
    });
    this.gateway.temper = plan.temper;
    this.ears = new ShopEars({
      randomOf,
      blame,
      note,
      isLost: (reference) => this.lost.has(reference),
      heard: (event) => {
        note(
          `shop hears ${event.type} ${event.sequence} of ${event.data.reference} (${event.data.id}) ${event.data.status}`,
        );
        judge.hears(this, event);
      },
    });
    this.ears.faults = plan.temper.faults;
    this.replicas = Array.from({ length: plan.replicas }, () => undefined);
    const random = this.random('latency');
    this.#parts = {
      engine,
      store: this.store,
      config: this.#config(),
      profile: engine.load.parseProfile(
        JSON.stringify({
          outcome: { reference: ['/data/transaction/reference'], meanings: { pin: ['PIN_REQUIRED'] } },
          operations: { ...PIN, ...REFUND_PROFILES[plan.refunds] },
        }),
      ),
      telemetry: telemetryOf(engine),
      transport: (replica) => this.gateway.transport(replica),
      webhooks: (replica) => this.ears.sender(replica),
      latency: () => (random.chance(0.02) ? random.next() * plan.latency * 20 : random.next() * plan.latency),
      losesAnswers: () => this.losesAnswers,
    };
  }

  random(name: string): Random {
    return randomOf(this.plan.seed, name);
  }

  /** The service has heard how the charge stands, and has had the time to record it. */
  knows(charge: Charge): boolean {
    return this.book
      .heard(charge.ref)
      .some(
        (heard) =>
          heard.money === charge.money && heard.said >= (charge.unknownSince ?? 0) && this.isRecorded(heard),
      );
  }

  /** Whoever heard it lived on, and has had the time to record it. */
  isRecorded({ at, by }: { at: number; by: { readonly dead: boolean } }): boolean {
    return at <= this.time.now - RECORDED_WITHIN_MS && at >= this.troubleUntil && !by.dead;
  }

  /** Nobody can blame the service for not knowing how the charge stands. */
  isExcused(charge: Charge): boolean {
    if (charge.settledByPerson) return true;
    if (charge.unknownSince === undefined) return false;
    if (!this.knows(charge)) return true;
    charge.unknownSince = undefined;
    return false;
  }

  /** A living process that works on a payment keeps it. */
  #takenOver(from: string, to: string, payment: string): void {
    const holder = this.replicas.find((one) => one?.owner === from);
    const [row] = this.store.rows('select gateway_reference as ref from payments where id = ?', payment);
    const ref = String(row?.['ref']);
    if (!holder || holder.dead || holder.stopping || !this.gateway.isCalling(holder, ref)) return;
    if (this.time.now - this.troubleUntil > TROUBLE_PASSES_MS)
      this.blame(`${ref} was taken over by ${to} while ${holder.name} waits for a call about it`);
  }

  blame(what: string): void {
    this.note(`FAULT ${what}`);
    if (this.faults.length < 50) this.faults.push({ at: this.time.now, what });
  }

  note(what: string): void {
    if (this.keepsLog) this.log.push(`${(this.time.now / 1000).toFixed(3)} ${what}`);
  }

  /** Keeps the world from ending while it runs. */
  async busy<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1;
    try {
      return await work();
    } finally {
      this.#busy -= 1;
    }
  }

  get isBusy(): boolean {
    return this.#busy > 0;
  }

  /** Calls a replica, whichever is up; lost where none is. */
  call<T>(random: Random, work: (replica: Replica) => Promise<T>): Promise<Reply<T>> {
    const up = this.replicas.filter(
      (one): one is Replica => one?.serves === true && !one.dead && !one.stopping,
    );
    if (up.length === 0) return Promise.resolve({ kind: 'lost' });
    const replica = random.pick(up);
    return this.busy(() => replica.call(() => work(replica))).then((reply) => {
      if (reply.kind !== 'answered')
        this.note(`${replica.name}: ${reply.kind === 'lost' ? 'no answer' : reply.code}`);
      if (reply.kind === 'refused' && reply.code === 'internal-error') {
        const { error } = reply;
        this.blame(
          `a call failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        );
      }
      return reply;
    });
  }

  async start(slot: number): Promise<void> {
    const known = this.replicas[slot];
    if (known && !known.dead) return;
    this.#starts += 1;
    const name = `r${slot}.${this.#starts}`;
    this.note(`${name} starts`);
    const replica = new Replica(name, this.#wallOffset(slot), { ...this.#parts, random: this.random(name) });
    this.replicas[slot] = replica;
    replica.onTrouble = (until) => {
      this.troubleUntil = Math.max(this.troubleUntil, until);
    };
    replica.onDeath = () => {
      this.note(`${name} is gone`);
      replica.onTrouble(this.time.now);
      if (this.calm || replica.stopping) return;
      this.time.outside(() => {
        this.time.plan(spread(this.random(`away ${name}`), AWAY.least, AWAY.most), () => {
          void this.start(slot);
        });
      });
    };
    await this.busy(async () => {
      const started = await replica.call(() => replica.start());
      if (started.kind === 'refused' && !replica.dead) {
        // A store that is away: the process ends, and is started again.
        replica.kill();
        if (this.calm) throw started.error;
      }
    });
  }

  /** Every slot has a living process. */
  async allUp(): Promise<void> {
    for (const slot of this.replicas.keys()) await this.start(slot);
  }

  async restart(slot: number): Promise<void> {
    const replica = this.replicas[slot];
    if (!replica || replica.dead || replica.stopping) return;
    await this.busy(async () => {
      const stopped = await Promise.race([replica.stop().then(() => true), this.time.pause(45_000)]);
      if (!stopped && !this.calm) this.note(`${replica.name} does not stop`);
      replica.kill();
      await this.start(slot);
    });
  }

  readonly #walls = new Map<number, number>();
  #wallOffset(slot: number): number {
    return this.#walls.get(slot) ?? 0;
  }

  strike(strike: Strike): void {
    const { kind, milliseconds, boundary: at, nth, when } = strike;
    const { now } = this.time;
    const replica = this.replicas[strike.replica];
    const random = this.random(`strike ${strike.id}`);
    this.note(`STRIKE ${JSON.stringify(strike)}`);
    const days = (random.chance(0.5) ? 1 : -1) * spread(random, 2_000, 3 * 86_400_000);
    switch (kind) {
      case 'kill':
        return replica?.kill();
      case 'doom':
        if (replica) replica.doom = { at, nth, when };
        return;
      case 'freeze':
        // Some stand still for longer than anybody waits for them.
        replica?.freeze(milliseconds * (random.chance(0.3) ? 10 : 1));
        return;
      case 'restart':
        return void this.restart(strike.replica);
      case 'wall-clock':
        this.#walls.set(strike.replica, days);
        if (replica) replica.wallOffset = days;
        return;
      case 'database-clock':
        this.store.clockOffset += days / 20;
        return;
      case 'store-away':
        this.store.awayUntil = now + milliseconds / 3;
        this.troubleUntil = Math.max(this.troubleUntil, this.store.awayUntil);
        return;
      case 'cut-off':
        if (replica) replica.cutOffUntil = now + milliseconds;
        this.troubleUntil = Math.max(this.troubleUntil, now + milliseconds);
        return;
      case 'answers-lost':
        this.losesAnswers = 0.3;
        this.troubleUntil = Math.max(this.troubleUntil, now + milliseconds);
        this.time.plan(milliseconds, () => {
          this.losesAnswers = 0;
        });
        return;
      case 'failover':
        return this.#failOver(spread(random, 200, 5_000));
      case 'gateway-down':
        this.gateway.downUntil = now + milliseconds;
        return;
      case 'gateway-busy':
        this.gateway.busyUntil = now + milliseconds;
        return;
      case 'shop-away':
        this.ears.awayUntil = now + milliseconds;
        return;
    }
  }

  /** A clock is set by seconds or minutes, most often forward. */
  setDatabaseClock(random: Random): void {
    const milliseconds = spread(random, 5_000, 600_000) * (random.chance(0.8) ? 1 : -1);
    this.note(`the database's clock is set by ${Math.round(milliseconds)} ms`);
    this.store.clockOffset += milliseconds;
  }

  /** The database is lost with what it has confirmed for so long. All processes end, and start again once a person has accepted that. */
  #failOver(behind: number): void {
    const copy = this.store.copy();
    this.time.plan(behind, () => {
      if (this.calm) return;
      for (const replica of this.replicas) replica?.kill();
      const forgotten = this.store.failOver(copy);
      this.note(`a standby takes over that is ${Math.round(behind)} ms behind: ${forgotten.join(', ')}`);
      for (const reference of forgotten) this.lost.add(reference);
      // Nobody can follow a notification that was lost too.
      this.told.clear();
    });
  }

  /** From now on everything works. */
  async becomeCalm(): Promise<void> {
    this.calm = true;
    this.gateway.becomeCalm();
    this.ears.faults = 0;
    this.losesAnswers = 0;
    this.store.awayUntil = 0;
    for (const replica of this.replicas) if (replica) replica.doom = undefined;
    this.troubleUntil = Math.max(this.troubleUntil, this.time.now);
    await this.allUp();
  }

  /** The gateway tells somebody that something has changed. Whoever gets no answer tells again. */
  tell(charge: Charge, tries = 1): void {
    const random = this.random(`tell ${charge.ref} ${charge.changedAt} ${tries}`);
    const { changedAt } = charge;
    this.time.outside(() => {
      this.time.plan(spread(random, 20, tries === 1 ? 5_000 : 60_000), () => {
        const { word: status, ...said } = charge.said();
        void this.notify(random, charge.ref, { status, ...said }).then((taken) => {
          if (taken) this.told.set(charge.ref, Math.max(changedAt, this.told.get(charge.ref) ?? 0));
          else if (tries < 10) this.tell(charge, tries + 1);
        });
      });
    });
  }

  async notify(random: Random, ref: string, content: object): Promise<boolean> {
    const { NotificationsService } = this.engine.notifications;
    const [known] = this.store.rows('select id from payments where gateway_reference = ?', ref);
    const reply = await this.call(random, ({ container }) =>
      container.get(NotificationsService).take({
        headers: { 'content-type': 'application/json' },
        pathSecret: undefined,
        body: Buffer.from(JSON.stringify({ client_ref: ref, ...content })),
        address: '203.0.113.9',
      }),
    );
    if (reply.kind !== 'answered') return false;
    const kept = this.store.rows(
      'select id from notifications where payment_id = ? limit 1',
      String(known?.['id']),
    );
    if (known && kept.length === 0)
      this.blame(`a notification about ${ref} was acknowledged, and is not kept`);
    return true;
  }

  #changed(charge: Charge, by: 'call' | 'itself'): void {
    const random = this.random(`changed ${charge.ref} ${charge.changedAt}`);
    const known = this.store.payments(charge.reference).find((one) => one.gatewayReference === charge.ref);
    const closed =
      known && !['processing', 'requires_action', 'authorized', 'succeeded'].includes(known.status);
    // An answer on its way still says what was before.
    if (closed || (by === 'itself' && charge.answering > 0)) charge.unknownSince = this.time.now;
    if (random.chance(this.plan.notifies)) this.tell(charge);
    if (charge.waits && by === 'call') this.#payerDecides(charge, random);
  }

  /** A payer pays, or not, or the gateway gives up. */
  #payerDecides(charge: Charge, random: Random): void {
    const outcome = random.weighted([
      ['captured', 55],
      ['declined', 10],
      ['expired', 25],
      ['nothing', 10],
    ] as const);
    if (outcome === 'nothing' && !this.calm) return;
    this.time.plan(spread(random, 1_000, outcome === 'expired' ? 600_000 : 120_000), () => {
      if (!charge.waits) return;
      charge.change(this.time.now, {
        state: outcome === 'nothing' ? 'expired' : outcome,
        ...(outcome === 'captured' && { captured: charge.amount }),
      });
      this.#changed(charge, 'itself');
    });
  }

  /** Tells of a move of the gateway's own, as its staff or a bank made it. */
  moved(charge: Charge): void {
    this.#changed(charge, 'itself');
  }

  #config(): Config {
    const { bound } = this.plan;
    const key = `${this.plan.voids} ${this.plan.grace} ${bound}`;
    const known = configs.get(key);
    if (known) return known;
    const reading = this.engine.readConfig.readConfig({
      NODE_ENV: 'test',
      GATEWAY_BASE_URL: 'https://gateway.example',
      GATEWAY_API_KEY: 'simulated-gateway-api-key',
      GATEWAY_ACCESS_TOKEN: 'simulated-gateway-access-token',
      MERCHANT_API_KEY:
        'anna=simulated-merchant-key-0123456789,ben=simulated-merchant-key-9876543210,cleo=simulated-merchant-key-5432109876',
      SECRET_KEY: 'simulated-secret-key-0123456789abcdef0123456789',
      CARD_ENCRYPTION_KEY: this.engine.cardKey,
      PUBLIC_BASE_URL: 'https://pay.example',
      DATA_DIR: '/nowhere',
      MERCHANT_WEBHOOK_URL: 'https://shop.example/hook',
      MERCHANT_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      GATEWAY_TIMEOUT_MS: '5000',
      NOT_FOUND_GRACE_SECONDS: String(this.plan.grace),
      GATEWAY_STATUS_QUERIES_PER_SECOND: '50',
      DUPLICATE_POLICY: this.plan.voids ? 'void' : 'announce',
      ...(bound !== undefined && { APPROVAL_ABOVE: `NGN:${major(bound)}` }),
      SETTLEMENT_EXPECTED_DAYS: '2',
      CARD_TESTING_LIMIT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'silent',
    });
    if (reading.problems.length > 0) throw new Error(JSON.stringify(reading.problems));
    const config = reading.complete();
    configs.set(key, config);
    return config;
  }
}

function telemetryOf(engine: Engine): ReplicaParts['telemetry'] {
  const known = telemetries.get(engine);
  if (known) return known;
  const silent = { write: () => undefined };
  const made = {
    logger: engine.logger.createLogger({ logLevel: 'silent' }, silent),
    metrics: new engine.metrics.Metrics(),
    tracing: new engine.traces.Tracing(),
  };
  telemetries.set(engine, made);
  return made;
}

export { theTime };
