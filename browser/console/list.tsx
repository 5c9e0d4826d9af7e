import type { ComponentChildren, JSX } from 'preact';
import { Problem } from './form.js';
import { useList, type At, type PageOf } from './reading.js';

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
}

/** A table that becomes a list of cards on a narrow screen. Its roles survive that. */
export function Table<T extends object>({ caption, columns, rows }: TableProps<T>): JSX.Element {
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
        {rows.map((row, index) => (
          <tr key={'id' in row ? row.id : index} role="row">
            {columns.map(([name, show, kind], place) =>
              place === 0 ? (
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
  /** Reads one page. */
  read: (at: At) => Promise<PageOf<T>>;
  isFresh?: boolean;
  /** What is said of an empty list. */
  empty: string;
}

/** A list of the service, page by page. */
export function List<T extends object>({ read, isFresh, empty, ...table }: ListProps<T>): JSX.Element {
  const { value, error, more } = useList(read, isFresh);
  const loading = error === undefined ? 'Loading…' : '';
  return (
    <div class="stack">
      {value && value.length > 0 && <Table {...table} rows={value} />}
      <p role="status" class="muted">
        {value === undefined ? loading : value.length === 0 && empty}
      </p>
      <Problem error={error} />
      {more && (
        <button type="button" onClick={more}>
          Show more
        </button>
      )}
    </div>
  );
}
