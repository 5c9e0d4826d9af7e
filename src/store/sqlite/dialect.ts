import { SqliteAdapter, SqliteDialect, type DialectAdapter } from 'kysely';

/** SQLite as Kysely drives it, with migrations in one transaction: a crash in the middle of one leaves nothing half made. */
export class TransactionalSqliteDialect extends SqliteDialect {
  override createAdapter(): DialectAdapter {
    return new TransactionalSqliteAdapter();
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
