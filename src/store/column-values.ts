/** How a property is kept in a column; both stores share these. */
export type ColumnKind = 'text' | 'integer' | 'boolean' | 'amount' | 'json';

export type StoredValue = string | number | null;

/** A property's value as it is stored. */
export function encode(kind: ColumnKind, value: unknown): StoredValue {
  if (value === null || value === undefined) return null;
  if (kind === 'json') return JSON.stringify(value);
  if (kind === 'amount') return (value as bigint).toString();
  if (kind === 'boolean') return value ? 1 : 0;
  return value as string | number;
}

/** A stored value as the property's. */
export function decode(kind: ColumnKind, value: StoredValue): unknown {
  if (value === null) return null;
  if (kind === 'json') return JSON.parse(value as string) as unknown;
  if (kind === 'amount') return BigInt(value);
  if (kind === 'boolean') return value === 1;
  return value;
}
