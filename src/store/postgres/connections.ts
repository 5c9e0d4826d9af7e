import pg from 'pg';
import type { ClientBase, PoolClient, QueryResult, QueryResultRow } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { packageVersion } from '../../config/package-version.js';
import type { PostgresHistory } from '../history/postgres-history.js';
import type { StoreFault } from '../history/store-fault.js';
import { StoreUnavailable } from '../store-unavailable.js';
import { TRY_WRITE } from './try-write.js';
import { asPostgresUnavailable } from './unavailable.js';

/** Tells a doctor which version uses the database. */
export const applicationName = (): string => `tillfront/${packageVersion()}`;
const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 15_000;
const LOOK_EVERY_MS = 1_000;
/** While the store cannot be used: a failover is over when it is over. */
const LOOK_AGAIN_EVERY_MS = 200;

/**
 * Every query has an index (`test/load/query-plans.spec.ts`). PostgreSQL rightly scans a table of a few rows, but keeps
 * that plan for a prepared statement until the table is analyzed. While the table grows, payments would become slower
 * and slower for a minute or more.
 *
 * What this process no longer waits for shall not go on in the database, nor hold locks there while the process stands still.
 */
const SESSION = `set enable_seqscan = off; set jit = off; set statement_timeout = '20s';
  set idle_in_transaction_session_timeout = '60s'`;

export interface ConnectionsOptions {
  /** The address, asked for at each connection: it may change while the service runs. */
  url: () => string;
  /** Whether the server may change between two transactions, so that no setting of a session lasts. */
  pooler: boolean;
  history: PostgresHistory;
}

/**
 * A client that prepares no statement under a name. Behind a pooler that gives out connections by the transaction, the next
 * statement may be another server session's, which has never heard of the name.
 */
class SessionlessClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...args: readonly unknown[]) => unknown;
    this.query = ((first: unknown, ...rest: readonly unknown[]) =>
      query(withoutName(first), ...rest)) as typeof this.query;
  }
}

function withoutName(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('name' in query)) return query;
  return { ...query, name: undefined };
}

/**
 * The pool of connections to PostgreSQL. Each new connection is held against the store's history before it is used. All are
 * made anew where the address has changed, or the server behind it turned out to be the wrong one.
 */
export class PostgresConnections {
  private pool: pg.Pool;
  private madeFor: string;
  private timer: NodeJS.Timeout | undefined;
  private ended = false;
  /** Why the last look has found nothing. What an earlier one has found may be over by now. */
  private unreachable: StoreFault | undefined;
  private readonly leaving = new Set<Promise<void>>();

  constructor(readonly options: ConnectionsOptions) {
    this.madeFor = options.url();
    this.pool = this.open();
  }

  /** Why the database cannot be used, as the last look has found. */
  get fault(): StoreFault | undefined {
    return this.unreachable ?? this.options.history.fault;
  }

  /** Commits a little that needs room. Rejects where that is not confirmed. */
  async tryWrite(): Promise<void> {
    try {
      await this.query(TRY_WRITE);
    } catch (error) {
      throw asPostgresUnavailable(error);
    }
  }

  async connect(): Promise<PoolClient> {
    this.assertUsable();
    const client = await this.take();
    try {
      // A fault may have been found while this waited.
      this.assertUsable();
    } catch (error) {
      client.release();
      throw error;
    }
    return client;
  }

  async query<R extends QueryResultRow>(text: string): Promise<QueryResult<R>> {
    const client = await this.connect();
    let failed = true;
    try {
      const result = await client.query<R>(text);
      failed = false;
      return result;
    } finally {
      client.release(failed);
    }
  }

  /** Begins to look after the store's history. Called once, when the schema is there. */
  async begin(): Promise<void> {
    const client = await this.take();
    try {
      await this.options.history.begin(client);
    } catch (error) {
      throw asPostgresUnavailable(error);
    } finally {
      client.release();
    }
    if (this.options.history.fault) this.renew();
    this.lookLater();
  }

  /**
   * Runs `work` with a pool of its own, on which a statement may take as long as it does: an index of a large table is made
   * in minutes.
   */
  async withPatience<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T> {
    const pool = new pg.Pool({
      ...parseIntoClientConfig(this.options.url()),
      max: 2,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'tillfront-migrate',
    });
    pool.on('error', () => undefined);
    try {
      return await work(pool);
    } finally {
      await pool.end();
    }
  }

  /** The next try may reach another server by the same address. */
  startFailed(): void {
    this.renew();
  }

  /** Lets what is under way finish, then closes all connections. */
  async end(): Promise<void> {
    this.ended = true;
    clearTimeout(this.timer);
    await this.options.history.keep();
    await Promise.all([this.pool.end(), ...this.leaving]);
  }

  private assertUsable(): void {
    const { fault } = this.options.history;
    if (fault) throw new StoreUnavailable(fault.message);
  }

  private take(): Promise<PoolClient> {
    const url = this.options.url();
    if (url !== this.madeFor && !this.ended) {
      this.madeFor = url;
      this.renew();
    }
    return this.pool.connect();
  }

  private lookLater(): void {
    if (this.ended) return;
    const wait = this.options.history.fault ? LOOK_AGAIN_EVERY_MS : LOOK_EVERY_MS;
    this.timer = setTimeout(() => {
      void this.look().finally(() => {
        this.lookLater();
      });
    }, wait).unref();
  }

  private async look(): Promise<void> {
    const { history } = this.options;
    const wasWhole = !history.fault;
    let client: PoolClient | undefined;
    try {
      client = await this.take();
      await history.inspect(client);
      this.unreachable = undefined;
      client.release();
      await history.keep();
    } catch (error) {
      this.unreachable = this.unreachableBy(error);
      client?.release(true);
      // A new connection may reach another server by the same address. One that hangs is left as well.
      if (client || (wasWhole && history.fault)) this.renew();
    }
  }

  private unreachableBy(error: unknown): StoreFault | undefined {
    const cause = asPostgresUnavailable(error);
    const message = cause instanceof StoreUnavailable ? cause.reason : 'the database cannot be looked at';
    return message === this.options.history.fault?.message ? undefined : { kind: 'unreachable', message };
  }

  /** From now on connections are made anew. Those that are in use are closed when they are given back. */
  private renew(): void {
    const former = this.pool;
    this.pool = this.open();
    const left = former.end().finally(() => this.leaving.delete(left));
    this.leaving.add(left);
  }

  private open(): pg.Pool {
    const { pooler } = this.options;
    const pool = new pg.Pool({
      ...parseIntoClientConfig(this.madeFor),
      ...(pooler && { Client: SessionlessClient }),
      max: POOL_SIZE,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
      application_name: applicationName(),
      // Lets a batch send statements without waiting for the answers in between.
      pipeline: true,
      onConnect: this.greet,
    });
    // An idle connection that breaks is replaced by the pool; without a listener the process would end.
    pool.on('error', () => undefined);
    return pool;
  }

  /** Called for each new connection. The pool waits for the promise, though its types do not say so. */
  private readonly greet = (client: ClientBase): unknown => this.prepare(client);

  private async prepare(client: ClientBase): Promise<void> {
    // A connection that breaks in use fails its query or the next one. It must not end the process.
    client.on('error', () => undefined);
    // If the database refuses this, its answers are still right, only slower while tables grow.
    if (!this.options.pooler) await client.query(SESSION).catch(() => undefined);
    await this.options.history.inspect(client);
  }
}
