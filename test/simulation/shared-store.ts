import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely';
import type { StoreDriver } from '../../src/store/driver.ts';
import type { Tables } from '../../src/store/schema.ts';
import type { Reply } from '../../src/store/sqlite/runner.ts';
import type { SqliteWriter } from '../../src/store/sqlite/writer.ts';
import type { Store } from '../../src/store/store.ts';
import type { PaymentDto } from '../../src/payments/views/payment.dto.ts';
import type { Engine } from './engine.ts';
import { BEGINNING, theTime } from './virtual-time.ts';

/** The one place that knows how the service stores anything. */

/** How PostgreSQL reads texts and rows from one parameter, and how SQLite does. */
const JOINS_TEXTS =
  /unnest\(\?::text\[\]\) as wanted\(value\) cross join lateral \(\s*select \* from ("\w+" as "\w+") where (.*?) offset 0\) as "\w+"/gs;
const ADDS_ROWS = /(insert into "\w+" \(([\w, ]+)\)[^]*?)json_populate_recordset\(null::"\w+", \?::json\)/;
/** What PostgreSQL has and SQLite lacks: every statement is alone here, so that no row is locked and the lock is free. */
const SKIPS_LOCKED = ' for update of events skip locked';
const PLACES_EVENTS = 'pg_try_advisory_xact_lock';

/**
 * A look that has found nothing finds nothing again for so long, if nobody writes: as if the process were a little slower. Most of a
 * world's time nothing happens, and looking for it would be most of the work.
 */
const POLL_AGAIN_MS = 5_000;
/** A look for payments that are to be asked about by now: a dozen of kinds in one statement, most often for nothing. */
const DUE = /next_status_check_at"? <=? \?/;
const isNoTime = (value: unknown): boolean => typeof value !== 'number' || value < 1e12;

/** The schema, with which each world begins. */
let template: Uint8Array | undefined;

/** A process that uses the store: whether it reaches it, and what becomes of an answer, is its own affair. */
export interface StoreUser {
  readonly dead: boolean;
  /** By the world's clock. */
  readonly cutOffUntil: number;
  boundary<T>(at: 'commit' | 'statement', effect: () => T | Promise<T>): Promise<T>;
}

/** Who hears of what is written. */
export interface StoreWatch {
  /** An intent, by its operation's id, or by the `client_ref` that it begins. */
  intends: (name: string) => void;
  announces: (eventId: string, commit: number) => void;
  /** A lease goes from one owner to another without having been given back. */
  takesOver: (from: string, to: string, payment: string) => void;
}

const WATCHES = [
  `create trigger simulated_event after insert on events begin select simulated_event(new.id); end`,
  `create trigger simulated_intent after insert on operations begin select simulated_intent(new.id); end`,
  `create trigger simulated_begin after insert on payments begin
    select simulated_intent(new.gateway_reference); end`,
  `create trigger simulated_takeover after update of lease_owner on payments
    when old.lease_owner is not null and new.lease_owner is not null and old.lease_owner <> new.lease_owner
    begin select simulated_takeover(old.lease_owner, new.lease_owner, new.id); end`,
];

/** The database that all replicas of a world share, in memory: serializable, with commits that count or do not. */
export class SharedStore {
  database = new DatabaseSync(':memory:');
  /** How far the database's own clock is ahead. */
  clockOffset = 0;
  /** By the world's clock: until then it answers nobody. */
  awayUntil = 0;
  epoch = { number: 0, since: 0 };
  #statements = new Map<string, StatementSync>();
  /** What is known of each statement of a replica, by its text. */
  #known = new Map<string, KnownStatement>();
  /** How often anything was written. */
  #written = 0;
  /** What the judge has read since then. */
  #seen = { written: -1, payments: new Map<string | undefined, PaymentDto[]>() };
  /** When the first question is due, as it was when so much had been written. */
  #due = { written: -1, at: 0 };
  /** The session or statement that is under way. */
  #last: Promise<unknown> = Promise.resolve();
  /** Ends the transaction that is under way. */
  #free: () => void = () => undefined;
  private readonly engine: Engine;
  private readonly kind: 'embedded' | 'postgres';
  private readonly watch: StoreWatch | undefined;

  constructor(engine: Engine, kind: 'embedded' | 'postgres', watch?: StoreWatch) {
    this.engine = engine;
    this.kind = kind;
    this.watch = watch;
    if (template) this.database.deserialize(template);
    this.#watchWrites();
  }

  #watchWrites(): void {
    const { watch, database } = this;
    if (!watch) return;
    const hear = (name: string, heard: (...values: string[]) => void): void => {
      database.function(name, { varargs: true }, (...values) => {
        heard(...values.map(String));
        return null;
      });
    };
    hear('simulated_event', (id) => {
      watch.announces(id, this.#written);
    });
    hear('simulated_intent', watch.intends);
    hear('simulated_takeover', watch.takesOver);
  }

  /** What a standby has that is behind from now on. */
  copy(): Uint8Array {
    return this.database.serialize();
  }

  /** Goes back to a copy, as a person accepts it. Returns the orders of which anything was forgotten. */
  failOver(copy: Uint8Array): string[] {
    const before = this.#ordersRows();
    this.database = new DatabaseSync(':memory:');
    this.database.deserialize(copy);
    this.#watchWrites();
    this.#statements = new Map();
    this.#known = new Map();
    this.#written += 1;
    this.epoch = { number: this.epoch.number + 1, since: this.now() };
    const after = this.#ordersRows();
    const forgotten = [...before].filter(([row]) => !after.has(row)).map(([, reference]) => reference);
    return [...new Set(forgotten)];
  }

  /** Every row of an order, and whose it is. */
  #ordersRows(): Map<string, string> {
    const rows = ['payments', 'checkout_sessions', 'payment_references'].flatMap((table) =>
      this.rows(`select * from ${table}`),
    );
    return new Map(
      rows.map((row) => [
        JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
        String(row['reference']),
      ]),
    );
  }

  /** Migrates one database; each world begins with a copy of it. */
  static async prepare(engine: Engine): Promise<void> {
    if (template) return;
    const store = new SharedStore(engine, 'embedded');
    const db = store.kysely(undefined);
    await engine.migrations.prepareSchema(db, true);
    store.database.exec('create index simulated_due on payments (next_status_check_at)');
    for (const statement of WATCHES) store.database.exec(statement);
    template = store.database.serialize();
    store.database.close();
  }

  now(): number {
    return BEGINNING + Math.floor(theTime().now + this.clockOffset);
  }

  open(replica: StoreUser): Store {
    const { engine, kind } = this;
    const db = this.kysely(replica);
    const clock = {
      now: () => this.now(),
      wallClockError: () => undefined,
      begin: () => Promise.resolve(),
      end: () => Promise.resolve(),
      toKeep: () => undefined,
    };
    const database = withoutTransactions(this.database);
    const writer = this.#writer();
    const sessions = new engine.sqlite.SqliteDriver({ database, writer, clock: clock as never });
    const driver: StoreDriver = {
      concurrency: kind === 'postgres' ? 2 : 1,
      beginsOnRead: false,
      get generation() {
        return sessions.generation;
      },
      session: (work) =>
        replica.boundary('commit', () =>
          this.#alone(async () => {
            this.assertThere(replica);
            try {
              return await sessions.session(work);
            } finally {
              this.#written += 1;
            }
          }),
        ),
    };
    const epoch = (): Store['epoch'] => this.epoch;
    const guard = {
      fault: undefined,
      get epoch() {
        return epoch();
      },
      tryWrite: () => Promise.resolve(),
      begin: () => Promise.resolve(),
      startFailed: () => undefined,
    };
    const options = {
      config: { kind: 'embedded' as const, dataDir: '/nowhere' },
      migrate: false,
      identity: { gatewayOrigin: 'https://gateway.example', mode: 'test' as const },
    };
    return engine.store.Store.of(kind, db, { driver, clock, guard }, options, () => Promise.resolve());
  }

  /** All payments, as an answer shows them. Not through any replica: for the judge. */
  payments(reference?: string): readonly PaymentDto[] {
    if (this.#seen.written !== this.#written) this.#seen = { written: this.#written, payments: new Map() };
    const { payments } = this.#seen;
    const known = payments.get(reference) ?? this.#lookAtPayments(reference);
    payments.set(reference, known);
    return known;
  }

  #lookAtPayments(reference?: string): PaymentDto[] {
    const { paymentRow, view } = this.engine;
    const where = reference === undefined ? '' : 'where reference = ? ';
    const values = reference === undefined ? [] : [reference];
    return this.rows(`select * from payments ${where}order by created_at, id`, ...values).map((row) =>
      view.viewPayment(paymentRow.decodePayment(row as never).payment, false),
    );
  }

  rows(sql: string, ...values: SQLInputValue[]): Record<string, unknown>[] {
    return this.#statement(sql).all(...values);
  }

  /** The judge's own look has no replica. */
  kysely(replica: StoreUser | undefined): Kysely<Tables> {
    const run: Run = (query) =>
      replica
        ? this.#reachable(replica) && this.#findsNothing(query)
          ? Promise.resolve({ rows: [] })
          : replica.boundary('statement', () =>
              this.#alone(() => {
                this.assertThere(replica);
                return this.#execute(query);
              }),
            )
        : Promise.resolve(this.#execute(query));
    const runInside: Run = (query) => Promise.resolve().then(() => this.#execute(query));
    const driver = new OneDatabase(() => new Connection(run, runInside), {
      begin: () => this.#begin(replica),
      end: (how) => this.#end(how, replica),
    });
    return new Kysely<Tables>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => driver,
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      },
    });
  }

  #reachable(replica: StoreUser): boolean {
    return !replica.dead && theTime().now >= this.awayUntil && theTime().now >= replica.cutOffUntil;
  }

  private assertThere(replica: StoreUser): void {
    if (!this.#reachable(replica))
      throw new this.engine.unavailable.StoreUnavailable('it is away', 'ECONNREFUSED');
  }

  #execute({ sql, parameters }: CompiledQuery): QueryResult<never> {
    const known = this.#knownOf(sql);
    if (known.placesEvents) return { rows: [{ mine: true, placed: 1 }] as never[] };
    const result = this.#runs(known, parameters);
    if (result.rows.length === 0 && known.looks)
      known.empty.set(pollOf(parameters), { at: theTime().now, written: this.#written });
    return result;
  }

  /** Whether a look finds nothing, as far as is known without looking. */
  #findsNothing({ sql, parameters }: CompiledQuery): boolean {
    const known = this.#knownOf(sql);
    if (known.asksWhatIsDue)
      return this.#firstDue > Math.max(...parameters.filter((value) => typeof value === 'number'));
    if (!known.looks || known.empty.size === 0) return false;
    const empty = known.empty.get(pollOf(parameters));
    return empty?.written === this.#written && theTime().now - empty.at < POLL_AGAIN_MS;
  }

  #knownOf(sql: string): KnownStatement {
    let known = this.#known.get(sql);
    if (!known) this.#known.set(sql, (known = knownStatement(sql)));
    return known;
  }

  /** When the first question of all payments is due. */
  get #firstDue(): number {
    if (this.#due.written !== this.#written) {
      const [row] = this.rows('select min(next_status_check_at) as due from payments');
      this.#due = { written: this.#written, at: Number(row?.['due'] ?? Infinity) };
    }
    return this.#due.at;
  }

  #runs(known: KnownStatement, parameters: readonly unknown[]): QueryResult<never> {
    const { statement, answersRows } = this.#prepared(known, parameters);
    const values = valuesOf(known, parameters);
    if (!known.reads) this.#written += 1;
    if (answersRows) return { rows: statement.all(...values) as never[] };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** Limits stand in its text: SQLite compiles a statement anew whenever a limit is bound. */
  #prepared({ texts, limitsAt, prepared }: KnownStatement, parameters: readonly unknown[]): Prepared {
    const limits = limitsAt.map((at) => String(parameters[at]));
    const name = limits.join();
    let one = prepared.get(name);
    if (!one) {
      const statement = this.database.prepare(
        texts.map((text, index) => `${text}${limits[index] ?? ''}`).join(''),
      );
      // Asked once, because SQLite describes every column for it.
      one = { statement, answersRows: statement.columns().length > 0 };
      prepared.set(name, one);
    }
    return one;
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  /** All replicas use one connection, so a session has it to itself, as if each were serializable. */
  #alone<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Takes the connection for a transaction. Its process dies before all of it or after: nothing in it waits for anything. */
  async #begin(replica: StoreUser | undefined): Promise<void> {
    if (!replica) return;
    await replica.boundary('commit', () => undefined);
    const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
    await new Promise<void>((resolve) => {
      void this.#alone(() => {
        resolve();
        return ended;
      });
    });
    try {
      this.assertThere(replica);
    } catch (error) {
      end(undefined);
      throw error;
    }
    this.database.exec('begin');
    this.#free = () => {
      end(undefined);
    };
  }

  async #end(how: 'commit' | 'rollback', replica: StoreUser | undefined): Promise<void> {
    if (!replica) return;
    this.database.exec(how);
    this.#free();
    await replica.boundary('statement', () => undefined);
  }

  /** Each replica numbers its statements by itself. */
  #writer(): SqliteWriter {
    const runner = new this.engine.runner.Runner(this.database);
    return {
      generation: 0,
      run: (message) => {
        const reply: Reply = runner.run(message);
        return reply.kind === 'error' ? Promise.reject(new Error(reply.message)) : Promise.resolve(reply);
      },
      hold: () => Promise.resolve(() => undefined),
      end: () => Promise.resolve(),
    };
  }
}

interface Prepared {
  statement: StatementSync;
  /** Whether it has columns. */
  answersRows: boolean;
}

/** What the text of a statement says of it. */
interface KnownStatement {
  /** Between its limits. */
  texts: readonly string[];
  /** Where its limits are among its parameters. */
  limitsAt: readonly number[];
  reads: boolean;
  /** Whether it looks for the first rows of something. */
  looks: boolean;
  placesEvents: boolean;
  asksWhatIsDue: boolean;
  /** By its limits. */
  prepared: Map<string, Prepared>;
  /** Looks that found nothing, by their parameters but the times: when, and how often anything had been written then. */
  empty: Map<string, { at: number; written: number }>;
}

function knownStatement(sql: string): KnownStatement {
  const plain = sql
    .replace(SKIPS_LOCKED, '')
    .replace(JOINS_TEXTS, 'json_each(?) as wanted cross join $1 on $2')
    .replace(ADDS_ROWS, (_, before: string, columns: string) => {
      const members = columns.split(', ').map((column) => `value ->> '$.${column}' as ${column}`);
      return `${before}(select ${members.join(', ')} from json_each(?))`;
    });
  const texts = plain.split(/(?<=\blimit )\?/);
  let count = 0;
  const limitsAt = texts.slice(0, -1).map((text) => {
    count += text.split('?').length - 1;
    return count++;
  });
  return {
    ...{ texts, limitsAt },
    reads: sql.trimStart().startsWith('select'),
    looks: sql.includes(' limit '),
    placesEvents: sql.includes(PLACES_EVENTS),
    asksWhatIsDue: DUE.test(sql),
    prepared: new Map(),
    empty: new Map(),
  };
}

function valuesOf({ limitsAt }: KnownStatement, parameters: readonly unknown[]): SQLInputValue[] {
  const bound = limitsAt.length === 0 ? parameters : parameters.filter((_, at) => !limitsAt.includes(at));
  return bound.map((value) => {
    if (typeof value === 'boolean') return Number(value);
    return (Array.isArray(value) ? JSON.stringify(value) : value) as SQLInputValue;
  });
}

const pollOf = (parameters: readonly unknown[]): string => parameters.filter(isNoTime).join(' ');

/** A read is one already, where nothing else is done meanwhile. */
function withoutTransactions(database: DatabaseSync): DatabaseSync {
  return {
    prepare: (sql: string) => database.prepare(sql),
    exec: () => undefined,
    isTransaction: false,
  } as unknown as DatabaseSync;
}

type Run = (query: CompiledQuery) => Promise<QueryResult<never>>;

class Connection implements DatabaseConnection {
  isInside = false;
  readonly #run: Run;
  readonly #runInside: Run;
  constructor(run: Run, runInside: Run) {
    this.#run = run;
    this.#runInside = runInside;
  }
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.isInside ? this.#runInside(query) : this.#run(query);
  }
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    yield await Promise.reject<QueryResult<R>>(new Error('Nothing is streamed'));
  }
}

interface Transactions {
  begin: () => Promise<void>;
  end: (how: 'commit' | 'rollback') => Promise<void>;
}

class OneDatabase implements Driver {
  readonly #connect: () => Connection;
  readonly #transactions: Transactions;
  constructor(connect: () => Connection, transactions: Transactions) {
    this.#connect = connect;
    this.#transactions = transactions;
  }
  async init(): Promise<void> {
    /* It is there. */
  }
  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(this.#connect());
  }
  async beginTransaction(connection: Connection): Promise<void> {
    await this.#transactions.begin();
    connection.isInside = true;
  }
  commitTransaction(): Promise<void> {
    return this.#transactions.end('commit');
  }
  rollbackTransaction(): Promise<void> {
    return this.#transactions.end('rollback');
  }
  async releaseConnection(): Promise<void> {
    /* It is kept. */
  }
  async destroy(): Promise<void> {
    /* It is the world's. */
  }
}
