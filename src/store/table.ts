/**
 * A table is described once, by a map of its columns. The type of its records, the codecs of its rows, its columns as Kysely sees them and
 * all statements follow from the map.
 */

/** How a property is kept in a column. Both stores keep text and integers only. */
export type ColumnKind = 'text' | 'integer' | 'flag' | 'amount' | 'json';

export type StoredValue = string | number | null;
export type StoredRow = Record<string, StoredValue>;

/** A column of a property of type `T`. */
export interface Column<T> {
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  /** Of the type alone. There never is one. */
  readonly example?: T;
}

const column = (kind: ColumnKind) => ({ kind, nullable: false });

export const text = <T extends string = string>(): Column<T> => column('text');
export const integer = (): Column<number> => column('integer');
export const flag = (): Column<boolean> => column('flag');
/** Minor units, as text: they must not pass through a float. */
export const amount = (): Column<bigint> => column('amount');
export const json = <T>(): Column<T> => column('json');
export const orNull = <T>(one: Column<T>): Column<T | null> => ({ kind: one.kind, nullable: true });

type Columns = Readonly<Record<string, Column<unknown>>>;

/** A record with a property for each column of a map. */
export type RecordOf<C> = { -readonly [P in keyof C]: C[P] extends Column<infer T> ? T : never };

/** A table, or some columns of one, whose records are of type `R`. */
export interface Table<R, N extends string = string> {
  readonly name: N;
  readonly key: readonly (keyof R & string)[];
  readonly columns: { readonly [P in keyof R & string]: Column<R[P]> };
}

/** What is made of a table's map once. */
interface Codec {
  readonly properties: readonly string[];
  readonly columns: readonly string[];
  readonly kinds: readonly ColumnKind[];
  /** A row in which nothing is set. A copy of it has room for all columns at once; to add them one by one would copy the row many times. */
  readonly blankRow: StoredRow;
  /** The same for a record. */
  readonly blankRecord: object;
}

const codecs = new WeakMap<object, Codec>();

/** Describes a table. */
export function table<const N extends string, C extends Columns>(
  name: N,
  key: readonly (keyof C & string)[],
  columns: C,
): Table<RecordOf<C>, N> {
  return { name, key, columns } as unknown as Table<RecordOf<C>, N>;
}

type SnakeCase<S extends string> = S extends `${infer Head}${infer Tail}`
  ? Head extends Lowercase<Head>
    ? `${Head}${SnakeCase<Tail>}`
    : `_${Lowercase<Head>}${SnakeCase<Tail>}`
  : S;

/** Some columns of a table. */
export function partOf<R, P extends keyof R & string>(
  { name, key, columns }: Table<R>,
  properties: readonly P[],
): Table<Pick<R, P>> {
  const some = Object.fromEntries(properties.map((property) => [property, columns[property]]));
  return { name, key, columns: some } as unknown as Table<Pick<R, P>>;
}

/** What a column holds for a property of this type. */
type Stored<T> = T extends bigint
  ? string
  : T extends boolean
    ? number
    : T extends string | number | null
      ? T
      : string;

/** A record's row, named by column. */
export type RowOf<R> = { [P in keyof R & string as SnakeCase<P>]: Stored<R[P]> };

/** As many as there are properties of records. */
const columnNames = new Map<string, string>();

/** `gatewayReference` → `gateway_reference`. */
export function columnName(property: string): string {
  let name = columnNames.get(property);
  if (name === undefined) {
    name = property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    columnNames.set(property, name);
  }
  return name;
}

function codecOf<R>(of: Table<R>): Codec {
  let codec = codecs.get(of);
  if (!codec) {
    const entries = Object.entries<Column<unknown>>(of.columns);
    const properties = entries.map(([property]) => property);
    const columns = properties.map(columnName);
    codec = {
      properties,
      columns,
      kinds: entries.map(([, { kind }]) => kind),
      blankRow: blank(columns) as StoredRow,
      blankRecord: blank(properties),
    };
    codecs.set(of, codec);
  }
  return codec;
}

/** Parsed, because the engine gives only such an object its final shape: one with so many members that were added has none. */
function blank(names: readonly string[]): object {
  const members = JSON.parse(`{${names.map((name) => `"${name}":null`).join()}}`) as Record<string, unknown>;
  for (const name of names) members[name] = undefined;
  return members;
}

/** The names of a table's columns, in the order of its map. */
export function columnsOf<R>(of: Table<R>): readonly string[] {
  return codecOf(of).columns;
}

/** The properties of a table's records, in the same order. */
export function propertiesOf<R>(of: Table<R>): readonly (keyof R & string)[] {
  return codecOf(of).properties as readonly (keyof R & string)[];
}

/** A property's value as it is stored. */
export function encode(kind: ColumnKind, value: unknown): StoredValue {
  if (value === null || value === undefined) return null;
  if (kind === 'json') return JSON.stringify(value);
  if (kind === 'amount') return (value as bigint).toString();
  if (kind === 'flag') return value ? 1 : 0;
  return value as string | number;
}

function decode(kind: ColumnKind, value: StoredValue): unknown {
  if (value === null) return null;
  if (kind === 'json') return JSON.parse(value as string) as unknown;
  if (kind === 'amount') return BigInt(value);
  if (kind === 'flag') return value === 1;
  return value;
}

/** A record, or some properties of it, as a row named by column. */
export function encodeRow<R>(
  of: Table<R>,
  record: R,
  properties: readonly (keyof R & string)[] = propertiesOf(of),
): StoredRow {
  const row: StoredRow = {};
  for (const property of properties)
    row[columnName(property)] = encode(of.columns[property].kind, record[property]);
  return row;
}

/**
 * A record as a member of a JSON array that a statement reads as rows. What is null is left undefined, so it is not in the JSON: a row has
 * null where a member is missing. `row`: one that has room for it.
 */
export function encodeMember<R>(of: Table<R>, record: R, row: StoredRow = blankRow(of)): StoredRow {
  const { properties, columns, kinds } = codecOf(of);
  for (let index = 0; index < properties.length; index += 1) {
    const value = encode(kinds[index] ?? 'text', record[properties[index] as keyof R]);
    if (value !== null) row[columns[index] ?? ''] = value;
  }
  return row;
}

/** A row with room for all columns of a table, in which nothing is set. */
export function blankRow<R>(of: Table<R>): StoredRow {
  return { ...codecOf(of).blankRow };
}

/** A row named by column, as either store returns it, as a record. */
export function decodeRow<R>(of: Table<R>, row: StoredRow): R {
  const { properties, columns, kinds, blankRecord } = codecOf(of);
  const record: Record<string, unknown> = { ...blankRecord };
  for (let index = 0; index < columns.length; index += 1)
    record[properties[index] ?? ''] = decode(kinds[index] ?? 'text', row[columns[index] ?? ''] ?? null);
  return record as R;
}
