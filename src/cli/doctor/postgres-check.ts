import { accessSync, constants } from 'node:fs';
import { Client, type QueryConfig } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import type { StoreConfig } from '../../config/config.js';
import { isLoopbackHost } from '../../config/addresses.js';
import { TRY_ROOM } from '../../store/postgres/try-write.js';
import { judgeHistory } from '../../store/history/judge-history.js';
import { lookAtPostgres } from '../../store/history/postgres-look.js';
import { lossOf } from '../../store/history/store-fault.js';
import { WitnessFile, type KeptWitness } from '../../store/history/witness-file.js';
import { applicationName } from '../../store/postgres/connections.js';
import { LEDGER_FAULTS } from '../../store/ledger-faults.js';
import type { Inspected } from '../configuration.js';
import { Findings } from './finding.js';
import { failureCode } from './peer.js';
import { checkLedger, checkStoreState, isSchemaOurs, MUST_STOP, NAMED, reportLoss } from './store-state.js';
type PostgresConfig = Extract<StoreConfig, { kind: 'postgres' }>;

const CHECK = 'store';
const DISK_FULL = '53100';
const TIMEOUT_MS = 8_000;
/** The oldest version that still gets security updates. */
const OLDEST = 140_000;
/** The most connections that one replica opens. */
const POOL_SIZE = 10;

interface Facts {
  version: number;
  versionText: string;
  encoding: string;
  recovering: boolean;
  readOnly: boolean;
  tls: boolean;
  mayCreate: boolean;
  maxConnections: number;
  fsync: string;
  synchronousCommit: string;
  fullPageWrites: string;
  nowMs: number;
}

const FACTS = `
  select current_setting('server_version_num')::int as "version", current_setting('server_version') as "versionText",
    current_setting('server_encoding') as "encoding", pg_is_in_recovery() as "recovering",
    current_setting('transaction_read_only') = 'on' as "readOnly",
    coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "tls",
    coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
    current_setting('max_connections')::int as "maxConnections", current_setting('fsync') as "fsync",
    current_setting('synchronous_commit') as "synchronousCommit",
    current_setting('full_page_writes') as "fullPageWrites",
    (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`;

/** Whether the database is reachable, keeps committed data, and has our schema. */
export async function checkPostgres(
  found: Findings,
  config: Inspected,
  store: PostgresConfig,
): Promise<void> {
  const url = store.currentUrl.current() ?? store.url.unwrap();
  const client = new Client({
    ...parseIntoClientConfig(url),
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    application_name: 'tillfront-doctor',
  });
  // A connection that breaks later shows up in the query that fails.
  client.on('error', () => undefined);
  const seen = new Findings();
  try {
    await client.connect();
    const begun = Date.now();
    const { rows } = await client.query<Facts>(FACTS);
    const middle = (begun + Date.now()) / 2;
    const [facts] = rows;
    if (!facts) throw new Error('no facts');
    seen.ok(CHECK, `PostgreSQL ${facts.versionText} answers.`);
    checkDurability(seen, facts);
    checkUse(seen, facts, client.host);
    await checkRoom(seen, client);
    seen.clock("the database's clock", (facts.nowMs - middle) / 1000);
    await checkTables(seen, config, client, store);
    found.add(seen);
  } catch (error) {
    const code = failureCode(error);
    const [message, remedy] = REASONS[code] ?? [
      `It cannot be used (${code}).`,
      'Check DATABASE_URL, firewalls and its own log.',
    ];
    found.problem(CHECK, `PostgreSQL: ${message}`, remedy);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** What needs room for a moment, and changes nothing, tells whether there is any. */
async function checkRoom(found: Findings, client: Client): Promise<void> {
  try {
    await client.query(TRY_ROOM);
  } catch (error) {
    await client.query('rollback');
    const check = 'store.space';
    if (failureCode(error) === DISK_FULL)
      found.problem(
        check,
        'PostgreSQL has no room left.',
        'Enlarge its disk, or free some of it: it confirms nothing meanwhile.',
      );
    else
      found.warning(
        check,
        `Whether PostgreSQL has room cannot be told (${failureCode(error)}).`,
        'Look at its disk.',
      );
  }
}

function checkDurability(found: Findings, facts: Facts): void {
  const off = [
    ...(facts.fsync === 'off' ? ['fsync'] : []),
    ...(facts.synchronousCommit === 'off' ? ['synchronous_commit'] : []),
    ...(facts.fullPageWrites === 'off' ? ['full_page_writes'] : []),
  ];
  const check = 'store.durability';
  if (facts.recovering)
    found.problem(check, 'It is a read-only replica.', 'Point DATABASE_URL at the primary.');
  else if (facts.readOnly)
    found.problem(
      check,
      'It takes no writes: default_transaction_read_only is on.',
      'Turn it off for this role, this database or the server, or point DATABASE_URL at the one that takes writes.',
    );
  else if (off.length === 0) found.ok(check, 'Its commits survive a crash.');
  else
    found.problem(
      check,
      `${off.join(' and ')} is off: a crash can lose payments that were already answered.`,
      'Turn it on in postgresql.conf, or for this role.',
    );
}

function checkUse(found: Findings, facts: Facts, host: string): void {
  if (facts.version < OLDEST)
    found.warning(
      CHECK,
      `PostgreSQL ${facts.versionText} is old.`,
      'Use version 15 or newer; older ones are not tested.',
    );
  if (facts.encoding !== 'UTF8')
    found.problem(
      CHECK,
      `The database's encoding is ${facts.encoding}.`,
      "Make one with: create database … encoding 'UTF8'",
    );
  if (!facts.mayCreate)
    found.warning(
      'store.role',
      'This role cannot create tables, so it cannot migrate.',
      'Run "tillfront migrate" with a role that can, and MIGRATE_ON_START=false here.',
    );
  if (!facts.tls && !host.startsWith('/') && !isLoopbackHost(host))
    found.warning(
      'store.tls',
      "The connection is not encrypted. With production's rules the start is refused unless DATABASE_URL asks for TLS.",
      'Add sslmode=verify-full to DATABASE_URL.',
    );
  const replicas = Math.floor((facts.maxConnections - 3) / POOL_SIZE);
  found.ok(
    'store.connections',
    `Its ${facts.maxConnections} connections are enough for ${replicas} replicas (${POOL_SIZE} each).`,
  );
}

/**
 * By error codes of PostgreSQL and of the network. PostgreSQL's messages are not shown, because they may quote what was
 * sent.
 */
const REASONS: Readonly<Record<string, [message: string, remedy: string]>> = {
  '28P01': ['It rejects the password.', 'Correct DATABASE_URL.'],
  '28000': ['It rejects this user.', 'Correct DATABASE_URL, or pg_hba.conf.'],
  '3D000': ['The database does not exist.', 'Create it, or correct DATABASE_URL.'],
  '53300': ['It has no connection left.', 'Raise max_connections, or run fewer replicas.'],
  '42501': ['This role may not read the tables.', 'Grant it access to what the migrating role has created.'],
  ECONNREFUSED: ['It refuses the connection.', 'Start it, or correct host and port in DATABASE_URL.'],
  ENOTFOUND: ["The host's name cannot be resolved.", 'Correct DATABASE_URL, or the DNS of this machine.'],
};

const LEDGER_TIMEOUT_MS = 120_000;

interface Tables {
  migrations: boolean;
  meta: boolean;
  losses: boolean;
}

const TABLES = `select to_regclass('kysely_migration') is not null as "migrations",
  to_regclass('meta') is not null as "meta", to_regclass('store_losses') is not null as "losses"`;

/** Sessions of services of another version. Those of other roles are hidden from a role without rights to see them. */
const OTHERS = `select application_name as name, count(*)::int as count from pg_stat_activity
  where datname = current_database() and (application_name = 'tillfront' or starts_with(application_name, 'tillfront/'))
    and application_name <> $1 group by 1 order by 1`;

/** Whether the database's tables are ours, know what was confirmed, and are used by services of this version alone. Writes nothing. */
async function checkTables(
  found: Findings,
  config: Inspected,
  client: Client,
  { dataDir }: { dataDir: string },
): Promise<void> {
  const { rows } = await client.query<Tables>(TABLES);
  const { migrations = false, meta = false, losses = false } = rows[0] ?? {};
  const applied = migrations ? await column(client, 'select name as value from kysely_migration') : [];
  const setting = async (name: string): Promise<string | undefined> =>
    meta ? (await column(client, `select value from meta where name = '${name}'`))[0] : undefined;
  const kept = new WitnessFile(dataDir).read((await setting('store_id')) ?? '');
  if (losses) await checkHistory(found, client, kept);
  checkWitness(found, dataDir);
  checkStoreState(found, config, { applied, identity: await setting('gateway') });
  await checkOthers(found, client);
  if (isSchemaOurs(applied)) await checkEntries(found, client);
}

async function column(client: Client, query: string): Promise<string[]> {
  return (await client.query<{ value: string }>(query)).rows.map(({ value }) => value);
}

/** By what the processes have recorded in it, and by what those of this machine have written down beside it. */
async function checkHistory(found: Findings, client: Client, kept: KeptWitness | undefined): Promise<void> {
  const commits = kept?.commits ?? [];
  const seen = await lookAtPostgres(client, commits);
  const accepted = seen.losses.filter((loss) => loss.accepted).map(({ id }) => id);
  const verdict = judgeHistory(
    {
      history: undefined,
      commits,
      acceptedBefore: new Set(kept?.accepted ?? accepted),
      epoch: kept?.epoch ?? 0,
    },
    { ...seen, readOnly: false, epoch: seen.epoch.number },
  );
  if (verdict.kind === 'lost') reportLoss(found, lossOf(verdict.missing, verdict.older).message);
}

function checkWitness(found: Findings, dataDir: string): void {
  const check = 'store.witness';
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    found.ok(
      check,
      `What the database has confirmed is also written to ${dataDir}, so that a loss is seen after a restart.`,
    );
  } catch {
    found.warning(
      check,
      `${dataDir} is not there or cannot be written: once all processes were restarted, a commit that the database has lost would not be seen.`,
      'Set DATA_DIR to a folder that the service may write to and that outlives it.',
    );
  }
}

/** Reads everything, and so may take longer than other questions. */
async function checkEntries(found: Findings, client: Client): Promise<void> {
  const text = `${LEDGER_FAULTS} limit ${NAMED + 1}`;
  const look: QueryConfig & { query_timeout: number } = { text, query_timeout: LEDGER_TIMEOUT_MS };
  const { rows } = await client.query<{ id: string }>(look);
  checkLedger(
    found,
    rows.map(({ id }) => id),
  );
}

async function checkOthers(found: Findings, client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string; count: number }>(OTHERS, [applicationName()]);
  if (rows.length === 0) return;
  const named = rows.map(
    ({ name, count }) => `${name.split('/')[1] ?? 'an older one'} (${count} connections)`,
  );
  found.warning(
    'store.replicas',
    `Services of another version use this database: ${named.join(', ')}.`,
    MUST_STOP,
  );
}
