import { describe, expect, test } from '@jest/globals';
import { defaultProfile } from './default-profile.js';
import type { SettlementProfile } from './format.js';
import { parseProfile, ProfileError } from './load.js';

/** The shapes that a file's `settlement` is loaded as. */
function load(settlement: unknown): readonly SettlementProfile[] | null {
  return parseProfile(JSON.stringify({ settlement })).settlement;
}

/** Every problem of a file's `settlement`, each as `place message`. */
function problemsOf(settlement: unknown): string[] {
  try {
    load(settlement);
    return [];
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return error.problems.map(({ place, message }) => `${place} ${message}`);
  }
}

const [usual] = defaultProfile.settlement ?? [];
const columns = { reference: 'ref', amount: 'sum' };

describe('how reports are read', () => {
  test('is the built-in shape, none, one or a list', () => {
    expect(load(undefined)).toBe(defaultProfile.settlement);
    expect(load(null)).toBeNull();
    expect(load({ delimiter: ';' })).toEqual([{ ...usual, delimiter: ';' }]);
    expect(load([{ delimiter: ';' }, { columns }])?.map((shape) => [shape.delimiter, shape.columns])).toEqual(
      [
        [';', usual?.columns],
        [',', columns],
      ],
    );
  });

  test('may say everything that a report needs', () => {
    const shape = {
      columns: {
        ...{
          reference: 'ref',
          transactionRef: 'tx',
          refundRef: 'rf',
          type: 'type',
          debit: 'debit',
          credit: 'credit',
        },
        ...{
          fee: 'fee',
          net: 'net',
          payout: 'po',
          currency: 'ccy',
          status: 'st',
          settledAt: 'at',
          timeZone: 'tz',
        },
      },
      types: {
        ...{
          payment: ['A'],
          refund: ['B'],
          chargeback: ['C'],
          paymentReversal: ['D'],
          refundReversal: ['E'],
        },
        ...{ chargebackReversal: ['F'], payout: ['G'], fee: ['H'], ignore: ['I'] },
      },
      statuses: { settled: ['S'] },
      ...{ sign: 'refundsNegative', amountUnit: 'major', decimal: ',', thousands: '.', delimiter: ';' },
      ...{
        dateFormat: 'dd.MM.yyyy HH:mm',
        zone: 'Africa/Lagos',
        encoding: 'utf-16le',
        skipLines: 3,
        lagDays: 9,
      },
      fees: [
        {
          ...{ currency: 'NGN', method: 'card', brand: 'verve', percent: '1.5', fixed: '100.00' },
          ...{ cap: '2000.00', tolerance: '0.01' },
        },
      ],
    };
    expect(load(shape)).toEqual([shape]);
  });

  test('has words that a file moves from a built-in type to another', () => {
    expect(load({ types: { ignore: ['fee', 'PAYOUT'] } })?.[0]?.types).toEqual({
      ...usual?.types,
      fee: [],
      payout: [],
      ignore: ['fee', 'PAYOUT'],
    });
  });

  test('counts a status only where it has a column', () => {
    expect(load({ columns })?.[0]?.statuses).toBeUndefined();
    expect(load({ columns: { ...columns, status: 'st' } })?.[0]?.statuses).toEqual(usual?.statuses);
  });
});

describe('faults are named with their places', () => {
  test.each<[unknown, string[]]>([
    [[], ['/settlement must NOT have fewer than 1 items']],
    [7, ['/settlement must be object,array,null']],
    [{ colums: {} }, ['/settlement/colums is an unknown key; perhaps "columns" is meant']],
    [[{ skipLines: -1 }], ['/settlement/0/skipLines must be >= 0']],
    [{ columns: { amount: 'sum' } }, ['/settlement/columns/reference is missing']],
    [
      { columns: { reference: 'ref' } },
      ['/settlement/columns/amount is missing: name it, or debit and credit'],
    ],
    [
      { columns: { reference: 'ref', debit: 'd' } },
      ['/settlement/columns/amount is missing: name it, or debit and credit'],
    ],
    [
      { columns: { ...columns, debit: 'd', credit: 'c' } },
      ['/settlement/columns/amount stands in place of debit and credit: name it or them'],
    ],
    [
      { columns: { ...columns, net: 'n', netDebit: 'd', netCredit: 'c' } },
      ['/settlement/columns/net stands in place of netDebit and netCredit: name it or them'],
    ],
    [
      { columns: { ...columns, netDebit: 'd' } },
      ['/settlement/columns/netDebit and netCredit belong together'],
    ],
    [{ columns: { ...columns, fee: ' sum ' } }, ['/settlement/columns/fee is the column of amount too']],
    [
      { columns: { ...columns, timeZone: 'tz' } },
      ['/settlement/columns/timeZone needs the column settledAt'],
    ],
    [{ decimal: ',' }, ['/settlement/decimal must not be the delimiter']],
    [{ thousands: '.' }, ['/settlement/thousands must not be the decimal character']],
    [{ thousands: '__' }, ["/settlement/thousands must be one of ,, .,  , '"]],
    [{ sign: 'negative' }, ['/settlement/sign must be one of positive, refundsNegative']],
    [{ encoding: 'latin1' }, ['/settlement/encoding must be one of utf-8, utf-16le, windows-1252']],
    [{ dateFormat: 'DD/MM/YYYY' }, ['/settlement/dateFormat has DD, which is no field that can be read']],
    [{ zone: 'Lagos' }, ['/settlement/zone is no time zone (IANA) such as Africa/Lagos']],
    [{ types: { payment: ['A'], refund: ['a'] } }, ['/settlement/types/refund/0 is a word of payment too']],
    [
      { columns, statuses: { settled: ['S'] } },
      ['/settlement/statuses needs the column status, which columns does not name'],
    ],
    [
      [{}, { columns }, { columns: { amount: 'ref', reference: 'sum' }, delimiter: ';' }],
      ['/settlement/2/columns are those of /settlement/1: one header would fit both'],
    ],
    [
      { fees: [{ currency: 'ABC', percent: '1', fixed: '0' }] },
      ['/settlement/fees/0/currency is no currency (ISO 4217)'],
    ],
    [
      { fees: [{ currency: 'JPY', percent: '1', fixed: '0.50', cap: '1.00' }] },
      [
        '/settlement/fees/0/fixed is no amount of its currency',
        '/settlement/fees/0/cap is no amount of its currency',
      ],
    ],
    [
      { fees: [{ currency: 'NGN', percent: '1,5', fixed: '0' }] },
      ['/settlement/fees/0/percent must be a number such as 1.5'],
    ],
    [
      { fees: [{ currency: 'NGN' }] },
      ['/settlement/fees/0/percent is missing', '/settlement/fees/0/fixed is missing'],
    ],
  ])('%j', (settlement, expected) => {
    expect(problemsOf(settlement)).toEqual(expected);
  });
});
