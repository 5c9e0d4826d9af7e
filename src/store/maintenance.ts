import { chmodSync, existsSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { OWNER_ONLY } from '../secrets/private-file.js';
import { lockDataDir, storeFile } from './data-dir.js';
import type { Query } from './driver.js';
import type { StorePlace } from './opened-store.js';
import { PostgresConnections } from './postgres/connections.js';
import { prepareStore, readMeta, schemaVersion, StoreRefused, writeMeta } from './prepare.js';
import { META, NOW, SCHEMA, TABLES } from './schema.js';
import { openConnection } from './sqlite/connection.js';
import { inSqliteFile } from './sqlite/sqlite-driver.js';
import type { SqlValue } from './store.js';

/** What `tillfront store …` does. Each opens the store by itself, and closes it. */

/** Brings the schema up to date. Returns its number before and after. */
export async function migrateStore(place: StorePlace): Promise<{ from: number; to: number }> {
  const release = place.kind === 'embedded' ? lockDataDir(place.dataDir) : () => undefined;
  try {
    return await inStore(place, async (query) => {
      const from = await schemaVersion(query, place.kind);
      await prepareStore(query, { kind: place.kind, migrate: true });
      return { from, to: SCHEMA };
    });
  } finally {
    release();
  }
}

/** Declares that the store lost commits: a person knows what nobody can see, as after a volume's snapshot. Every replica learns of it. */
export function declareRestored(place: StorePlace): Promise<void> {
  return inExisting(place, async (query) =>
    writeMeta(query, META.restored, String(await timeOf(query, place.kind))),
  );
}

/** Declares that nothing is missing any more. Returns when the loss was noticed; undefined where none was. */
export function trustStore(place: StorePlace): Promise<number | undefined> {
  return inExisting(place, async (query) => {
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
    if (copy.prepare('pragma quick_check').get()?.['quick_check'] !== 'ok')
      throw new StoreRefused(`The copy in ${file} is damaged. Make another one.`);
  } finally {
    copy.close();
  }
}

/**
 * Copies the embedded store of a folder into an empty PostgreSQL, in one transaction, and marks the old one as moved. Returns how many rows
 * each table has. The service must be stopped. A copy that failed can be made again.
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
    const counts = await connections.patiently(async (target) => {
      await prepareStore(target, { kind: 'postgres', migrate: true });
      const [order] = await target('select 1 from orders limit 1');
      if (order) throw new StoreRefused('The database that DATABASE_URL names has payments already.');
      const copied: Record<string, number> = {};
      for (const table of TABLES) copied[table] = await copyTable(source, target, table);
      await target(
        `select setval(pg_get_serial_sequence('events', 'seq'), greatest((select max(seq) from events), 1))`,
      );
      return copied;
    });
    await writeMeta(query, META.moved, new Date(await timeOf(query, 'embedded')).toISOString());
    return counts;
  } finally {
    await connections.end();
    source.close();
    release();
  }
}

/** So many rows are sent at once. */
const ROWS_AT_ONCE = 500;
/** Of these the database has a few of its own, which give way. */
const OWN_ROWS = new Set<string>(['meta', 'heartbeats', 'marks', 'leases']);

/** Returns how many rows were copied. */
async function copyTable(source: DatabaseSync, target: Query, table: string): Promise<number> {
  // Derived columns are hidden, and derive again.
  const info = source.prepare(`select name from pragma_table_xinfo(?) where hidden = 0`).all(table);
  const columns = info.map(({ name }) => String(name));
  const replace = columns.map((name) => `${name} = excluded.${name}`).join(', ');
  const conflict = OWN_ROWS.has(table) ? ` on conflict (${columns[0]}) do update set ${replace}` : '';
  const reading = source.prepare(`select ${columns.join(', ')} from ${table}`);
  reading.setReadBigInts(true);
  let count = 0;
  let rows: SqlValue[][] = [];
  const send = async (): Promise<void> => {
    const values = rows.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ');
    const into = `insert into ${table} (${columns.join(', ')})`;
    if (rows.length > 0) await target(`${into} values ${values}${conflict}`, rows.flat());
    count += rows.length;
    rows = [];
  };
  for (const row of reading.iterate()) {
    // A store has no blobs.
    rows.push(Object.values(row) as SqlValue[]);
    if (rows.length === ROWS_AT_ONCE) await send();
  }
  await send();
  return count;
}

/** Works in a store that is there: a command makes none by looking for it. */
async function inExisting<T>(place: StorePlace, work: (query: Query) => Promise<T>): Promise<T> {
  if (place.kind === 'embedded') existing(place.dataDir);
  return inStore(place, async (query) => {
    if ((await schemaVersion(query, place.kind)) > 0) return work(query);
    throw new StoreRefused(
      'There is no store yet: start the service once, or run `tillfront store migrate`.',
    );
  });
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
async function timeOf(query: Query, kind: StorePlace['kind']): Promise<number> {
  const [row] = await query(`select ${NOW[kind]} as now`);
  return Number(row?.['now']);
}

function existing(dataDir: string): string {
  const file = storeFile(dataDir);
  if (!existsSync(file)) throw new StoreRefused(`There is no embedded store in ${dataDir}.`);
  return file;
}
