import { moneyColumns } from './money-columns.js';
import type { DeclineRecord } from './decline-record.js';
import { decode, encode, type ColumnKind, type StoredValue } from './column-values.js';
import type { MetaRecord } from './meta-record.js';
import type {
  EventBatchRecord,
  EventRecord,
  IdempotencyRecord,
  LeaseRecord,
  NotificationRecord,
  OperationRecord,
  PaymentRecord,
  ReferenceRecord,
  SessionRecord,
  TimelinePageRecord,
} from './schema.js';

export type StoredRow = Record<string, StoredValue>;

/** A table and its columns, from which statements and row codecs are made. */
export interface Table<R> {
  readonly name: string;
  readonly key: readonly (keyof R & string)[];
  readonly columns: { readonly [P in keyof R & string]: ColumnKind };
  /** Rows are only added. Writing one twice is an error, not an update. */
  readonly appendOnly?: boolean;
}

export const references: Table<ReferenceRecord> = {
  name: 'payment_references',
  key: ['reference'],
  columns: {
    reference: 'text',
    attempts: 'integer',
    livePaymentIds: 'json',
    paidPaymentIds: 'json',
    sessionId: 'text',
  },
};

export const sessions: Table<SessionRecord> = {
  name: 'checkout_sessions',
  key: ['id'],
  columns: {
    id: 'text',
    reference: 'text',
    amount: 'amount',
    currency: 'text',
    status: 'text',
    closedReason: 'text',
    payer: 'json',
    billing: 'json',
    returnUrl: 'text',
    methods: 'json',
    metadata: 'json',
    declines: 'integer',
    eventSequence: 'integer',
    expiresAt: 'integer',
    createdAt: 'integer',
    updatedAt: 'integer',
    finishedAt: 'integer',
    redactedAt: 'integer',
  },
};

export const payments: Table<PaymentRecord> = {
  name: 'payments',
  key: ['id'],
  columns: {
    id: 'text',
    sessionId: 'text',
    reference: 'text',
    gatewayReference: 'text',
    method: 'text',
    status: 'text',
    amount: 'amount',
    currency: 'text',
    amountAuthorized: 'amount',
    amountCaptured: 'amount',
    ...moneyColumns,
    nextAction: 'json',
    pendingOperation: 'json',
    duplicateOf: 'text',
    needsAttention: 'boolean',
    attentionReason: 'text',
    settledAnswer: 'text',
    unlistedWord: 'text',
    failure: 'json',
    cardBrand: 'text',
    cardLast4: 'text',
    cardFingerprint: 'text',
    addressFingerprint: 'text',
    networkFingerprint: 'text',
    transactionRef: 'text',
    kept: 'json',
    metadata: 'json',
    otpsSent: 'integer',
    pinsSent: 'integer',
    answered: 'boolean',
    waiting: 'boolean',
    notKnownCount: 'integer',
    gatewayExpiresAt: 'integer',
    nextStatusCheckAt: 'integer',
    lastTimelineNote: 'text',
    statusCheckCount: 'integer',
    statusCheckWorth: 'integer',
    notificationChecks: 'integer',
    notificationClaims: 'json',
    openSince: 'integer',
    seenMs: 'integer',
    answeredAt: 'integer',
    closedAt: 'integer',
    heldSince: 'integer',
    resolvedAt: 'integer',
    eventSequence: 'integer',
    timelineSequence: 'integer',
    leaseOwner: 'text',
    leaseUntil: 'integer',
    leaseFence: 'integer',
    version: 'integer',
    createdAt: 'integer',
    updatedAt: 'integer',
  },
};

export const operations: Table<OperationRecord> = {
  name: 'operations',
  key: ['paymentId', 'id'],
  columns: {
    id: 'text',
    paymentId: 'text',
    type: 'text',
    status: 'text',
    amount: 'amount',
    reason: 'text',
    refundReference: 'text',
    refundedBefore: 'amount',
    refundBaselineSaid: 'boolean',
    owner: 'text',
    actor: 'text',
    formerCount: 'integer',
    seenFromMs: 'integer',
    acceptedAt: 'integer',
    createdAt: 'integer',
    updatedAt: 'integer',
  },
};

export const idempotencyKeys: Table<IdempotencyRecord> = {
  name: 'idempotency_keys',
  key: ['scope', 'key'],
  columns: {
    scope: 'text',
    key: 'text',
    fingerprint: 'text',
    sessionId: 'text',
    paymentId: 'text',
    operationId: 'text',
    runningUntil: 'integer',
    createdAt: 'integer',
    expiresAt: 'integer',
  },
};

export const timelinePages: Table<TimelinePageRecord> = {
  name: 'timeline_pages',
  key: ['paymentId', 'lastSequence'],
  appendOnly: true,
  columns: { paymentId: 'text', lastSequence: 'integer', entries: 'text' },
};

export const eventBatches: Table<EventBatchRecord> = {
  name: 'event_batches',
  key: ['id'],
  columns: { id: 'integer', position: 'integer' },
};

export const events: Table<EventRecord> = {
  name: 'events',
  key: ['id'],
  appendOnly: true,
  columns: {
    id: 'text',
    type: 'text',
    aggregateId: 'text',
    sequence: 'integer',
    livemode: 'boolean',
    late: 'boolean',
    operation: 'json',
    data: 'text',
    createdAt: 'integer',
    batch: 'integer',
    ordinal: 'integer',
    deliveryStatus: 'text',
    attempts: 'integer',
    nextAttemptAt: 'integer',
    firstAttemptAt: 'integer',
    lastResult: 'text',
    leaseOwner: 'text',
    leaseUntil: 'integer',
  },
};

export const notifications: Table<NotificationRecord> = {
  name: 'notifications',
  key: ['id'],
  columns: {
    id: 'text',
    receivedAt: 'integer',
    digest: 'text',
    mediaType: 'text',
    body: 'text',
    reference: 'text',
    paymentId: 'text',
    status: 'text',
    repeats: 'integer',
    processedAt: 'integer',
  },
};

export const declines: Table<DeclineRecord> = {
  name: 'declines',
  key: ['id'],
  columns: {
    id: 'text',
    addressFingerprint: 'text',
    networkFingerprint: 'text',
    cardFingerprint: 'text',
    weight: 'integer',
    at: 'integer',
  },
};

export const leases: Table<LeaseRecord> = {
  name: 'leases',
  key: ['name'],
  columns: { name: 'text', owner: 'text', until: 'integer', fence: 'integer' },
};

export const meta: Table<MetaRecord> = {
  name: 'meta',
  key: ['name'],
  columns: { name: 'text', value: 'text' },
};

/** As many as there are properties of records. */
const columnNames = new Map<string, string>();

/** `gatewayReference` → `gateway_reference`. */
export function columnName(property: string): string {
  let name = columnNames.get(property);
  if (name === undefined) {
    name = property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    columnNames.set(property, name);
  }
  return name;
}

type Codec = readonly (readonly [property: string, column: string, kind: ColumnKind])[];
const codecs = new WeakMap<object, Codec>();

function codecOf<R>(table: Table<R>): Codec {
  let codec = codecs.get(table);
  if (!codec) {
    codec = Object.entries<ColumnKind>(table.columns).map(
      ([property, kind]) => [property, columnName(property), kind] as const,
    );
    codecs.set(table, codec);
  }
  return codec;
}

/** The columns in the order in which `encodeValues` writes them. */
export function columnsOf<R>(table: Table<R>): string[] {
  return codecOf(table).map(([, column]) => column);
}

/** A record's values in column order, for positional parameters. */
export function encodeValues<R>(table: Table<R>, record: R): StoredValue[] {
  return codecOf(table).map(([property, , kind]) => encode(kind, record[property as keyof R]));
}

/**
 * The differences of a record from its row: a text with one sign for each column that differs, and the new values followed by
 * those of the key. The text finds a prepared statement faster than names do.
 */
export function changedValues<R>(
  table: Table<R>,
  record: R,
  before: R,
): { changed: string; values: StoredValue[] } {
  let changed = '';
  let index = 0;
  const values: StoredValue[] = [];
  for (const [property, , kind] of codecOf(table)) {
    const value = record[property as keyof R];
    // Records are copied to change them, so a JSON value that is the same object has not changed.
    if (value !== before[property as keyof R]) {
      changed += String.fromCharCode(FIRST_SIGN + index);
      values.push(encode(kind, value));
    }
    index += 1;
  }
  for (const property of table.key) values.push(record[property] as StoredValue);
  return { changed, values };
}

/** The sign of a table's first column in the text of `changedValues`. */
const FIRST_SIGN = 48;

/** The columns that a text of `changedValues` names. */
export function changedColumns<R>(table: Table<R>, changed: string): string[] {
  const columns = columnsOf(table);
  return Array.from(changed, (sign) => columns[sign.charCodeAt(0) - FIRST_SIGN] ?? '');
}

/** A record, or some properties of it, as a row named by column. */
export function encodeRow<R>(
  table: Table<R>,
  record: R,
  properties?: readonly (keyof R & string)[],
): StoredRow {
  const row: StoredRow = {};
  for (const [property, column, kind] of codecOf(table)) {
    const name = property as keyof R & string;
    if (properties?.includes(name) ?? true) row[column] = encode(kind, record[name]);
  }
  return row;
}

/** A row named by column, as either store returns it, as a record. */
export function decodeRow<R>(table: Table<R>, row: StoredRow): R {
  const record: Record<string, unknown> = {};
  for (const [property, column, kind] of codecOf(table)) record[property] = decode(kind, row[column] ?? null);
  return record as R;
}
