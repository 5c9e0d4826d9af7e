import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { leases, meta, movementSums, storeLosses, TABLES, type sessions } from '../../store/schema.js';
import { columnsOf } from '../../store/table.js';
import { lockDataDir } from '../../store/data-dir-lock.js';
import { EPOCH } from '../../store/history/epoch.js';
import { assertNothingForgotten } from '../../store/history/embedded-loss.js';
import { EMBEDDED_WITNESS, WitnessFile } from '../../store/history/witness-file.js';
import { newId } from '../../store/ids.js';
import { compareSchema, SchemaMismatch } from '../../store/migrations.js';
import { openSqliteFile } from '../../store/sqlite/connection.js';
import { insertAll } from '../../store/statements.js';
import { ForeignStore, type StoreIdentity } from '../../store/store-identity.js';
import { Store } from '../../store/store.js';
import { auditCommand } from '../command-audit.js';
import { type CommandContext, CommandFailure, EXIT, type ExitCode } from '../command.js';
import { inspectConfiguration, plainly } from '../configuration.js';

const NOT_COPIED = new Set<unknown>([leases, meta, movementSums, storeLosses]);

/**
 * The tables of a store. The gateway's identity is written when the target is prepared, leases end with the process
 * that held them, losses are a database's own, and sums are made anew at its first start.
 */
const COPIED = TABLES.filter((table) => !NOT_COPIED.has(table)).map((table) => ({
  name: table.name,
  columns: columnsOf(table as typeof sessions),
  insert: insertAll(table as typeof sessions),
}));

/** The next batch of events comes after those that were copied. */
const CONTINUE_BATCHES = `select setval(pg_get_serial_sequence('event_batches', 'id'), max(id))
  from event_batches having max(id) > 0`;

/** What was given out in the epochs of the source is not given out again. */
const GO_ON_IN_EPOCH = `insert into meta (name, value) values ($1, $2)
  on conflict (name) do update set value = excluded.value`;

const ROWS_AT_ONCE = 500;

/**
 * Copies an embedded store, which must not be in use, into the empty PostgreSQL of the configuration, completely or not at
 * all. A store that has forgotten what it had confirmed is refused, as at a start.
 */
export async function copyEmbedded({ env, reporter }: CommandContext, folder: string): Promise<ExitCode> {
  const config = inspectConfiguration(env);
  const target = config.store;
  if (target.kind !== 'postgres') {
    throw new CommandFailure(
      'Set DATABASE_URL to the PostgreSQL that the store is to be copied into.',
      'store',
    );
  }
  const file = join(folder, 'tillfront.db');
  if (!existsSync(file)) throw new CommandFailure(`There is no embedded store in ${folder}.`, 'store');
  const identity = { gatewayOrigin: new URL(config.gateway.baseUrl).origin, mode: config.gateway.mode };
  return plainly(async () => {
    const unlock = lockDataDir(folder);
    try {
      const source = openSqliteFile(file);
      try {
        assertFits(source, identity);
        // What the service refuses to start on must not be taken for the whole elsewhere.
        const write = (sql: string, values: (string | number)[]): Promise<unknown> =>
          Promise.resolve(source.prepare(sql).run(...values));
        const finder = { by: newId('own'), at: Date.now(), write };
        await assertNothingForgotten(source, new WitnessFile(folder, EMBEDDED_WITNESS), finder);
        const options = { config: target, migrate: true, identity };
        await prepare(options);
        const url = target.currentUrl.current() ?? target.url.unwrap();
        const copied = await copyAll(source, url, (batches) => reporter.progress('Copying', batches));
        await prepare(options, async (store) => {
          await markMoved(source, folder, store);
          await auditCommand(store, 'copy');
        });
        const rows = Object.values(copied).reduce((sum, count) => sum + count, 0);
        reporter.report({
          text: [
            `Copied ${copied['payments'] ?? 0} payments, ${rows} rows in all.`,
            'Start the service with this DATABASE_URL from now on, and never again on the folder.',
          ],
          json: { copied },
        });
        return EXIT.done;
      } finally {
        source.close();
      }
    } finally {
      unlock();
    }
  });
}

/** From now on no service starts on the folder without PostgreSQL: it would charge orders again that are paid there. */
async function markMoved(source: DatabaseSync, folder: string, { db, epoch }: Store): Promise<void> {
  const { value: store } = await db
    .selectFrom('meta')
    .select('value')
    .where('name', '=', 'store_id')
    .executeTakeFirstOrThrow();
  const commits = source
    .prepare('select reference, version from payment_references limit 200')
    .all()
    .map(({ reference, version }) => ({ reference: String(reference), version: Number(version) }));
  await new WitnessFile(folder).write({ store, history: null, commits, accepted: [], epoch: epoch.number });
}

function assertFits(source: DatabaseSync, { gatewayOrigin, mode }: StoreIdentity): void {
  const applied = source.prepare('select name from kysely_migration').all();
  const { missing, newer } = compareSchema(applied.map(({ name }) => String(name)));
  if (missing.length > 0 || newer.length > 0) {
    throw new SchemaMismatch(
      "The embedded store's schema is not that of this version. Start this version on it once, then stop it and copy.",
    );
  }
  const wanted = `${gatewayOrigin} (${mode})`;
  const found = source.prepare("select value from meta where name = 'gateway'").get()?.['value'];
  if (found !== undefined && found !== wanted) throw new ForeignStore(String(found), wanted);
}

async function prepare(
  options: Parameters<typeof Store.connect>[0],
  work?: (store: Store) => Promise<void>,
): Promise<void> {
  const store = Store.connect(options);
  try {
    await store.prepare();
    await work?.(store);
  } finally {
    await store.close();
  }
}

/** Copies every table in one transaction. Returns the number of rows of each. */
async function copyAll(
  source: DatabaseSync,
  url: string,
  progress: (batches: number) => { step(): void; end(): void },
): Promise<Record<string, number>> {
  const counts = COPIED.map(({ name }) => countIn(source, name));
  const shown = progress(counts.reduce((sum, count) => sum + Math.ceil(count / ROWS_AT_ONCE), 0));
  const client = new Client({ ...parseIntoClientConfig(url), application_name: 'tillfront-migrate' });
  // A broken connection shows up in the query that fails.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    // A service that starts meanwhile waits here, and anything that it has already written is seen.
    await client.query(`lock table ${COPIED.map(({ name }) => name).join(', ')} in exclusive mode`);
    for (const { name } of COPIED) {
      const { rows } = await client.query(`select 1 from ${name} limit 1`);
      if (rows.length > 0) {
        throw new CommandFailure(
          `The database is not empty (${name}): payments of two stores must not be mixed. Create a new one.`,
          'store',
        );
      }
    }
    const copied: Record<string, number> = {};
    for (const { name, columns, insert } of COPIED) {
      copied[name] = 0;
      for (const batch of batches(source, `select ${columns.join(', ')} from ${name}`)) {
        const { rowCount } = await client.query(insert, [JSON.stringify(batch)]);
        copied[name] += rowCount ?? 0;
        shown.step();
      }
    }
    const lost = COPIED.find(({ name }, index) => copied[name] !== counts[index]);
    if (lost) throw new Error(`${lost.name} came out with another number of rows`);
    await client.query(CONTINUE_BATCHES);
    const epoch = source.prepare('select value from meta where name = ?').get(EPOCH)?.['value'];
    if (typeof epoch === 'string') await client.query(GO_ON_IN_EPOCH, [EPOCH, epoch]);
    await client.query('commit');
    await client.query('analyze');
    return copied;
  } finally {
    shown.end();
    await client.end();
  }
}

function countIn(source: DatabaseSync, table: string): number {
  return Number(source.prepare(`select count(*) as count from ${table}`).get()?.['count']);
}

function* batches(source: DatabaseSync, select: string): Generator<object[]> {
  let batch: object[] = [];
  for (const row of source.prepare(select).iterate()) {
    batch.push(row);
    if (batch.length < ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
