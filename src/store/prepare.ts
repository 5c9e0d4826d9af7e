import { randomUUID } from 'node:crypto';
import type { Mark, Query } from './driver.js';
import { META, MIGRATIONS, SCHEMA, type StoreKind } from './schema.js';

/** The gateway and mode that a store belongs to: payments of one must never be asked about at another. */
export interface StoreIdentity {
  gatewayOrigin: string;
  mode: 'test' | 'live';
}

/** The store cannot be used by this service, and a person must act. */
export class StoreRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreRefused';
  }
}

export interface PrepareOptions {
  kind: StoreKind;
  /** False: an older schema is refused. */
  migrate: boolean;
  /** Absent: a command that asks nothing of the gateway. */
  identity?: StoreIdentity;
  /** Those of the process that will write. */
  marks?: readonly Mark[];
}

/** Brings the schema up to date and claims the store for its gateway, in one transaction. Returns the store's id. */
export async function prepareStore(
  query: Query,
  { kind, migrate, identity, marks = [] }: PrepareOptions,
): Promise<string> {
  const version = await schemaVersion(query, kind);
  if (version > SCHEMA)
    throw new StoreRefused(
      `The store's schema is ${version}, and this version of Tillfront knows up to ${SCHEMA}. Start the newer version.`,
    );
  if (version < SCHEMA && !migrate)
    throw new StoreRefused(
      `The store's schema is ${version}, and this version of Tillfront needs ${SCHEMA}. ` +
        'Run `tillfront store migrate`, or set MIGRATE_ON_START=true.',
    );
  if (version < SCHEMA) {
    for (const migration of MIGRATIONS.slice(version))
      for (const statement of migration(kind)) await query(statement);
    await writeMeta(query, META.schema, String(SCHEMA));
  }
  const moved = await readMeta(query, META.moved);
  if (kind === 'embedded' && moved !== undefined)
    throw new StoreRefused(
      `The payments of this data directory moved to PostgreSQL on ${moved}: set DATABASE_URL. ` +
        'To begin anew on the embedded store, use another DATA_DIR.',
    );
  if (identity) await claim(query, identity);
  for (const { writer } of marks)
    await query('insert into marks (writer, mark) values (?, 0) on conflict (writer) do nothing', [writer]);
  const id = await readMeta(query, META.store);
  if (id !== undefined) return id;
  const made = randomUUID();
  await writeMeta(query, META.store, made);
  return made;
}

/** 0: the store is empty. */
export async function schemaVersion(query: Query, kind: StoreKind): Promise<number> {
  const [table] = await query(
    kind === 'embedded'
      ? `select 1 as found from sqlite_master where name = 'meta'`
      : `select 1 as found from pg_class where oid = to_regclass('meta')`,
  );
  return table ? Number((await readMeta(query, META.schema)) ?? 0) : 0;
}

async function claim(query: Query, { gatewayOrigin, mode }: StoreIdentity): Promise<void> {
  const wanted = `${gatewayOrigin} (${mode})`;
  const found = await readMeta(query, META.identity);
  if (found === undefined) await writeMeta(query, META.identity, wanted);
  else if (found !== wanted)
    throw new StoreRefused(
      `This store belongs to the gateway ${found}, and the configuration names ${wanted}: ` +
        'payments of one gateway must not be mixed with those of another. ' +
        'Correct GATEWAY_BASE_URL or GATEWAY_MODE, or use another DATA_DIR or DATABASE_URL.',
    );
}

export async function readMeta(query: Query, name: string): Promise<string | undefined> {
  const [row] = await query('select value from meta where name = ?', [name]);
  return row && String(row['value']);
}

export async function writeMeta(query: Query, name: string, value: string): Promise<void> {
  await query(
    'insert into meta (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
    [name, value],
  );
}
