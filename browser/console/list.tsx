import type { ComponentChildren, JSX } from 'preact';
import { Problem } from './fields.js';
import type { Listing } from './reading.js';

export interface Column<T> {
  name: string;
  show: (row: T) => ComponentChildren;
  kind?: 'number' | 'when';
}

interface TableProps<T> {
  caption: string;
  /** The first one names the row. */
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
}

/** A table that becomes a list of cards on a narrow screen. Its roles survive that. */
export function Table<T>({ caption, columns, rows, keyOf }: TableProps<T>): JSX.Element {
  return (
    <table role="table" class="rows">
      <caption class="unseen">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ name, kind }) => (
            <th key={name} role="columnheader" scope="col" class={kind}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map((column, index) => (
              <Cell key={column.name} column={column} row={row} isHead={index === 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<T>({ column, row, isHead }: { column: Column<T>; row: T; isHead: boolean }): JSX.Element {
  const { name, kind, show } = column;
  if (isHead)
    return (
      <th role="rowheader" scope="row" class={kind}>
        {show(row)}
      </th>
    );
  return (
    <td role="cell" class={kind} data-label={name}>
      {show(row)}
    </td>
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
  return (
    <div class="stack">
      {value !== undefined && value.length > 0 && <Table {...table} rows={value} keyOf={({ id }) => id} />}
      <p role="status" class="muted">
        {value === undefined ? error === undefined && 'Loading…' : value.length === 0 && empty}
      </p>
      <Problem error={error} />
      {more && (
        <div class="buttons">
          <button type="button" onClick={() => void more()}>
            Show more
          </button>
        </div>
      )}
    </div>
  );
}
