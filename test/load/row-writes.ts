import { readSync, openSync, closeSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { closedLoop } from './http-load.ts';
import { createDatabase, startService, type Subject } from './subject.ts';

/** What payments write, counted by the store itself: each card payment paid at once, all features on. */
export interface Writes {
  postgres: { oneByOne: PostgresWrites; together: PostgresWrites };
  embedded: { oneByOne: EmbeddedWrites; together: EmbeddedWrites };
}

/** A payment. */
export type PostgresWrites = {
  /** Rows added, changed and removed. */
  rows: number;
  /** Bytes of write-ahead log, without the whole pages that the first change after a checkpoint writes. */
  logBytes: number;
};

/** A payment. */
export type EmbeddedWrites = {
  /** Pages written into the write-ahead log. */
  frames: number;
};

export interface WritesPlaces {
  build: string;
  gatewayPort: number;
  /** Payments counted in each way. */
  payments: number;
}

/** So many are under way at once where they are paid together. */
const TOGETHER = 32;
const WARM_UP = 64;

async function pay(service: Subject, payments: readonly Buffer[], concurrency: number): Promise<void> {
  const { wrong } = await closedLoop(service.port, payments, concurrency, (answer) =>
    service.isRight(answer),
  );
  if (wrong > 0) throw new Error(`${wrong} of ${payments.length} payments were answered wrongly`);
}

/**
 * Makes a PostgreSQL of one's own count alike each time: nothing cleans up by itself, no checkpoint comes between, and pages are not written whole
 * into the log. Ask it of no database that others use.
 */
export async function steadyPostgres(clusterUrl: string): Promise<void> {
  const client = new Client({ connectionString: clusterUrl });
  await client.connect();
  for (const setting of [
    'autovacuum = off',
    'full_page_writes = off',
    "checkpoint_timeout = '1h'",
    "max_wal_size = '4GB'",
  ])
    await client.query(`alter system set ${setting}`);
  await client.query('select pg_reload_conf()');
  await client.query('checkpoint');
  await client.end();
}

/** On a cluster made steady (`steadyPostgres`). A connection tells its counts when it ends, so the service is started for each of them. */
export async function measurePostgresWrites(
  { build, gatewayPort, payments }: WritesPlaces,
  clusterUrl: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Writes['postgres']> {
  const databaseUrl = await createDatabase(clusterUrl, `writes_${Date.now()}`);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const during = async (
    work: (service: Subject) => Promise<void>,
  ): Promise<{ rows: number; logBytes: number }> => {
    const rowsBefore = await countRows(client);
    const service = await startService({
      name: 'writes',
      build,
      gatewayPort,
      databaseUrl,
      environment,
    });
    try {
      const before = await untilQuiet(() => logPosition(client));
      await work(service);
      const after = await untilQuiet(() => logPosition(client));
      await service.stop();
      return { rows: (await countRows(client)) - rowsBefore, logBytes: after - before };
    } finally {
      await service.stop();
    }
  };
  try {
    let oneByOne: Buffer[] = [];
    let together: Buffer[] = [];
    await during(async (service) => {
      oneByOne = await service.prepare(payments);
      together = await service.prepare(payments);
      await pay(service, await service.prepare(WARM_UP), TOGETHER);
    });
    const nothing = await during(() => Promise.resolve());
    const each = ({ rows, logBytes }: PostgresWrites): PostgresWrites => ({
      rows: (rows - nothing.rows) / payments,
      logBytes: logBytes / payments,
    });
    return {
      oneByOne: each(await during((service) => pay(service, oneByOne, 1))),
      together: each(await during((service) => pay(service, together, TOGETHER))),
    };
  } finally {
    await client.end();
  }
}

async function countRows(client: Client): Promise<number> {
  for (;;) {
    const { rows } = await client.query<{ others: string }>(
      'select count(*) as others from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    if (rows[0]?.others === '0') break;
    await pause();
  }
  const { rows } = await client.query<{ changed: string }>(
    'select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) as changed from pg_stat_user_tables',
  );
  return Number(rows[0]?.changed);
}

async function logPosition(client: Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes",
  );
  return Number(rows[0]?.bytes);
}

/** What the service does after its answers belongs to the payments too: their events are ordered a little later. */
const QUIET_MS = 600;

/** Waits until a position moves no more and returns it. */
async function untilQuiet(position: () => number | Promise<number>): Promise<number> {
  let last = await position();
  let since = performance.now();
  while (performance.now() - since < QUIET_MS) {
    await pause();
    const now = await position();
    if (now === last) continue;
    last = now;
    since = performance.now();
  }
  return last;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

/** Counts in the index of SQLite's write-ahead log while a reader keeps the log from beginning anew. */
export async function measureEmbeddedWrites({
  build,
  gatewayPort,
  payments,
}: WritesPlaces): Promise<Writes['embedded']> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tillfront-writes-'));
  const service = await startService({ name: 'writes', build, gatewayPort, dataDir });
  const file = join(dataDir, 'tillfront.db');
  // Opened once: closing any descriptor of a file gives up all locks that this process holds on it, those of the reader too.
  const index = openSync(`${file}-shm`, 'r');
  const reader = new DatabaseSync(file, { readOnly: true });
  try {
    const oneByOne = await service.prepare(payments);
    const together = await service.prepare(payments);
    const warmUp = await service.prepare(WARM_UP);
    // The reader must find something in the log: of an empty one it would hold back nothing.
    for (const payment of warmUp) {
      await pay(service, [payment], 1);
      const { frames, copied } = readLogIndex(index);
      if (frames > copied) break;
    }
    reader.exec('begin');
    reader.prepare('select count(*) from sqlite_master').get();
    const { salt } = readLogIndex(index);
    const frames = async (requests: readonly Buffer[], concurrency: number): Promise<EmbeddedWrites> => {
      const before = await untilQuiet(() => readLogIndex(index).frames);
      await pay(service, requests, concurrency);
      const after = await untilQuiet(() => readLogIndex(index).frames);
      if (readLogIndex(index).salt !== salt)
        throw new Error('the write-ahead log began anew while it was counted');
      return { frames: (after - before) / requests.length };
    };
    return {
      oneByOne: await frames(oneByOne, 1),
      together: await frames(together, TOGETHER),
    };
  } finally {
    reader.close();
    closeSync(index);
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Bytes of the index's header, and where it says what (https://sqlite.org/walformat.html). */
const INDEX_HEADER = 136;
const LAST_FRAME = 16;
const SALT = 32;
const COPIED = 96;

function readLogIndex(index: number): { frames: number; copied: number; salt: bigint } {
  const header = Buffer.alloc(INDEX_HEADER);
  readSync(index, header, 0, INDEX_HEADER, 0);
  // In the machine's own order, which is little-endian wherever Node.js runs in practice.
  return {
    frames: header.readUInt32LE(LAST_FRAME),
    copied: header.readUInt32LE(COPIED),
    salt: header.readBigUInt64LE(SALT),
  };
}
