import {
  blankPayment,
  openOperation,
  type Operation,
  type Order,
  type Payment,
  type Session,
} from '../payments/core/payment.js';

/**
 * Documents as JSON text. Amounts are decimal strings of minor units. What is null, false, zero or empty is left out, because every
 * payment has twenty such fields. Columns derive from some fields that only the text has: see `schema.ts`.
 */

type MoneyOf<T> = { [K in keyof T]-?: bigint extends T[K] ? K : never }[keyof T];

/** All amounts of a payment: the compiler knows where one is missing here. */
const MONEY: Readonly<Record<MoneyOf<Payment>, true>> = {
  ...{ amount: true, authorized: true, captured: true, corrected: true, refunded: true },
  ...{ disputedAmount: true, reversed: true },
};
const AMOUNTS = Object.keys(MONEY) as MoneyOf<Payment>[];

const blankOrder = () => ({ live: null, payer: null, duplicates: [], keys: [], probed: null, dueAt: null });

/** What a session has of which nothing is known; a stored text leaves these out. */
const blankSession = () => ({
  ...{ closedReason: null, returnUrl: null, locale: null, endedAt: null, emailHash: null, redactedAt: null },
  ...{ payer: {}, billing: {}, methods: [], metadata: {} },
});

type Json<T> = { [K in keyof T]: bigint extends T[K] ? string : T[K] };

export function encodePayment(payment: Payment): string {
  const open = openOperation(payment);
  return text({
    ...lean(payment),
    ...(payment.operations.length > 0 && { operations: payment.operations.map(lean) }),
    // The open operation's state, and the reasons for attention.
    ...(open && { open: open.state }),
    ...(payment.attention.length > 0 && { reasons: payment.attention.map(({ reason }) => reason).join(',') }),
  });
}

export function decodePayment(json: string): Payment {
  // The column's text is always one of `encodePayment`.
  const {
    open: _open,
    reasons: _reasons,
    ...fields
  } = JSON.parse(json) as Payment & Record<'open' | 'reasons', unknown>;
  const payment: Payment = { ...blankPayment(), ...fields };
  const operations: (Operation | Json<Operation>)[] = payment.operations;
  payment.operations = operations.map((operation) =>
    operation.amount === undefined
      ? (operation as Operation)
      : { ...operation, amount: BigInt(operation.amount) },
  );
  for (const name of AMOUNTS) {
    const amount: bigint | string | null = payment[name];
    if (amount !== null) payment[name] = BigInt(amount);
  }
  return payment;
}

export function encodeOrder(order: Order): string {
  // When the first of its sessions ended that still has personal data; 0 where a redaction is not finished.
  const ends = order.sessions.flatMap(({ endedAt, redactedAt, leftToErase }) =>
    leftToErase ? [0] : endedAt === null || redactedAt !== null ? [] : [endedAt],
  );
  return text({
    ...lean(order),
    sessions: order.sessions.map(lean),
    ...(order.keys.length > 0 && { keys: order.keys.map(lean) }),
    ...(ends.length > 0 && { endedAt: Math.min(...ends) }),
  });
}

export function decodeOrder(json: string): Order {
  const { endedAt: _endedAt, ...fields } = JSON.parse(json) as Order & { endedAt?: number };
  const sessions: (Session | Json<Session>)[] = fields.sessions;
  return {
    ...blankOrder(),
    ...fields,
    sessions: sessions.map((session) => ({
      ...blankSession(),
      ...(session as Session),
      amount: BigInt(session.amount),
    })),
  };
}

/** Without what is null, false or empty, and with amounts as texts. */
function lean(document: object): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name in document) {
    const value = (document as Record<string, unknown>)[name];
    if (typeof value === 'bigint') {
      if (value !== 0n || name === 'amount') fields[name] = String(value);
    } else if (value !== null && value !== false && !isEmpty(value)) fields[name] = value;
  }
  return fields;
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  for (const name in value) if (Object.hasOwn(value, name)) return false;
  return true;
}

/** PostgreSQL takes neither of these as JSON: the character zero, and half of a pair of UTF-16. */
const IMPOSSIBLE = /\\u(?:0000|d[89a-f])/;

/** As JSON. Only a text that PostgreSQL could not take is looked through. */
function text(value: object): string {
  const json = JSON.stringify(value);
  if (!IMPOSSIBLE.test(json)) return json;
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed().replaceAll('\0', '') : member,
  );
}
