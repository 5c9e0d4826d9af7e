import type { Input } from '../context.ts';
import type { Dialect } from './dialect.ts';
import type { FieldKind } from './field-kind.ts';
import { FIELDS, whyNot } from './fields.ts';
import type { Order } from '../ledger/order-book.ts';
import { readMajor } from '../ledger/money.ts';
import { isDescribed, type Operation } from './operations.ts';
import { leaves, readPointer } from './pointer.ts';

/** A number of a JSON body with the digits that it was written in: `1500.00` is not `1500`. */
export class NumberText {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** One parsed call: its valid fields, and everything that is wrong with it. */
export interface ReadRequest {
  input: Input;
  /** Values by the seed's field names. */
  values: Record<string, unknown>;
  problems: string[];
  /** Pointers of members that are not fields of the operation. */
  unexpected: string[];
}

/** Reads a request in a dialect. `path` holds the values from its address (`client_ref`), `order` what an earlier call has said. */
export function readRequest(
  dialect: Dialect,
  operation: Operation,
  body: unknown,
  path: Readonly<Record<string, string>>,
  order: Order = {},
): ReadRequest {
  const route = dialect.routes[operation];
  const expected: Record<string, FieldKind> =
    route?.fields ?? (isDescribed(operation) ? FIELDS[operation] : {});
  const values: Record<string, unknown> = {};
  const known = new Set(Object.keys(route?.constants ?? {}));
  for (const field of Object.keys(expected)) {
    const place = route?.places?.[field] ?? dialect.place(field);
    known.add(place);
    const value = path[field] ?? readPointer(body, place);
    if (value !== undefined) values[field] = value;
  }
  for (const [field, value] of Object.entries({ ...order, ...path })) values[field] ??= value;
  const problems = Object.entries(expected).flatMap(([field, kind]) => {
    const why = whyNot(kind, values[field], dialect);
    return why === undefined ? [] : [`${field} ${why}`];
  });
  for (const [pointer, value] of Object.entries(route?.constants ?? {}))
    if (readPointer(body, pointer) !== value) problems.push(`${pointer} must be ${JSON.stringify(value)}`);

  const minor = (currency: string): bigint => readAmount(dialect, values.amount, currency) ?? 0n;
  if ('amount' in expected && !isAmount(dialect, values))
    problems.push(`amount must be ${AMOUNTS[dialect.amountIn]}`);
  return {
    input: {
      minor,
      value: (field) => values[field],
      text: (field) => {
        const value = values[field];
        return typeof value === 'string' ? value : '';
      },
    },
    values,
    problems,
    unexpected: body === undefined ? [] : leaves(body).filter((pointer) => !known.has(pointer)),
  };
}

const AMOUNTS: Record<Dialect['amountIn'], string> = {
  major: 'a decimal string with all minor digits',
  minor: 'a whole number of minor units',
  'major-number': 'a number with all minor digits',
};

function readAmount(dialect: Dialect, amount: unknown, currency: string): bigint | undefined {
  if (dialect.amountIn === 'major-number')
    return amount instanceof NumberText ? readMajor(amount.digits, currency) : undefined;
  if (dialect.amountIn === 'major')
    return typeof amount === 'string' ? readMajor(amount, currency) : undefined;
  return typeof amount === 'number' && Number.isSafeInteger(amount) && amount > 0
    ? BigInt(amount)
    : undefined;
}

/** A completion names no currency, so only the form of its amount can be checked before its transaction is known. */
function isAmount(dialect: Dialect, { amount, currency }: Record<string, unknown>): boolean {
  if (typeof currency === 'string') return readAmount(dialect, amount, currency) !== undefined;
  return ['NGN', 'JPY', 'KWD', 'CLF'].some((example) => readAmount(dialect, amount, example) !== undefined);
}
