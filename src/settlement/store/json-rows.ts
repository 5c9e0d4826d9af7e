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
 * The rows of a table, called `as`, that have one of some texts in a column. Each text is looked up by the column's index, however many there
 * are, and also where the database has no statistics of the table yet: of a report's rows it has them a minute after they were read, and
 * until then would go through all of them for each batch. `where`: what the index leaves out, if it is of a part of the table.
 */
export function rowsWith(
  { kind }: Pick<Used, 'kind'>,
  wanted: readonly string[],
  { table, as, column, where }: { table: string; as: string; column: string; where?: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const isWanted = sql`${sql.ref(`${as}.${column}`)} = wanted.value and ${where ?? sql`true`}`;
  const named = sql`${sql.table(table)} as ${sql.ref(as)}`;
  return kind === 'embedded'
    ? sql`json_each(${JSON.stringify(wanted)}) as wanted cross join ${named} on ${isWanted}`
    : // The offset keeps the planner from making a join of it.
      sql`unnest(${wanted}::text[]) as wanted(value) cross join lateral (
        select * from ${named} where ${isWanted} offset 0) as ${sql.ref(as)}`;
}
