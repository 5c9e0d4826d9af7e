import { sql, type RawBuilder } from 'kysely';
import { columnsOf, encodeMember, type Table } from '../../store/table.js';
import type { Store } from '../../store/store.js';

type Used = Pick<Store, 'kind' | 'db'>;

/**
 * Adds rows with one statement, whose only parameter they are: as many parameters as there are values would have to be put together anew
 * for each batch. `conflict`: what is done where a row is there already. `values`: columns that are not as the records say, and `where`: which
 * of them are added at all; both call the records `added`. Returns how many rows there are by it.
 */
export async function insertRows<R>(
  { kind, db }: Used,
  table: Table<R>,
  records: readonly R[],
  {
    conflict = sql`do nothing`,
    values = {},
    where = sql`true`,
  }: {
    conflict?: RawBuilder<unknown>;
    values?: Readonly<Record<string, RawBuilder<unknown>>>;
    where?: RawBuilder<unknown>;
  } = {},
): Promise<number> {
  if (records.length === 0) return 0;
  const json = JSON.stringify(records.map((record) => encodeMember(table, record)));
  const columns = columnsOf(table);
  const members = columns.map((column) => `value ->> '$.${column}' as ${column}`);
  const rows =
    kind === 'embedded'
      ? sql`(select ${sql.raw(members.join(', '))} from json_each(${json}))`
      : sql`json_populate_recordset(null::${sql.table(table.name)}, ${json}::json)`;
  const selected = columns.map((column) => values[column] ?? sql.ref(`added.${column}`));
  const { numAffectedRows = 0n } = await sql`
    insert into ${sql.table(table.name)} (${sql.raw(columns.join(', '))})
    select ${sql.join(selected)} from ${rows} as added where ${where} on conflict ${conflict}`.execute(db);
  return Number(numAffectedRows);
}

/**
 * Texts as something to join with, by `wanted.value`: each is looked up by an index, however many there are. What follows is the
 * table's name.
 */
export function joinedWith({ kind }: Pick<Used, 'kind'>, wanted: readonly string[]): RawBuilder<unknown> {
  return kind === 'embedded'
    ? sql`json_each(${JSON.stringify(wanted)}) as wanted cross join`
    : sql`unnest(${wanted}::text[]) as wanted(value) inner join`;
}
