import { StoreUnavailable } from '../../src/store/store-unavailable.js';
import { Store, type Change, type Decide, type Sql, type Stored } from '../../src/store/store.js';
import type { Replica } from './replica.js';
import { BEGINNING, time } from './virtual-time.js';

/** So many times a write finds another state of its order. */
const MAX_TRIES = 20;

/** One process's store: the same database for all, reached through faults of its own. */
export class MemoryStore extends Store {
  readonly kind = 'postgres';
  lossSeenAt: number | undefined;
  private readonly cache = new Map<string, Stored>();
  private readonly replica: Replica;

  constructor(replica: Replica) {
    super();
    this.replica = replica;
  }

  get process(): string {
    return this.replica.name;
  }

  get restoredAt(): number | undefined {
    return this.replica.world.database.restoredAt;
  }

  now(): number {
    return (
      BEGINNING + Math.floor(time.now + this.replica.world.database.clockOffset + this.replica.clockOffset)
    );
  }

  /** Commits were lost: this process knows. */
  sawLoss(): void {
    this.lossSeenAt = this.now();
    this.cache.clear();
  }

  async write<T>(reference: string, decide: Decide<T>): Promise<T> {
    const { replica } = this;
    const { database, faults } = replica.world;
    const now = this.now();
    await replica.pass();
    let stored = this.cache.get(reference);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const fresh = stored === undefined;
      stored ??= database.read(reference);
      let decided: { change?: Change; result: T };
      try {
        decided = decide(stored, now);
      } catch (error) {
        if (fresh) throw error;
        stored = undefined;
        continue;
      }
      if (!decided.change) {
        if (fresh) return decided.result;
        stored = undefined;
        continue;
      }
      await replica.pass();
      if (faults.happens('commitFails')) throw new StoreUnavailable('the commit failed');
      if (!database.commit(stored, decided.change)) {
        stored = undefined;
        continue;
      }
      this.cache.set(reference, database.read(reference));
      if (faults.happens('commitUnknown')) throw new StoreUnavailable('the commit is unknown');
      await replica.pass();
      return decided.result;
    }
    throw new StoreUnavailable('the order changes all the time');
  }

  async read(reference: string): Promise<Stored> {
    await this.replica.pass();
    return this.replica.world.database.read(reference);
  }

  readOf(): Promise<undefined> {
    throw new Error('no order is read by an id');
  }

  remembered(): undefined {
    return undefined;
  }

  async rows<R>({ text, values = [] }: Sql): Promise<R[]> {
    await this.replica.pass();
    if (!text.startsWith('select reference from orders where due_at <= ?'))
      throw new Error(`no such question: ${text}`);
    const { orders } = this.replica.world.database;
    const due = [...orders].filter(
      ([, { order }]) => order.dueAt !== null && order.dueAt <= Number(values[0]),
    );
    return due.map(([reference]) => ({ reference })) as R[];
  }

  /** Claims payments that are due. */
  async returning<R>({ text, values = [] }: Sql): Promise<R[]> {
    await this.replica.pass();
    if (
      !/^update payments set lease_owner = \?, lease_until = \? where [^]*check_at <= \? and id in/.test(text)
    )
      throw new Error(`no such statement: ${text}`);
    const { database } = this.replica.world;
    const [owner, until, now] = [String(values[0]), Number(values[1]), Number(values[2])];
    const room = Number(values.at(-1));
    const urgentFirst = text.includes('check_urgent desc');
    const due = [...database.payments.values()]
      .filter(({ payment, lease }) => (payment.check.at ?? Infinity) <= now && this.isFree(lease, now))
      .sort(
        ({ payment: a }, { payment: b }) =>
          (urgentFirst ? Number(b.check.urgent) - Number(a.check.urgent) : 0) ||
          (a.check.at ?? 0) - (b.check.at ?? 0),
      )
      .slice(0, room);
    for (const { payment } of due) database.setLease(payment.id, { owner, until });
    return due.map(({ payment: { id, reference } }) => ({ id, reference })) as R[];
  }

  /** Takes a payment's lease. */
  async run({ text, values = [] }: Sql): Promise<number> {
    await this.replica.pass();
    if (
      !text.startsWith(
        'update payments set lease_owner = ?, lease_until = ? where id = ? and (lease_owner is null',
      )
    )
      throw new Error(`no such statement: ${text}`);
    const { database } = this.replica.world;
    const [owner, until, id, now] = [
      String(values[0]),
      Number(values[1]),
      String(values[2]),
      Number(values[3]),
    ];
    const row = database.payments.get(id);
    if (!row || !this.isFree(row.lease, now)) return 0;
    database.setLease(id, { owner, until });
    await this.replica.pass();
    return 1;
  }

  private isFree(lease: { owner: string; until: number } | undefined, now: number): boolean {
    return !lease || lease.until <= now || !this.replica.world.lives(lease.owner.split(':')[0] ?? '');
  }

  lease(): Promise<boolean> {
    return Promise.resolve(true);
  }

  onCommitted(): void {
    // Nobody waits for a payment here.
  }

  unusable(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
