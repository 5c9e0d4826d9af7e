import { LeaseWatch } from './lease-watch.js';
import type { LeaseRecord } from './schema.js';
import type { Store } from './store.js';

/** A lease for work that only one process does at a time. Each process has one object for each such work. */
export class NamedLease {
  constructor(
    private readonly store: Pick<Store, 'kind' | 'db' | 'owner' | 'clock'>,
    private readonly name: string,
    private readonly milliseconds: number,
    private readonly watch = new LeaseWatch(),
  ) {}

  /**
   * Takes or renews the lease. Returns its fencing number, or undefined where another process holds it. The same
   * statements serve both stores: a conditional write is the compare-and-set.
   */
  async take(): Promise<number | undefined> {
    return (await this.takeFree()) ?? (await this.takeOver());
  }

  /** Gives the lease back early, so that other processes need not wait for its end. */
  async release(): Promise<void> {
    await this.store.db
      .updateTable('leases')
      .set({ owner: null, until: 0 })
      .where('name', '=', this.name)
      .where('owner', '=', this.store.owner)
      .execute();
  }

  private async takeFree(): Promise<number | undefined> {
    const { db, owner } = this.store;
    const until = this.until();
    const row = await db
      .insertInto('leases')
      .values({ name: this.name, owner, until, fence: 1 })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet((eb) => ({ owner, until, fence: eb('leases.fence', '+', 1) }))
          .where((eb) => eb.or([eb('leases.owner', '=', owner), eb('leases.owner', 'is', null)])),
      )
      .returning('fence')
      .executeTakeFirst();
    return row?.fence;
  }

  /** Only of a holder that has shown no sign of life for as long as the lease lasts. */
  private async takeOver(): Promise<number | undefined> {
    const { db, owner } = this.store;
    const held = await db
      .selectFrom('leases')
      .selectAll()
      .where('name', '=', this.name)
      .where('owner', 'is not', null)
      .executeTakeFirst();
    if (!held || !this.isAbandoned(held)) return undefined;
    const row = await db
      .updateTable('leases')
      .set({ owner, until: this.until(), fence: held.fence + 1 })
      .where('name', '=', this.name)
      .where('owner', '=', held.owner)
      .where('until', '=', held.until)
      .where('fence', '=', held.fence)
      .returning('fence')
      .executeTakeFirst();
    return row?.fence;
  }

  private isAbandoned(held: LeaseRecord): boolean {
    // No other process can use an embedded store, so whoever held the lease is gone.
    if (this.store.kind === 'embedded') return true;
    const now = this.store.clock.now();
    return !this.watch.mayBeLiving(this.name, held, { now, lasts: this.milliseconds });
  }

  private until(): number {
    return this.store.clock.now() + this.milliseconds;
  }
}
