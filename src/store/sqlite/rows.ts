import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { StoredValue } from '../column-values.js';
import { selectWhere, updateColumns, upsertOne } from '../statements.js';
import { changedValues, decodeRow, encodeValues, type StoredRow, type Table } from '../tables.js';

/** Reads and writes single rows of the embedded store with statements that are prepared once. */
export class SqliteRows {
  private readonly statements = new Map<string, StatementSync>();
  private readonly upserts = new Map<object, StatementSync>();
  private readonly updates = new Map<object, Map<string, StatementSync>>();

  constructor(private readonly database: DatabaseSync) {}

  first<R>(table: Table<R>, condition: string, ...values: StoredValue[]): R | undefined {
    const row = this.statement(selectWhere(table, condition)).get(...values);
    return row && decodeRow(table, row as StoredRow);
  }

  all<R>(table: Table<R>, condition: string, ...values: StoredValue[]): R[] {
    return this.statement(selectWhere(table, condition))
      .all(...values)
      .map((row) => decodeRow(table, row as StoredRow));
  }

  /**
   * Writes a record. If its present row is known, only the columns that differ are written, and with them what `also` sets, an
   * expression with one value.
   */
  put<R>(table: Table<R>, record: R, before?: R, also?: { set: string; value: string }): void {
    if (before === undefined) this.upsert(table, record);
    else this.update(table, record, before, also);
  }

  /** A statement, prepared once and kept. */
  statement(sql: string): StatementSync {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }

  private upsert<R>(table: Table<R>, record: R): void {
    let statement = this.upserts.get(table);
    if (!statement) {
      statement = this.database.prepare(upsertOne(table));
      this.upserts.set(table, statement);
    }
    statement.run(...encodeValues(table, record));
  }

  private update<R>(table: Table<R>, record: R, before: R, also?: { set: string; value: string }): void {
    const { changed, values } = changedValues(table, record, before);
    if (changed === '' && !also) return;
    let updates = this.updates.get(table);
    if (!updates) this.updates.set(table, (updates = new Map<string, StatementSync>()));
    const wanted = also ? `${changed} ${also.set}` : changed;
    let statement = updates.get(wanted);
    if (!statement) {
      statement = this.database.prepare(updateColumns(table, changed, also ? [also.set] : []));
      updates.set(wanted, statement);
    }
    if (also) values.splice(changed.length, 0, also.value);
    // A missing row must not go unnoticed: the batch fails as a whole.
    if (statement.run(...values).changes !== 1)
      throw new Error(`A row of ${table.name} that was read is gone`);
  }
}
