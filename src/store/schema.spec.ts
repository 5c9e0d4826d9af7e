import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openStore } from '../../test/harness/event-store.js';
import { madeAt, operationRecord, paymentRecord, sessionRecord } from '../../test/harness/records.js';
import { createTestStore, stores, type TestStore } from '../../test/harness/test-store.js';
import { type Column, columnName, decodeRow, encodeRow } from './table.js';
import {
  type IdempotencyRecord,
  type OperationRecord,
  type PaymentRecord,
  payments,
  type SessionRecord,
  sessions,
  TABLES,
} from './schema.js';
import type { Store } from './store.js';

/** What is written comes back as it was, in both stores: amounts, times, flags, JSON, absent values and any text. */

// PostgreSQL keeps no NUL in a text; the service takes none in.
const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((value) => value.replaceAll('\0', ''));
const moment = fc.integer({ min: 0, max: 8_640_000_000_000_000 });
const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const payment: fc.Arbitrary<PaymentRecord> = fc
  .record({
    amount,
    amountAuthorized: orNull(amount),
    amountCaptured: orNull(amount),
    nextAction: orNull(
      fc.record({
        type: fc.constant('redirect' as const),
        url: text,
        method: fc.constant('POST' as const),
        fields: fc.dictionary(text, text),
      }),
    ),
    failure: orNull(
      fc.record({ code: fc.constant('declined' as const), message: text, retryable: fc.boolean() }),
    ),
    needsAttention: fc.boolean(),
    attentionReason: orNull(text),
    cardBrand: orNull(text),
    transactionRef: orNull(text),
    metadata: fc.dictionary(text, text),
    answered: fc.boolean(),
    waiting: fc.boolean(),
    nextStatusCheckAt: orNull(moment),
    openSince: orNull(moment),
    updatedAt: moment,
    leaseUntil: moment,
  })
  .map((over) => paymentRecord(over));

const session: fc.Arbitrary<SessionRecord> = fc
  .record({
    payer: orNull(fc.record({ firstName: text, email: text })),
    billing: orNull(fc.record({ street: text })),
    returnUrl: orNull(text),
    metadata: fc.dictionary(text, text),
    expiresAt: moment,
    finishedAt: orNull(moment),
  })
  .map((over) => sessionRecord(over));

test('a row of columns says the same as its record', () => {
  fc.assert(
    fc.property(payment, (record) =>
      expect(decodeRow(payments, encodeRow(payments, record))).toEqual(record),
    ),
  );
  fc.assert(
    fc.property(session, (record) =>
      expect(decodeRow(sessions, encodeRow(sessions, record))).toEqual(record),
    ),
  );
});

/** Columns that take null otherwise than their records: those of an event that the commit gives, and one that used to. */
const NULLABLE: Readonly<Record<string, boolean>> = {
  'events.batch': false,
  'events.ordinal': false,
  'audit.outcome': true,
};

const keyOf = ({ key }: (typeof TABLES)[number]): string[] => key.map(columnName);

test('a column’s name', () => {
  expect([columnName('gatewayReference'), columnName('id')]).toEqual(['gateway_reference', 'id']);
});

describe.each(stores)('the %s store', (kind) => {
  let place: TestStore;
  let store: Store;

  beforeAll(async () => {
    place = await createTestStore(kind);
    store = await openStore(place);
  });
  afterAll(async () => {
    await store.close();
    await place.dispose();
  });

  test('has just the tables and columns of the maps', async () => {
    // What parts of references are found by follows from the payments: each store has what it brings along for that.
    const all = await store.db.introspection.getTables();
    const found = all.filter(({ name }) => !name.startsWith('search_'));
    const columns = found.flatMap((table) =>
      table.columns.map(({ name, dataType, isNullable }) => {
        const isKey = TABLES.some((one) => one.name === table.name && keyOf(one).includes(name));
        const kind = dataType.toLowerCase() === 'text' ? 'text' : 'integer';
        return `${table.name}.${name}: ${kind}${isNullable && !isKey ? ' or null' : ''}`;
      }),
    );
    const described = TABLES.flatMap((table) =>
      Object.entries<Column<unknown>>(table.columns).map(([property, { kind, nullable }]) => {
        const type = kind === 'integer' || kind === 'flag' ? 'integer' : 'text';
        const column = `${table.name}.${columnName(property)}`;
        return `${column}: ${type}${(NULLABLE[column] ?? nullable) ? ' or null' : ''}`;
      }),
    );
    expect(columns.sort()).toEqual(described.sort());
  });

  test('gives back what was written, new and changed', async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(payment, payment, session, async (first, second, owed) => {
        const own = { id: `pay_${++made}`, gatewayReference: `R_${made}` };
        const wanted = { reference: 'R', createReference: true, sessionId: `cs_${made}`, paymentId: own.id };
        const operations: OperationRecord[] = [
          operationRecord({ id: `op_${made}`, paymentId: own.id, createdAt: first.createdAt }),
          operationRecord({
            id: `op_${made}_later`,
            paymentId: own.id,
            type: 'complete',
            amount: first.amount,
            status: 'intended',
            createdAt: first.createdAt + 1,
          }),
        ];
        const idempotency: IdempotencyRecord = {
          scope: 'merchant',
          key: `key ${made}`,
          fingerprint: 'f',
          sessionId: null,
          paymentId: own.id,
          operationId: operations[made % 2]?.id ?? null,
          runningUntil: null,
          createdAt: madeAt,
          expiresAt: first.updatedAt,
        };
        const keyed = { ...wanted, idempotency: { scope: 'merchant', key: idempotency.key } };
        const record = { ...first, ...own };
        const ofPayment = { ...owed, id: wanted.sessionId };
        await store.writer.write(keyed, () => ({
          changes: { payment: record, session: ofPayment, operations, idempotency },
          result: undefined,
        }));
        const found = await store.writer.write(keyed, (snapshot) => ({ changes: {}, result: snapshot }));
        expect(found).toMatchObject({
          payment: record,
          session: ofPayment,
          openOperations: operations,
          idempotency,
          keyedOperation: operations[made % 2],
        });
        const changed = { ...second, ...own };
        await store.writer.write(wanted, () => ({ changes: { payment: changed }, result: undefined }));
        const again = await store.writer.write(keyed, (snapshot) => ({
          changes: {},
          result: snapshot.payment,
        }));
        expect(again).toEqual(changed);
      }),
      { numRuns: 60 },
    );
  });
});
