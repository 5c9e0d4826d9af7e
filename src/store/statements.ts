import { type Column, type ColumnKind, columnName, columnsOf, type Table } from './table.js';

/** Adds one row, given as positional parameters in column order. A column of `computed` gets that expression instead. */
export function insertOne<R>(table: Table<R>, computed: Readonly<Record<string, string>> = {}): string {
  const columns = columnsOf(table);
  const values = columns.map((column) => computed[column] ?? '?');
  return `insert into ${table.name} (${columns.join(', ')}) values (${values.join(', ')})`;
}

/** Changes these columns of one row: their new values, then those of `also`, then those of the key. */
export function updateOne<R>(
  table: Table<R>,
  columns: readonly string[],
  also: readonly string[] = [],
): string {
  const set = [...columns.map((column) => `${column} = ?`), ...also].join(', ');
  const key = table.key.map((property) => `${columnName(property)} = ?`).join(' and ');
  return `update ${table.name} set ${set} where ${key}`;
}

/** Adds the rows of a JSON array that is the first parameter. */
export function insertAll<R>(table: Table<R>): string {
  const columns = columnsOf(table).join(', ');
  return `insert into ${table.name} (${columns}) select ${columns} from json_populate_recordset(null::${table.name}, $1::json)`;
}

const TYPES: Readonly<Record<ColumnKind, string>> = {
  text: 'text',
  json: 'text',
  amount: 'text',
  integer: 'bigint',
  flag: 'bigint',
};

/** Where a batch on PostgreSQL gathers the references whose writes count. */
export const WON = 'won';
/** The member of each row that says to which reference's write it belongs. */
export const OF_REFERENCE = 'of_reference';

/** The rows of a JSON array, parameter `$n`, as `new`: these columns of a table, and `extra` ones with their types. */
function newRows<R>(
  table: Table<R>,
  columns: readonly string[],
  parameter: number,
  extra: Readonly<Record<string, string>> = {},
): string {
  const typed = Object.entries<Column<unknown>>(table.columns)
    .map(([property, { kind }]) => ({ column: columnName(property), type: TYPES[kind] }))
    .filter(({ column }) => columns.includes(column))
    .map(({ column, type }) => `${column} ${type}`);
  const others = Object.entries({ ...extra, [OF_REFERENCE]: 'text' }).map(
    ([name, type]) => `${name} ${type}`,
  );
  return `json_to_recordset($${parameter}::json) as new (${[...typed, ...others].join(', ')})`;
}

const COUNTS = `new.${OF_REFERENCE} in (select reference from ${WON})`;

/** How `insertMany` adds rows. */
export interface InsertMany {
  /** Columns that get this expression, whatever the array says. */
  computed?: Readonly<Record<string, string>>;
  /** What must hold; unless it is given, that the row's write counts. */
  condition?: string;
}

/** Adds rows of a JSON array, parameter `$n`. */
export function insertMany<R>(
  table: Table<R>,
  parameter: number,
  { computed = {}, condition = COUNTS }: InsertMany = {},
): string {
  const columns = columnsOf(table);
  const values: Readonly<Record<string, string>> = {
    ...Object.fromEntries(columns.map((column) => [column, `new.${column}`])),
    ...computed,
  };
  const source = newRows(table, columns, parameter);
  return `insert into ${table.name} (${Object.keys(values).join(', ')})
    select ${Object.values(values).join(', ')} from ${source} where ${condition}`;
}

/** How `updateMany` changes rows. */
export interface UpdateMany {
  /** The columns that it sets; those of the key stay. */
  columns: readonly string[];
  /** Columns beside them that it sets to an expression of `stored` and `new`. */
  computed?: Readonly<Record<string, string>>;
  /** Members of the array that are no columns of the table's description, with their types. */
  extra?: Readonly<Record<string, string>>;
  /** What must hold besides; unless it is given, that the row's write counts. */
  condition?: string;
}

/**
 * A list that is a parameter. As an expression of its own its length is not looked at: with it PostgreSQL would reckon that a plan for just
 * these values is cheaper, and plan nearly every execution of a prepared statement anew, which takes longer than to execute it.
 */
export function listOf(parameter: number): string {
  return `(select $${parameter}::text[])::text[]`;
}

/** Finds the rows that `new` names. By the parameters after it, too, so that even a plan made for a young table uses the index. */
function sameKey<R>(table: Table<R>, parameter: number): string {
  const conditions = table.key
    .map(columnName)
    .flatMap((column, index) => [
      `stored.${column} = new.${column}`,
      `stored.${column} = any(${listOf(parameter + 1 + index)})`,
    ]);
  return conditions.join(' and ');
}

/** Changes the rows of a JSON array, parameter `$n`. The parameters after it are the values of each column of the key. */
export function updateMany<R>(
  table: Table<R>,
  parameter: number,
  { columns, computed = {}, extra, condition = COUNTS }: UpdateMany,
): string {
  const key = table.key.map(columnName);
  const changed = columns.filter((column) => !key.includes(column));
  const set = [
    ...changed.map((column) => `${column} = new.${column}`),
    ...Object.entries(computed).map(([column, expression]) => `${column} = ${expression}`),
  ];
  return `update ${table.name} as stored set ${set.join(', ')}
    from ${newRows(table, [...key, ...changed], parameter, extra)}
    where ${sameKey(table, parameter)} and ${condition}`;
}

/** Removes the rows that a JSON array, parameter `$n`, names by their key. The parameters after it are those of `updateMany`. */
export function deleteMany<R>(table: Table<R>, parameter: number): string {
  return `delete from ${table.name} as stored using ${newRows(table, table.key.map(columnName), parameter)}
    where ${sameKey(table, parameter)} and ${COUNTS}`;
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
