import type { Key, Operation, Order, Payment, Session, TimelineEntry } from '../payments/core/payment.js';
import { openOperation } from '../payments/core/payment.js';

/**
 * Documents as JSON text. Amounts are decimal strings of minor units. What is null, false, zero or empty is left out, because every
 * payment has twenty such fields. Columns derive from some fields that only the text has: see `schema.ts`.
 */

/** A value as JSON has it: each bigint as text, any field perhaps left out. */
type Json<T> = T extends bigint
  ? string
  : T extends readonly (infer E)[]
    ? Json<E>[]
    : T extends object
      ? { [K in keyof T]: undefined extends T[K] ? Json<T[K]> : T[K] extends bigint ? string : Json<T[K]> }
      : T;
type Lean<T> = { [K in keyof T]?: Json<T[K]> | undefined };

/** What only the text has. */
interface PaymentExtras {
  /** The open operation. */
  open?: Pick<Operation, 'type' | 'state' | 'process' | 'since'> | undefined;
  /** The reasons for attention, with commas between. */
  reasons?: string | undefined;
}

interface OrderExtras {
  /** When the first of its sessions ended that still has personal data. */
  endedAt?: number | undefined;
}

const BLANK_PAYMENT = {
  transactionRef: null,
  authorized: null,
  captured: 0n,
  corrected: 0n,
  refunded: 0n,
  disputedAmount: 0n,
  reversed: 0n,
  disputed: false,
  nextAction: null,
  duplicateOf: null,
  voidTried: false,
  failure: null,
  card: null,
  answeredAt: null,
  waited: false,
  gatewayExpiresAt: null,
  adopted: false,
  paidAt: null,
} satisfies Partial<Payment>;

export function encodePayment(payment: Payment): string {
  const open = openOperation(payment);
  const lean: Lean<Payment> & PaymentExtras = {
    ...payment,
    transactionRef: payment.transactionRef ?? undefined,
    amount: String(payment.amount),
    authorized: payment.authorized === null ? undefined : String(payment.authorized),
    captured: money(payment.captured),
    corrected: money(payment.corrected),
    refunded: money(payment.refunded),
    disputedAmount: money(payment.disputedAmount),
    reversed: money(payment.reversed),
    disputed: payment.disputed || undefined,
    nextAction: payment.nextAction ?? undefined,
    operations: list(payment.operations.map(encodeOperation)),
    duplicateOf: payment.duplicateOf ?? undefined,
    voidTried: payment.voidTried || undefined,
    attention: list(payment.attention),
    resolvedWords: list(payment.resolvedWords),
    failure: payment.failure ?? undefined,
    card: payment.card ?? undefined,
    metadata: members(payment.metadata),
    kept: members(payment.kept),
    answeredAt: payment.answeredAt ?? undefined,
    waited: payment.waited || undefined,
    denials: payment.denials.count === 0 ? undefined : payment.denials,
    gatewayExpiresAt: payment.gatewayExpiresAt ?? undefined,
    timeline: list(payment.timeline),
    adopted: payment.adopted || undefined,
    paidAt: payment.paidAt ?? undefined,
    open: open && { type: open.type, state: open.state, process: open.process, since: open.since },
    reasons: payment.attention.length === 0 ? undefined : payment.attention.map((a) => a.reason).join(','),
  };
  return text(lean);
}

export function decodePayment(json: string): Payment {
  // The column's text is always one of `encodePayment`.
  const { open: _open, reasons: _reasons, ...lean } = JSON.parse(json) as Json<Payment> & PaymentExtras;
  return {
    ...BLANK_PAYMENT,
    ...lean,
    amount: BigInt(lean.amount),
    authorized: lean.authorized == null ? null : BigInt(lean.authorized),
    captured: amount(lean.captured),
    corrected: amount(lean.corrected),
    refunded: amount(lean.refunded),
    disputedAmount: amount(lean.disputedAmount),
    reversed: amount(lean.reversed),
    operations: elements(lean.operations).map(decodeOperation),
    attention: elements(lean.attention),
    resolvedWords: elements(lean.resolvedWords),
    metadata: present(lean.metadata),
    kept: present(lean.kept),
    denials: withDefault(lean.denials, { count: 0, last: 0 }),
    timeline: elements<TimelineEntry>(lean.timeline),
  };
}

export function encodeOrder(order: Order): string {
  const lean: Lean<Order> & OrderExtras = {
    ...order,
    live: order.live ?? undefined,
    payer: order.payer ?? undefined,
    duplicates: list(order.duplicates),
    sessions: order.sessions.map(encodeSession),
    keys: list(order.keys),
    probed: order.probed ?? undefined,
    dueAt: order.dueAt ?? undefined,
    endedAt: firstEnd(order.sessions),
  };
  return text(lean);
}

export function decodeOrder(json: string): Order {
  const { endedAt: _endedAt, ...lean } = JSON.parse(json) as Json<Order> & OrderExtras;
  return {
    ...lean,
    live: lean.live ?? null,
    payer: lean.payer ?? null,
    duplicates: elements(lean.duplicates),
    sessions: lean.sessions.map(decodeSession),
    keys: elements<Key>(lean.keys),
    probed: lean.probed ?? null,
    dueAt: lean.dueAt ?? null,
  };
}

function encodeSession(session: Session): Json<Session> {
  return { ...session, amount: String(session.amount) };
}

function decodeSession(session: Json<Session>): Session {
  return { ...session, amount: BigInt(session.amount) };
}

function encodeOperation(operation: Operation): Json<Operation> {
  const { amount: asked, ...rest } = operation;
  return asked === undefined ? rest : { ...rest, amount: String(asked) };
}

function decodeOperation(operation: Json<Operation>): Operation {
  const { amount: asked, ...rest } = operation;
  return asked === undefined ? rest : { ...rest, amount: BigInt(asked) };
}

/** When the first session ended that retention has not yet erased. */
function firstEnd(sessions: readonly Session[]): number | undefined {
  let first: number | undefined;
  for (const { endedAt, redactedAt } of sessions)
    if (endedAt !== null && redactedAt === null && (first === undefined || endedAt < first)) first = endedAt;
  return first;
}

const money = (value: bigint): string | undefined => (value === 0n ? undefined : String(value));
const amount = (value: string | undefined): bigint => (value === undefined ? 0n : BigInt(value));
const withDefault = <T>(value: T | undefined, missing: T): T => value ?? missing;
const list = <T>(values: T[]): T[] | undefined => (values.length === 0 ? undefined : values);
const elements = <T>(values: T[] | undefined): T[] => values ?? [];
const present = (value: Record<string, string> | undefined): Record<string, string> => value ?? {};

function members(value: Record<string, string>): Record<string, string> | undefined {
  for (const name in value) if (Object.hasOwn(value, name)) return value;
  return undefined;
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
