import { Problem } from '../../http/problems/problem.js';
import { ORDER_COLUMNS, USUAL_ORDERS, type OrderColumn, type OrdersForm } from './orders-reader.js';

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
