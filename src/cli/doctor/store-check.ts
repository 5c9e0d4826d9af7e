import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import type { ConfigDraft } from '../../config/config.js';
import { compareSchema } from '../../store/migrations.js';
import { reasonOf } from '../service.js';
import { Findings, type Finding } from './finding.js';

const TIMEOUT_MS = 8_000;
const LEAST_SPACE = 200 * 1024 ** 2;
const MIGRATIONS = 'select name from kysely_migration';

/** Whether the store can be used and has our schema. Changes nothing. */
export async function checkStore(config: ConfigDraft): Promise<readonly Finding[]> {
  const found = new Findings('store');
  const { store } = config;
  if (store.kind === 'embedded') checkEmbedded(found, config, store.dataDir);
  else await checkPostgres(found, config, store.currentUrl());
  return found.all;
}

function checkEmbedded(found: Findings, config: ConfigDraft, dataDir: string): void {
  const place = nearestExisting(dataDir);
  try {
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    found.problem(`${dataDir} cannot be written.`, 'Give it to the account of the service, or set DATA_DIR.');
    return;
  }
  const { bavail, bsize } = statfsSync(place);
  if (bavail * bsize < LEAST_SPACE)
    found.problem(
      'The disk of DATA_DIR is almost full.',
      'Free some space: a full store accepts no payments.',
    );
  const file = join(dataDir, 'tillfront.db');
  if (!existsSync(file)) return checkSchema(found, config, []);
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 2_000 });
    try {
      const names = database.prepare(MIGRATIONS).all();
      checkSchema(
        found,
        config,
        names.map(({ name }) => String(name)),
      );
    } finally {
      database.close();
    }
  } catch (error) {
    found.problem(
      `${file} cannot be read (${error instanceof Error ? error.message : 'unknown reason'}).`,
      'Keep the file, and see docs/runbook.md before you restore a backup.',
    );
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

async function checkPostgres(found: Findings, config: ConfigDraft, url: string): Promise<void> {
  const client = new Client({
    ...parseIntoClientConfig(url),
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    application_name: 'tillfront-doctor',
  });
  // A connection that breaks later fails the query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ fsync: string; commit: string; table: string | null }>(
      `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
        to_regclass('kysely_migration')::text as table`,
    );
    if (rows[0]?.fsync === 'off' || rows[0]?.commit === 'off')
      found.problem(
        'PostgreSQL confirms commits before they are on disk: a crash loses payments.',
        'Set fsync and synchronous_commit to on.',
      );
    const names = rows[0]?.table ? (await client.query<{ name: string }>(MIGRATIONS)).rows : [];
    checkSchema(
      found,
      config,
      names.map(({ name }) => name),
    );
  } catch (error) {
    found.problem(
      `PostgreSQL cannot be used (${reasonOf(error)}).`,
      'Check host, database, role, password and TLS of DATABASE_URL, and its log.',
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

function checkSchema(found: Findings, { migrateOnStart }: ConfigDraft, applied: string[]): void {
  const { missing, newer } = compareSchema(applied);
  if (newer.length > 0) found.problem('Its schema is newer than this version.', 'Run the newer version.');
  else if (missing.length === 0) found.ok('It can be used, and its schema is up to date.');
  else if (migrateOnStart) found.ok('It can be used; the next start brings its schema up to date.');
  else
    found.problem(
      'Its schema is older than this version, and MIGRATE_ON_START is false.',
      'Run "tillfront store migrate".',
    );
}
