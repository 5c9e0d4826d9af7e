import type { OnApplicationBootstrap } from '@nestjs/common';
import { sql } from 'kysely';
import type { Store } from '../store/store.js';
import type { DeliveryTelemetry } from './delivery-telemetry.js';
import { CoalescingTimer } from '../background/coalescing-timer.js';

/** Batches that are written within this time get their positions together. */
const GATHER_MS = 50;
/** How soon to look again while another replica assigns positions. */
const BUSY_MS = 100;
/** How often to look for batches of a replica that died before it assigned their positions. */
const POLL_MS = 500;
/** Positions assigned by one statement. */
const CHUNK = 1_000;
/** The lock of whoever assigns positions, of those that end with their transaction. Any number that means nothing else. */
const LOCK = 7_455_563_710;
const UNIQUE_VIOLATION = '23505';

/**
 * Assigns each batch of events its position in the one order, without gaps and always at the end. On PostgreSQL positions
 * are assigned after the commit, by one process at a time: a number drawn while writing would become visible out of order,
 * and a reader who asks for everything after the last one would miss some. Batches go by their ids, which are drawn while
 * writing. Of two batches about one reference the later one has the greater id, because its commit had seen the former one's,
 * so the events of a payment keep their order and no clock has a say in it.
 *
 * The embedded store has one process, whose commits happen one after the other. It assigns positions in them, so that
 * only the listeners must be told here.
 */
export class Sequencer implements OnApplicationBootstrap {
  private readonly timer = new CoalescingTimer(() => this.run());
  private readonly listeners: (() => void)[] = [];
  /** Events were written here since the last look, so the store need not be asked whether there are any. */
  private expecting = false;

  constructor(
    private readonly store: Store,
    private readonly telemetry: DeliveryTelemetry,
  ) {}

  onApplicationBootstrap(): void {
    this.start();
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
  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

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
      return this.telemetry.failed('sequencing', error);
    }
  }

  /** How many batches got their position since the last look; on the embedded store only whether any did. */
  private async placeAll(): Promise<number | 'busy'> {
    const { expecting } = this;
    this.expecting = false;
    if (this.store.kind === 'embedded') return Number(expecting);
    if (!expecting && !(await this.anyUnplaced())) return 0;
    for (let placed = 0; ;) {
      const more = await this.placeChunk();
      if (more === 'busy') return placed > 0 ? placed : more;
      placed += more;
      if (more < CHUNK) return placed;
    }
  }

  private async anyUnplaced(): Promise<boolean> {
    const { rows } = await sql`select 1 from event_batches where position is null limit 1`.execute(
      this.store.db,
    );
    return rows.length > 0;
  }

  /**
   * Assigns positions in one statement, so that all become visible at once. It takes the lock and gives it back at its end,
   * whatever becomes of this process. A statement that began while another still had the lock, and got it after that one's end,
   * sees the store as it was before. What the other one has placed it leaves alone, and where it would give a position twice
   * the unique index makes it fail as a whole. So there are no gaps either.
   */
  private async placeChunk(): Promise<number | 'busy'> {
    try {
      const { rows } = await sql<{ mine: boolean; placed: number }>`
        with turn as materialized (
          select pg_try_advisory_xact_lock(${LOCK}) as mine),
        unplaced as materialized (
          select id, row_number() over (order by id) as number
          from event_batches where position is null order by id limit ${CHUNK}),
        last as materialized (
          select coalesce(max(position), 0) as position from event_batches),
        placed as (
          update event_batches set position = last.position + unplaced.number from unplaced, last, turn
          where event_batches.id = unplaced.id and event_batches.position is null and turn.mine
          returning 1)
        select turn.mine, (select count(*) from placed) as placed from turn
      `.execute(this.store.db);
      const [row] = rows;
      return row?.mine ? Number(row.placed) : 'busy';
    } catch (error) {
      if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return 'busy';
      throw error;
    }
  }
}
