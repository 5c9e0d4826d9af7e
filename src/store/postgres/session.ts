import type { Client, ClientBase, PoolClient, QueryResult } from 'pg';
import type { PostgresClock } from '../clock/postgres-clock.js';
import { countOnPostgres } from '../count-declines.js';
import {
  DecideAgain,
  versionAfter,
  type Write,
  type Question,
  type Reader,
  type StoreDriver,
  type StoreSession,
} from '../driver.js';
import type { PostgresHistory } from '../history/postgres-history.js';
import { listOf, selectWhere } from '../statements.js';
import type { StoredRow } from '../table.js';
import type { PostgresConnections } from './connections.js';
import { SaveStatement } from './save.js';
import { asPostgresUnavailable } from './unavailable.js';

/** Serialization failure and deadlock; and a key that was replaced meanwhile, by which the statement divides by zero. */
const REPEATABLE = new Set(['40001', '40P01', '22012']);
const UNIQUE_VIOLATION = '23505';
const KEYS_CONSTRAINT = 'idempotency_keys_pkey';

/** One view of the store for all questions of a batch. */
const LOOK = 'begin isolation level repeatable read, read only';
const LOCK = 'begin';

/**
 * Whether the statement did nothing and can simply be repeated. Then it sees a key that another process has written
 * meanwhile.
 */
function mayRunAgain(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return REPEATABLE.has(code ?? '') || (code === UNIQUE_VIOLATION && constraint === KEYS_CONSTRAINT);
}

export interface PostgresParts {
  clock: PostgresClock;
  history: PostgresHistory;
  pooler: boolean;
}

/**
 * PostgreSQL for batches, without a lock and without a transaction that outlasts a statement, unless a write has lost before.
 *
 * Statements that need no earlier answer are sent together: the server runs them in order. Behind a pooler none is sent after the end
 * of a transaction before that is answered. An older one (PgBouncer before 1.21) may give the server's session to somebody else as soon
 * as the transaction has ended, with half of the next statement sent to it.
 */
export class PostgresDriver implements StoreDriver {
  readonly concurrency = 2;
  /** A pooler may have gone to another server, which only a question finds out before a payment is begun there. */
  readonly beginsOnRead: boolean;
  /** Prepared statements have names: one for each combination of what a batch can write. */
  private readonly saveNames = new Map<string, string>();

  constructor(
    private readonly pool: Pick<PostgresConnections, 'connect'>,
    private readonly parts: PostgresParts,
  ) {
    this.beginsOnRead = parts.pooler;
  }

  get generation(): number {
    return this.parts.history.generation;
  }

  async session<T>(work: (session: StoreSession) => Promise<T>): Promise<T> {
    let client: PoolClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      throw asPostgresUnavailable(error);
    }
    let broken = true;
    try {
      const result = await work(new PostgresSession(client, this.parts, this.saveNames));
      broken = false;
      return result;
    } catch (error) {
      broken = await client.query('rollback').then(
        () => false,
        () => true,
      );
      throw mayRunAgain(error) ? new DecideAgain() : asPostgresUnavailable(error);
    } finally {
      client.release(broken);
    }
  }
}

class PostgresSession implements StoreSession {
  private begun: 'look' | 'lock' | undefined;

  constructor(
    private readonly client: PoolClient,
    private readonly parts: PostgresParts,
    private readonly saveNames: Map<string, string>,
  ) {}

  async read<T>(lock: boolean, ask: (reader: Reader) => Promise<T>): Promise<T> {
    this.begun = lock ? 'lock' : 'look';
    const { client, parts } = this;
    const [, found] = await inOneWrite(client, () =>
      Promise.all([
        parts.clock.beginTransaction(client, lock ? LOCK : LOOK),
        ask({
          rows: (question, ...lists) => this.rows(question, lists),
          declines: (asked) => countOnPostgres(client, asked),
        }),
      ]),
    );
    return found;
  }

  /** Sends the writes, and what ends the transaction of the questions before them or, where that has locks, after them. */
  async save(writes: readonly Write[]): Promise<ReadonlySet<string>> {
    const { client, begun } = this;
    const commitsAlone = begun === 'look' && this.parts.pooler;
    if (commitsAlone) await client.query('commit');
    const statement = writes.length === 0 ? undefined : new SaveStatement(writes);
    const save = (): Promise<QueryResult<{ reference: string }>> | undefined =>
      statement &&
      client.query({
        name: this.saveName(statement.text),
        text: statement.text,
        values: statement.values,
      });
    const [, answer] = await inOneWrite(client, () =>
      Promise.all([
        begun === 'look' && !commitsAlone && client.query('commit'),
        save(),
        begun === 'lock' && client.query('commit'),
      ]),
    );
    const won = new Set(answer?.rows.map(({ reference }) => reference));
    for (const write of writes) {
      const { reference, attempts } = write.changes.reference ?? write.loaded.snapshot.reference;
      if (won.has(reference))
        this.parts.history.witness.note({ reference, version: versionAfter(write), attempts });
    }
    return won;
  }

  private async rows<R>(question: Question<R>, lists: readonly (readonly string[])[]): Promise<StoredRow[]> {
    const locks = question.locks && this.begun === 'lock';
    const text = selectWhere(question.table, question.where(question.pairs ? givenPair : given));
    const { rows } = await this.client.query<StoredRow>({
      name: `${locks ? 'lock' : 'load'}-${question.name}`,
      text: locks ? `${text} for update` : text,
      values: [...lists],
    });
    return rows;
  }

  private saveName(text: string): string {
    let name = this.saveNames.get(text);
    if (name === undefined) {
      name = `save-${this.saveNames.size}`;
      this.saveNames.set(text, name);
    }
    return name;
  }
}

const given = (n: number): string => `= any(${listOf(n)})`;
const givenPair = (): string => `in (select * from unnest(${listOf(1)}, ${listOf(2)}))`;

/**
 * Lets all statements that `send` sends at once leave in one write to the socket, whether it is encrypted or not. Each would be a
 * system call of its own, and each would wake the server.
 */
function inOneWrite<T>(client: ClientBase, send: () => T): T {
  const { stream } = (client as Client).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}
