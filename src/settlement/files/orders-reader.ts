import { holdsCardNumber } from '../../card-numbers/holds-card-number.js';
import { minorDigits } from '../../money/money.js';
import { amountReader, minorOf, type FileAmount } from './file-amount.js';
import { CellFault, FileRows, type Cells, type RowForm } from './file-rows.js';
import type { OrderStanding } from './report-row.js';
import type { SheetShape } from './sheet.js';
import { Problem } from '../../http/problems/problem.js';

export const ORDER_COLUMNS = ['reference', 'amount', 'currency', 'status'] as const;
export type OrderColumn = (typeof ORDER_COLUMNS)[number];

/** An order of the merchant's own list. */
export interface OrderRow {
  /** The line in which it begins, from 1. */
  readonly line: number;
  /** The merchant's reference, without the `#` that shops write before it. */
  readonly reference: string;
  /** Not below zero. */
  readonly amount: FileAmount;
  /** ISO 4217, upper case. */
  readonly currency: string;
  readonly standing: OrderStanding;
}

/** How the merchant's own list is written. */
export interface OrdersForm {
  /** The names of the columns in the header. */
  readonly columns: Readonly<Record<OrderColumn, string>>;
  /** The words of the column status, in any case. An order with another word is `open`. */
  readonly words: Readonly<Record<Exclude<OrderStanding, 'open'>, readonly string[]>>;
}

/** `reference,amount,currency,status`, paid where the status is `paid`, and so on. */
export const USUAL_ORDERS: OrdersForm = {
  columns: { reference: 'reference', amount: 'amount', currency: 'currency', status: 'status' },
  words: { paid: ['paid'], refunded: ['refunded'], free: ['free'] },
};

const DELIMITERS = [',', ';', '\t', '|'] as const;

type OrdersShape = SheetShape<OrderColumn>;

/** An order that is left out would look like one that is not there, so none may be. */
const isNone = (count: number): boolean => count === 0;

/** Reads the merchant's own list of orders, whatever its delimiter. A list with a row that cannot be read is refused. */
export class OrdersReader extends FileRows<OrderColumn, OrdersShape, OrderRow> {
  constructor({ columns, words }: OrdersForm = USUAL_ORDERS) {
    const shapes = DELIMITERS.map((delimiter): OrdersShape => ({
      columns,
      delimiter,
      encoding: 'utf-8',
      skipLines: 0,
    }));
    super(shapes, () => new OrderRows(words), isNone);
  }
}

const REFERENCE = /^[A-Za-z0-9.-]{1,40}$/;
const readAmount = (['.', ','] as const).map((decimal) => amountReader({ amountUnit: 'major', decimal }));

class OrderRows implements RowForm<OrderColumn, OrderRow> {
  readonly kinds = { amount: 'decimals', status: 'word' } as const;
  readonly #standings: ReadonlyMap<string, OrderStanding>;

  constructor(words: OrdersForm['words']) {
    this.#standings = new Map(
      (Object.entries(words) as [OrderStanding, readonly string[]][]).flatMap(([standing, some]) =>
        some.map((word) => [word.toUpperCase(), standing] as const),
      ),
    );
  }

  get words(): readonly string[] {
    return [...this.#standings.keys()];
  }

  read(cells: Cells<OrderColumn>, line: number): OrderRow | 'continued' {
    const cell = (key: OrderColumn): string => cells(key) ?? '';
    const [amountText, currency, status] = [cell('amount'), cell('currency').toUpperCase(), cell('status')];
    const reference = referenceOf(cell('reference'));
    // Shops write an order's further articles so.
    if (amountText === '' && currency === '' && status === '') return 'continued';
    if (minorDigits(currency) === undefined)
      throw new CellFault<OrderColumn>('currency', 'is no currency (ISO 4217)');
    const amount = amountOf(amountText, currency);
    if (status === '') throw new CellFault<OrderColumn>('status', 'is empty');
    const standing = this.#standings.get(status.toUpperCase()) ?? 'open';
    return { line, reference, amount, currency, standing };
  }
}

function referenceOf(text: string): string {
  const reference = text.replace(/^#/, '');
  if (!REFERENCE.test(reference)) throw new CellFault<OrderColumn>('reference', 'is no reference');
  if (holdsCardNumber(reference)) throw new CellFault<OrderColumn>('reference', 'must hold no card number');
  return reference;
}

function amountOf(text: string, currency: string): FileAmount {
  const found = readAmount.map((read) => read(text)).find((amount) => amount !== undefined);
  if (!found || found.digits < 0n || minorOf(found, currency) === undefined)
    throw new CellFault<OrderColumn>('amount', 'must be a number such as 1500.00');
  return found;
}

/** What a caller says of its list of orders: each a list that commas separate. */
export interface OrdersOptions {
  /** `reference=order_number,amount=total`: columns that have other names. */
  readonly columns?: string | undefined;
  readonly paid?: string | undefined;
  readonly refunded?: string | undefined;
  readonly free?: string | undefined;
}

/** The form of a list of orders. Throws `validation-failed`. Pure. */
export function ordersForm({ columns, ...words }: OrdersOptions): OrdersForm {
  const form = {
    columns: columns === undefined ? USUAL_ORDERS.columns : columnsOf(columns),
    words: {
      paid: wordsOf(words, 'paid'),
      refunded: wordsOf(words, 'refunded'),
      free: wordsOf(words, 'free'),
    },
  };
  const seen = new Map<string, string>();
  for (const [standing, list] of Object.entries(form.words))
    for (const word of list) {
      const other = seen.get(word.toUpperCase());
      if (other !== undefined && other !== standing) throw fault(standing, `has a word of ${other}`);
      seen.set(word.toUpperCase(), standing);
    }
  return form;
}

function columnsOf(text: string): OrdersForm['columns'] {
  const found: Record<OrderColumn, string> = { ...USUAL_ORDERS.columns };
  for (const entry of listOf(text)) {
    const [key = '', ...rest] = entry.split('=');
    const column = ORDER_COLUMNS.find((one) => one === key.trim());
    const name = rest.join('=').trim();
    if (column === undefined || name === '')
      throw fault('columns', `must be like reference=order_number, with ${ORDER_COLUMNS.join(', ')}`);
    found[column] = name;
  }
  if (new Set(Object.values(found)).size < ORDER_COLUMNS.length)
    throw fault('columns', 'must give each column a name of its own');
  return found;
}

/** A word that the caller gives to one standing is no longer a usual word of another. */
function wordsOf(
  words: Omit<OrdersOptions, 'columns'>,
  standing: keyof OrdersForm['words'],
): readonly string[] {
  const own = words[standing];
  if (own !== undefined) return listOf(own);
  const others = Object.values(words).flatMap((text) => listOf(text ?? ''));
  const taken = new Set(others.map((word) => word.toUpperCase()));
  return USUAL_ORDERS.words[standing].filter((word) => !taken.has(word.toUpperCase()));
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function fault(option: string, message: string): Problem {
  return new Problem('validation-failed', `${option} ${message}.`, {
    errors: [{ pointer: `/${option}`, message }],
  });
}
