import type { SqlValue } from './store.js';

type Values = SqlValue | SqlValue[];

/** Which rows to list: those that match every member that is there. Times are milliseconds since the epoch. */
export type Filter<Text extends string> = Partial<Record<Text, string | undefined>> &
  Partial<Record<'from' | 'to', number | undefined>>;

/** Conditions joined by `and`, of which those without a value do not narrow. */
export function narrowed(conditions: Readonly<Record<string, Values | undefined>>): {
  where: string;
  values: SqlValue[];
} {
  const given = Object.entries(conditions).filter((one): one is [string, Values] => one[1] !== undefined);
  return {
    where: given.map(([condition]) => condition).join(' and ') || 'true',
    values: given.flatMap(([, value]) => value),
  };
}
