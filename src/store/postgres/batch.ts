import type { PoolClient, QueryResult } from 'pg';
import type { PostgresClock } from '../clock/postgres-clock.js';
import type { PostgresHistory } from '../history/postgres-history.js';
import { KnownRows } from '../known-rows.js';
import type { BatchExecutor, Decision, Job, JobOutcome } from '../payment-writer.js';
import type { PostgresConnections } from './connections.js';
import { isEmpty } from './gather.js';
import { load, type Loaded, type Write } from './load.js';
import { inOneWrite } from './one-write.js';
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

/** A job with what it is decided on. */
interface Prepared {
  job: Job;
  loaded: Loaded | undefined;
  /** Whether it was not read, but known from an earlier write. */
  known: boolean;
}

interface Decided {
  outcome: JobOutcome;
  /** Undefined where nothing is written. */
  write: Write | undefined;
}

/**
 * Writes batches into PostgreSQL, without a lock and without a transaction that outlasts a statement: a write is decided on what
 * was read, and its statement counts only if its reference has not been written since. A write that has lost is decided anew
 * under a lock, so it loses once.
 *
 * Statements that need no earlier answer are sent together: the server runs them in order. Behind a pooler none is sent after the end
 * of a transaction before that is answered. An older one (PgBouncer before 1.21) may give the server's session to somebody else as soon
 * as the transaction has ended, with half of the next statement sent to it.
 */
export class PostgresBatch implements BatchExecutor {
  readonly concurrency = 2;
  private readonly saveNames = new Map<string, string>();
  private known = new KnownRows<Loaded>();
  private generation = 0;

  constructor(
    private readonly pool: Pick<PostgresConnections, 'connect'>,
    private readonly by: { clock: PostgresClock; history: PostgresHistory; pooler: boolean },
  ) {}

  async execute(jobs: readonly Job[]): Promise<JobOutcome[]> {
    let client: PoolClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      throw asPostgresUnavailable(error);
    }
    let broken = true;
    try {
      const outcomes = await this.run(client, jobs);
      broken = false;
      return outcomes;
    } catch (error) {
      broken = await client.query('rollback').then(
        () => false,
        () => true,
      );
      if (mayRunAgain(error)) return jobs.map(() => ({ kind: 'again' }));
      throw asPostgresUnavailable(error);
    } finally {
      client.release(broken);
    }
  }

  private async run(client: PoolClient, jobs: readonly Job[]): Promise<JobOutcome[]> {
    const { history } = this.by;
    if (history.generation !== this.generation) {
      this.generation = history.generation;
      // Another object: what a batch still under way learns of the former history must not come into the new one.
      this.known = new KnownRows();
    }
    const { known: knownRows } = this;
    const lock = jobs.some(({ tries }) => tries > 0);
    const known = jobs.map(({ wanted, tries }) => {
      const rows = knownRows.take(wanted);
      return tries > 0 ? undefined : rows;
    });
    const unknown = jobs.filter((_, index) => !known[index]);
    const read = unknown.length === 0 ? undefined : await this.read(client, unknown, lock);
    const decided = jobs.map((job, index): Decided => {
      const rows = known[index];
      return rows
        ? decide({ job, loaded: rows, known: true })
        : decide({ job, loaded: read?.get(job), known: false });
    });
    const writes = decided.flatMap(({ write }) => write ?? []);
    const won = await this.write(
      client,
      writes,
      read !== undefined && (lock ? 'commit after' : 'commit before'),
    );
    return decided.map(({ outcome, write }) => {
      if (!write) return outcome;
      const { reference } = write.loaded.snapshot.reference;
      if (!won.has(reference)) return { kind: 'again' };
      const version = (write.loaded.version ?? 0) + 1;
      history.witness.note(reference, version);
      knownRows.put(write.changes, write.loaded, (rows) => ({ ...rows, version }));
      return outcome;
    });
  }

  private async read(
    client: PoolClient,
    jobs: readonly Job[],
    lock: boolean,
  ): Promise<Map<Job, Loaded | undefined>> {
    const [, loaded] = await inOneWrite(client, () =>
      Promise.all([this.by.clock.beginTransaction(client, lock ? LOCK : LOOK), load(client, jobs, lock)]),
    );
    return new Map(jobs.map((job, index) => [job, loaded[index]]));
  }

  /** Sends the writes, and what ends the transaction of the questions before them or, where that has locks, after them. */
  private async write(
    client: PoolClient,
    writes: readonly Write[],
    end: 'commit before' | 'commit after' | false,
  ): Promise<Set<string>> {
    const commitsAlone = end === 'commit before' && this.by.pooler;
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
        end === 'commit before' && !commitsAlone && client.query('commit'),
        save(),
        end === 'commit after' && client.query('commit'),
      ]),
    );
    return new Set(answer?.rows.map(({ reference }) => reference));
  }

  /** Prepared statements have names: one for each combination of what a batch can write. */
  private saveName(text: string): string {
    let name = this.saveNames.get(text);
    if (name === undefined) {
      name = `save-${this.saveNames.size}`;
      this.saveNames.set(text, name);
    }
    return name;
  }
}

function decide({ job, loaded, known }: Prepared): Decided {
  if (!loaded) {
    const error = new Error('A write names a reference that was never made');
    return { outcome: { kind: 'refused', error }, write: undefined };
  }
  let decision: Decision<unknown>;
  try {
    decision = job.decide(loaded.snapshot);
  } catch (error) {
    return { outcome: known ? { kind: 'again' } : { kind: 'refused', error }, write: undefined };
  }
  const { changes } = decision;
  if (!isEmpty(changes)) return { outcome: { kind: 'written', ...decision }, write: { changes, loaded } };
  // What was known is not checked where nothing is written, so it is read.
  return { outcome: known ? { kind: 'again' } : { kind: 'written', ...decision }, write: undefined };
}
