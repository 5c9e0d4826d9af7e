import { encode } from '../column-values.js';
import { columnName, type StoredRow, type Table } from '../tables.js';

/**
 * A record, or some properties of it, as a member of a JSON array that a statement reads as rows. What is null is left out: a row has null
 * where a member is missing.
 */
export function encodeMember<R>(
  table: Table<R>,
  record: R,
  properties?: readonly (keyof R & string)[],
): StoredRow {
  const row: StoredRow = {};
  for (const property of properties ?? propertiesOf(table)) {
    const value = encode(table.columns[property], record[property]);
    if (value !== null) row[columnName(property)] = value;
  }
  return row;
}

const properties = new WeakMap<object, readonly string[]>();

/** The properties of a table's records, in the order of their columns. */
export function propertiesOf<R>(table: Table<R>): readonly (keyof R & string)[] {
  let found = properties.get(table);
  if (!found) {
    found = Object.keys(table.columns);
    properties.set(table, found);
  }
  return found as (keyof R & string)[];
}
