import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  SqliteAdapter,
  SqliteDialect,
  type CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  type QueryResult,
} from 'kysely';
import { operations, payments, references, sessions } from '../schema.js';
import type { Value } from './runner.js';
import type { WriteWatch } from './session.js';
import { asSqliteUnavailable } from './unavailable.js';
import type { SqliteWriter } from './writer.js';

/** What batches know of payments stands in these. */
const OF_BATCHES = [references, sessions, payments, operations].map(({ name }) => name);
const READS = /^\s*select\b/i;
/** How many questions are kept compiled. More different ones are not expected. */
const MAX_CACHED_STATEMENTS = 500;

export interface DialectParts {
  /** Reads alone. */
  database: DatabaseSync;
  writer: SqliteWriter;
  watch?: WriteWatch;
}

/** The embedded store for Kysely: questions are asked here, and what writes goes to the thread. */
export class EmbeddedDialect extends SqliteDialect {
  constructor(private readonly parts: DialectParts) {
    // Only its own driver would ask for it.
    super({ database: () => Promise.reject(new TypeError('The driver has its own connections')) });
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalSqliteAdapter();
  }

  override createDriver(): Driver {
    return new EmbeddedDriver(this.parts);
  }
}

/** Migrations run in one transaction, so that a crash leaves none half done. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** Otherwise a question would wait for whatever is being written. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class EmbeddedDriver implements Driver {
  private readonly questions = new Map<string, StatementSync>();

  constructor(private readonly parts: DialectParts) {}

  init(): Promise<void> {
    return Promise.resolve();
  }

  acquireConnection(): Promise<EmbeddedConnection> {
    return Promise.resolve(new EmbeddedConnection(this.parts, this.questions));
  }

  async beginTransaction(connection: EmbeddedConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: EmbeddedConnection): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: EmbeddedConnection): Promise<void> {
    await connection.rollback();
  }

  releaseConnection(): Promise<void> {
    return Promise.resolve();
  }

  destroy(): Promise<void> {
    return Promise.resolve();
  }
}

class EmbeddedConnection implements DatabaseConnection {
  /** Ends the transaction that is under way. */
  private release: (() => void) | undefined;

  constructor(
    private readonly parts: DialectParts,
    private readonly questions: Map<string, StatementSync>,
  ) {}

  async begin(): Promise<void> {
    this.release = await this.parts.writer.hold();
    try {
      await this.write('begin', []);
    } catch (error) {
      // It may have begun all the same.
      await this.rollback();
      throw error;
    }
  }

  /** After one that failed the transaction is rolled back by a call of its own. */
  async commit(): Promise<void> {
    await this.write('commit', []);
    this.letGo();
  }

  /** Not watched: whatever became of the store's file, nothing later may be written within this transaction. */
  async rollback(): Promise<void> {
    try {
      await this.parts.writer.run({ kind: 'statement', sql: 'rollback', values: [], beside: false }, true);
    } catch {
      // None is open, and the fault that led here is the one to tell.
    } finally {
      this.letGo();
    }
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const values = parameters as readonly Value[];
    // What a transaction has written is only seen within it.
    return READS.test(sql) && !this.release ? this.read(sql, values) : this.write(sql, values);
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new TypeError('Nothing asks for rows one by one');
  }

  private letGo(): void {
    this.release?.();
    this.release = undefined;
  }

  private read<R>(sql: string, values: readonly Value[]): QueryResult<R> {
    const { database } = this.parts;
    try {
      let question = this.questions.get(sql);
      if (!question) {
        question = database.prepare(sql);
        if (this.questions.size >= MAX_CACHED_STATEMENTS) this.questions.clear();
        this.questions.set(sql, question);
      }
      return { rows: question.all(...values) as R[] };
    } catch (error) {
      throw asSqliteUnavailable(error);
    }
  }

  private async write<R>(sql: string, values: readonly Value[]): Promise<QueryResult<R>> {
    const { writer, watch } = this.parts;
    watch?.before?.();
    const beside = OF_BATCHES.some((table) => sql.includes(table));
    const within = this.release !== undefined;
    const answer = await writer.run({ kind: 'statement', sql, values, beside }, within);
    if (answer.kind !== 'rows') throw new TypeError('The thread has answered something else');
    watch?.after?.();
    return {
      rows: answer.rows as R[],
      numAffectedRows: BigInt(answer.changes),
      insertId: BigInt(answer.lastInsertRowid),
    };
  }
}
