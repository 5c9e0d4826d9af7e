import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { PaymentsRepository } from '../../src/payments/state/payments.repository.js';
import type { Store } from '../../src/store/store.js';
import { openStore } from '../harness/event-store.js';
import {
  formerEntry,
  formerKey,
  formerOperation,
  formerPayment,
  formerReference,
  formerSession,
  type FormerRow,
} from '../harness/former-rows.js';
import { createFormerStore, type FormerRows } from '../harness/former-store.js';
import { stores } from '../harness/test-store.js';

const MADE = Date.UTC(2026, 10, 21, 12);
const id = (kind: string, sign: string): string => `${kind}_${sign.repeat(32)}`;

/** A payment, with what hangs on it, under the letter that its ids are made of. */
function formerRows(letter: string, payment: FormerRow, operations: readonly FormerRow[]): FormerRows {
  const [pay, session, reference] = [id('pay', letter), id('cs', letter), `ORDER-${letter}`];
  const entries = operations.map((operation, index) =>
    formerEntry({
      payment_id: pay,
      id: id('tle', letter) + String(index + 2),
      sequence: index + 2,
      type: 'operation_intended',
      to_status: null,
      detail: JSON.stringify({ operation: operation['type'], id: operation['id'], note: 'Ìkòyí "\\ \u2028' }),
    }),
  );
  return {
    payment_references: [formerReference({ reference, live_payment_ids: `["${pay}"]`, session_id: session })],
    checkout_sessions: [formerSession({ id: session, reference })],
    payments: [
      formerPayment({
        id: pay,
        session_id: session,
        reference,
        gateway_reference: `${reference}_1`,
        timeline_sequence: entries.length + 1,
        ...payment,
      }),
    ],
    operations: operations.map((operation) => formerOperation({ ...operation, payment_id: pay })),
    idempotency_keys: operations.map((operation, index) =>
      formerKey({
        scope: `session:${session}`,
        key: `key-${index}`,
        session_id: session,
        payment_id: pay,
        operation_id: operation['id'] ?? null,
      }),
    ),
    // Not in their order, as a table may give them back.
    timeline: [...entries, formerEntry({ payment_id: pay, id: id('tle', letter), late: 1 })].reverse(),
  };
}

function together(...all: FormerRows[]): FormerRows {
  const tables = new Set(all.flatMap((rows) => Object.keys(rows)));
  return Object.fromEntries([...tables].map((table) => [table, all.flatMap((rows) => rows[table] ?? [])]));
}

const begun = { id: id('op', 'x'), type: 'pay', status: 'intended', former_count: 2, updated_at: MADE + 5 };
const former = (): FormerRows =>
  together(
    // In the middle of its first call.
    formerRows('a', {}, [begun]),
    // In the middle of sending a code.
    formerRows('b', { status: 'requires_action', ask_at: MADE }, [
      { id: id('op', 'y'), type: 'pay', status: 'confirmed' },
      { id: id('op', 'z'), type: 'otp', status: 'unknown', created_at: MADE + 9 },
    ]),
  );

function read(store: Store, letter: string, key: string) {
  return store.writer.write(
    {
      reference: `ORDER-${letter}`,
      sessionId: id('cs', letter),
      paymentId: id('pay', letter),
      idempotency: { scope: `session:${id('cs', letter)}`, key },
    },
    (snapshot) => ({ changes: {}, result: snapshot }),
  );
}

test.each(stores)(
  'a %s store of version 0.1.0 in the middle of work: what was begun stays open, keys name it, timelines read as before',
  async (kind) => {
    const place = await createFormerStore(kind, former());
    const store = await openStore(place);
    try {
      const first = await read(store, 'a', 'key-0');
      const open = {
        id: id('op', 'a'),
        paymentId: id('pay', 'a'),
        type: 'pay',
        status: 'intended',
        amount: null,
        owner: 'own_gone',
        actor: 'payer',
        formerCount: 2,
        createdAt: MADE,
        updatedAt: MADE + 5,
      };
      expect(first.openOperations).toMatchObject([open]);
      expect(first.keyedOperation).toMatchObject(open);
      expect(first.payment).toMatchObject({
        status: 'processing',
        leaseOwner: 'own_gone',
        metadata: { cart: '42' },
      });

      const second = await read(store, 'b', 'key-1');
      expect(second.openOperations).toMatchObject([{ id: id('op', 'z'), type: 'otp', status: 'unknown' }]);
      expect(second.keyedOperation).toMatchObject({ id: id('op', 'z') });
      expect((await read(store, 'b', 'key-0')).keyedOperation).toMatchObject({
        id: id('op', 'b'),
        status: 'confirmed',
      });
      expect(await sql`select type from operations`.execute(store.db)).toMatchObject({
        rows: [{ type: 'otp' }],
      });

      const repository = new PaymentsRepository(store);
      expect(await repository.timeline(id('pay', 'b'))).toEqual([
        {
          paymentId: id('pay', 'b'),
          sequence: 1,
          id: id('tle', 'b'),
          type: 'created',
          at: MADE,
          fromStatus: null,
          toStatus: 'processing',
          late: true,
          actor: 'payer',
          detail: null,
        },
        expect.objectContaining({
          sequence: 2,
          id: `${id('tle', 'b')}2`,
          type: 'operation_intended',
          late: false,
          detail: { operation: 'pay', id: id('op', 'b'), note: 'Ìkòyí "\\ \u2028' },
        }),
        expect.objectContaining({ sequence: 3, detail: expect.objectContaining({ id: id('op', 'z') }) }),
      ]);
    } finally {
      await store.close();
      await place.dispose();
    }
  },
);

/** The rows that version 0.1.0 commits before it sends anything, table by table. */
const intents: [string, FormerRow][] = [
  ['payments', formerPayment({ id: 'pay_old', gateway_reference: 'ORDER-9_1', reference: 'ORDER-9' })],
  ['timeline', formerEntry({ payment_id: 'pay_old', id: 'tle_old' })],
];

test.each(stores.flatMap((kind) => intents.map(([table, row]) => ({ kind, table, row }))))(
  'a process of version 0.1.0 that still runs on a migrated $kind store fails with the $table of its intent, before it sends anything',
  async ({ kind, table, row }) => {
    const place = await createFormerStore(kind, former());
    const store = await openStore(place);
    try {
      const columns = Object.keys(row).map((column) => sql.ref(column));
      await expect(
        sql`insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(Object.values(row))})`.execute(
          store.db,
        ),
      ).rejects.toThrow();
    } finally {
      await store.close();
      await place.dispose();
    }
  },
);
