import type { ComponentChildren, JSX } from 'preact';
import { Problem } from './form.js';
import type { Listing } from './reading.js';

/** A column's heading and what it shows of a row. The first column names the row. */
export type Column<T> = readonly [
  name: string,
  show: (row: T) => ComponentChildren,
  kind?: 'number' | 'when',
];

interface TableProps<T> {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
}

/** A table that becomes a list of cards on a narrow screen. Its roles survive that. */
export function Table<T>({ caption, columns, rows, keyOf }: TableProps<T>): JSX.Element {
  return (
    <table role="table">
      <caption class="unseen">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(([name, , kind]) => (
            <th key={name} role="columnheader" scope="col" class={kind}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map(([name, show, kind], index) =>
              index === 0 ? (
                <th key={name} role="rowheader" scope="row">
                  {show(row)}
                </th>
              ) : (
                <td key={name} role="cell" class={kind} data-label={name}>
                  {show(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ListProps<T> {
  caption: string;
  columns: readonly Column<T>[];
  listing: Listing<T>;
  /** What is said of an empty list. */
  empty: string;
}

/** A list of the service, page by page. */
export function List<T extends { id: string }>({ listing, empty, ...table }: ListProps<T>): JSX.Element {
  const { value, error, more } = listing;
  const loading = error === undefined ? 'Loading…' : '';
  return (
    <div class="stack">
      {value && value.length > 0 && <Table {...table} rows={value} keyOf={({ id }) => id} />}
      <p role="status" class="muted">
        {value === undefined ? loading : value.length === 0 && empty}
      </p>
      <Problem error={error} />
      {more && (
        <button type="button" onClick={() => void more()}>
          Show more
        </button>
      )}
    </div>
  );
}
