import type { FileRow } from './gateway-book.js';

/** Ways of cutting the gateway's rows into files. Equal rows are never parted: they are of one day and one currency. */

const DAY_MS = 24 * 3_600_000;

/** In the order in which the first row of each came. */
function split(rows: readonly FileRow[], by: (row: FileRow) => unknown): FileRow[][] {
  return [...Map.groupBy(rows, by).values()];
}

function byDay(rows: readonly FileRow[]): FileRow[][] {
  return split(
    rows.toSorted((one, other) => one.settledAt - other.settledAt),
    ({ settledAt }) => settledAt,
  );
}

export const WAYS: Readonly<Record<string, (rows: readonly FileRow[]) => readonly (readonly FileRow[])[]>> = {
  'in one file': (rows) => [rows],
  'day by day': byDay,
  'day by day, the newest first': (rows) => byDay(rows).reverse(),
  'week by week': (rows) => split(rows, ({ settledAt }) => Math.floor(settledAt / (7 * DAY_MS))),
  'by currency': (rows) => split(rows, ({ currency }) => currency),
  'by type, backwards': (rows) => split(rows.toReversed(), ({ type }) => type),
  // Three days each, of which the next file has two again, and at the end everything.
  'in files that overlap': (rows) => {
    const days = byDay(rows);
    return [...days.map((_, day) => days.slice(day, day + 3).flat()), rows];
  },
};
