import { changedColumns, columnName, columnsOf, type Table } from './tables.js';

/** `INSERT` head and conflict clause of a table, the same in both stores. Only the part between them differs. */
function insertParts<R>(table: Table<R>): { head: string; onConflict: string } {
  const columns = columnsOf(table);
  const key = table.key.map(columnName);
  const updates = columns
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = excluded.${column}`);
  return {
    head: `insert into ${table.name} (${columns.join(', ')})`,
    onConflict: table.appendOnly
      ? ''
      : ` on conflict (${key.join(', ')}) do update set ${updates.join(', ')}`,
  };
}

/** Writes one row, given as positional parameters in column order. */
export function upsertOne<R>(table: Table<R>): string {
  const { head, onConflict } = insertParts(table);
  const values = columnsOf(table).map(() => '?');
  return `${head} values (${values.join(', ')})${onConflict}`;
}

/** Changes some columns of one row (see `changedValues`): their new values, then those of the key. */
export function updateColumns<R>(table: Table<R>, changed: number): string {
  const set = changedColumns(table, changed)
    .map((column) => `${column} = ?`)
    .join(', ');
  const key = table.key.map((property) => `${columnName(property)} = ?`).join(' and ');
  return `update ${table.name} set ${set} where ${key}`;
}

/** Writes the rows of a JSON array that is parameter `$n`. A column of `computed` gets that expression, whatever the array says. */
export function upsertMany<R>(
  table: Table<R>,
  parameter: number,
  conflict?: string,
  computed: Readonly<Record<string, string>> = {},
): string {
  const { head, onConflict } = insertParts(table);
  const source = `json_populate_recordset(null::${table.name}, $${parameter}::json)`;
  const values = columnsOf(table).map((column) => computed[column] ?? column);
  return `${head} select ${values.join(', ')} from ${source}${conflict ?? onConflict}`;
}

const columnLists = new WeakMap<object, string>();

/** Reads rows by a condition. */
export function selectWhere<R>(table: Table<R>, condition: string): string {
  let columns = columnLists.get(table);
  if (columns === undefined) {
    columns = columnsOf(table).join(', ');
    columnLists.set(table, columns);
  }
  return `select ${columns} from ${table.name} where ${condition}`;
}
