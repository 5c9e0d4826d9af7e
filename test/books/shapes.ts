import { DateTime } from 'luxon';
import { defaultProfile } from '../../src/gateway/profile/default-profile.js';
import type { SettlementProfile } from '../../src/gateway/profile/format.js';
import { formatMajor } from '../../src/money/money.js';
import type { FileRow } from './gateway-book.js';

/** Eight ways in which gateways write the same rows. */

const [BUILT_IN] = defaultProfile.settlement ?? [];
const FEES = ['NGN', 'USD', 'EUR', 'GHS', 'KES', 'JPY'].map((currency) => ({
  ...{ currency, percent: '1.5', fixed: '0' },
  // Each part of a sale has its own rounded fee.
  tolerance: currency === 'JPY' ? '3' : '0.03',
}));

/** Columns by key, and how the rest is written where it is not as the built-in report is. */
function shape(
  columns: SettlementProfile['columns'],
  how: Partial<SettlementProfile> = {},
): SettlementProfile {
  const types = { ...BUILT_IN?.types, ignore: ['TOTAL'] } as SettlementProfile['types'];
  return { ...(BUILT_IN as SettlementProfile), fees: FEES, types, columns, ...how };
}

/** The columns that each has, with names that no other has, so that the header tells the shapes apart. */
function columnsOf(name: string, amounts: object): SettlementProfile['columns'] {
  const keys = ['reference', 'transactionRef', 'refundRef', 'type', 'fee', 'payout', 'status', 'settledAt'];
  const named = Object.fromEntries(keys.map((key) => [key, `${name} ${key}`]));
  return { ...named, ...amounts, currency: `${name} currency` } as SettlementProfile['columns'];
}

export const SHAPES: readonly SettlementProfile[] = [
  shape(columnsOf('Plain', { amount: 'Amount' })),
  shape(columnsOf('Signed', { amount: 'Gross' }), { sign: 'refundsNegative', skipLines: 2 }),
  shape(columnsOf('Ledger', { debit: 'Debit', credit: 'Credit' }), { delimiter: ';' }),
  shape(columnsOf('Betrag', { amount: 'Brutto' }), {
    ...{ delimiter: ';', decimal: ',', thousands: '.', dateFormat: 'dd.MM.yyyy' },
  }),
  shape(columnsOf('Grouped', { amount: 'Total' }), { thousands: ',', dateFormat: 'MM/dd/yyyy' }),
  shape(columnsOf('Minor', { amount: 'Units' }), {
    ...{ amountUnit: 'minor', delimiter: '\t', dateFormat: 'yyyyMMdd', sign: 'refundsNegative' },
  }),
  shape(columnsOf('Wide', { amount: 'Sum' }), {
    ...{ encoding: 'utf-16le', delimiter: '|', thousands: ' ', decimal: ',', dateFormat: 'dd/MM/yyyy' },
  }),
  shape(columnsOf('Réglé', { amount: 'Montant' }), {
    encoding: 'windows-1252',
    delimiter: ';',
    decimal: ',',
  }),
];

const WORDS: Readonly<Record<FileRow['type'], string>> = {
  ...{ payment: 'PAYMENT', refund: 'REFUND', chargeback: 'CHARGEBACK', payout: 'PAYOUT' },
  ...{ paymentReversal: 'PAYMENT_REVERSAL', refundReversal: 'REFUND_REVERSAL' },
  chargebackReversal: 'CHARGEBACK_REVERSAL',
};

const isIn = ({ type }: FileRow): boolean =>
  type === 'payment' || type === 'refundReversal' || type === 'chargebackReversal';

/** A file of this shape, with what stands before its header and behind its rows. */
export function fileOf(rows: readonly FileRow[], form: SettlementProfile): Buffer {
  const keys = Object.keys(form.columns) as (keyof SettlementProfile['columns'])[];
  const line = (cells: readonly string[]): string =>
    cells.map((cell) => (cell.includes(form.delimiter) ? `"${cell}"` : cell)).join(form.delimiter);
  const lines = [
    ...Array.from({ length: form.skipLines }, (_, n) => `Report, part ${n}`),
    line(keys.map((key) => form.columns[key] ?? '')),
    ...rows.map((row) => line(keys.map((key) => cellOf(row, key, form)))),
    // Nobody has settled these.
    line(keys.map((key) => (key === 'type' ? 'PAYMENT' : key === 'status' ? 'PENDING' : 'later'))),
    line(keys.map((key) => (key === 'type' ? 'TOTAL' : key === 'status' ? 'SETTLED' : ''))),
    '',
  ];
  const text = lines.join('\n');
  if (form.encoding === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
  return Buffer.from(text, form.encoding === 'windows-1252' ? 'latin1' : 'utf8');
}

function cellOf(row: FileRow, key: keyof SettlementProfile['columns'], form: SettlementProfile): string {
  const { amount, fee = 0n } = row;
  switch (key) {
    case 'type':
      return WORDS[row.type];
    case 'amount':
      return written(form.sign === 'refundsNegative' && !isIn(row) ? -amount : amount, row, form);
    case 'debit':
      return isIn(row) ? '' : written(amount, row, form);
    case 'credit':
      return isIn(row) ? written(amount, row, form) : '';
    case 'fee':
      return written(fee ?? 0n, row, form);
    case 'status':
      return 'SETTLED';
    case 'settledAt':
      return DateTime.fromMillis(row.settledAt, { zone: 'utc' }).toFormat(form.dateFormat ?? 'yyyy-MM-dd');
    case 'reference':
    case 'transactionRef':
    case 'refundRef':
    case 'payout':
    case 'currency':
      return row[key] ?? '';
    default:
      throw new Error(`no shape has ${key}`);
  }
}

function written(
  minor: bigint,
  { currency }: FileRow,
  { amountUnit, decimal, thousands }: SettlementProfile,
): string {
  const sign = minor < 0n ? '-' : '';
  const size = minor < 0n ? -minor : minor;
  if (amountUnit === 'minor') return `${sign}${size}`;
  const [whole = '', fraction] = formatMajor(size, currency).split('.');
  const grouped = thousands === undefined ? whole : whole.replace(/\B(?=(\d{3})+$)/g, thousands);
  return sign + (fraction === undefined ? grouped : grouped + decimal + fraction);
}
