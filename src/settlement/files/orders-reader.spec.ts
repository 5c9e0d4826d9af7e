import { describe, expect, test } from '@jest/globals';
import { Problem } from '../../http/problems/problem.js';
import { minorOf } from './file-amount.js';
import {
  ordersForm,
  type OrdersOptions,
  OrdersReader,
  USUAL_ORDERS,
  type OrderRow,
} from './orders-reader.js';

interface Read {
  rows: OrderRow[];
  problem: Problem | undefined;
  skipped: Readonly<Record<string, number>>;
}

async function read(text: string, options: OrdersOptions = {}): Promise<Read> {
  const reader = new OrdersReader(ordersForm(options));
  const rows: OrderRow[] = [];
  async function* sent(): AsyncGenerator<Buffer> {
    yield await Promise.resolve(Buffer.from(text));
  }
  try {
    for await (const some of reader.rows(sent())) rows.push(...some);
    return { rows, problem: undefined, skipped: reader.skipped };
  } catch (error) {
    if (error instanceof Problem) return { rows, problem: error, skipped: reader.skipped };
    throw error;
  }
}

const inShort = ({ reference, amount, currency, standing }: OrderRow): string =>
  `${reference} ${minorOf(amount, currency)} ${currency} ${standing}`;

const HEADER = 'reference,amount,currency,status';

describe('a list of orders', () => {
  test.each([',', ';', '\t', '|'])('is read whatever its delimiter: %p', async (delimiter) => {
    const { rows } = await read(
      `${HEADER}\n#1001,1500.00,ngn,PAID\n1002,20,NGN,Refunded\n1003,0.00,NGN,free\n1004,5.00,NGN,pending\n`.replaceAll(
        ',',
        delimiter,
      ),
    );
    expect(rows.map(inShort)).toEqual([
      '1001 150000 NGN paid',
      '1002 2000 NGN refunded',
      '1003 0 NGN free',
      '1004 500 NGN open',
    ]);
    expect(rows.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
  });

  test('has columns and words of its own', async () => {
    const { rows } = await read(
      'Name;Total;Currency;Financial Status;Email\n"#1001";1500,00;NGN;completed;a@example.com\n#1002;5;NGN;void;\n#1003;0;NGN;gift;\n#1004;5;NGN;refunded;\n',
      {
        columns: 'reference=Name, amount=Total,currency=Currency,status=Financial Status',
        paid: 'completed,processing',
        refunded: 'void',
        free: 'gift',
      },
    );
    // The word that is usual no longer means so where the caller lists others.
    expect(rows.map(inShort)).toEqual([
      '1001 150000 NGN paid',
      '1002 500 NGN refunded',
      '1003 0 NGN free',
      '1004 500 NGN open',
    ]);
  });

  test('may go on with the further articles of an order', async () => {
    const { rows, skipped } = await read(`${HEADER}\n#1001,1500.00,NGN,paid\n#1001,,,\n`);
    expect([rows.length, skipped]).toEqual([1, { continued: 1 }]);
  });

  test.each([
    ['A 1,5.00,NGN,paid', 'reference'],
    [',5.00,NGN,paid', 'reference'],
    ['##1,5.00,NGN,paid', 'reference'],
    ['4111111111111111,5.00,NGN,paid', 'reference'],
    ['A1,ten,NGN,paid', 'amount'],
    ['A1,-5.00,NGN,paid', 'amount'],
    ['A1,1.500,NGN,paid', 'amount'],
    ['A1,5.001,NGN,paid', 'amount'],
    ['A1,5.00,NGX,paid', 'currency'],
    ['A1,5.00,NGN,', 'status'],
    ['A1,5.00,NGN', 'status'],
  ])('is refused with %p', async (bad, column) => {
    const { problem } = await read(`${HEADER}\n${'A0,5.00,NGN,paid\n'.repeat(50)}${bad}\n`);
    expect(problem?.extra.errors).toMatchObject([{ line: 52, column }]);
  });

  test('is refused without one of its columns', async () => {
    const { problem } = await read('order,amount,currency,status\n');
    expect(problem?.extra.errors).toContainEqual(expect.objectContaining({ line: 1, column: 'reference' }));
  });
});

describe('what a caller says of its list', () => {
  test('is nothing, by default', () => {
    expect(ordersForm({})).toEqual(USUAL_ORDERS);
  });

  test('moves a usual word', () => {
    expect(ordersForm({ paid: 'Refunded' }).words).toEqual({
      paid: ['Refunded'],
      refunded: [],
      free: ['free'],
    });
  });

  test.each<[OrdersOptions, string]>([
    [{ columns: 'number=order' }, '/columns'],
    [{ columns: 'reference' }, '/columns'],
    [{ columns: 'reference=' }, '/columns'],
    [{ columns: 'reference=amount' }, '/columns'],
    [{ paid: 'done', refunded: 'DONE' }, '/refunded'],
  ])('is refused: %p', (options, pointer) => {
    expect(() => ordersForm(options)).toThrow(
      expect.objectContaining({
        code: 'validation-failed',
        extra: { errors: [expect.objectContaining({ pointer })] },
      }),
    );
  });
});
