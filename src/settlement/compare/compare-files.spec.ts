import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { storyOf, WEEK, type Plan, type Story } from '../../../test/books/stories.js';
import { reportOf, SHAPE, writeMovements, writePayments } from '../../../test/books/write-stories.js';
import { openStore } from '../../../test/harness/event-store.js';
import { createTestStore, stores, type TestStore } from '../../../test/harness/test-store.js';
import { defaultProfile } from '../../gateway/profile/default-profile.js';
import type { DifferenceRecord, SettlementRecord } from '../../store/schema.js';
import type { Store } from '../../store/store.js';
import { USUAL_ORDERS } from '../files/orders-reader.js';
import { compareAlone, type ComparisonAlone } from './alone.js';
import type { FileToCompare } from './comparison-slot.js';

const SENDER = { actor: 'merchant', names: false };
const DAY_MS = 24 * 3_600_000;

function file(text: string): FileToCompare {
  async function* pieces(): AsyncGenerator<Buffer> {
    yield await Promise.resolve(Buffer.from(text));
  }
  return { pieces: pieces(), goesOn: () => Promise.resolve() };
}

const PLAIN: Plan = {
  ...{
    life: 'paid',
    currency: 'NGN',
    method: 'card',
    hundreds: 150,
    minute: 0,
    refunds: [],
    chargeback: null,
  },
  ...{ listed: true, asRefund: false, fault: null, takenBack: false },
};
const story = (n: number, over: Partial<Plan> = {}): Story => storyOf(n, { ...PLAIN, ...over });

describe.each(stores)('what is compared, on the %s store', (kind) => {
  let place: TestStore;
  let store: Store;
  let alone: ComparisonAlone;

  beforeEach(async () => {
    place = await createTestStore(kind);
    store = await openStore(place);
    alone = compareAlone(store, defaultProfile, { settlementExpectedDays: 5 });
  });
  afterEach(async () => {
    await store.close();
    await place.dispose();
  });

  const compare = async (text: string): Promise<SettlementRecord> =>
    (await alone.files.compareReport([SHAPE], SENDER, file(text))).settlement;
  const listed = async (state: 'open' | 'closed' = 'open'): Promise<DifferenceRecord[]> =>
    (await alone.differences.list({ state, limit: 100 })).reverse();
  const kinds = async (state: 'open' | 'closed' = 'open'): Promise<string[]> =>
    (await listed(state)).map(({ kind: one, reference }) => `${one} ${reference}`);
  const rowsOf = (...stories: Story[]): Story['rows'] => stories.flatMap(({ rows }) => rows);

  test('is matched, each movement once, and a row that is seen again is nothing new', async () => {
    const [one, other] = [story(1), story(2, { life: 'parts' })];
    await writePayments(store, [one, other]);
    await writeMovements(store, [one, other]);
    const daily = await compare(reportOf(one.rows));
    const weekly = await compare(reportOf(rowsOf(one, other)));
    expect(await kinds()).toEqual([]);
    expect([daily.rowsMatched, weekly.rowsMatched, weekly.rowsDifferent]).toEqual([1, 4, 0]);
    const matches = await store.db.selectFrom('settlement_matches').selectAll().orderBy('line').execute();
    expect(matches.map(({ movement_id: id, gross, settlement_id: by }) => [id, gross, by])).toEqual([
      ['mov_1_0', '15000', daily.id],
      ['mov_2_0', '500', weekly.id],
      ['mov_2_0', '700', weekly.id],
      ['mov_2_0', '13800', weekly.id],
    ]);
    // Only the first report keeps the row that both have.
    const rows = await store.db.selectFrom('settlement_rows').select(['rows_id', 'line']).execute();
    expect(rows).toHaveLength(4);
  });

  test('counts each row once, though a payment has rows far apart, and one of them is known', async () => {
    const one = story(1, { life: 'parts' });
    await writePayments(store, [one]);
    await writeMovements(store, [one]);
    const between = Array.from({ length: 900 }, (_, n) => story(n + 2));
    await compare(reportOf(one.rows.slice(0, 1)));
    const [first, ...later] = one.rows;
    const { rowsMatched, rowsDifferent } = await compare(
      reportOf([...(first ? [first] : []), ...rowsOf(...between), ...later]),
    );
    expect([rowsMatched, rowsDifferent]).toEqual([one.rows.length, 900]);
  });

  test('closes itself once what it lacked is in the ledger, and becomes another where that is of another amount', async () => {
    const [late, other] = [story(1), story(2, { hundreds: 200 })];
    await writePayments(store, [late, other]);
    const less = other.rows.map((row) => ({ ...row, amount: row.amount - 700n }));
    await compare(reportOf([...late.rows, ...less]));
    expect(await kinds()).toEqual(['not_paid_here ORDER-1_1', 'not_paid_here ORDER-2_1']);
    const before = await listed();
    await writeMovements(store, [late, other]);
    await alone.turn.use(() => alone.matcher.match(['ORDER-1_1', 'ORDER-2_1']));
    expect(await kinds()).toEqual(['amount_differs ORDER-2_1']);
    expect(await kinds('closed')).toEqual(['not_paid_here ORDER-1_1']);
    expect([...(await listed()), ...(await listed('closed'))].map(({ id }) => id).sort()).toEqual(
      before.map(({ id }) => id).sort(),
    );
    const [open] = await listed();
    expect(open).toMatchObject({ expectedAmount: 20_000n, foundAmount: 19_300n, movementId: 'mov_2_0' });
    const [closed] = await listed('closed');
    expect(closed).toMatchObject({ closedBy: null, reason: null });
  });

  test('stays closed on a person’s word while it is the same, and is open again once it is another', async () => {
    const one = story(1, { fault: 'amount' });
    await writePayments(store, [one]);
    await writeMovements(store, [one]);
    await compare(reportOf(one.rows));
    const [open] = await listed();
    if (!open) throw new Error('A difference is open');
    const by = { actor: 'merchant:anna', at: 1, reason: 'explained' as const, noteId: null };
    // A person closes what they have read.
    expect(await alone.differences.close({ ...open, foundAmount: 1n }, by)).toBe(false);
    expect(await alone.differences.close(open, by)).toBe(true);
    const again = () => alone.turn.use(() => alone.matcher.match(['ORDER-1_1']));
    await again();
    expect(await kinds()).toEqual([]);
    const [row] = one.rows;
    if (row) await compare(reportOf([{ ...row, amount: 100n, transactionRef: 'T-other' }]));
    expect(await listed()).toMatchObject([
      { id: open.id, foundAmount: 15_107n, closedBy: null, reason: null },
    ]);
  });

  test('names what no report has settled, once one came that is newer and carries such money', async () => {
    const stories = [
      story(1),
      story(2, { fault: 'missing' }),
      story(3, { currency: 'USD', fault: 'missing' }),
    ];
    await writePayments(store, stories);
    await writeMovements(store, stories);
    const { counts } = await compare(reportOf(rowsOf(...stories)));
    expect(await kinds()).toEqual(['not_settled ORDER-2_1']);
    expect(counts).toMatchObject({ not_settled: 0, missing_there: 0 });
    // Now reports are seen to carry dollars too.
    const later = story(4, { currency: 'USD', minute: 24 * 60 });
    await writePayments(store, [later]);
    await writeMovements(store, [later]);
    await compare(reportOf(later.rows));
    expect(await kinds()).toEqual(['not_settled ORDER-2_1', 'not_settled ORDER-3_1']);
    expect((await listed())[0]).toMatchObject({
      ...{
        settlementId: null,
        line: null,
        movementId: 'mov_2_0',
        expectedAmount: 15_000n,
        foundAmount: null,
      },
      movedAt: WEEK,
    });
    // It comes after all.
    const [row] = later.rows;
    const late = { ...row, reference: 'ORDER-2_1', currency: 'NGN', amount: 15_000n, transactionRef: 'T-2' };
    await compare(reportOf([{ ...late, type: 'payment', refundRef: null, settledAt: WEEK + 9 * DAY_MS }]));
    expect(await kinds()).toEqual(['not_settled ORDER-3_1']);
  });

  test('holds a payout against the rows that it is the sum of, in whatever files they come', async () => {
    const [one, other] = [story(1), story(2, { hundreds: 300 })];
    await writePayments(store, [one, other]);
    await writeMovements(store, [one, other]);
    const [first, second] = rowsOf(one, other).map((row) => ({ ...row, payout: 'PO-7', fee: 100n }));
    const paidOut = `,,PAYOUT,448.00,,NGN,SETTLED,2025-06-05T00:00:00Z,,,PO-7\n`;
    await compare(reportOf(first ? [first] : []) + paidOut);
    expect((await listed())[0]).toMatchObject({
      ...{ kind: 'payout_differs', reference: 'PO-7', expectedAmount: 14_900n, foundAmount: 44_800n },
    });
    await compare(reportOf(second ? [second] : []));
    expect(await kinds()).toEqual([]);
    await compare(reportOf(second ? [{ ...second, transactionRef: 'T-again' }] : []) + paidOut);
    expect((await kinds()).sort()).toEqual(['payout_differs PO-7', 'settled_twice ORDER-2_1']);
  });

  test('holds the fees of a payment that is settled whole against what the profile expects', async () => {
    const [right, wrong, parts] = [story(1), story(2), story(3, { life: 'parts' })];
    await writePayments(store, [right, wrong, parts]);
    await writeMovements(store, [right, wrong, parts]);
    const fees = [{ currency: 'NGN', percent: '1.5', fixed: '1.00', cap: '5.00', tolerance: '0.01' }];
    // 1.5 percent of 150.00 and 1.00 are 3.25.
    const withFees = (rows: Story['rows'], ...all: bigint[]): Story['rows'] =>
      rows.map((row, index) => ({ ...row, fee: all[index] ?? 0n }));
    const rows = [
      ...withFees(right.rows, 326n),
      ...withFees(wrong.rows, 327n),
      ...withFees(parts.rows, 100n, 100n, 125n),
    ];
    const shapes = [{ ...SHAPE, fees }];
    const { settlement } = await alone.files.compareReport(shapes, SENDER, file(reportOf(rows)));
    expect(await kinds()).toEqual(['fee_differs ORDER-2_1']);
    expect((await listed())[0]).toMatchObject({ expectedAmount: 325n, foundAmount: 327n, line: 3 });
    expect([settlement.rowsMatched, settlement.rowsDifferent]).toEqual([5, 1]);
    expect(settlement.totals).toMatchObject([{ currency: 'NGN', gross: '450.00', fees: '9.78' }]);
  });

  test('says of what it has settled twice whether a report has done so itself', async () => {
    const one = story(1);
    await writePayments(store, [one]);
    await writeMovements(store, [one]);
    const [row] = one.rows;
    if (!row) throw new Error('A story has a row');
    const first = await compare(reportOf([row]));
    const across = await compare(reportOf([{ ...row, transactionRef: 'T-second' }]));
    const within = await compare(reportOf([row, { ...row, transactionRef: 'T-third' }]));
    const equal = await compare(reportOf([row, row]));
    const again = () => alone.turn.use(() => alone.matcher.match(['ORDER-1_1']));
    await again();
    const twice = (await listed()).map(({ kind: of, settlementId, firstId }) => [of, settlementId, firstId]);
    expect(twice).toEqual([
      ['settled_twice', across.id, first.id],
      ['settled_twice', within.id, within.id],
      ['settled_twice', equal.id, equal.id],
    ]);
    expect(
      [across, within, equal].map(({ counts }) => [counts['settled_twice'], counts['twice_there']]),
    ).toEqual([
      [1, 0],
      [1, 1],
      [1, 1],
    ]);
  });

  test('a faulty file and one that is interrupted leave nothing behind', async () => {
    const one = story(1, { fault: 'unknown' });
    await expect(compare(`${reportOf(one.rows)}"`)).rejects.toThrow();
    async function* broken(): AsyncGenerator<Buffer> {
      yield await Promise.resolve(Buffer.from(reportOf(Array(600).fill(one.rows[0]) as Story['rows'])));
      throw new Error('gone');
    }
    const cut = { pieces: broken(), goesOn: () => Promise.resolve() };
    await expect(alone.files.compareReport([SHAPE], SENDER, cut)).rejects.toThrow('gone');
    for (const table of ['settlements', 'settlement_rows', 'differences'] as const)
      expect(await store.db.selectFrom(table).selectAll().execute()).toEqual([]);
    expect(await compare(reportOf(one.rows))).toMatchObject({ counts: { unknown_here: 1 } });
  });

  test('of a payment that a file has too often, it holds the first rows against it', async () => {
    const one = story(1);
    await writePayments(store, [one]);
    await writeMovements(store, [one]);
    const rows = Array(1_000).fill(one.rows[0]) as Story['rows'];
    const { rowsMatched, rowsDifferent, counts } = await compare(reportOf(rows));
    expect([rowsMatched, rowsDifferent, counts['settled_twice']]).toEqual([1, 999, 199]);
  });

  test('a list of orders takes the place of the former one, and a faulty one changes nothing', async () => {
    const settlement = await compare(reportOf(story(1, { fault: 'unknown' }).rows));
    const orders = (...references: string[]): FileToCompare =>
      file(
        ['reference,amount,currency,status', ...references.map((one) => `${one},1.00,NGN,paid`), ''].join(
          '\n',
        ),
      );
    const first = await alone.files.compareOrders(settlement, USUAL_ORDERS, orders('A', 'B'));
    expect(first.settlement.counts).toMatchObject({ unknown_here: 1, order_not_paid: 2 });
    await expect(
      alone.files.compareOrders(
        first.settlement,
        USUAL_ORDERS,
        file('reference,amount,currency,status\nC,x,NGN,paid\n'),
      ),
    ).rejects.toThrow();
    const open = ['unknown_here ORDER-1_1', 'order_not_paid A', 'order_not_paid B'];
    expect(await kinds()).toEqual(open);
    await alone.files.compareOrders(first.settlement, USUAL_ORDERS, orders('B', 'D'));
    expect(await kinds()).toEqual([open[0], open[2], 'order_not_paid D']);
    expect(await kinds('closed')).toEqual([open[1]]);
  });
});
