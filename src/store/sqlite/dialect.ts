import { SqliteAdapter, SqliteDialect, type DialectAdapter } from 'kysely';

/** SQLite for Kysely. Migrations run in one transaction, so that a crash leaves none half done. */
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
