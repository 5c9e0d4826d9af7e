import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { differences, type DifferenceRecord } from '../schema.js';
import { decodeRow, type StoredRow } from '../table.js';
import { openStore } from '../../../test/harness/event-store.js';
import { createFormerStore } from '../../../test/harness/former-store.js';
import { stores } from '../../../test/harness/test-store.js';
import { absent, closedAt, finishedAt, REPORT, rows } from '../../../test/settlement/former-report.js';

test.each(stores)('what version 0.2.0 has found is taken over once, on the %s store', async (kind) => {
  const place = await createFormerStore(kind, rows, '0.2.0');
  const store = await openStore(place);
  try {
    const stored = await sql<StoredRow>`select * from differences order by id`.execute(store.db);
    const all = stored.rows.map((row): DifferenceRecord => decodeRow(differences, row));
    expect(
      all.map((one) => [
        one.kind,
        one.state,
        one.settlementId === REPORT ? 'own' : one.settlementId,
        one.step,
      ]),
    ).toEqual([
      ['amount_differs', 'open', 'own', null],
      ['not_paid_here', 'open', 'own', 'asked'],
      ['not_paid_here', 'closed', 'own', null],
      ['refund_unknown_here', 'open', 'own', 'unconfirmed'],
      ['unknown_here', 'open', 'own', 'left_unknown'],
      ['unknown_here', 'closed', 'own', 'adopted'],
      ['settled_twice', 'open', 'own', null],
      // No report has it, so it belongs to none.
      ['not_settled', 'open', null, null],
      ['order_not_paid', 'open', 'own', null],
      ['order_paid_twice', 'open', 'own', null],
    ]);
    expect(all.find((one) => one.kind === 'settled_twice')?.firstId).toBe(REPORT);
    const [movement] = await store.db
      .selectFrom('movements')
      .select(['id'])
      .where('payment_id', '=', absent.id)
      .execute();
    expect(all.find((one) => one.kind === 'not_settled')).toMatchObject({
      ...{ movementId: movement?.id, subject: `movement ${movement?.id}`, movedAt: closedAt },
      ...{ paymentId: absent.id, expectedAmount: 150_000n, expectedCurrency: 'NGN', line: null },
    });
    expect(all[3]).toMatchObject({ claimed: 140_000n, foundAmount: 140_000n, foundDecimals: 2 });
    expect(all[1]).toMatchObject({ dueAt: finishedAt, line: 3, foundCurrency: 'NGN', settledAt: closedAt });
    expect(new Set(all.map(({ id }) => id.length)).size).toBe(1);
  } finally {
    await store.close();
    await place.dispose();
  }
});

test.each(stores)('a store of version 0.1.0 had found nothing, on the %s store', async (kind) => {
  const place = await createFormerStore(kind, {}, '0.1.0');
  const store = await openStore(place);
  try {
    for (const table of ['differences', 'settlement_rows', 'settlement_matches', 'settled_kinds'] as const)
      expect(await store.db.selectFrom(table).selectAll().execute()).toEqual([]);
  } finally {
    await store.close();
    await place.dispose();
  }
});
