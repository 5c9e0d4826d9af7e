import pg from 'pg';
import type { ClientBase, PoolClient } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import type { Query } from '../driver.js';
import { numbered } from './numbered.js';
import { asPostgresUnavailable } from './unavailable.js';

const CONNECT_TIMEOUT_MS = 5_000;
/** Batches, claims and loads; a report never waits in front of them. */
const WRITES = { max: 5, limitMs: 12_000 };
const READS = { max: 5, limitMs: 60_000 };
/** This process gives up later than the database does. */
const BEYOND_MS = 3_000;

/**
 * PostgreSQL scans a table of a few rows, and keeps that plan for a prepared statement until the table is analyzed: while a new store grows,
 * payments would become slower for minutes. What this process no longer waits for shall not go on in the database either.
 */
const session = (limitMs: number): string =>
  `set enable_seqscan = off; set jit = off; set statement_timeout = ${limitMs};
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
  /** Both reject with `StoreUnavailable`. */
  readonly forWrites: () => Promise<PoolClient>;
  readonly forReads: () => Promise<PoolClient>;
  /** When a connection broke last, by `performance.now()`. */
  brokenAt: number | undefined;
  private readonly pools: pg.Pool[];
  private readonly broken = (): void => {
    this.brokenAt = performance.now();
  };

  constructor(private readonly url: () => string) {
    const [writes, reads] = [this.open(WRITES), this.open(READS)];
    this.pools = [writes, reads];
    this.forWrites = () => this.connect(writes);
    this.forReads = () => this.connect(reads);
  }

  /** Runs `work` on a connection whose statements may take as long as they do, in one transaction. */
  async patiently<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const client = new pg.Client(this.config());
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
    await Promise.all(this.pools.map((pool) => pool.end()));
  }

  private config(): pg.ClientConfig {
    return {
      ...parseIntoClientConfig(this.url()),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'tillfront',
      types,
    };
  }

  private open({ max, limitMs }: typeof WRITES): pg.Pool {
    const config = (): pg.ClientConfig => ({ ...this.config(), query_timeout: limitMs + BEYOND_MS });
    class CurrentClient extends pg.Client {
      constructor() {
        super(config());
      }
    }
    const pool = new pg.Pool({
      Client: CurrentClient,
      max,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: 60_000,
      // The pool waits for the promise, though its types do not say so.
      onConnect: (client: ClientBase): unknown => this.greet(client, session(limitMs)),
    });
    // An idle connection that breaks is replaced by the pool; without a listener the process would end.
    pool.on('error', this.broken);
    return pool;
  }

  private async connect(pool: pg.Pool): Promise<PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      this.broken();
      throw asPostgresUnavailable(error);
    }
  }

  /** Where the database refuses the settings, its answers are right all the same. */
  private async greet(client: ClientBase, settings: string): Promise<void> {
    // A connection that breaks in use fails its query. It must not end the process.
    client.on('error', this.broken);
    await client.query(settings).catch(() => undefined);
  }
}
