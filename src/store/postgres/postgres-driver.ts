import type { PoolClient, QueryResult } from 'pg';
import { absent, decodeOrders, NotCommitted } from '../driver.js';
import type { DecidedWrite, Driver, Outcome, OrderRow } from '../driver.js';
import { prepareStore, type PrepareOptions } from '../prepare.js';
import { META, NOW } from '../schema.js';
import { LOAD_MANY, LOAD_ONE } from '../statements.js';
import { StoreUnavailable } from '../store-unavailable.js';
import type { Sql, Stored } from '../store.js';
import { PostgresConnections } from './connections.js';
import { arrayOf, batchOf, nameOf, statement } from './batch.js';
import { numbered } from './numbered.js';
import { Pipeline, type Answer, type PipelinedStatement } from './pipeline.js';
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

/** Says which number the row had before the question. It can be asked again. */
const SETTLE = `update marks set before = case when mark = $1 then before else mark end, mark = $1
  where writer = $2 and mark <= $1 returning before`;

/** One of the batches that can be under way: a row of `marks`, and the numbers that it had. */
interface Slot {
  writer: string;
  mark: number;
  /** The number of a batch whose end is unknown. */
  unsettled: number | undefined;
}

/** PostgreSQL: a batch is one transaction, sent as one. */
export class PostgresDriver implements Driver {
  readonly shared = true;
  readonly slots = 2;
  readonly nowSql = NOW.postgres;
  private readonly connections: PostgresConnections;
  private readonly writers: Slot[];
  private forgotten: (writer: string) => Promise<void> = () => Promise.resolve();
  /** False for good once a pooler has lost them. */
  private named = true;

  constructor(url: () => string, process: string) {
    this.connections = new PostgresConnections(url);
    this.writers = Array.from({ length: this.slots }, (_, slot) => ({
      writer: `${process}/${slot}`,
      mark: 0,
      unsettled: undefined,
    }));
  }

  get marks(): ReadonlyMap<string, number> {
    return new Map(this.writers.map(({ writer, mark }) => [writer, mark]));
  }

  async prepare(options: Omit<PrepareOptions, 'kind'>): Promise<string> {
    return this.connections.patiently(async (query) => {
      await query(`select pg_advisory_xact_lock(${PREPARE_LOCK})`);
      const id = await prepareStore(query, { kind: 'postgres', ...options });
      for (const { writer } of this.writers)
        await query(
          `insert into marks (writer, mark, before, at) values (?, 0, 0, ${this.nowSql}) on conflict (writer) do nothing`,
          [writer],
        );
      return id;
    });
  }

  async load(references: readonly string[]): Promise<Map<string, Stored>> {
    const [answer] = await this.send([statement(LOAD_MANY, [arrayOf(references)])]);
    return decodeOrders(answer?.rows ?? []);
  }

  async commit(slot: number, writes: readonly DecidedWrite[]): Promise<Outcome> {
    const writer = this.writers[slot];
    if (!writer) throw new RangeError('There is no such slot');
    await this.settleFormer(writer);
    const client = await this.connections.forWrites();
    return this.commitOn(client, writer, writes);
  }

  async alone(
    slot: number,
    reference: string,
    decide: (stored: Stored) => DecidedWrite | undefined,
  ): Promise<Outcome> {
    const writer = this.writers[slot];
    if (!writer) throw new RangeError('There is no such slot');
    await this.settleFormer(writer);
    const client = await this.connections.forWrites();
    let write: DecidedWrite | undefined;
    try {
      await client.query('begin');
      await client.query('select 1 from orders where reference = $1 for update', [reference]);
      await client.query('select 1 from payments where reference = $1 for update', [reference]);
      const { rows } = await client.query<OrderRow>({
        text: numbered(LOAD_ONE),
        values: [reference],
        rowMode: 'array',
      } as never);
      write = decide(decodeOrders(rows).get(reference) ?? absent(reference));
      if (!write) await client.query('rollback');
    } catch (error) {
      client.release(true);
      throw asPostgresUnavailable(error);
    }
    if (write) return this.commitOn(client, writer, [write], false);
    client.release();
    return { won: [], lost: new Map() };
  }

  async rows<R>(question: Sql): Promise<R[]> {
    return (await this.query(question, this.connections.forReads)).rows as R[];
  }

  async returning<R>(statement: Sql): Promise<R[]> {
    return (await this.query(statement, this.connections.forWrites)).rows as R[];
  }

  async run(statement: Sql): Promise<number> {
    return (await this.query(statement, this.connections.forWrites)).rowCount ?? 0;
  }

  async recordLoss(at: number, writer: string): Promise<number> {
    const slot = this.writers.find((one) => one.writer === writer);
    const mark = (slot?.mark ?? 0) + 1;
    const [, , answer] = await this.send([
      statement('begin'),
      // Replicas that notice one loss agree on its time.
      statement(
        `insert into meta (name, value) values ('${META.restored}', ?) on conflict (name) do update set value = excluded.value
          where cast(meta.value as bigint) < cast(excluded.value as bigint) - 60000`,
        [at],
      ),
      statement(`select value from meta where name = '${META.restored}'`),
      statement(
        `insert into marks (writer, mark, before, at) values (?, ?, 0, ?)
          on conflict (writer) do update set mark = excluded.mark, before = 0`,
        [writer, mark, at],
      ),
      statement('commit'),
    ]);
    if (slot) slot.mark = mark;
    return Number(answer?.rows[0]?.[0] ?? at);
  }

  onForgotten(listener: (writer: string) => Promise<void>): void {
    this.forgotten = listener;
  }

  fault(): undefined {
    return undefined;
  }

  async close(): Promise<void> {
    await this.connections.end();
  }

  /** @param begins false where the connection is in a transaction */
  private async commitOn(
    client: PoolClient,
    slot: Slot,
    writes: readonly DecidedWrite[],
    begins = true,
  ): Promise<Outcome> {
    const mark = slot.mark + 1;
    const { statements, orders, lost } = batchOf(
      writes,
      { writer: slot.writer, from: slot.mark, to: mark },
      begins,
    );
    const pipeline = new Pipeline(statements, this.named);
    client.query(pipeline);
    let answers: Answer[];
    try {
      answers = await pipeline.done;
    } catch (error) {
      client.release(true);
      return this.failed(error, slot, mark, writes);
    }
    client.release();
    if (answers.at(-1)?.tag !== 'COMMIT') throw new StoreUnavailable('the database did not commit');
    slot.mark = mark;
    return {
      won: orders.map((index) => answers[index]?.tag.endsWith(' 1') === true),
      lost: decodeOrders(answers[lost]?.rows ?? []),
    };
  }

  private async failed(
    error: unknown,
    slot: Slot,
    mark: number,
    writes: readonly DecidedWrite[],
  ): Promise<Outcome> {
    if (!isRolledBack(error)) return this.settle(slot, mark, writes, asPostgresUnavailable(error));
    const state = sqlState(error) ?? '';
    if (state === DIVISION_BY_ZERO) await this.forgotten(slot.writer);
    else if (NAMES_LOST.has(state)) this.named = false;
    else if (!REPEATABLE.has(state)) {
      const cause = asPostgresUnavailable(error);
      throw cause instanceof StoreUnavailable
        ? cause
        : new NotCommitted('the database refuses a write', { cause });
    }
    throw new NotCommitted('the database has rolled it back');
  }

  /** Asks whether a batch was committed whose connection was lost. It is never sent again. */
  private async settle(
    slot: Slot,
    mark: number,
    writes: readonly DecidedWrite[],
    cause: unknown,
  ): Promise<Outcome> {
    slot.unsettled = mark;
    const end = performance.now() + SETTLE_MS;
    let committed: boolean | undefined;
    while (performance.now() < end) {
      try {
        committed ??= await this.ask(slot);
        if (committed) return await this.outcome(writes);
        throw new NotCommitted('its connection was lost before it was committed');
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    }
    throw cause instanceof StoreUnavailable
      ? new StoreUnavailable(cause.reason, cause.causeCode, true)
      : cause;
  }

  /** An earlier batch of this slot whose end nobody could say. */
  private async settleFormer(slot: Slot): Promise<void> {
    if (slot.unsettled !== undefined) await this.ask(slot);
  }

  /** Whether the slot's unsettled batch was committed. It can no longer be afterwards. */
  private async ask(slot: Slot): Promise<boolean> {
    const batch = slot.unsettled;
    if (batch === undefined) throw new TypeError('There is no such batch');
    const [row] = await this.returning<{ before: number }>({
      text: SETTLE,
      values: [batch + 1, slot.writer],
    });
    const before = row?.before ?? -1;
    slot.unsettled = undefined;
    slot.mark = Math.max(slot.mark, batch + 1);
    if (before < batch - 1) await this.forgotten(slot.writer);
    return before === batch;
  }

  /** Which writes of a batch counted that was committed. */
  private async outcome(writes: readonly DecidedWrite[]): Promise<Outcome> {
    const [answer] = await this.send([
      statement(LOAD_MANY, [arrayOf(writes.map(({ reference }) => reference))]),
    ]);
    const rows: OrderRow[] = answer?.rows ?? [];
    // The order may have been written once more since.
    const counted = new Set(rows.flatMap(([, rev, prev]) => [rev, prev]));
    return { won: writes.map(({ rev }) => counted.has(rev)), lost: decodeOrders(rows) };
  }

  /** Statements that only read, or that can be repeated. */
  private async send(statements: PipelinedStatement[], tries = 1): Promise<Answer[]> {
    const client = await this.connections.forWrites();
    const pipeline = new Pipeline(statements, this.named);
    client.query(pipeline);
    try {
      const answers = await pipeline.done;
      client.release();
      return answers;
    } catch (error) {
      client.release(true);
      if (!this.mayRepeat(error, tries)) throw asPostgresUnavailable(error);
      return this.send(statements, tries + 1);
    }
  }

  private async query(
    { text, values = [], lookup = false }: Sql,
    connect: () => Promise<PoolClient>,
    tries = 1,
  ): Promise<QueryResult<Record<string, unknown>>> {
    const client = await connect();
    try {
      const result = await client.query<Record<string, unknown>>({
        ...(lookup && this.named && { name: nameOf(text) }),
        text: numbered(text),
        values: [...values],
      });
      client.release();
      return result;
    } catch (error) {
      // The connection is whole only after an error of the server's own.
      client.release(!isRolledBack(error));
      if (!this.mayRepeat(error, tries)) throw asPostgresUnavailable(error);
      return this.query({ text, values, lookup }, connect, tries + 1);
    }
  }

  /** Whether the database did nothing, and would do it if it is asked again. */
  private mayRepeat(error: unknown, tries: number): boolean {
    const state = sqlState(error) ?? '';
    if (NAMES_LOST.has(state)) this.named = false;
    return tries < MAX_TRIES && (NAMES_LOST.has(state) || REPEATABLE.has(state));
  }
}
