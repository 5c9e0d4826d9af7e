import { sql, type RawBuilder } from 'kysely';
import { columnsOf, encodeMember, type Table } from '../../store/table.js';
import type { Store } from '../../store/store.js';

type Used = Pick<Store, 'kind' | 'db'>;

/**
 * Adds rows with one statement, whose only parameter they are: as many parameters as there are values would have to be put together anew
 * for each batch. `conflict`: what is done where a row is there already.
 */
export async function insertRows<R>(
  { kind, db }: Used,
  table: Table<R>,
  records: readonly R[],
  conflict = sql`do nothing`,
): Promise<void> {
  if (records.length === 0) return;
  const json = JSON.stringify(records.map((record) => encodeMember(table, record)));
  const columns = columnsOf(table);
  const members = columns.map((column) => `value ->> '$.${column}'`);
  const rows =
    kind === 'embedded'
      ? sql`select ${sql.raw(members.join(', '))} from json_each(${json}) where true`
      : sql`select ${sql.raw(columns.join(', '))} from json_populate_recordset(null::${sql.table(table.name)}, ${json}::json)`;
  await sql`insert into ${sql.table(table.name)} (${sql.raw(columns.join(', '))}) ${rows} on conflict ${conflict}`.execute(
    db,
  );
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
