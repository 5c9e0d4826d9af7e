import type { AuditRecord, BegunActRecord } from './book-tables.js';
import type { DeclineRecord } from './decline-record.js';
import type { MetaRecord } from './meta-record.js';
import type { StoreLossRecord } from './history/loss-record.js';
import type { PaymentRow } from './payment-row.js';
import type * as books from './book-tables.js';
import type * as schema from './schema.js';

type SnakeCase<S extends string> = S extends `${infer Head}${infer Tail}`
  ? Head extends Lowercase<Head>
    ? `${Head}${SnakeCase<Tail>}`
    : `_${Lowercase<Head>}${SnakeCase<Tail>}`
  : S;

/** What a column holds for a property of this type: both stores keep text and integers only. */
type Stored<T> = T extends bigint
  ? string
  : T extends boolean
    ? number
    : T extends string | number | null
      ? T
      : string;

/** A record's row, named by column. */
export type RowOf<R> = { [P in keyof R & string as SnakeCase<P>]: Stored<R[P]> };

/** The tables as Kysely sees them. */
export interface Tables {
  payment_references: RowOf<schema.ReferenceRecord> & { version: number };
  checkout_sessions: RowOf<schema.SessionRecord>;
  payments: RowOf<PaymentRow> & { timeline: string };
  operations: RowOf<schema.OperationRecord>;
  idempotency_keys: RowOf<schema.IdempotencyRecord>;
  timeline_pages: RowOf<schema.TimelinePageRecord>;
  event_batches: RowOf<schema.EventBatchRecord>;
  events: RowOf<schema.EventRecord>;
  notifications: RowOf<schema.NotificationRecord>;
  audit: RowOf<AuditRecord>;
  begun_acts: RowOf<BegunActRecord>;
  declines: RowOf<DeclineRecord>;
  leases: RowOf<schema.LeaseRecord>;
  meta: RowOf<MetaRecord>;
  store_losses: RowOf<StoreLossRecord>;
  settlements: RowOf<books.SettlementRecord>;
  settlement_differences: RowOf<books.SettlementDifferenceRecord>;
  settlement_returns: RowOf<books.SettlementReturnRecord>;
}
