import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { KINDS } from '../store/stores.js';
import { booksScene, DAY, type BooksScene, type KnownMovement } from './books-scene.js';

/** What differs, by the rules of accounting, and how a difference lives. */

const HEADER =
  'reference,transactionRef,refundRef,type,amount,fee,net,payout,currency,status,netCurrency,settledAt';
const NOW = Date.now();
const paid = (amount = 150_000n, daysAgo = 1): KnownMovement => ({
  kind: 'payment',
  amount,
  at: NOW - daysAgo * DAY,
});

let line = 0;
/** A row of the built-in report. `over`: cells by their places. */
function row(ref: string, type: string, amount: string, over: Record<number, string> = {}): string {
  line += 1;
  const cells = [ref, `T${line}`, '', type, amount, '', '', '', 'NGN', 'SETTLED', '', '2026-11-20'];
  for (const [at, text] of Object.entries(over)) cells[Number(at)] = text;
  return cells.join(',');
}
const report = (...rows: string[]): string => [HEADER, ...rows, ''].join('\n');

describe.each(KINDS)('on the %s store', (kind) => {
  let scene: BooksScene;
  beforeEach(async () => {
    scene = await booksScene(kind);
  });
  afterEach(() => scene.end());

  async function know(ref: string, movements: KnownMovement[], status = 'succeeded', method = 'card') {
    await scene.know([{ ref, status, currency: 'NGN', method, movements }]);
  }
  /** Open differences: `kind ref expected found`. */
  async function open(): Promise<string[]> {
    const found = await scene.differences.list({ state: 'open' }, 100);
    return found
      .map(({ kind: of, ref, expected, found: there }) => `${of} ${ref} ${expected} ${there}`)
      .sort();
  }

  test('a sale that is settled as it was paid is no difference', async () => {
    await know('A-1_1', [paid()]);
    const { settlement } = await scene.upload(report(row('A-1_1', 'PAYMENT', '1500.00')));
    expect(settlement).toMatchObject({ rows: 1, rowsSeen: 0, rowsOther: 0, rowsSetAside: 0 });
    expect(await open()).toEqual([]);
    const [entry] = await scene.movements.list({}, 10);
    expect(entry?.settled).toMatchObject({
      ...{ settlementId: settlement.id, line: 2 },
      ...{ gross: '150000', fee: '0', net: '150000', netCurrency: 'NGN' },
    });
  });

  test('each kind is named', async () => {
    await know('A-1_1', [paid()]);
    await know('A-2_1', [], 'failed');
    await know('A-3_1', [paid()]);
    await know('A-4_1', [paid()]);
    await know('A-5_1', [paid(), { kind: 'refund', amount: 500n, at: NOW }]);
    await know('A-6_1', [paid(), { kind: 'chargeback', amount: 150_000n, at: NOW }]);
    await know('A-7_1', [paid()]);
    await know('A-8_1', [paid()]);
    await know('A-9_1', [paid(), { kind: 'void', amount: 150_000n, at: NOW - 1 }], 'voided');
    await scene.upload(
      report(
        row('A-1_1', 'PAYMENT', '1500.07'),
        row('A-2_1', 'PAYMENT', '1500.00'),
        row('A-3_1', 'PAYMENT', '1500.00'),
        row('A-3_1', 'PAYMENT', '1500.00'),
        row('A-4_1', 'PAYMENT', '1500.00'),
        row('A-4_1', 'REFUND', '2.00'),
        row('A-4_1', 'CHARGEBACK', '3.00'),
        row('A-5_1', 'REFUND', '5.01'),
        row('A-6_1', 'CHARGEBACK', '5.00'),
        row('A-7_1', 'PAYMENT', '1500.00', { 8: 'USD' }),
        row('A-99_1', 'PAYMENT', '1500.00'),
        row('A-9_1', 'PAYMENT', '1500.00'),
        row('', 'PAYOUT', '7.00', { 7: 'P1' }),
        row('A-8_1', 'PAYMENT', '1500.00', { 7: 'P1' }),
      ),
    );
    expect(await open()).toEqual(
      [
        ...[
          'amount_differs A-1_1 150000 150007',
          'not_paid_here A-2_1 0 150000',
          'settled_twice A-3_1 150000 300000',
        ],
        ...[
          'refund_unknown_here A-4_1 0 200',
          'chargeback_unknown_here A-4_1 0 300',
          'refund_differs A-5_1 500 501',
        ],
        ...['chargeback_differs A-6_1 150000 500', 'currency_differs A-7_1 150000 150000'],
        ...['unknown_here A-99_1 null 150000', 'payout_differs P1 150000 700'],
      ].sort(),
    );
    expect(scene.asked.sort()).toEqual(['pay_A-2_1', 'pay_A-4_1', 'pay_A-4_1', 'pay_A-5_1', 'pay_A-6_1']);
    const { settlement } = await scene.upload(report(row('A-9_1', 'PAYMENT_REVERSAL', '1500.00')));
    expect(settlement.rows).toBe(1);
    expect(await open()).toHaveLength(10);
  });

  test('a part agrees without its last movements while none of them is due', async () => {
    const refund = { kind: 'refund' as const, amount: 500n, at: NOW - DAY };
    await know('A-1_1', [paid(150_000n, 2), refund]);
    await know('A-2_1', [paid(150_000n, 20), { ...refund, at: NOW - 15 * DAY }]);
    await know('A-3_1', [paid(150_000n, 21), { ...refund, at: NOW - 15.5 * DAY }]);
    await know('A-4_1', [paid(150_000n, 15)]);
    await know('A-5_1', [paid(150_000n, 15)], 'succeeded', 'wallet');
    await scene.upload(report(row('A-1_1', 'PAYMENT', '1500.00'), row('A-2_1', 'PAYMENT', '1500.00')));
    // No refund was ever settled, and no wallet.
    expect(await open()).toEqual(['not_settled A-3_1 150000 null', 'not_settled A-4_1 150000 null']);
    await scene.upload(report(row('A-3_1', 'PAYMENT', '1500.00'), row('A-3_1', 'REFUND', '5.00')));
    expect(await open()).toEqual(['not_settled A-2_1 500 null', 'not_settled A-4_1 150000 null']);
    await scene.upload(report(row('A-4_1', 'PAYMENT', '1500.00')));
    expect(await open()).toEqual(['not_settled A-2_1 500 null']);
  });

  test('a part that is settled in another currency differs once, though it is due in its own', async () => {
    await know('A-1_1', [paid(150_000n, 15)]);
    await know('A-2_1', [paid(150_000n, 20)]);
    await know('A-3_1', [paid(150_000n, 10)]);
    await scene.upload(
      report(
        ...[row('A-1_1', 'PAYMENT', '100.00', { 8: 'USD' }), row('A-2_1', 'PAYMENT', '1500.00')],
        row('A-3_1', 'PAYMENT', '1500.00'),
      ),
    );
    expect(await open()).toEqual(['currency_differs A-1_1 150000 10000']);
    await scene.upload(report(row('A-1_1', 'PAYMENT_REVERSAL', '100.00', { 8: 'USD' })));
    // What came and went in another currency is as if it had never been.
    expect(await open()).toEqual(['not_settled A-1_1 150000 null']);
  });

  test('what came and went is no difference, and fees that the payer bore are none', async () => {
    await know('A-1_1', [paid(), { kind: 'void', amount: 150_000n, at: NOW }], 'voided');
    await know('A-2_1', [], 'failed');
    await know('A-3_1', [paid()]);
    // Given back in full, and then voided: nothing was left that a void could move.
    await know(
      'A-4_1',
      [paid(150_000n, 20), { kind: 'refund', amount: 150_000n, at: NOW - 19 * DAY }],
      'voided',
    );
    await know('A-5_1', [paid(150_000n, 21), { kind: 'refund', amount: 500n, at: NOW - 20 * DAY }]);
    await scene.upload(
      report(
        ...[row('A-5_1', 'PAYMENT', '1500.00'), row('A-5_1', 'REFUND', '5.00')],
        ...[row('A-1_1', 'PAYMENT', '1500.00'), row('A-1_1', 'REFUND', '1500.00')],
        ...[row('A-2_1', 'PAYMENT', '1500.00'), row('A-2_1', 'PAYMENT_REVERSAL', '1500.00')],
        ...[row('A-3_1', 'PAYMENT', '1520.00', { 5: '20.00' })],
        ...[row('A-77_1', 'PAYMENT', '1500.00'), row('A-77_1', 'REFUND', '1500.00')],
      ),
    );
    expect(await open()).toEqual([]);
  });

  test('a difference closes itself, stays closed by a person while it says the same, and opens again', async () => {
    await know('A-1_1', [paid()]);
    const first = row('A-1_1', 'PAYMENT', '1000.00');
    await scene.upload(report(first));
    expect(await open()).toEqual(['amount_differs A-1_1 150000 100000']);
    const [{ id = '' } = {}] = await scene.differences.list({}, 1);
    await scene.differences.change(
      id,
      { state: 'closed', closed_by: 'merchant', closed_at: 1 },
      `state = 'open'`,
    );
    // The same row again, in other bytes.
    const again = await scene.upload(report(first, row('A-99_9x', 'PAYMENT', '1.00')));
    expect(again.settlement).toMatchObject({ rowsSeen: 1, rowsOther: 1 });
    expect(await open()).toEqual([]);
    await scene.upload(report(row('A-1_1', 'PAYMENT', '300.00')));
    expect(await open()).toEqual(['amount_differs A-1_1 150000 130000']);
    await scene.upload(report(row('A-1_1', 'PAYMENT', '200.00')));
    expect(await open()).toEqual([]);
    expect(await scene.differences.find(id)).toMatchObject({ state: 'closed', closedBy: null, gone: 1 });
    await scene.upload(report(row('A-1_1', 'PAYMENT', '200.00')));
    expect(await open()).toEqual(['amount_differs A-1_1 150000 170000']);
    expect(await scene.differences.list({}, 10)).toHaveLength(1);
  });

  test('the same bytes are the same report, and equal rows of one file count as often as they are there', async () => {
    await know('A-1_1', [paid(300n)]);
    const twice = row('A-1_1', 'PAYMENT', '1.50');
    const file = report(twice, twice);
    const one = await scene.upload(file);
    const other = await scene.upload(file);
    expect([one.isNew, other.isNew, other.settlement.id]).toEqual([true, false, one.settlement.id]);
    expect(await open()).toEqual([]);
    const more = await scene.upload(report(twice, twice, twice));
    expect(more.settlement).toMatchObject({ rows: 3, rowsSeen: 2 });
    expect(await open()).toEqual(['amount_differs A-1_1 300 450']);
  });

  test('a movement that comes after the report closes the difference', async () => {
    await scene.upload(report(row('A-1_1', 'PAYMENT', '1500.00')));
    expect(await open()).toEqual(['unknown_here A-1_1 null 150000']);
    await know('A-1_1', [paid()]);
    await scene.books.round();
    expect(await open()).toEqual([]);
  });

  test('nothing is kept of a report that is refused', async () => {
    await expect(scene.upload(`${report(row('A-1_1', 'PAYMENT', '1.00'))}"A-2_1,`)).rejects.toMatchObject({
      code: 'validation-failed',
    });
    expect(await scene.store.rows({ text: 'select 1 from settlement_rows' })).toEqual([]);
    expect(await scene.store.rows({ text: 'select 1 from settlements' })).toEqual([]);
    expect(await open()).toEqual([]);
  });
});
