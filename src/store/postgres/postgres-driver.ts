import type { PoolClient, QueryResult } from 'pg';
import { Forgotten, newMarks, NotCommitted } from '../driver.js';
import type { DecidedWrite, Driver, Mark, Query } from '../driver.js';
import { StoreUnavailable } from '../store-unavailable.js';
import type { Sql } from '../store.js';
import { batchOf } from './batch.js';
import { PostgresConnections } from './connections.js';
import { numbered } from './numbered.js';
import { Pipeline } from './pipeline.js';
import { asPostgresUnavailable, isRolledBack, sqlState } from './unavailable.js';

/** Any number that nobody else takes: 't', 'i', 'l', 'l', and which lock. */
const PREPARE_LOCK = 0x74696c6c01;
/** The mark did not move: see `MOVE_MARK`. */
const DIVISION_BY_ZERO = '22012';
/** Serialization failure and deadlock: nothing was done, and it can be done again. */
const REPEATABLE = new Set(['40001', '40P01']);
/** A pooler gave out another server's session: it does not know the name, or knows it already. */
const NAMES_LOST = new Set(['26000', '42P05']);
/** How long a batch is asked for whose connection was lost. */
const SETTLE_MS = 10_000;
const ASK_EVERY_MS = 200;
/** Of a statement that the database rolled back for another one's sake. */
const MAX_TRIES = 4;

/**
 * Whether the batch after `mark` was committed, by the number that follows: one more, or two more and then it cannot be committed any
 * longer, however late the server gets to it. It can be asked again.
 */
const SETTLE = `update marks set mark = case when mark = cast(? as bigint) then mark + 2 else mark end where writer = ? returning mark`;
const REVISIONS =
  'select rev, prev from orders where reference = any (array (select jsonb_array_elements_text(cast(? as jsonb))))';

/** PostgreSQL: a batch is one transaction, sent as one. */
export class PostgresDriver implements Driver {
  readonly kind = 'postgres';
  readonly marks: readonly Mark[];
  readonly beat: Mark;
  private readonly connections: PostgresConnections;
  /** Those with a batch whose end is unknown. */
  private readonly unsettled = new Set<Mark>();
  private readonly names = new Map<string, string>();
  /** False for good once a pooler has lost them. */
  private named = true;

  constructor(url: () => string, process: string) {
    this.connections = new PostgresConnections(url);
    ({ marks: this.marks, beat: this.beat } = newMarks(process));
  }

  prepare<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.connections.patiently(async (query) => {
      await query(`select pg_advisory_xact_lock(${PREPARE_LOCK})`);
      return work(query);
    });
  }

  async commit(mark: Mark, writes: readonly DecidedWrite[]): Promise<boolean[]> {
    if (this.unsettled.has(mark)) await this.isCommitted(mark);
    const { statements, orders } = batchOf(mark, this.beat, writes);
    const client = await this.connections.forWrites();
    const pipeline = new Pipeline(statements, this.named);
    client.query(pipeline);
    let tags: string[];
    try {
      tags = await pipeline.done;
    } catch (error) {
      client.release(true);
      if (!isRolledBack(error)) return this.settle(mark, writes, asPostgresUnavailable(error));
      throw this.rolledBack(error, mark);
    }
    client.release();
    if (tags.at(-1) !== 'COMMIT') throw new StoreUnavailable('the database did not commit');
    mark.count += 1;
    return orders.map((index) => tags[index]?.endsWith(' 1') === true);
  }

  async rows<R>(question: Sql): Promise<R[]> {
    const { forWrites, forReads } = this.connections;
    return (await this.query(question, question.lookup ? forWrites : forReads)).rows as R[];
  }

  async returning<R>(statement: Sql): Promise<R[]> {
    return (await this.query(statement, this.connections.forWrites)).rows as R[];
  }

  async run(statement: Sql): Promise<number> {
    return (await this.query(statement, this.connections.forWrites)).rowCount ?? 0;
  }

  get brokenAt(): number | undefined {
    return this.connections.brokenAt;
  }

  fault(): undefined {
    return undefined;
  }

  close(): Promise<void> {
    return this.connections.end();
  }

  private rolledBack(error: unknown, mark: Mark): unknown {
    const state = sqlState(error) ?? '';
    if (state === DIVISION_BY_ZERO) return new Forgotten(mark);
    if (this.mayRepeat(error)) return new NotCommitted('the database has rolled it back');
    const cause = asPostgresUnavailable(error);
    return cause instanceof StoreUnavailable
      ? cause
      : new NotCommitted('the database refuses a write', { cause });
  }

  /** Asks for a batch whose connection was lost. It is never sent again. */
  private async settle(mark: Mark, writes: readonly DecidedWrite[], cause: unknown): Promise<boolean[]> {
    this.unsettled.add(mark);
    const end = performance.now() + SETTLE_MS;
    let committed: boolean | undefined;
    while (performance.now() < end) {
      try {
        committed ??= await this.isCommitted(mark);
        if (committed) return await this.counted(writes);
        throw new NotCommitted('its connection was lost before it was committed');
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    }
    const { reason, causeCode } = cause as Partial<StoreUnavailable>;
    throw new StoreUnavailable(reason ?? 'a commit has no answer', causeCode, true);
  }

  /** Whether the unsettled batch was committed. It can no longer be afterwards. */
  private async isCommitted(mark: Mark): Promise<boolean> {
    const before = mark.count;
    const [row] = await this.returning<{ mark: number }>({ text: SETTLE, values: [before, mark.writer] });
    this.unsettled.delete(mark);
    if (row?.mark !== before + 1 && row?.mark !== before + 2) throw new Forgotten(mark);
    mark.count = row.mark;
    return row.mark === before + 1;
  }

  /** Which writes of a batch counted that was committed. */
  private async counted(writes: readonly DecidedWrite[]): Promise<boolean[]> {
    const references = JSON.stringify(writes.map(({ reference }) => reference));
    const rows = await this.rows<{ rev: string; prev: string | null }>({
      text: REVISIONS,
      values: [references],
      lookup: true,
    });
    // The order may have been written once more since.
    const revisions = new Set(rows.flatMap(({ rev, prev }) => [rev, prev]));
    return writes.map(({ rev }) => revisions.has(rev));
  }

  private async query(
    { text, values = [], lookup = false }: Sql,
    connect: () => Promise<PoolClient>,
    tries = 1,
  ): Promise<QueryResult<Record<string, unknown>>> {
    const client = await connect();
    try {
      const result = await client.query<Record<string, unknown>>({
        ...(lookup && this.named && { name: this.nameOf(text) }),
        text: numbered(text),
        values: [...values],
      });
      client.release();
      return result;
    } catch (error) {
      // The connection is whole only after an error of the server's own.
      client.release(!isRolledBack(error));
      if (!this.mayRepeat(error) || tries === MAX_TRIES) throw asPostgresUnavailable(error);
      return this.query({ text, values, lookup }, connect, tries + 1);
    }
  }

  /** The name under which a text is prepared that is always the same. */
  private nameOf(text: string): string {
    const name = this.names.get(text) ?? `tf_lookup_${this.names.size}`;
    this.names.set(text, name);
    return name;
  }

  /** Whether the database did nothing, and would do it if it is asked again. */
  private mayRepeat(error: unknown): boolean {
    const state = sqlState(error) ?? '';
    if (NAMES_LOST.has(state)) this.named = false;
    return NAMES_LOST.has(state) || REPEATABLE.has(state);
  }
}
