import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { TestStore } from '../harness/test-store.js';

/** Fills a store that no process has open with copies of its one order, paid, as if years had passed. */

const TABLES = ['orders', 'payments', 'sessions', 'events', 'movements'];
/** At most so many rows a statement. */
const BATCH = 100_000;
/** So long ago the first copy was paid; the others follow by even steps. */
const SPAN_MS = 396 * 24 * 3_600_000;

interface Ids {
  reference: string;
  payment: string;
  session: string;
  transaction: string;
}

export async function fill(store: TestStore, copies: number): Promise<void> {
  const database =
    store.databaseUrl === undefined ? openEmbedded(store.dataDir) : await openPostgres(store.databaseUrl);
  const [ids] = (await database.all(
    `select reference, id as payment, session_id as session, transaction_ref as "transaction" from payments limit 1`,
  )) as unknown as [Ids];
  for (const table of TABLES) {
    const columns = await database.columns(table);
    // Each row that there is, once more for each number, its ids and all that holds them with the number in their place.
    const step = Math.floor(SPAN_MS / copies);
    const isTime = (column: string) => table === 'movements' && (column === 'at' || column === 'recorded_at');
    const values = columns.map((column) =>
      isTime(column)
        ? `t.${column} - ${SPAN_MS} + cast(${step} as bigint) * g.n`
        : database.numbered(table, column, Object.values(ids) as string[]),
    );
    for (let from = 1; from <= copies; from += BATCH)
      await database.all(
        `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from ${table} t, ${database.numbers(from, Math.min(from + BATCH, copies + 1))} where ${database.isFirst(table, ids)}`,
      );
  }
  await database.all(store.databaseUrl === undefined ? 'analyze' : 'vacuum analyze');
  await database.close();
}

interface Database {
  all(sql: string): Promise<object[]>;
  columns(table: string): Promise<string[]>;
  numbered(table: string, column: string, ids: string[]): string;
  numbers(from: number, until: number): string;
  isFirst(table: string, ids: Ids): string;
  close(): Promise<void> | void;
}

const isFirst = (table: string, ids: Ids): string =>
  table === 'events'
    ? `t.stream in ('${ids.payment}', '${ids.session}', '${ids.reference}')`
    : `t.reference = '${ids.reference}'`;

/** An id that nothing else names. */
const isOwnId = (table: string, column: string): boolean =>
  column === 'id' && (table === 'events' || table === 'movements');

/** Ids begin with their time: with a nought before it, a movement is an old one. */
const ownId = (column: string, number: string): string =>
  `replace(t.${column}, 'mov_', 'mov_0') || ${number}`;

/** An id of the copy: its last characters are the number. */
const inPlace = (column: string, ids: string[], number: string): string =>
  ids.reduce((text, id) => `replace(${text}, '${id}', '${id.slice(0, -9)}' || ${number})`, column);

function openEmbedded(dataDir: string): Database {
  const database = new DatabaseSync(join(dataDir, 'tillfront.db'));
  const number = `printf('%09d', g.n)`;
  return {
    all: (sql) =>
      Promise.resolve(
        sql.startsWith('select') ? (database.prepare(sql).all() as object[]) : (database.exec(sql), []),
      ),
    columns: (table) =>
      Promise.resolve(
        database
          .prepare(`select name from pragma_table_xinfo('${table}') where hidden = 0 and name <> 'seq'`)
          .all()
          .map(({ name }) => String(name)),
      ),
    numbered: (table, column, ids) =>
      isOwnId(table, column) ? ownId(column, number) : inPlace(`t.${column}`, ids, number),
    numbers: (from, until) =>
      `(with recursive c(n) as (select ${from} union all select n + 1 from c where n + 1 < ${until}) select n from c) g`,
    isFirst,
    close: () => database.close(),
  };
}

async function openPostgres(url: string): Promise<Database> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const types = new Map<string, string>();
  const number = `lpad(g.n::text, 9, '0')`;
  return {
    all: async (sql) => (await client.query<object>(sql)).rows,
    columns: async (table) => {
      const { rows } = await client.query<{ name: string; type: string }>(
        `select column_name as name, data_type as type from information_schema.columns where table_name = $1 and is_generated = 'NEVER' and column_name <> 'seq' order by ordinal_position`,
        [table],
      );
      rows.forEach(({ name, type }) => types.set(name, type));
      return rows.map(({ name }) => name);
    },
    numbered: (table, column, ids) => {
      const type = types.get(column);
      if (type !== 'text' && type !== 'jsonb') return `t.${column}`;
      if (isOwnId(table, column)) return ownId(column, number);
      return `${inPlace(`t.${column}::text`, ids, number)}::${type}`;
    },
    numbers: (from, until) => `generate_series(${from}, ${until - 1}) g(n)`,
    isFirst,
    close: () => client.end(),
  };
}
