import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { StoreKind } from '../../harness/test-store.js';
import { startPostgresPair } from '../../setup/postgres-pair.js';
import { whileStopped, type Process } from './process.js';

/** Where the processes keep what they know, and what can become of it. */
export interface Place {
  readonly environment: Record<string, string>;
  /** How many processes share it. */
  readonly processes: number;
  /** Remembers what is there. */
  copy(processes: readonly Process[]): Promise<void>;
  /** Puts that in the place of what is there: commits are lost. */
  goBack(processes: readonly Process[]): Promise<void>;
  /** Another server takes over, with all commits. */
  failOver?: () => Promise<void>;
  stop(): Promise<void>;
}

export function placeOf(kind: StoreKind): Promise<Place> | Place {
  return kind === 'embedded' ? EMBEDDED : onPostgres();
}

const FILES = ['tillfront.db', 'tillfront.db-wal'];
const copyFiles = (folder: string, from: string, to: string): Promise<unknown> =>
  Promise.all(FILES.map((file) => copyFile(join(folder, file + from), join(folder, file + to))));

const EMBEDDED: Place = {
  environment: {},
  processes: 1,
  copy: (processes) => whileStopped(processes, (folder) => copyFiles(folder, '', '.old')),
  goBack: (processes) =>
    whileStopped(processes, async (folder) => {
      await copyFiles(folder, '.old', '');
      await rm(join(folder, 'tillfront.db-shm'), { force: true });
    }),
  stop: () => Promise.resolve(),
};

/** A primary with a synchronous standby. Its address stands in a file. */
async function onPostgres(): Promise<Place> {
  const pair = await startPostgresPair();
  const folder = await mkdtemp(join(tmpdir(), 'tillfront-test-real-'));
  const file = join(folder, 'database-url');
  let server = pair.primary;
  const use = (): Promise<void> => writeFile(file, server.url.replace(/postgres$/, 'shop'));
  const query = async (...statements: string[]): Promise<void> => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  /** Does something to the database while nobody is connected to it. */
  const alone = (...statements: string[]): Promise<void> =>
    query(
      'alter database shop allow_connections false',
      "select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = 'shop'",
      ...statements,
      'alter database shop allow_connections true',
    );
  await query('create database shop');
  await use();
  return {
    environment: { DATABASE_URL_FILE: file },
    processes: 2,
    copy: () => alone('create database former template shop'),
    goBack: () => alone('alter database shop rename to lost', 'alter database former rename to shop'),
    failOver: async () => {
      await pair.failOver();
      server = pair.standby;
      await use();
    },
    stop: async () => {
      await pair.stop();
      await rm(folder, { recursive: true });
    },
  };
}
