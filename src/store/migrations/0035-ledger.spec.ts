import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ledgerFaults } from '../ledger-faults.js';
import {
  operations,
  payments,
  references,
  sessions,
  type MovementRecord,
  type OperationRecord,
  type PaymentRecord,
} from '../schema.js';
import { encodeRow } from '../table.js';
import { openStore } from '../../../test/harness/event-store.js';
import {
  createFormerStore,
  type FormerRows,
  type FormerVersion,
} from '../../../test/harness/former-store.js';
import {
  HOUR,
  madeAt,
  operationRecord,
  paymentIn,
  referenceOf,
  sessionRecord,
} from '../../../test/harness/records.js';
import { stores } from '../../../test/harness/test-store.js';

/** An entry as it is expected: its kind, amount, when, and the refund that it belongs to. */
type Entry = [kind: MovementRecord['kind'], amount: number, at: number, refundId: string | null];

interface Former {
  payment: PaymentRecord;
  refunds?: OperationRecord[];
  entries: Entry[];
}

const closedAt = madeAt + HOUR;
const updatedAt = madeAt + 2 * HOUR;
const times = { closedAt, updatedAt };
let count = 0;

function former(
  status: PaymentRecord['status'],
  over: Partial<PaymentRecord>,
  entries: Entry[],
  refunds: [amount: bigint, status: OperationRecord['status']][] = [],
): Former {
  count += 1;
  const reference = `ORDER-${count}`;
  const own = { id: `pay_${count}`, reference, gatewayReference: `${reference}_1`, sessionId: `cs_${count}` };
  return {
    payment: paymentIn(status, { ...times, ...own, ...over }),
    entries,
    refunds: refunds.map(([amount, outcome], index) =>
      operationRecord({
        id: `ref_${count}x${index}`,
        paymentId: own.id,
        type: 'refund',
        status: outcome,
        amount,
        reason: `why ${count} ${index}`,
        refundReference: `${own.gatewayReference}_r${index + 1}`,
        actor: 'merchant:ops-anna',
        updatedAt: updatedAt - 1_000,
      }),
    ),
  };
}

const paid: Entry = ['payment', 150_000, closedAt, null];

/** What both former versions knew. */
const common = (): Former[] => [
  former('processing', {}, []),
  former('failed', {}, []),
  former('authorized', {}, []),
  former('succeeded', {}, [paid]),
  // A success whose amount was not written down.
  former('succeeded', { amountCaptured: null }, [paid]),
  former('voided', {}, [paid, ['void', 150_000, closedAt, null]]),
  // A hold that was released.
  former('voided', { amountCaptured: null }, []),
];

/** What came with version 0.2.0. */
const refunded = (): Former[] => [
  former(
    'succeeded',
    { amountRefunded: 50_000n, refundsMade: 2 },
    [paid, ['refund', 50_000, updatedAt - 1_000, `ref_${count + 1}x0`]],
    [
      [50_000n, 'confirmed'],
      [20_000n, 'refused'],
    ],
  ),
  former(
    'succeeded',
    { amountRefunded: 90_000n, refundsMade: 1 },
    [paid, ['refund', 50_000, updatedAt - 1_000, `ref_${count + 1}x0`], ['refund', 40_000, updatedAt, null]],
    [[50_000n, 'confirmed']],
  ),
  former('succeeded', { amountRefunded: 30_000n }, [paid, ['refund', 30_000, updatedAt, null]]),
  former('succeeded', { amountRefunded: 30_000n, disputed: true }, [
    paid,
    ['refund', 30_000, updatedAt, null],
    ['chargeback', 120_000, updatedAt, null],
  ]),
  // The whole went back twice.
  former('succeeded', { amountRefunded: 150_000n, disputed: true }, [
    paid,
    ['refund', 150_000, updatedAt, null],
    ['chargeback', 150_000, updatedAt, null],
  ]),
  former('voided', { amountRefunded: 30_000n }, [
    paid,
    ['refund', 30_000, updatedAt, null],
    ['void', 120_000, closedAt, null],
  ]),
  // Heard of a payment that was never known to be paid.
  former('failed', { disputed: true }, []),
];

function rowsOf(all: readonly Former[]): FormerRows {
  return {
    payment_references: all.map(({ payment }) => encodeRow(references, referenceOf(payment))),
    checkout_sessions: all.map(({ payment: { sessionId: id, reference } }) =>
      encodeRow(sessions, sessionRecord({ id, reference })),
    ),
    payments: all.map(({ payment }) => encodeRow(payments, payment)),
    operations: all.flatMap(({ refunds = [] }) => refunds.map((one) => encodeRow(operations, one))),
  };
}

const versions: [FormerVersion, () => Former[]][] = [
  ['0.1.0', common],
  ['0.2.0', () => [...common(), ...refunded()]],
];

test.each(stores.flatMap((kind) => versions.map(([version, make]) => ({ kind, version, make }))))(
  'a $kind store of version $version gets the movements of what was there, and what people wrote has a table of its own',
  async ({ kind, version, make }) => {
    const all = make();
    const place = await createFormerStore(kind, rowsOf(all), version);
    const store = await openStore(place);
    try {
      const { rows } = await sql<Record<string, string | number | null>>`
        select * from movements order by at, id`.execute(store.db);
      for (const { payment, entries } of all) {
        const found = rows.filter((row) => row['payment_id'] === payment.id);
        const shown = found.map((row) => [
          row['kind'],
          Number(row['amount']),
          Number(row['at']),
          row['refund_id'],
        ]);
        expect(shown).toHaveLength(entries.length);
        expect(shown).toEqual(expect.arrayContaining(entries));
        for (const row of found) {
          const { currency, method, reference, gatewayReference } = payment;
          expect(row).toMatchObject({ currency, method, reference, gateway_reference: gatewayReference });
          expect(row['direction']).toBe(row['kind'] === 'payment' ? 'in' : 'out');
          expect(row['recorded_at']).toEqual(row['at']);
          expect(row['actor']).toBe(row['refund_id'] === null ? 'gateway' : 'merchant:ops-anna');
        }
      }
      expect(await ledgerFaults(store.db, 10)).toEqual([]);

      const refunds = await sql<{ id: string; reason: string | null; content: string }>`
        select operations.id, reason, content from operations join written_texts on written_texts.id = text_id
        order by operations.id`.execute(store.db);
      const made = all.flatMap(({ refunds: some = [] }) => some);
      expect(refunds.rows).toEqual(
        made
          .map(({ id, reason }) => ({ id, reason: null, content: reason }))
          .sort((one, other) => (one.id < other.id ? -1 : 1)),
      );
    } finally {
      await store.close();
      await place.dispose();
    }
  },
);

test.each(stores)('amounts of a %s store that are not the sums of the ledger are found', async (kind) => {
  const place = await createFormerStore(kind, rowsOf(common()));
  const store = await openStore(place);
  try {
    expect(await ledgerFaults(store.db, 10)).toEqual([]);
    const paidOnes = await sql<{
      id: string;
    }>`select id from payments where status = 'succeeded' order by id`.execute(store.db);
    const [first, second] = paidOnes.rows.map(({ id }) => id);
    await sql`update payments set amount_refunded = '1' where id = ${first}`.execute(store.db);
    await sql`update payments set amount_captured = '149999' where id = ${second}`.execute(store.db);
    expect((await ledgerFaults(store.db, 10)).map(({ id }) => id).sort()).toEqual([first, second]);
    expect(await ledgerFaults(store.db, 1)).toHaveLength(1);
  } finally {
    await store.close();
    await place.dispose();
  }
});
