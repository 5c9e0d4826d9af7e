import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';
import { asPostgresUnavailable } from '../postgres/unavailable.js';
import { StoreUnavailable } from '../store-unavailable.js';
import type { Epoch } from './epoch.js';
import {
  judgeHistory,
  type HistoryIdentity,
  type HistoryLook,
  type HistoryVerdict,
} from './judge-history.js';
import { lossOf, READ_ONLY, type HistoryObserver, type StoreFault } from './store-fault.js';
import { StoreElsewhere } from './store-elsewhere.js';
import { lookAtPostgres, type PostgresLook } from './postgres-look.js';
import { Witness, type Commit } from './witness.js';
import type { WitnessFile } from './witness-file.js';

/** How long a look may take. A connection that hangs is given up. */
const LOOK_TIMEOUT_MS = 5_000;

/** Of a primary, in hexadecimal. Every role may read it on PostgreSQL; a managed database may refuse. */
const TIMELINE = 'substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)';
const IDENTITY = `case when pg_is_in_recovery() then null else json_build_object(
  'system', (select system_identifier::text from pg_control_system()), 'timeline', ${TIMELINE}) end`;

const CLAIM_STORE_ID = `insert into meta (name, value) values ('store_id', $1) on conflict (name) do nothing`;
const STORE_ID = `select value from meta where name = 'store_id'`;
const IS_EMPTY = 'select not exists (select from payment_references) as empty';
const RECORD = `insert into store_losses (id, found_at, found_by, detail)
  values ($1, (extract(epoch from clock_timestamp()) * 1000)::bigint, $2, $3) on conflict do nothing`;

/**
 * Holds a PostgreSQL against what this process knows of it: on every new connection, and once a second. A standby that was
 * behind when it was promoted, an old backup, or a primary that should be gone must not go on as if nothing had happened.
 */
export class PostgresHistory {
  readonly witness = new Witness();
  /** Grows whenever what was read before may no longer be so. */
  generation = 0;
  private begun = false;
  private store = '';
  private identity: HistoryIdentity | undefined;
  private identityReadable = true;
  private acceptedBefore: ReadonlySet<string> = new Set();
  /** Undefined until the store was looked at. */
  private lastEpoch: Epoch | undefined;
  /** The number of the last epoch that an earlier process has known. */
  private keptEpoch = 0;
  private found: StoreFault | undefined;
  private recordedAs: string | undefined;
  private keptRevision = 0;

  constructor(
    private readonly owner: string,
    private readonly file: WitnessFile,
    private readonly observer: HistoryObserver = {},
  ) {}

  /** Undefined where the store may be used. */
  get fault(): StoreFault | undefined {
    return this.found;
  }

  /** Throws `StoreUnavailable` until the store was looked at. */
  get epoch(): Epoch {
    if (!this.lastEpoch) throw new StoreUnavailable('the store was not looked at yet');
    return this.lastEpoch;
  }

  /** Called once, when the schema is there. What earlier processes have left in the witness file counts from now on. */
  async begin(client: ClientBase): Promise<void> {
    this.identityReadable = await canRead(client, `select ${IDENTITY}`);
    await client.query(CLAIM_STORE_ID, [randomUUID()]);
    const { rows } = await client.query<{ value: string }>(STORE_ID);
    this.store = rows[0]?.value ?? '';
    this.file.tidy();
    const kept = this.file.read(this.store);
    if (!kept) await this.assertNotAnother(client);
    for (const commit of kept?.commits ?? []) this.witness.note(commit);
    this.identity = kept?.history ?? undefined;
    this.keptEpoch = kept?.epoch ?? 0;
    this.acceptedBefore = kept ? new Set(kept.accepted) : acceptedOf(await this.look(client, []));
    this.begun = true;
    await this.inspect(client).catch(() => undefined);
  }

  /** Throws where the database has no payments yet, and the witness file knows those of another one. */
  private async assertNotAnother(client: ClientBase): Promise<void> {
    if ((this.file.readAny()?.commits.length ?? 0) === 0) return;
    const { rows } = await client.query<{ empty: boolean }>(IS_EMPTY);
    if (rows[0]?.empty) throw StoreElsewhere.inAnotherDatabase(this.file.path);
  }

  /** Looks at the database behind a connection. Throws `StoreUnavailable` where it must not be used. */
  async inspect(client: ClientBase): Promise<void> {
    if (!this.begun) return;
    const { generation } = this;
    // What is committed while the question is under way is not in its answer.
    const commits = this.witness.commits();
    const seen = await this.look(client, commits);
    // Another connection's look has changed what is known: this one is older.
    if (generation !== this.generation) return this.inspect(client);
    const { identity: history, acceptedBefore } = this;
    const epoch = this.knownEpoch;
    const verdict = judgeHistory(
      { history, commits, acceptedBefore, epoch },
      { ...seen, epoch: seen.epoch.number },
    );
    if (verdict.kind === 'whole') {
      this.goOn(verdict, seen);
      return;
    }
    const fault = verdict.kind === 'read-only' ? READ_ONLY : lossOf(verdict.missing, verdict.older);
    this.stop(fault);
    if (verdict.kind === 'lost') await this.record(client, verdict, seen);
    throw new StoreUnavailable(fault.message);
  }

  /** An expression that every batch may read on its way, behind a pooler that can change the server unseen. */
  get timelineExpression(): string {
    return this.identityReadable ? `case when pg_is_in_recovery() then '' else ${TIMELINE} end` : 'null';
  }

  /** Throws where a batch has met another history than the one that was looked at. */
  assertTimeline(timeline: string | null): void {
    if (!this.identity || timeline === null || parseInt(timeline, 16) === this.identity.timeline) return;
    this.stop({
      kind: 'read-only',
      message: 'the database goes on with another history, which is being looked at',
    });
    throw new StoreUnavailable('the database goes on with another history');
  }

  /** Writes the witness file where there is something new. */
  async keep(): Promise<void> {
    if (!this.begun || this.found || this.witness.revision === this.keptRevision) return;
    this.keptRevision = this.witness.revision;
    await this.file.write({
      store: this.store,
      history: this.identity ?? null,
      commits: this.witness.commits(),
      accepted: [...this.acceptedBefore],
      epoch: this.knownEpoch,
    });
  }

  private get knownEpoch(): number {
    return Math.max(this.keptEpoch, this.lastEpoch?.number ?? 0);
  }

  private look(client: ClientBase, commits: readonly Commit[]): Promise<PostgresLook> {
    return withinTime(lookAtPostgres(client, commits, this.identityReadable ? IDENTITY : undefined));
  }

  private goOn({ moved, accepted }: Extract<HistoryVerdict, { kind: 'whole' }>, seen: PostgresLook): void {
    const recovered = this.found !== undefined;
    if (accepted) this.witness.clear();
    if (moved || accepted || recovered) this.generation += 1;
    this.identity = seen.history ?? this.identity;
    this.acceptedBefore = acceptedOf(seen);
    this.lastEpoch = seen.epoch;
    this.recordedAs = undefined;
    this.found = undefined;
    if (moved || accepted || recovered) this.observer.whole?.({ moved, accepted });
  }

  private stop(fault: StoreFault): void {
    const before = this.found;
    this.found = fault;
    this.generation += 1;
    if (before?.kind !== fault.kind || before.message !== fault.message) this.observer.fault?.(fault);
  }

  /** Once for each loss, so that every process hears of it, and those that are started later. */
  private async record(
    client: ClientBase,
    { missing, older }: Extract<HistoryVerdict, { kind: 'lost' }>,
    seen: PostgresLook,
  ): Promise<void> {
    const recorded = seen.losses.some(({ id }) => id === this.recordedAs);
    if (recorded || (missing.length === 0 && !older)) return;
    this.recordedAs ??= `loss_${randomUUID()}`;
    const known = this.identity ?? null;
    const detail = { missing, known, found: seen.history, epoch: this.knownEpoch };
    await withinTime(client.query(RECORD, [this.recordedAs, this.owner, JSON.stringify(detail)]));
  }
}

function acceptedOf({ losses }: Pick<HistoryLook, 'losses'>): ReadonlySet<string> {
  return new Set(losses.filter(({ accepted }) => accepted).map(({ id }) => id));
}

async function canRead(client: ClientBase, query: string): Promise<boolean> {
  try {
    await client.query(query);
    return true;
  } catch (error) {
    // Only the database's own refusal says that it does not tell.
    const refused = asPostgresUnavailable(error);
    if (refused instanceof StoreUnavailable) throw refused;
    return false;
  }
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new StoreUnavailable('the database does not answer'));
    }, LOOK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, tooLate]);
  } catch (error) {
    work.catch(() => undefined);
    throw asPostgresUnavailable(error);
  } finally {
    clearTimeout(timer);
  }
}
