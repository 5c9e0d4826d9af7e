import { chmodSync, existsSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { OWNER_ONLY } from '../secrets/private-file.js';
import { lockDataDir, storeFile } from './data-dir.js';
import type { StorePlace } from './opened-store.js';
import { PostgresConnections } from './postgres/connections.js';
import { prepareStore, readMeta, schemaVersion, StoreRefused, writeMeta, type Query } from './prepare.js';
import { META, NOW, SCHEMA, TABLES } from './schema.js';
import { inSqliteFile } from './sqlite/sqlite-driver.js';
import { openConnection } from './sqlite/connection.js';
import type { SqlValue } from './store.js';

/** What `tillfront store …` does. Each opens the store by itself, and closes it. */

/** Brings the schema up to date. Returns its number before and after. */
export function migrateStore(place: StorePlace): Promise<{ from: number; to: number }> {
  const release = place.kind === 'embedded' ? lockDataDir(place.dataDir) : () => undefined;
  return inStore(place, async (query) => {
    const from = await schemaVersion(query, place.kind);
    await prepareStore(query, { kind: place.kind, migrate: true });
    return { from, to: SCHEMA };
  }).finally(release);
}

/** Declares that the store lost commits: a person knows what nobody can see, as after a volume's snapshot. Every replica learns of it. */
export async function declareRestored(place: StorePlace): Promise<void> {
  if (place.kind === 'embedded') existing(place.dataDir);
  await inStore(place, async (query) => {
    await assertThere(query, place.kind);
    await writeMeta(query, META.restored, await timeOf(query, place.kind));
  });
}

/** Declares that nothing is missing any more. Returns when the loss was noticed; undefined where none was. */
export async function trustStore(place: StorePlace): Promise<number | undefined> {
  if (place.kind === 'embedded') existing(place.dataDir);
  return inStore(place, async (query) => {
    await assertThere(query, place.kind);
    const at = await readMeta(query, META.restored);
    await query('delete from meta where name = ?', [META.restored]);
    return at === undefined ? undefined : Number(at);
  });
}

/** Copies the embedded store into a new file while the service runs. */
export async function backupStore(place: StorePlace, file: string): Promise<void> {
  if (place.kind === 'postgres')
    throw new StoreRefused('The payments are in PostgreSQL: back it up with `pg_dump "$DATABASE_URL"`.');
  if (existsSync(file)) throw new StoreRefused(`${file} exists already: name a new file.`);
  const source = openConnection(existing(place.dataDir), true);
  try {
    await backup(source, file);
  } finally {
    source.close();
  }
  chmodSync(file, OWNER_ONLY);
  const copy = new DatabaseSync(file, { readOnly: true });
  try {
    const [check] = copy.prepare('pragma quick_check').all();
    if (check?.['quick_check'] !== 'ok')
      throw new StoreRefused(`The copy in ${file} is damaged. Make another one.`);
  } finally {
    copy.close();
  }
}

/**
 * Copies the embedded store of a folder into an empty PostgreSQL, in one transaction, and marks the old one as moved. Returns how many rows
 * each table has. The service must be stopped. A copy that was interrupted can be made again.
 */
export async function copyStore(folder: string, url: () => string): Promise<Record<string, number>> {
  const file = existing(folder);
  const release = lockDataDir(folder);
  const source = openConnection(file);
  const connections = new PostgresConnections(url);
  try {
    const query: Query = (text, values = []) => Promise.resolve(source.prepare(text).all(...values));
    // Refuses a newer one, and one that moved already.
    await prepareStore(query, { kind: 'embedded', migrate: false });
    const counts = await connections.patiently((target) => copyTables(source, target));
    await writeMeta(query, META.moved, new Date(Number(await timeOf(query, 'embedded'))).toISOString());
    return counts;
  } finally {
    await connections.end();
    source.close();
    release();
  }
}

/** So many rows are sent at once. */
const ROWS_AT_ONCE = 500;

async function copyTables(source: DatabaseSync, target: Query): Promise<Record<string, number>> {
  await prepareStore(target, { kind: 'postgres', migrate: true });
  const id = source.prepare('select value from meta where name = ?').get(META.store)?.['value'];
  const again = (await readMeta(target, META.store)) === id;
  const [order] = await target('select 1 as found from orders limit 1');
  if (order && !again) throw new StoreRefused('The database that DATABASE_URL names has payments already.');
  const counts: Record<string, number> = {};
  for (const table of TABLES) {
    if (!order) await copyTable(source, target, table);
    const count = `select count(*) as n from ${table}`;
    const here = Number(source.prepare(count).get()?.['n']);
    const there = Number((await target(count))[0]?.['n']);
    // The database has a few rows of its own besides.
    const whole = OWN_ROWS.has(table) ? there >= here : there === here;
    if (!whole)
      throw new StoreRefused(
        `The copy of ${table} has ${there} rows instead of ${here}. Nothing was copied.`,
      );
    counts[table] = here;
  }
  await target(
    `select setval(pg_get_serial_sequence('events', 'seq'), greatest((select max(seq) from events), 1))`,
  );
  return counts;
}

const OWN_ROWS = new Set<string>(['meta', 'heartbeats', 'marks', 'leases']);

async function copyTable(source: DatabaseSync, target: Query, table: string): Promise<void> {
  // Derived columns are hidden, and derive again.
  const info = source.prepare(`select name from pragma_table_xinfo(?) where hidden = 0`).all(table);
  const columns = info.map(({ name }) => String(name));
  const row = `(${columns.map(() => '?').join(', ')})`;
  const [key, ...others] = columns;
  const replace = others.map((column) => `${column} = excluded.${column}`).join(', ');
  const reading = source.prepare(`select ${columns.join(', ')} from ${table}`);
  reading.setReadBigInts(true);
  let rows: SqlValue[][] = [];
  const send = async (): Promise<void> => {
    if (rows.length === 0) return;
    const values = rows.map(() => row).join(', ');
    await target(
      `insert into ${table} (${columns.join(', ')}) values ${values} on conflict (${key}) do update set ${replace}`,
      rows.flat(),
    );
    rows = [];
  };
  for (const found of reading.iterate()) {
    // A store has no blobs.
    rows.push(columns.map((column) => found[column] as SqlValue));
    if (rows.length === ROWS_AT_ONCE) await send();
  }
  await send();
}

async function inStore<T>(place: StorePlace, work: (query: Query) => Promise<T>): Promise<T> {
  if (place.kind === 'embedded') return inSqliteFile(place.dataDir, work);
  const connections = new PostgresConnections(place.currentUrl);
  try {
    return await connections.patiently(work);
  } finally {
    await connections.end();
  }
}

/** The database's time, in milliseconds. */
async function timeOf(query: Query, kind: StorePlace['kind']): Promise<string> {
  const [row] = await query(`select ${NOW[kind]} as now`);
  return String(row?.['now']);
}

async function assertThere(query: Query, kind: StorePlace['kind']): Promise<void> {
  if ((await schemaVersion(query, kind)) === 0)
    throw new StoreRefused(
      'There is no store yet: start the service once, or run `tillfront store migrate`.',
    );
}

function existing(dataDir: string): string {
  const file = storeFile(dataDir);
  if (!existsSync(file)) throw new StoreRefused(`There is no embedded store in ${dataDir}.`);
  return file;
}
