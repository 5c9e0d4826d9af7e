import { createReadStream, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ReportReader } from '../../src/accounting/settlement/report.js';
import type { ReportRow } from '../../src/accounting/settlement/row.js';
import type { ReportFigures } from '../../src/accounting/settlement/settlements.dto.js';
import type { Profile, SettlementProfile } from '../../src/gateway/profile/schema.js';
import { BUILT_IN, bytesOf } from './books-scene.js';

/** Files as people have them. */

interface Read extends ReportFigures {
  kept: (ReportRow & { line: number })[];
}

async function read(
  profile: Pick<Profile, 'settlement' | 'reference' | 'digits'>,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Read> {
  const reader = new ReportReader(profile);
  const kept: Read['kept'] = [];
  for await (const rows of reader.rows(bytes, 2))
    kept.push(...rows.map(({ line, row }) => ({ ...row, line })));
  return { ...reader.figures, kept };
}

/** `payment ORDER-1001_1 150000 less 2205 EUR`. */
const short = ({ type, reference, amount, fee, currency }: ReportRow): string =>
  `${type} ${reference ?? '-'} ${amount} less ${fee} ${currency}`;

const profileOf = (name: string): Profile =>
  JSON.parse(readFileSync(`profiles/${name}.json`, 'utf8')) as Profile;
const sample = (profile: string, file: string, separator?: string) =>
  read(
    { ...profileOf(profile), ...(separator && { reference: { separator } }) },
    createReadStream(`profiles/settlement/${file}.csv`),
  );

describe('the worked mapping of', () => {
  test('Stripe reads its payout reconciliation', async () => {
    const { kept, totals } = await sample('settlement/stripe', 'stripe', '_');
    expect(kept.map(short)).toEqual([
      'payment ORDER-1001_1 150000 less 2205 EUR',
      'payment ORDER-1002_1 40000 less 605 EUR',
      'refund ORDER-1001_1 50000 less 0 EUR',
      'chargeback ORDER-1002_1 40000 less 2000 EUR',
      'chargebackReversal ORDER-1002_1 40000 less -2000 EUR',
      'fee - 200 less 200 EUR',
      'payout - 136990 less 0 EUR',
    ]);
    expect(totals).toEqual([
      {
        ...{ currency: 'EUR', gross: '1900.00', fees: '30.10', net: '1369.90', refunds: '500.00' },
        ...{ chargebacks: '400.00', reversals: '400.00', payouts: '1369.90', unexplained: '0.00' },
      },
    ]);
  });

  test('Adyen reads its settlement details, with times of the zone of each row', async () => {
    const { kept, totals } = await sample('settlement/adyen', 'adyen', '_');
    expect(kept.map(short)).toEqual([
      'payment ORDER-1001_1 150000 less 450 EUR',
      'payment ORDER-1002_1 40000 less 560 EUR',
      'refund ORDER-1001_1 50000 less 10 EUR',
      'chargeback ORDER-1002_1 40000 less 750 EUR',
      'chargebackReversal ORDER-1002_1 40000 less 0 EUR',
      'fee - 1230 less 1230 EUR',
      'payout - 137000 less 0 EUR',
    ]);
    expect(kept[0]?.settledAt).toBe(Date.UTC(2026, 10, 28, 9, 22, 31));
    expect(totals[0]).toMatchObject({ net: '1370.00', payouts: '1370.00', unexplained: '0.00' });
  });

  test('Paystack reads minor units, Flutterwave leaves out what is not settled', async () => {
    expect((await sample('paystack', 'paystack')).kept.map(short)).toEqual([
      'payment ORDER-1001-1 150000 less 12250 NGN',
      'payment ORDER-1002-1 20000 less 300 NGN',
      'payment ORDER-1003-1 25000000 less 200000 NGN',
    ]);
    const { kept, skipped } = await sample('settlement/flutterwave', 'flutterwave', '_');
    expect(kept).toHaveLength(3);
    expect(skipped).toEqual({ status: 1, ignore: 0 });
  });

  test('the bank of Mastercard reads decimal commas, two columns and another encoding', async () => {
    const { kept, totals } = await sample('mpgs', 'mpgs-bank', '_');
    expect(kept.map(short)).toContain('chargeback ORDER-0977_1 125000 less 1500 EUR');
    expect(totals[0]).toMatchObject({ net: '1297.25', payouts: '1297.25', unexplained: '0.00' });
  });
});

const shape = (over: Partial<SettlementProfile> = {}): { settlement: SettlementProfile } => ({
  settlement: { columns: { reference: 'ref', amount: 'amount', currency: 'currency' }, ...over },
});
const first = async (over: Partial<SettlementProfile>, text: string | Uint8Array) =>
  (await read(shape(over), bytesOf(text))).kept[0];

describe('amounts and times', () => {
  test.each<[string, Partial<SettlementProfile>, bigint | undefined]>([
    ['1500.00', {}, 150_000n],
    ['-1500.00', {}, 150_000n],
    ['(1500.00)', {}, 150_000n],
    ['1500', { amountUnit: 'minor' }, 1_500n],
    ['"1,500.00"', { thousands: ',' }, 150_000n],
    ['"12,34,567.80"', { thousands: ',' }, 123_456_780n],
    ['"1.500,00"', { decimal: ',', thousands: '.' }, 150_000n],
    ["1'500.00", { thousands: "'" }, 150_000n],
    ['1\u00a0500.00', { thousands: ' ' }, 150_000n],
    ['1.500', {}, undefined],
    ['15,00', {}, undefined],
    ['1.505', {}, undefined],
    ['1.5000', {}, 150n],
    ['99999999999999.99', {}, 9_999_999_999_999_999n],
    ['100000000000000.01', {}, undefined],
    ['x', {}, undefined],
  ])('%s', async (text, over, minor) => {
    const { kept, rowsSetAside } = await read(
      shape(over),
      bytesOf(`ref,amount,currency\nA-1_1,${text},eur\n`),
    );
    expect([kept[0]?.amount, rowsSetAside]).toEqual([minor, minor === undefined ? 1 : 0]);
  });

  test.each<[string, Partial<SettlementProfile>, string | undefined]>([
    ['2026-11-30', {}, '2026-11-30T00:00:00.000Z'],
    ['2026-11-30', { zone: 'Africa/Lagos' }, '2026-11-29T23:00:00.000Z'],
    ['2026-11-30 10:00', { zone: 'Europe/Madrid' }, '2026-11-30T09:00:00.000Z'],
    ['2026-11-30T10:00:00+01:00', { zone: 'Africa/Lagos' }, '2026-11-30T09:00:00.000Z'],
    ['30/11/2026 10:00 PM', { dateFormat: 'dd/MM/yyyy hh:mm a' }, '2026-11-30T22:00:00.000Z'],
    ['11/30/2026', {}, undefined],
    ['2026-02-30', {}, undefined],
  ])('%s', async (text, over, at) => {
    const columns = { reference: 'ref', amount: 'amount', currency: 'currency', settledAt: 'at' };
    const { kept } = await read(
      shape({ columns, ...over }),
      bytesOf(`ref,amount,currency,at\nA-1_1,1.00,EUR,${text}\n`),
    );
    expect(kept[0]?.settledAt && new Date(kept[0].settledAt).toISOString()).toBe(at);
  });
});

describe('a file', () => {
  const text = 'ref,amount,currency\nA-1_1,1.00,EUR\n';
  test.each<[string, Uint8Array, Partial<SettlementProfile>]>([
    [
      'with a byte order mark against its encoding',
      Buffer.from(`\ufeff${text}`),
      { encoding: 'windows-1252' },
    ],
    ['of UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), {}],
    ['of UTF-16, the other order', Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), {}],
    ['of UTF-16 without a mark', Buffer.from(text, 'utf16le'), { encoding: 'utf-16le' }],
    ['with the ends of lines of Windows', Buffer.from(text.replaceAll('\n', '\r\n')), {}],
    ['with those of old spreadsheets', Buffer.from(text.replaceAll('\n', '\r')), {}],
    ['with lines before its header', Buffer.from(`Report\n"of", today\n${text}`), { skipLines: 2 }],
    ['of tabs', Buffer.from(text.replaceAll(',', '\t')), { delimiter: '\t' }],
    ['without an end of its last line', Buffer.from(text.trim()), {}],
    [
      'with other columns, in another case',
      Buffer.from('x,REF,y,Amount,currency\n1,A-1_1,2,1.00,EUR,\n'),
      {},
    ],
  ])('%s', async (_what, bytes, over) => {
    expect(await first(over, bytes)).toMatchObject({ reference: 'A-1_1', amount: 100n, currency: 'EUR' });
  });

  test('blank rows of a spreadsheet are no rows, and lines are counted as people see them', async () => {
    const { rows, kept } = await read(
      shape(),
      bytesOf('ref,amount,currency,note\n\n,,,\nA-1_1,1.00,EUR,"two\nlines"\r\n , ,\nA-2_1,2.00,EUR\n'),
    );
    expect([rows, kept.map(({ line }) => line)]).toEqual([2, [4, 7]]);
  });

  test('a row of ours that is cut, or goes beyond the header, is set aside; one of another shop never is', async () => {
    const good = Array.from({ length: 40 }, (_, n) => `A-${n}_1,1.00,EUR`).join('\n');
    const { rowsSetAside, setAside, rowsOther } = await read(
      shape(),
      bytesOf(
        `ref,amount,currency\n${good}\nA-50_1,1.00\nA-51_1,1.00,EUR,more\nA-52_1,1.00,XYZ\nother,x\n,1.00,EUR\n4111111111111111_1,1.00,EUR\n`,
      ),
    );
    expect([rowsSetAside, rowsOther]).toEqual([3, 3]);
    expect(setAside).toEqual([
      { line: 42, column: 'currency' },
      { line: 43, column: null },
      { line: 44, column: 'currency' },
    ]);
  });

  test('that cannot be read is refused with the line', async () => {
    const bytes = Buffer.concat([
      Buffer.from('ref,amount,currency\nA-1_1,1.00,EUR\n'),
      Buffer.from([0xff, 0x0a]),
    ]);
    await expect(read(shape(), bytesOf(bytes))).rejects.toMatchObject({
      extra: { errors: [{ pointer: '/3' }] },
    });
    const long = `ref,amount,currency\nA-1_1,1.00,EUR\n${'x'.repeat(17_000)}\n`;
    await expect(read(shape(), bytesOf(long))).rejects.toMatchObject({
      extra: { errors: [{ pointer: '/3' }] },
    });
    const huge = `ref,amount,currency\nA-1_1,1.00,EUR\n${'x'.repeat(90_000)}\n`;
    await expect(read(shape(), bytesOf(huge))).rejects.toMatchObject({
      extra: { errors: [{ pointer: '/3' }] },
    });
  });

  test('of another prefix is of another shop', async () => {
    const { kept, rowsOther } = await read(
      { ...shape(), reference: { prefix: 'shop.' } },
      bytesOf('ref,amount,currency\nshop.A-1_1,1.00,EUR\nA-1_1,1.00,EUR\n'),
    );
    expect([kept.map(({ reference }) => reference), rowsOther]).toEqual([['shop.A-1_1', null], 1]);
  });

  test('PayPal writes fees below zero, and what is paid out in another currency', async () => {
    const columns = {
      reference: 'Invoice',
      type: 'Type',
      amount: 'Gross',
      fee: 'Fee',
      net: 'Net',
      currency: 'Currency',
    };
    const types = { payment: ['Sale'], refund: ['Refund'] };
    const { kept, totals } = await read(
      { settlement: { columns, types, sign: 'refundsNegative' } },
      bytesOf(
        'Invoice,Type,Gross,Fee,Net,Currency\nA-1_1,Sale,50.00,-1.75,48.25,USD\nA-1_1,Refund,-20.00,0.70,-19.30,USD\n',
      ),
    );
    expect(kept.map(short)).toEqual(['payment A-1_1 5000 less 175 USD', 'refund A-1_1 2000 less -70 USD']);
    expect(totals[0]).toMatchObject({ fees: '1.05', net: '28.95', unexplained: '0.00' });
  });

  test('Braintree settles in another currency: amount and net are not compared', async () => {
    const columns = {
      reference: 'Order',
      amount: 'Amount',
      currency: 'Currency',
      net: 'Settled',
      netCurrency: 'In',
      fee: 'Fee',
    };
    const { kept, totals } = await read(
      { settlement: { columns } },
      bytesOf('Order,Amount,Currency,Settled,In,Fee\nA-1_1,100.00,EUR,105.10,USD,2.00\n'),
    );
    expect(kept[0]).toMatchObject({
      amount: 10_000n,
      currency: 'EUR',
      net: 10_510n,
      fee: 200n,
      netCurrency: 'USD',
    });
    expect(totals.map(({ unexplained }) => unexplained)).toEqual(['0.00', '0.00']);
  });

  test('Monnify names what was paid and what is settled: the fee is what the net lacks', async () => {
    const columns = {
      reference: 'Payment Reference',
      amount: 'Amount Paid',
      net: 'Settlement Amount',
      settledAt: 'Date',
    };
    const { kept } = await read(
      {
        settlement: {
          columns,
          currency: 'NGN',
          thousands: ',',
          dateFormat: 'dd/MM/yyyy h:mm:ss a',
          zone: 'Africa/Lagos',
        },
      },
      bytesOf(
        'Date,Payment Reference,Amount Paid,Settlement Amount\n30/11/2026 1:05:09 PM,A-1_1,"1,500.00","1,475.50"\n',
      ),
    );
    expect(kept[0]).toMatchObject({
      amount: 150_000n,
      fee: 2_450n,
      net: 147_550n,
      currency: 'NGN',
      settledAt: Date.UTC(2026, 10, 30, 12, 5, 9),
    });
  });

  test('the gateway’s own minor digits count', async () => {
    const { kept } = await read(
      { ...shape({ amountUnit: 'minor' }), digits: { UGX: 2 } },
      bytesOf('ref,amount,currency\nA-1_1,150000,UGX\n'),
    );
    expect(kept[0]?.amount).toBe(1_500n);
  });

  test('the shape with most columns of the header is taken, and a tie is refused', async () => {
    const [small, large] = [
      shape().settlement,
      shape({ columns: { ...shape().settlement.columns, fee: 'fee' } }).settlement,
    ];
    const file = 'ref,amount,currency,fee,net\nA-1_1,1.00,EUR,0.10,0.90\n';
    expect((await read({ settlement: [small, large] }, bytesOf(file))).kept[0]?.fee).toBe(10n);
    const other = shape({ columns: { ...shape().settlement.columns, net: 'net' } }).settlement;
    await expect(read({ settlement: [large, other] }, bytesOf(file))).rejects.toMatchObject({
      code: 'validation-failed',
    });
  });

  test('the built-in report', async () => {
    const { kept } = await read(
      BUILT_IN,
      bytesOf(
        'reference,transactionRef,type,amount,fee,currency,status,settledAt\nA-1_1,T,refund,1.00,,NGN,settled,2026-11-30\n',
      ),
    );
    expect(kept.map(short)).toEqual(['refund A-1_1 100 less 0 NGN']);
  });
});
