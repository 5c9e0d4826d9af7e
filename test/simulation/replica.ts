import type { Asker } from '../../src/payments/asker.js';
import type { Checker } from '../../src/payments/checker.js';
import type { Rules } from '../../src/payments/core/input.js';
import type { Engine } from '../../src/payments/engine.js';
import { OrderWriter } from '../../src/payments/order-writer.js';
import { Parts } from '../../src/payments/parts.js';
import type { Prober } from '../../src/payments/prober.js';
import { StoreUnavailable } from '../../src/store/store-unavailable.js';
import { asksOf, GATEWAY_TIMEOUT_MS } from './gateway.js';
import { MemoryStore } from './memory-store.js';
import { time } from './virtual-time.js';
import type { World } from './world.js';

/** Nobody waits for what a dead process began. Each is a promise of its own, so that a world that is over is forgotten. */
const never = (): Promise<never> => new Promise(() => undefined);
const TICK_MS = 250;

/** One process of the service: the real engine, asker, checker and prober, between seams at which it may stand still or die. */
export class Replica {
  readonly world: World;
  readonly name: string;
  dead = false;
  /** When its last heartbeat was: it stands still since then. */
  frozenUntil = 0;
  frozenSince = 0;
  clockOffset = 0;
  /** Something may be due earlier now. */
  rouse: () => void = () => undefined;
  readonly store: MemoryStore;
  readonly orders: OrderWriter;
  readonly engine: Engine;
  readonly asker: Asker;
  readonly checker: Checker;
  readonly prober: Prober;

  constructor(world: World, name: string) {
    this.world = world;
    this.name = name;
    this.store = new MemoryStore(this);
    const rules = (): Rules => ({ ...world.rules, restoredAt: this.store.restoredAt });
    const recording = { livemode: false, isLate: () => false };
    this.orders = new OrderWriter(this.store, rules, recording, () => Promise.resolve(false));
    const parts = new Parts(this.orders, asksOf(this), {
      gatewayTimeoutMs: GATEWAY_TIMEOUT_MS,
      queriesPerSecond: 0,
      declines: () => [],
      failed: (error) => this.failed(error),
    });
    this.asker = parts.asker;
    this.engine = parts.engine;
    this.checker = parts.checker;
    this.prober = parts.prober;
    void this.loop();
  }

  /** Between two awaits: time passes, and the process may stand still or die. */
  async pass(): Promise<void> {
    const { world } = this;
    if (this.dead) return never();
    if (world.faults.happens('crash')) {
      world.crash(this);
      return never();
    }
    if (world.faults.happens('freeze')) {
      this.frozenSince = time.now;
      this.frozenUntil = time.now + world.chance.whole(3_000, 90_000);
    }
    await time.sleep(world.chance.whole(1, 4));
    while (this.frozenUntil > time.now) await time.sleep(this.frozenUntil - time.now);
    return this.dead ? never() : undefined;
  }

  /** Whether its heartbeat is younger than ten seconds. */
  get lives(): boolean {
    if (this.dead) return false;
    return this.frozenUntil <= time.now || time.now - this.frozenSince < 10_000;
  }

  /** What a call of its throws: a store that is away is nothing new, anything else is. */
  failed(error: unknown): void {
    if (!(error instanceof StoreUnavailable)) this.world.fail(error);
  }

  private async loop(): Promise<void> {
    while (!this.dead) {
      await this.pass();
      await this.checker.round().catch((error: unknown) => this.failed(error));
      await this.idle();
    }
  }

  /** Nothing is looked for before it is due: most of a world's time nothing happens. */
  private idle(): Promise<void> {
    return new Promise((resolve) => {
      const earliest = time.now + TICK_MS;
      let planned = time.plan(0, () => undefined);
      this.rouse = () => {
        const at = Math.max(earliest, Math.min(time.now + this.world.longestWait, this.world.nextDue()));
        if (planned.run && planned.at <= at && planned.at > time.now) return;
        planned.run = undefined;
        planned = time.plan(at - time.now, resolve);
      };
      planned.run = undefined;
      this.rouse();
    });
  }
}
