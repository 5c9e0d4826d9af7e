import type { PoolClient, QueryResult } from 'pg';
import type { PostgresHistory } from '../history/postgres-history.js';
import type { PostgresConnections } from '../postgres/connections.js';
import { asPostgresUnavailable } from '../postgres/unavailable.js';
import { RemoteClock } from './remote-clock.js';
import type { RunningStoreClock } from './store-clock.js';

const READ_EVERY_MS = 1_000;
/** Not `now()`, which is the time of the transaction's beginning. */
const READ = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as time';

interface Row {
  time: number;
  /** Only where the history is watched. */
  timeline?: string | null;
}

/** The database's clock. Each batch reads it on its way; a query of its own does where there was no batch for a second. */
export class PostgresClock implements RunningStoreClock {
  private readonly clock = new RemoteClock();
  private readAt = -Infinity;
  private reading = false;
  private timer: NodeJS.Timeout | undefined;

  /** With `history`, each transaction is held against it. */
  constructor(
    private readonly pool: Pick<PostgresConnections, 'query'>,
    private readonly history?: PostgresHistory,
  ) {}

  async begin(): Promise<void> {
    await this.read();
    this.timer ??= setInterval(() => {
      this.readAgain();
    }, READ_EVERY_MS).unref();
  }

  end(): Promise<void> {
    clearInterval(this.timer);
    return Promise.resolve();
  }

  now(): number {
    return this.clock.now();
  }

  wallClockError(): number | undefined {
    return this.clock.wallClockError();
  }

  /** Begins a transaction by this statement and reads the clock, in one message. */
  async beginTransaction(client: PoolClient, begin: string): Promise<void> {
    const sentAt = performance.now();
    // Without values, several statements may go together; the answer is then a list.
    const read = this.history ? `${READ}, ${this.history.timelineExpression} as timeline` : READ;
    const answers = (await client.query(`${begin}; ${read}`)) as unknown as QueryResult<Row>[];
    this.take(sentAt, answers[1]);
    const timeline = answers[1]?.rows[0]?.timeline;
    if (timeline !== undefined) this.history?.assertTimeline(timeline);
  }

  private async read(): Promise<void> {
    const sentAt = performance.now();
    try {
      this.take(sentAt, await this.pool.query<Row>(READ));
    } catch (error) {
      throw asPostgresUnavailable(error);
    }
  }

  private readAgain(): void {
    if (this.reading || performance.now() - this.readAt < READ_EVERY_MS / 2) return;
    this.reading = true;
    // An unreachable database changes nothing: the monotonic clock carries on.
    this.read()
      .catch(() => undefined)
      .finally(() => {
        this.reading = false;
      });
  }

  private take(sentAt: number, answer: QueryResult<Row> | undefined): void {
    const [row] = answer?.rows ?? [];
    if (!row) return;
    this.readAt = performance.now();
    this.clock.take({ time: row.time, sentAt, receivedAt: this.readAt });
  }
}
