import { Client } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import type { StoreConfig } from '../../config/config.js';
import { isLoopbackHost } from '../../config/addresses.js';
import type { inspectConfiguration } from '../inspect-configuration.js';
import { TRY_ROOM } from '../../store/postgres/try-write.js';
import { checkClock } from './clock.js';
import { ok, problem, warning, type Finding } from './finding.js';
import { failureCode } from './peer.js';
import { checkPostgresStore } from './postgres-store-check.js';

type Inspected = ReturnType<typeof inspectConfiguration>;
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
export async function checkPostgres(config: Inspected, store: PostgresConfig): Promise<Finding[]> {
  const url = store.currentUrl.current() ?? store.url.unwrap();
  const client = new Client({
    ...parseIntoClientConfig(url),
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    application_name: 'tillfront-doctor',
  });
  // A connection that breaks later shows up in the query that fails.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const begun = Date.now();
    const { rows } = await client.query<Facts>(FACTS);
    const middle = (begun + Date.now()) / 2;
    const [facts] = rows;
    if (!facts) throw new Error('no facts');
    return [
      ok(CHECK, `PostgreSQL ${facts.versionText} answers.`),
      ...checkDurability(facts),
      ...checkUse(facts, client.host),
      ...(await checkRoom(client)),
      checkClock("the database's clock", (facts.nowMs - middle) / 1000),
      ...(await checkPostgresStore(config, client, store)),
    ];
  } catch (error) {
    return [unreachable(error)];
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** What needs room for a moment, and changes nothing, tells whether there is any. */
async function checkRoom(client: Client): Promise<Finding[]> {
  try {
    await client.query(TRY_ROOM);
    return [];
  } catch (error) {
    await client.query('rollback');
    const check = 'store.space';
    if (failureCode(error) === DISK_FULL)
      return [
        problem(
          check,
          'PostgreSQL has no room left.',
          'Enlarge its disk, or free some of it: it confirms nothing meanwhile.',
        ),
      ];
    return [
      warning(
        check,
        `Whether PostgreSQL has room cannot be told (${failureCode(error)}).`,
        'Look at its disk.',
      ),
    ];
  }
}

function checkDurability({
  fsync,
  synchronousCommit,
  fullPageWrites,
  recovering,
  readOnly,
}: Facts): Finding[] {
  const off = [
    ...(fsync === 'off' ? ['fsync'] : []),
    ...(synchronousCommit === 'off' ? ['synchronous_commit'] : []),
    ...(fullPageWrites === 'off' ? ['full_page_writes'] : []),
  ];
  const check = 'store.durability';
  if (recovering) {
    return [problem(check, 'It is a read-only replica.', 'Point DATABASE_URL at the primary.')];
  }
  if (readOnly) {
    return [
      problem(
        check,
        'It takes no writes: default_transaction_read_only is on.',
        'Turn it off for this role, this database or the server, or point DATABASE_URL at the one that takes writes.',
      ),
    ];
  }
  if (off.length === 0) return [ok(check, 'Its commits survive a crash.')];
  return [
    problem(
      check,
      `${off.join(' and ')} is off: a crash can lose payments that were already answered.`,
      'Turn it on in postgresql.conf, or for this role.',
    ),
  ];
}

function checkUse(facts: Facts, host: string): Finding[] {
  const findings: Finding[] = [];
  if (facts.version < OLDEST) {
    findings.push(
      warning(
        CHECK,
        `PostgreSQL ${facts.versionText} is old.`,
        'Use version 15 or newer; older ones are not tested.',
      ),
    );
  }
  if (facts.encoding !== 'UTF8') {
    findings.push(
      problem(
        CHECK,
        `The database's encoding is ${facts.encoding}.`,
        "Make one with: create database … encoding 'UTF8'",
      ),
    );
  }
  if (!facts.mayCreate) {
    findings.push(
      warning(
        'store.role',
        'This role cannot create tables, so it cannot migrate.',
        'Run "tillfront migrate" with a role that can, and MIGRATE_ON_START=false here.',
      ),
    );
  }
  if (!facts.tls && !host.startsWith('/') && !isLoopbackHost(host)) {
    findings.push(
      warning(
        'store.tls',
        "The connection is not encrypted. With production's rules the start is refused unless DATABASE_URL asks for TLS.",
        'Add sslmode=verify-full to DATABASE_URL.',
      ),
    );
  }
  const replicas = Math.floor((facts.maxConnections - 3) / POOL_SIZE);
  findings.push(
    ok(
      'store.connections',
      `Its ${facts.maxConnections} connections are enough for ${replicas} replicas (${POOL_SIZE} each).`,
    ),
  );
  return findings;
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

function unreachable(error: unknown): Finding {
  const code = failureCode(error);
  const [message, remedy] = REASONS[code] ?? [
    `It cannot be used (${code}).`,
    'Check DATABASE_URL, firewalls and its own log.',
  ];
  return problem(CHECK, `PostgreSQL: ${message}`, remedy);
}
