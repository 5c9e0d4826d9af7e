import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { sql } from 'kysely';
import { NamedLease } from '../store/named-lease.js';
import type { Store } from '../store/store.js';
import type { DeliveryTelemetry } from './delivery-telemetry.js';
import { CoalescingTimer } from './coalescing-timer.js';

const LEASE = 'event-sequencer';
/** A replica that dies while it holds the lease delays the others by this at most. */
const LEASE_MS = 1_000;
/** Events that are written within this time get their positions together. */
const GATHER_MS = 50;
/** How soon to look again while another replica assigns positions. */
const BUSY_MS = 100;
/**
 * How often to look for events of a replica that died before it assigned their positions. Also the pause after a
 * failure.
 */
const POLL_MS = 500;
/** Positions assigned by one statement. */
const CHUNK = 1_000;

/**
 * Assigns each event its position in the order of all events, without gaps and always at the end. On PostgreSQL
 * positions are assigned after the commit, by one process at a time: a number drawn while writing would become visible
 * out of order, and a reader who asks for everything after the last one would miss some. Within a payment or a session
 * the order is that of `sequence`.
 *
 * The embedded store has one process, whose commits happen one after the other. It assigns positions in them, so that
 * only the listeners must be told here.
 */
export class Sequencer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly timer = new CoalescingTimer(() => this.run());
  private readonly lease: NamedLease;
  private readonly listeners: (() => void)[] = [];
  /** Events were written here since the last look, so the store need not be asked whether there are any. */
  private expecting = false;
  /** Whether the embedded store was searched for events that an earlier version left without a position. */
  private lookedBack = false;

  constructor(
    private readonly store: Store,
    private readonly telemetry: DeliveryTelemetry,
  ) {
    this.lease = new NamedLease(store, LEASE, LEASE_MS);
  }

  onApplicationBootstrap(): void {
    this.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  /** Assigns positions to events that a crash left without, then to all that are written. */
  start(): void {
    this.store.writer.onCommitted((changes) => {
      if (!changes.events || changes.events.length === 0) return;
      this.expecting = true;
      this.timer.wake(GATHER_MS);
    });
    void this.store.prepared.then(() => {
      this.timer.wake(0);
    });
  }

  /** Resolves when no work is under way any more. */
  async stop(): Promise<void> {
    await this.timer.stop();
  }

  /** Calls `listener` each time events got their positions in this process. */
  onPlaced(listener: () => void): void {
    this.listeners.push(listener);
  }

  private async run(): Promise<number | undefined> {
    try {
      const placed = await this.placeAll();
      this.telemetry.worked('sequencing');
      if (placed === 'busy') return BUSY_MS;
      if (placed > 0) for (const listener of this.listeners) listener();
      return this.store.kind === 'embedded' ? undefined : POLL_MS;
    } catch (error) {
      this.telemetry.failed('sequencing', error);
      return POLL_MS;
    }
  }

  /** How many events got their position since the last look; on the embedded store only whether any did. */
  private async placeAll(): Promise<number | 'busy'> {
    if (this.store.kind === 'embedded') {
      await this.placeLeftOvers();
      return Number(this.takeExpecting());
    }
    const expecting = this.takeExpecting();
    if (!expecting && !(await this.anyUnplaced())) return 0;
    for (let placed = 0; ;) {
      const more = await this.placeAsOnlyOne();
      if (more === 'busy') return placed > 0 ? placed : more;
      placed += more;
      if (more < CHUNK) return placed;
    }
  }

  private takeExpecting(): boolean {
    const { expecting } = this;
    this.expecting = false;
    return expecting;
  }

  /** Runs once: an earlier version assigned positions after the commit here too, and may have stopped in between. */
  private async placeLeftOvers(): Promise<void> {
    while (!this.lookedBack) {
      const placed = await this.placeChunk();
      if (placed > 0) this.expecting = true;
      this.lookedBack = placed < CHUNK;
    }
  }

  /** Assigns positions under a lease, so that one process does so at a time. */
  private async placeAsOnlyOne(): Promise<number | 'busy'> {
    if ((await this.lease.take()) === undefined) return 'busy';
    try {
      return await this.placeChunk();
    } finally {
      await this.lease.release();
    }
  }

  private async anyUnplaced(): Promise<boolean> {
    const { rows } = await sql`select 1 from events where position is null limit 1`.execute(this.store.db);
    return rows.length > 0;
  }

  /**
   * Assigns positions in one statement, so that all become visible at once. Clocks of replicas differ, so an event's
   * time is never earlier than that of the event before it of the same payment. Should two processes assign at the same
   * time, the unique index makes one of them fail as a whole. (`coalesce`, because otherwise SQLite would search the
   * rows without a position again for each number.)
   */
  private async placeChunk(): Promise<number> {
    const { numAffectedRows } = await sql`
      with aged as (
        select id, aggregate_id, sequence,
          max(created_at) over (partition by aggregate_id order by sequence) as at
        from events where position is null),
      numbered as materialized (
        select id, row_number() over (order by at, aggregate_id desc, sequence) as number from aged),
      placed as materialized (
        select coalesce(max(position), 0) as last from events)
      update events set position = placed.last + numbered.number from numbered, placed
      where events.id = numbered.id and coalesce(events.position, 0) = 0 and numbered.number <= ${CHUNK}
    `.execute(this.store.db);
    return Number(numAffectedRows ?? 0n);
  }
}
