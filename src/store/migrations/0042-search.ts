import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The keyed hashes of a session's e-mail and phone: by them payments are found while these are kept. */
const sessions = [
  'alter table checkout_sessions add column email_hash text',
  'alter table checkout_sessions add column phone_hash text',
  'create index checkout_sessions_email on checkout_sessions (email_hash) where email_hash is not null',
  'create index checkout_sessions_phone on checkout_sessions (phone_hash) where phone_hash is not null',
];

/**
 * Where parts of references are looked for. It follows from the payments and is no part of the data model: see
 * `payments/search/reference-index.ts`, which fills it. Each store has the kind of index that it brings along.
 */
const onSqlite = [
  `create table search_references (
    number integer primary key,
    payment_id text not null unique,
    words text not null
  )`,
  "create virtual table search_words using fts5 (words, content = '', tokenize = 'trigram')",
  `create trigger search_references_words after insert on search_references begin
    insert into search_words (rowid, words) values (new.number, new.words);
  end`,
];
const onPostgres = [
  `create table search_references (
    payment_id text collate "C" not null primary key,
    words text collate "C" not null
  )`,
  "create index search_references_words on search_references using gin (string_to_array(words, ' '))",
];

export const search: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    for (const statement of sessions) {
      const typed = isSqlite || !statement.startsWith('alter');
      await sql.raw(typed ? statement : `${statement} collate "C"`).execute(db);
    }
    for (const statement of isSqlite ? onSqlite : onPostgres) await sql.raw(statement).execute(db);
  },
};
