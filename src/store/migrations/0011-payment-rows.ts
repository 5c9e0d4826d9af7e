import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The operation that began a payment becomes columns of the payment's row, and so does the payment's timeline, as lines of JSON.
 * A process of a former version fails with the rows of its intent, before it sends anything.
 */
const statements = [
  ...[
    'pay_status text',
    'pay_owner text',
    'pay_actor text',
    'pay_former_count bigint',
    'pay_seen_from_ms bigint',
    'pay_accepted_at bigint',
    'pay_updated_at bigint',
    `timeline text not null default ''`,
  ].map((column) => `alter table payments add column ${column}`),
  `create table timeline_pages (
    payment_id text not null, last_sequence bigint not null, entries text not null,
    primary key (payment_id, last_sequence))`,
  `update payments set pay_status = begun.status, pay_owner = begun.owner, pay_actor = begun.actor,
      pay_former_count = begun.former_count, pay_seen_from_ms = begun.seen_from_ms,
      pay_accepted_at = begun.accepted_at, pay_updated_at = begun.updated_at
    from operations as begun where begun.payment_id = payments.id and begun.type = 'pay'`,
  `update payments set timeline = entered.lines
    from (select payment_id, $lines as lines from timeline group by payment_id) as entered
    where entered.payment_id = payments.id`,
  // Its id is that of the payment now, also where a line or a key names it.
  `update payments set timeline = replace(timeline, '"' || begun.id || '"', '"op' || substr(payments.id, 4) || '"')
    from operations as begun where begun.payment_id = payments.id and begun.type = 'pay'`,
  `update idempotency_keys set operation_id = 'op' || substr(payment_id, 4)
    where exists (select 1 from operations as begun
      where begun.payment_id = idempotency_keys.payment_id and begun.id = idempotency_keys.operation_id
        and begun.type = 'pay')`,
  `delete from operations where type = 'pay'`,
  'drop table timeline',
];

/** An entry as a line. What is null is left out. */
const MEMBERS = `'at', at, 'type', type, 'from', from_status, 'to', to_status, 'late', $late, 'actor', actor,
  'detail', $detail, 'id', id`;

const WORDS = {
  sqlite: {
    lines: `group_concat(json_patch('{}', json_object(${MEMBERS})) || char(10), '' order by sequence)`,
    late: `case when late = 1 then json('true') end`,
    detail: 'json(detail)',
  },
  postgres: {
    lines: `string_agg(json_strip_nulls(json_build_object(${MEMBERS}))::text || E'\\n', '' order by sequence)`,
    late: 'case when late = 1 then true end',
    detail: 'detail::json',
  },
};

export const paymentRows: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    const words: Readonly<Record<string, string>> = isSqlite ? WORDS.sqlite : WORDS.postgres;
    const fill = (text: string): string => text.replace(/\$(\w+)/g, (_, word: string) => words[word] ?? '');
    for (const statement of statements) {
      const text = fill(fill(statement));
      const typed = isSqlite || !/^(?:create|alter) table/.test(text);
      await sql.raw(typed ? text : text.replace(/\btext\b/g, 'text collate "C"')).execute(db);
    }
  },
};
