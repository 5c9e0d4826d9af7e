import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { defaultProfile } from '../../gateway/profile/default-profile.js';
import type { SettlementProfile } from '../../gateway/profile/format.js';
import { Problem } from '../../http/problems/problem.js';
import { minorOf, type FileAmount } from './file-amount.js';
import { ReportReader } from './report-rows.js';
import { isMovementRow, type MovementRow, type ReportRow } from './report-row.js';

const [builtIn] = defaultProfile.settlement ?? [];
if (!builtIn) throw new Error('The built-in profile has a report');
const usual: SettlementProfile = builtIn;

/** A shape with no status, but for what is given. */
function shape(over: Partial<SettlementProfile>): SettlementProfile {
  const { statuses: _, ...rest } = usual;
  return { ...rest, types: { ...usual.types, ...over.types }, ...over };
}

interface Read {
  reader: ReportReader;
  rows: ReportRow[];
  problem: Problem | undefined;
}

async function read(
  file: string | Buffer | readonly Buffer[],
  shapes: readonly SettlementProfile[] = [usual],
  size = 65_536,
): Promise<Read> {
  const reader = new ReportReader(shapes);
  const rows: ReportRow[] = [];
  async function* sent(): AsyncGenerator<Buffer> {
    const pieces = Array.isArray(file) ? (file as Buffer[]) : [Buffer.from(file as string)];
    for (const piece of pieces)
      for (let at = 0; at < piece.length; at += size)
        yield await Promise.resolve(piece.subarray(at, at + size));
  }
  try {
    for await (const some of reader.rows(sent())) rows.push(...some);
    return { reader, rows, problem: undefined };
  } catch (error) {
    if (error instanceof Problem) return { reader, rows, problem: error };
    throw error;
  }
}

const minor = (amount: FileAmount | null, currency = 'NGN'): bigint | null | undefined =>
  amount && minorOf(amount, currency);

/** A row in short: what it says, amounts in minor units. */
function inShort(row: ReportRow): Record<string, unknown> {
  const currency = row.currency ?? 'NGN';
  const { type, amount } = row;
  if (!isMovementRow(row)) return { type, amount: minor(amount, currency), payout: row.payout };
  return {
    type,
    reference: row.reference,
    amount: minor(amount, currency),
    ...(row.fee && { fee: minor(row.fee, currency) }),
    ...(row.net && { net: minor(row.net, currency) }),
    ...(row.payout !== null && { payout: row.payout }),
    ...(row.refundRef !== null && { refundRef: row.refundRef }),
  };
}

const HEADER = 'reference,transactionRef,type,amount,fee,currency,status,settledAt';
const row = (over: Partial<Record<string, string>> = {}): string =>
  Object.values({
    ...{ reference: 'A-1_1', transactionRef: 'T1', type: 'PAYMENT', amount: '1500.00', fee: '22.50' },
    ...{ currency: 'NGN', status: 'SETTLED', settledAt: '2026-11-30T06:00:00Z' },
    ...over,
  }).join(',');
const file = (...rows: string[]): string => [HEADER, ...rows, ''].join('\n');
const many = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => row({ reference: `B-${index}_1` }));

describe('the built-in shape', () => {
  test('yields what each row says', async () => {
    const { rows, reader } = await read(
      file(
        row(),
        row({ type: 'refund', amount: '500.00', fee: '' }),
        row({ type: 'Chargeback', currency: 'ngn' }),
        row({ type: 'PAYMENT_REVERSAL' }),
        row({ type: 'REFUND_REVERSAL' }),
        row({ type: 'CHARGEBACK_REVERSAL' }),
        row({ type: 'FEE', reference: '', amount: '10.00' }),
        row({ type: 'PAYOUT', reference: '', settledAt: '' }),
        row({ status: 'PENDING', amount: 'x' }),
      ),
    );
    expect(rows.map(({ type }) => type)).toEqual([
      ...['payment', 'refund', 'chargeback', 'paymentReversal', 'refundReversal', 'chargebackReversal'],
      ...['fee', 'payout'],
    ]);
    expect(rows[0]).toEqual({
      type: 'payment',
      line: 2,
      reference: 'A-1_1',
      transactionRef: 'T1',
      refundRef: null,
      amount: { digits: 150_000n, decimals: 2 },
      currency: 'NGN',
      fee: { digits: 2_250n, decimals: 2 },
      net: null,
      payout: null,
      settledAt: { from: Date.UTC(2026, 10, 30, 6), until: Date.UTC(2026, 10, 30, 6) },
      identity: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect([reader.rowCount, reader.skipped, reader.setAside]).toEqual([
      9,
      { status: 1, fee: 1 },
      { count: 0, rows: [] },
    ]);
  });

  test('takes columns in any order, with others between them', async () => {
    const { rows } = await read(
      'x,settledAt,"status",currency,fee,amount,type,transactionRef,reference\n"a, ""b""",2026-11-30,settled,ngn,,1500,payment,,A_1',
    );
    expect(rows.map(inShort)).toEqual([{ type: 'payment', reference: 'A_1', amount: 150_000n }]);
  });
});

describe('a row that cannot be read is set aside', () => {
  test.each<[string, string, string | null]>([
    ['an amount that is none', row({ amount: 'many' }), 'amount'],
    ['an amount below zero', row({ amount: '-5.00' }), 'amount'],
    ['an amount of zero', row({ amount: '0.00' }), 'amount'],
    ['no amount', row({ amount: '' }), 'amount'],
    ['more decimals than its currency', row({ amount: '5.001' }), 'amount'],
    ['what may be thousands', row({ amount: '1.500' }), 'amount'],
    ['a fee that is none', row({ fee: 'x' }), 'fee'],
    ['a currency that is none', row({ currency: 'NGX' }), 'currency'],
    ['no reference', row({ reference: '' }), 'reference'],
    ['a reference of several words', row({ reference: 'two words' }), 'reference'],
    ['a card number', row({ reference: '4111111111111111' }), 'reference'],
    ['a date that could be two', row({ settledAt: '03/04/2026' }), 'settledAt'],
    ['30 February', row({ settledAt: '2026-02-30' }), 'settledAt'],
    ['a type that nothing lists', row({ type: 'TOP_UP' }), 'type'],
    ['no type', row({ type: '' }), 'type'],
    ['control characters', row({ transactionRef: 'a\u0001b' }), 'transactionRef'],
    ['too few cells', 'A-1_1,T1,PAYMENT', 'amount'],
    ['too many cells', row({ amount: '1,500.00' }), null],
    ['a quote in a cell', row({ transactionRef: 'T"1' }), null],
    ['a cell behind a quote', row({ transactionRef: '"T"1' }), null],
    ['too many columns', ','.repeat(600), null],
    ['a very long cell', row({ transactionRef: 'x'.repeat(20_000) }), null],
  ])('%s', async (_, bad, column) => {
    const { rows, reader, problem } = await read(file(row(), bad, ...many(9)));
    expect(problem).toBeUndefined();
    expect(reader.setAside).toEqual({ count: 1, rows: [{ line: 3, column }] });
    expect([rows.length, reader.rowCount]).toEqual([10, 11]);
  });

  test('by each of its lines where nobody can say which rows these are', async () => {
    const { rows, reader } = await read(
      file(row(), row({ transactionRef: '"T1' }), row({ transactionRef: '"T2"' }), ...many(20)),
    );
    expect(reader.setAside.rows).toEqual([
      { line: 3, column: null },
      { line: 4, column: null },
    ]);
    expect([rows.length, reader.rowCount]).toEqual([21, 23]);
  });

  test.each([
    [1, 1, false],
    [2, 20, false],
    [2, 19, true],
    [3, 30, false],
    [3, 29, true],
    [2, 2, true],
  ])('%d of %d: refused is %p', async (bad, all, isRefused) => {
    const { problem, reader } = await read(
      file(...many(all - bad), ...Array.from({ length: bad }, () => row({ amount: 'x' }))),
    );
    expect(problem !== undefined).toBe(isRefused);
    expect(reader.setAside.count).toBe(bad);
    if (problem) {
      expect(problem.code).toBe('validation-failed');
      expect(problem.extra.errors?.[0]).toMatchObject({ line: all - bad + 2, column: 'amount' });
    }
  });

  test('of which a thousand are listed, and all are counted', async () => {
    const bad = Array.from({ length: 1_200 }, () => row({ amount: 'x' }));
    const { reader } = await read(file(...many(12_000), ...bad));
    expect([reader.setAside.count, reader.setAside.rows.length]).toEqual([1_200, 1_000]);
  });

  test('and nothing of it is shown', async () => {
    const { problem } = await read(
      file(...Array.from({ length: 30 }, () => row({ reference: 'secret word', amount: 'x' }))),
    );
    expect(problem?.extra.errors).toHaveLength(20);
    expect(JSON.stringify(problem?.extra)).not.toContain('secret');
  });
});

describe('a file is refused', () => {
  test.each<[string, string | Buffer, number, string | undefined]>([
    ['of nothing', '', 1, undefined],
    ['of blank lines', '\n\n', 1, undefined],
    ['without a column', `${HEADER.replace('amount,', '')}\n`, 1, 'amount'],
    ['with a column twice', `${HEADER},amount\n`, 1, 'amount'],
    ['with another delimiter', file(row()).replaceAll(',', ';'), 1, 'reference'],
    ['with a cut last row', file(...many(20), row()).slice(0, -40), 22, 'fee'],
    ['whose last time is cut', file(...many(20), row()).slice(0, -5), 22, 'settledAt'],
    ['whose last cell is missing', file(...many(20), row()).slice(0, -21), 22, 'settledAt'],
    ['with a quote that is not closed', file(...many(20), row({ transactionRef: '"T1' })), 22, undefined],
    ['of one row of separators', `${HEADER}\n${','.repeat(100_000)}`, 2, undefined],
    [
      'that is not UTF-8',
      Buffer.concat([Buffer.from(file(row())), Buffer.from([0x41, 0xff, 0x0a])]),
      3,
      undefined,
    ],
    ['in UTF-16', Buffer.from(`\ufeff${file(row())}`, 'utf16le'), 1, undefined],
    ['whose header never ends', '"\n'.repeat(1_000_000), 1, undefined],
  ])('%s', async (_, text, line, column) => {
    for (const size of [7, 65_536]) {
      const { problem } = await read(Buffer.from(text as string), [usual], size);
      expect(problem?.code).toBe('validation-failed');
      expect(problem?.extra.errors?.[0]).toMatchObject({ line, ...(column !== undefined && { column }) });
    }
  });

  test('not for a last row without its end that is whole', async () => {
    const { rows, reader } = await read(file(row(), row({ type: 'nothing' })).trimEnd());
    expect([rows.length, reader.setAside.count]).toEqual([1, 1]);
  });
});

describe('of several shapes', () => {
  const small = shape({ columns: { reference: 'Ref', amount: 'Total', currency: 'Ccy' } });
  const large = shape({ columns: { reference: 'Ref', amount: 'Total', currency: 'Ccy', fee: 'Fee' } });
  const german = shape({
    columns: { reference: 'Referenz', amount: 'Betrag', currency: 'Währung' },
    delimiter: ';',
    decimal: ',',
    thousands: '.',
    encoding: 'windows-1252',
    skipLines: 3,
  });
  const shapes = [usual, small, large, german];

  test('the one with the most columns that fits is taken', async () => {
    const { reader } = await read('Ref,Total,Ccy,Fee,Other\nA_1,5.00,NGN,1.00,x\n', shapes);
    expect(reader.shape).toBe(large);
    expect((await read('Ref,Total,Ccy\nA_1,5.00,NGN\n', shapes)).reader.shape).toBe(small);
    expect((await read(file(row()), shapes)).reader.shape).toBe(usual);
  });

  test('each is read in its own encoding, behind its own lines', async () => {
    const text = '"Bericht;\r\nüber €\r\n\r\nReferenz;Betrag;Währung;Name\r\nA_1;1.500,00;NGN;Jürgen\r\n';
    const bytes = Buffer.from(text.replace('€', '\x80'), 'latin1');
    const { rows, reader } = await read(bytes, shapes, 5);
    expect(reader.shape).toBe(german);
    expect(rows.map(inShort)).toEqual([{ type: 'payment', reference: 'A_1', amount: 150_000n }]);
    expect(rows[0]?.line).toBe(5);
  });

  test('none may be as good as another', async () => {
    const other = shape({ columns: { reference: 'Ref', amount: 'Net', currency: 'Ccy' } });
    const { problem } = await read('Ref,Total,Net,Ccy\nA_1,5.00,4.00,NGN\n', [small, other]);
    expect(problem?.extra.errors?.[0]?.message).toContain('two shapes');
  });

  test('one must fit, and the nearest says what it lacks', async () => {
    const { problem } = await read('Ref,Total,Fee\nA_1,5.00,1.00\n', shapes);
    expect(problem?.extra.errors?.map(({ column, message }) => column ?? message)).toEqual([
      expect.stringContaining('no shape'),
      'Ccy',
    ]);
  });
});

describe('signs', () => {
  const columns = {
    reference: 'ref',
    type: 'type',
    amount: 'amount',
    fee: 'fee',
    net: 'net',
    currency: 'ccy',
    payout: 'po',
  };
  const negative = shape({ columns, sign: 'refundsNegative' });
  const header = 'ref,type,amount,fee,net,ccy,po\n';

  test('that money which is taken away is below zero', async () => {
    const { rows, reader } = await read(
      `${header}A_1,PAYMENT,1500.00,22.50,1477.50,NGN,po_1
A_1,REFUND,-500.00,0.00,-500.00,NGN,po_1
A_1,CHARGEBACK,(1000.00),10.00,-1010.00,NGN,po_1
A_1,REFUND_REVERSAL,500.00,,500.00,NGN,po_1
A_1,PAYMENT_REVERSAL,-1500.00,-22.50,-1477.50,NGN,
,FEE,-5.00,,,NGN,po_1
,FEE,5.00,,,NGN,po_1
,FEE,0,7.00,,NGN,po_1
,PAYOUT,-9000.00,,,NGN,po_1
A_1,REFUND,500.00,,,NGN,
`,
      [negative],
    );
    expect(rows.map(inShort)).toEqual([
      { type: 'payment', reference: 'A_1', amount: 150_000n, fee: 2_250n, net: 147_750n, payout: 'po_1' },
      { type: 'refund', reference: 'A_1', amount: 50_000n, fee: 0n, net: -50_000n, payout: 'po_1' },
      { type: 'chargeback', reference: 'A_1', amount: 100_000n, fee: 1_000n, net: -101_000n, payout: 'po_1' },
      { type: 'refundReversal', reference: 'A_1', amount: 50_000n, fee: 0n, net: 50_000n, payout: 'po_1' },
      { type: 'paymentReversal', reference: 'A_1', amount: 150_000n, fee: -2_250n, net: -147_750n },
      { type: 'fee', amount: 500n, payout: 'po_1' },
      { type: 'fee', amount: -500n, payout: 'po_1' },
      { type: 'fee', amount: 700n, payout: 'po_1' },
      { type: 'payout', amount: -900_000n, payout: 'po_1' },
    ]);
    expect(reader.setAside.rows).toEqual([{ line: 11, column: 'amount' }]);
  });

  test('tell a refund from a payment where there is no type', async () => {
    const { type: _, ...untyped } = columns;
    const { rows } = await read('ref,amount,fee,net,ccy,po\nA_1,5.00,,,NGN,\nA_1,-5.00,,,NGN,\n', [
      shape({ columns: untyped, sign: 'refundsNegative' }),
    ]);
    expect(rows.map(({ type }) => type)).toEqual(['payment', 'refund']);
  });

  test('of a fee that is written as what it does to the net', async () => {
    const { rows } = await read(
      `${header}A_1,PAYMENT,1500.00,-22.50,1477.50,NGN,
A_1,PAYMENT,1500.00,-22.50,,NGN,
A_1,REFUND,-500.00,7.50,-492.50,NGN,
A_1,REFUND,-500.00,-7.50,-507.50,NGN,
`,
      [negative],
    );
    expect(rows.map((one) => inShort(one)['fee'])).toEqual([2_250n, 2_250n, -750n, 750n]);
  });

  test('of a fee that does not lead to the net: what the net lacks is kept', async () => {
    const { rows } = await read(
      `${header}A_1,PAYMENT,100.00,1.00,50.00,NGN,
A_1,PAYMENT,100.00,,98.00,NGN,
A_1,PAYMENT,100.00,0.00,98.00,NGN,
A_1,REFUND,-10.00,0.00,-60.00,NGN,
A_1,PAYMENT,100.00,,,NGN,
`,
      [negative],
    );
    expect(rows.map((one) => inShort(one)['fee'])).toEqual([5_000n, 200n, 200n, 5_000n, undefined]);
  });

  test('of a payout that was taken back are set aside where amounts have none', async () => {
    const { rows, reader } = await read(`${header},PAYOUT,-9.00,,,NGN,po_1\n,PAYOUT,9.00,,,NGN,po_1\n`, [
      shape({ columns }),
    ]);
    expect(rows.map(inShort)).toEqual([{ type: 'payout', amount: 900n, payout: 'po_1' }]);
    expect(reader.setAside.rows).toEqual([{ line: 2, column: 'amount' }]);
  });

  test('of the net of a refund that is written without one', async () => {
    const { rows } = await read(`${header}A_1,REFUND,500.00,0.00,500.00,NGN,\n`, [shape({ columns })]);
    expect(rows.map(inShort)).toMatchObject([{ amount: 50_000n, net: -50_000n }]);
  });

  test('are columns of their own', async () => {
    const sides = shape({
      columns: { reference: 'ref', type: 'type', debit: 'out', credit: 'in', currency: 'ccy' },
    });
    const { rows, reader } = await read(
      `ref,type,out,in,ccy
A_1,PAYMENT,,1500.00,NGN
A_2,PAYMENT,0.00,1500.00,NGN
A_1,REFUND,500.00,,NGN
,FEE,10.00,0,NGN
,FEE,,10.00,NGN
,PAYOUT,990.00,,NGN
A_1,PAYMENT,1500.00,,NGN
A_1,REFUND,5.00,5.00,NGN
A_1,REFUND,,,NGN
${'A_1,PAYMENT,,1500.00,NGN\n'.repeat(30)}`,
      [sides],
    );
    expect(rows.slice(0, 6).map(inShort)).toMatchObject([
      { type: 'payment', amount: 150_000n },
      { type: 'payment', reference: 'A_2', amount: 150_000n },
      { type: 'refund', amount: 50_000n },
      { type: 'fee', amount: 1_000n },
      { type: 'fee', amount: -1_000n },
      { type: 'payout', amount: -99_000n },
    ]);
    expect(reader.setAside.rows).toEqual([
      { line: 8, column: 'out' },
      { line: 9, column: 'out' },
      { line: 10, column: 'in' },
    ]);
  });
});

test('times are read in the zone of the row, of the shape, or in UTC', async () => {
  const { rows, reader } = await read(
    `ref,amount,ccy,at,tz
A_1,5.00,NGN,30/11/2026 06:00,
A_1,5.00,NGN,30/11/2026 06:00,CET
A_1,5.00,NGN,30/11/2026 06:00,Moon
`,
    [
      shape({
        columns: { reference: 'ref', amount: 'amount', currency: 'ccy', settledAt: 'at', timeZone: 'tz' },
        dateFormat: 'dd/MM/yyyy HH:mm',
        zone: 'Asia/Tokyo',
      }),
    ],
  );
  expect(rows.map(({ settledAt }) => settledAt?.from)).toEqual([
    Date.UTC(2026, 10, 29, 21),
    Date.UTC(2026, 10, 30, 5),
  ]);
  expect(reader.setAside.rows).toEqual([{ line: 4, column: 'tz' }]);
});

describe('rows are the same', () => {
  const identities = async (...rows: string[]): Promise<string[]> =>
    (await read(file(...rows))).rows.filter(isMovementRow).map(({ identity }: MovementRow) => identity);

  test('however they are written', async () => {
    const german = shape({
      columns: {
        reference: 'Referenz',
        transactionRef: 'Nr',
        type: 'Art',
        amount: 'Betrag',
        currency: 'W',
        settledAt: 'Am',
      },
      types: { payment: ['Zahlung'] },
      delimiter: ';',
      decimal: ',',
      dateFormat: 'dd.MM.yyyy HH:mm:ss',
    });
    const { rows } = await read(
      'Referenz;Nr;Art;Betrag;W;Am\nA-1_1;T1;Zahlung;1500;ngn;30.11.2026 06:00:00\n',
      [german],
    );
    const [own] = await identities(row());
    expect((rows as MovementRow[]).map(({ identity }) => identity)).toEqual([own]);
    expect(await identities(row({ amount: '1500', fee: '', type: 'payment' }))).toEqual([own]);
  });

  test.each([
    { reference: 'A-1_2' },
    { type: 'REFUND' },
    { transactionRef: 'T2' },
    { transactionRef: '' },
    { amount: '1500.01' },
    { currency: 'USD' },
    { settledAt: '2026-11-30T06:00:01Z' },
    { settledAt: '2026-11-30' },
  ])('but not with %p', async (over) => {
    const [one, other] = await identities(row(), row(over));
    expect(one).not.toBe(other);
  });
});

describe('whatever is done to a file', () => {
  const good = file(...many(12));

  test('a cut is refused, or leaves whole rows that are those of the file', async () => {
    const whole = (await read(good)).rows;
    for (let length = 0; length < good.length; length++) {
      const { rows, problem } = await read(good.slice(0, length));
      // Where no row stands above, nobody can say what is missing.
      if (!problem && rows.length > 1) expect(rows).toEqual(whole.slice(0, rows.length));
    }
  });

  test('a changed byte is refused, set aside, or changes no other row than its own', async () => {
    const identities = (rows: readonly ReportRow[]): string[] =>
      rows.filter(isMovementRow).map(({ identity }) => identity);
    const whole = new Set(identities((await read(good)).rows));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: HEADER.length + 1, max: good.length - 2 }),
        fc.integer({ min: 0, max: 255 }),
        async (at, byte) => {
          const bytes = Buffer.from(good);
          bytes[at] = byte;
          const { rows, problem } = await read(bytes);
          if (problem) return;
          const found = identities(rows);
          const kept = found.filter((identity) => whole.has(identity));
          // A line's end or a quote may take the next row with it.
          expect(kept.length).toBeGreaterThanOrEqual(whole.size - 2);
          expect(found.length - kept.length).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('it is read the same in whatever pieces it comes', async () => {
    const text = file(...many(3), row({ amount: 'x' }), ...many(12), row({ transactionRef: '"a ""b"""' }));
    const whole = await read(text);
    for (const size of [1, 2, 3, 17, 100]) {
      const found = await read(text, [usual], size);
      expect([found.rows, found.reader.setAside, found.reader.digest()]).toEqual([
        whole.rows,
        whole.reader.setAside,
        whole.reader.digest(),
      ]);
    }
  });
});
