import pg from 'pg';
import type { ClientBase, PoolClient } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import type { Query } from '../prepare.js';
import { numbered } from './numbered.js';
import { asPostgresUnavailable } from './unavailable.js';

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 15_000;

/**
 * PostgreSQL scans a table of a few rows, and keeps that plan for a prepared statement until the table is analyzed: while a new store grows,
 * payments would become slower for minutes. What this process no longer waits for shall not go on in the database either.
 */
const SESSION = `set enable_seqscan = off; set jit = off; set statement_timeout = '12s';
  set idle_in_transaction_session_timeout = '60s'; set client_min_messages = error`;

const { INT2, INT4, INT8, OID, FLOAT4, FLOAT8, BOOL } = pg.types.builtins;
const NUMBERS = new Set<number>([INT2, INT4, INT8, OID, FLOAT4, FLOAT8]);
const asText = (text: string): string => text;
const asFlag = (text: string): number => (text === 't' ? 1 : 0);

/** Numbers are safe integers, yes and no are 1 and 0 as on SQLite, and everything else, JSON too, is text. */
const types = {
  getTypeParser: (type: number) => (NUMBERS.has(type) ? Number : type === (BOOL as number) ? asFlag : asText),
};

/** The connections to PostgreSQL. Each new one asks for the address anew: its password may have changed. */
export class PostgresConnections {
  private readonly pool: pg.Pool;
  private readonly preparing: () => pg.Client;

  constructor(url: () => string) {
    const config = (patient: boolean): pg.ClientConfig => ({
      ...parseIntoClientConfig(url()),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      ...(!patient && { query_timeout: QUERY_TIMEOUT_MS }),
      keepAlive: true,
      application_name: 'tillfront',
      types,
    });
    class CurrentClient extends pg.Client {
      constructor() {
        super(config(false));
      }
    }
    this.preparing = () => new pg.Client(config(true));
    this.pool = new pg.Pool({
      Client: CurrentClient,
      max: POOL_SIZE,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: 60_000,
      onConnect: this.greet,
    });
    // An idle connection that breaks is replaced by the pool; without a listener the process would end.
    this.pool.on('error', () => undefined);
  }

  /** Rejects with `StoreUnavailable`. */
  async connect(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      throw asPostgresUnavailable(error);
    }
  }

  /** Runs `work` on a connection whose statements may take as long as they do, in one transaction. */
  async patiently<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const client = this.preparing();
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('begin');
      const result = await work(
        async (text, values = []) =>
          (await client.query<Record<string, unknown>>(numbered(text), [...values])).rows,
      );
      await client.query('commit');
      return result;
    } catch (error) {
      throw asPostgresUnavailable(error);
    } finally {
      // Ends an open transaction as well.
      await client.end().catch(() => undefined);
    }
  }

  async end(): Promise<void> {
    await this.pool.end();
  }

  /** Called for each new connection. The pool waits for the promise, though its types do not say so. */
  private readonly greet = (client: ClientBase): unknown => {
    // A connection that breaks in use fails its query. It must not end the process.
    client.on('error', () => undefined);
    // Where the database refuses this, its answers are right all the same.
    return client.query(SESSION).catch(() => undefined);
  };
}
