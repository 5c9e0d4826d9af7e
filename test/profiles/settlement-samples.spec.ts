import { createReadStream } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { loadProfile } from '../../src/gateway/profile/load.js';
import { minorOf } from '../../src/settlement/files/file-amount.js';
import { ReportReader } from '../../src/settlement/files/report-rows.js';
import { isMovementRow, type ReportRow } from '../../src/settlement/files/report-row.js';
import { ReportTotals } from '../../src/settlement/files/report-totals.js';

/** The worked mappings of public gateways' reports, each with a sample of the report that it reads. */

async function read(profile: string, sample: string) {
  const reader = new ReportReader(loadProfile(`profiles/${profile}.json`).settlement ?? []);
  const totals = new ReportTotals();
  const rows: ReportRow[] = [];
  for await (const some of reader.rows(createReadStream(`profiles/settlement/${sample}.csv`))) {
    rows.push(...some);
    for (const row of some) totals.add(row, row.currency ?? '');
  }
  expect(reader.setAside).toEqual({ count: 0, rows: [] });
  return { rows, totals: totals.list(), skipped: reader.skipped };
}

/** `payment ORDER-1001_1 150000 - 2205 EUR`: type, reference, amount, fee. */
function inShort(row: ReportRow): string {
  const minor = (amount: ReportRow['amount'] | null): string =>
    amount ? String(minorOf(amount, row.currency ?? '')) : '-';
  if (!isMovementRow(row)) return `${row.type} ${minor(row.amount)}`;
  return `${row.type} ${row.reference} ${minor(row.amount)} less ${minor(row.fee)}`;
}

const eur = { currency: 'EUR' };

describe('the worked mapping of', () => {
  test('Stripe reads its payout reconciliation', async () => {
    const { rows, totals } = await read('settlement/stripe', 'stripe');
    expect(rows.map(inShort)).toEqual([
      'payment ORDER-1001_1 150000 less 2205',
      'payment ORDER-1002_1 40000 less 605',
      'refund ORDER-1001_1 50000 less 0',
      'chargeback ORDER-1002_1 40000 less 2000',
      'chargebackReversal ORDER-1002_1 40000 less -2000',
      'fee 200',
      'payout -136990',
    ]);
    expect(rows[2]).toMatchObject({
      refundRef: 'ORDER-1001_1_r1',
      transactionRef: 're_1',
      payout: 'po_1SampleA',
      currency: 'EUR',
      settledAt: { from: Date.UTC(2026, 10, 30) },
    });
    expect(totals).toEqual([
      {
        ...{ ...eur, gross: '1900.00', fees: '30.10', net: '1369.90', refunds: '500.00' },
        ...{ chargebacks: '400.00', reversals: '400.00', payouts: '1369.90' },
      },
    ]);
  });

  test('Adyen reads its settlement details', async () => {
    const { rows, totals } = await read('settlement/adyen', 'adyen');
    expect(rows.map(inShort)).toEqual([
      'payment ORDER-1001_1 150000 less 450',
      'payment ORDER-1002_1 40000 less 560',
      'refund ORDER-1001_1 50000 less 10',
      'chargeback ORDER-1002_1 40000 less 750',
      'chargebackReversal ORDER-1002_1 40000 less 0',
      'fee 1230',
      'payout -137000',
    ]);
    expect(rows[2]).toMatchObject({
      refundRef: 'ORDER-1001_1_r1',
      payout: '118',
      settledAt: { from: Date.UTC(2026, 10, 29, 11) },
    });
    expect(totals).toEqual([
      {
        ...{ ...eur, gross: '1900.00', fees: '30.00', net: '1370.00', refunds: '500.00' },
        ...{ chargebacks: '400.00', reversals: '400.00', payouts: '1370.00' },
      },
    ]);
  });

  test('Paystack reads the transactions of a settlement', async () => {
    const { rows, totals } = await read('paystack', 'paystack');
    expect(rows.map(inShort)).toEqual([
      'payment ORDER-1001-1 150000 less 12250',
      'payment ORDER-1002-1 20000 less 300',
      'payment ORDER-1003-1 25000000 less 200000',
    ]);
    expect(totals).toMatchObject([
      { currency: 'NGN', gross: '251700.00', fees: '2125.50', net: '249574.50' },
    ]);
  });

  test('Flutterwave reads the transactions of a settlement', async () => {
    const { rows, totals, skipped } = await read('settlement/flutterwave', 'flutterwave');
    expect(rows.map(inShort)).toEqual([
      'payment ORDER-1001_1 150000 less 2100',
      'payment ORDER-1002_1 40050 less 561',
      'payment ORDER-1003_2 25000000 less 200000',
    ]);
    expect(skipped).toEqual({ status: 1 });
    // A day in Lagos.
    expect(rows[0]).toMatchObject({ settledAt: { from: Date.UTC(2026, 10, 29, 23) }, payout: '41497' });
    expect(totals).toMatchObject([{ gross: '251900.50', fees: '2026.61', net: '249873.89' }]);
  });

  test('MPGS reads a report of its transactions', async () => {
    const { rows, totals, skipped } = await read('mpgs', 'mpgs');
    expect(rows.map(inShort)).toEqual([
      'payment ORDER-1001_1 150000 less -',
      'payment ORDER-1002_2 35000 less -',
      'refund ORDER-1001_1 50000 less -',
      'payment ORDER-1003_1 9000 less -',
      'paymentReversal ORDER-1003_1 9000 less -',
    ]);
    expect(rows[2]).toMatchObject({ refundRef: 'ORDER-1001_1_r1' });
    expect(skipped).toEqual({ status: 1, ignore: 1 });
    expect(totals).toMatchObject([
      { gross: '1940.00', refunds: '500.00', reversals: '-90.00', net: '1350.00' },
    ]);
  });

  test('MPGS reads the statement of a bank', async () => {
    const { rows, totals } = await read('mpgs', 'mpgs-bank');
    expect(rows.map(inShort)).toEqual([
      'payment ORDER-1001_1 150000 less 2250',
      'payment ORDER-1002_2 35000 less 525',
      'refund ORDER-1001_1 50000 less 0',
      'chargeback ORDER-0977_1 125000 less 1500',
      'chargebackReversal ORDER-0977_1 125000 less 0',
      'fee 1000',
      'payout -129725',
    ]);
    // The first line below four others and the header; a day in Madrid.
    expect(rows[0]).toMatchObject({
      line: 6,
      payout: 'L-118',
      settledAt: { from: Date.UTC(2026, 10, 29, 23) },
    });
    expect(totals).toMatchObject([{ fees: '52.75', net: '1297.25', payouts: '1297.25' }]);
  });
});
