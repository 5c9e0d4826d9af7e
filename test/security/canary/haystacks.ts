import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { Canary } from './canaries.js';

/** Somewhere a secret may have ended up. */
export interface Haystack {
  /** `log`, `store` (raw files), the name of a table, `answer`, `merchant` (an answer to the merchant's key), `made` (the answer that hands a token out), … */
  readonly kind: string;
  readonly where: string;
  readonly bytes: Buffer;
}

export interface Hit {
  readonly canary: string;
  readonly form: string;
  readonly where: string;
}

/** Finds every canary in every form wherever it does not belong, each once a kind of place. The values themselves are not in what it returns. */
export function search(haystacks: readonly Haystack[], canaries: readonly Canary[]): Hit[] {
  const hits = new Map<string, Hit>();
  for (const { kind, where, bytes } of haystacks) {
    for (const { name, forms, allowedIn } of canaries) {
      if (allowedIn.has(kind)) continue;
      for (const form of forms) {
        if (!bytes.includes(form.bytes)) continue;
        const hit = {
          canary: name,
          form: form.name,
          where: where.replace(/(pay_|cs_|ORDER-)[\w-]+/g, '$1…'),
        };
        hits.set(JSON.stringify(hit), hit);
      }
    }
  }
  return [...hits.values()];
}

/** All files below a folder as they stand on the disk, but for those that the running service has removed meanwhile. */
export async function filesBelow(folder: string, kind: string): Promise<Haystack[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
        });
        return bytes ? [{ kind, where: path, bytes }] : [];
      }),
  );
  return found.flat();
}

/** Every table of an embedded store as text. */
export function dumpSqlite(path: string): Haystack[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all();
    return tables.map(({ name }) => {
      const rows = database.prepare(`SELECT * FROM "${String(name)}"`).all();
      return { kind: String(name), where: `table ${String(name)}`, bytes: Buffer.from(asText(rows)) };
    });
  } finally {
    database.close();
  }
}

/** Every table of a PostgreSQL database as text. */
export async function dumpPostgres(url: string): Promise<Haystack[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ schema: string; name: string }>(
      `SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
       WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    const dumps: Haystack[] = [];
    for (const { schema, name } of tables.rows) {
      const { rows } = await client.query<Record<string, unknown>>(`SELECT * FROM "${schema}"."${name}"`);
      dumps.push({ kind: name, where: `table ${schema}.${name}`, bytes: Buffer.from(asText(rows)) });
    }
    return dumps;
  } finally {
    await client.end();
  }
}

/** Values one a line, as they are: JSON within them is not escaped once more. */
function asText(rows: readonly Record<string, unknown>[]): string {
  return rows
    .flatMap((row) => Object.values(row))
    .map((value) =>
      typeof value === 'string'
        ? value
        : value instanceof Uint8Array
          ? Buffer.from(value).toString('latin1')
          : JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)),
    )
    .join('\n');
}

/** What others on the machine see of a process: its title and its command line. */
export async function processTitle(pid: number): Promise<Haystack[]> {
  return Promise.all(
    ['cmdline', 'comm'].map(async (file) => ({
      kind: 'title',
      where: `/proc/<pid>/${file}`,
      bytes: await readFile(`/proc/${pid}/${file}`),
    })),
  );
}
