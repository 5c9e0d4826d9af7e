import type { Rules } from './input.js';
import { holdsMoney, openOperation, type Check, type Payment } from './payment.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Urgent queries, after which the background takes over. */
const URGENT = [1 * SECOND, 2 * SECOND, 4 * SECOND, 8 * SECOND];
/** How long a process that sends may be silent before others take it for dead. */
export const ORPHAN_MS = 10 * SECOND;
/** How much more slowly a payer who must act is asked about. */
const WAITING_FACTOR = 3;

const AFTER_FAILURE = [10 * MINUTE, 1 * DAY, 6 * DAY];
/** Payments that we closed ourselves. */
const AFTER_CLOSING = [
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  4 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  4 * DAY,
  7 * DAY,
];
const AFTER_REFUND = [1 * HOUR, 1 * DAY, 3 * DAY, 7 * DAY];
const DISPUTED = [1, 2, 3, 4, 5, 6, 7, 14, 21, 28, 35, 42, 49, 56, 60].map((days) => days * DAY);

/** What is known of a payment that decides when it is asked about: a change of it begins the schedule anew. */
export function checkKind(payment: Payment): string {
  const open = openOperation(payment);
  const refunds = payment.operations.filter(
    ({ type, state }) => type === 'refund' && state === 'confirmed',
  ).length;
  return [payment.status, open?.id, open?.state, payment.disputed, refunds].join(' ');
}

/** A schedule that begins now. */
export function newCheck(payment: Payment, now: number, rules: Rules): Check {
  const urgent = openOperation(payment) !== undefined || isToBeVoided(payment, rules);
  return next(payment, { at: null, attempts: 0, urgent, since: now }, now, rules);
}

/** The schedule after one more query. */
export function checkedOnce(payment: Payment, now: number, rules: Rules): Check {
  return next(payment, { ...payment.check, attempts: payment.check.attempts + 1 }, now, rules);
}

/** Asked once, at once; then its schedule goes on. */
export function checkNow(check: Check, now: number): Check {
  const attempts = check.urgent ? check.attempts : Math.max(check.attempts, URGENT.length);
  return { ...check, at: now, urgent: true, attempts };
}

function next(payment: Payment, check: Check, now: number, rules: Rules): Check {
  const open = openOperation(payment);
  if (open?.state === 'intended') return { ...check, at: now + ORPHAN_MS, urgent: true };
  const soon = check.urgent ? URGENT[check.attempts] : undefined;
  if (soon !== undefined) return { ...check, at: now + soon };
  return { ...check, urgent: false, at: background(payment, check, now, rules) };
}

function background(payment: Payment, check: Check, now: number, rules: Rules): number | null {
  const open = openOperation(payment);
  if (open || payment.status === 'processing' || payment.status === 'requires_action') {
    const factor = payment.status === 'requires_action' && !open ? WAITING_FACTOR : 1;
    const most = now - check.since < HOUR ? MINUTE : 5 * MINUTE;
    const usual = now + factor * Math.min(most, 2 * SECOND * 2 ** Math.min(check.attempts, 10));
    const due = nextDenial(payment, rules);
    return due > now ? Math.min(usual, due) : usual;
  }
  if (payment.status === 'authorized') return now + DAY;
  if (payment.status === 'succeeded') {
    if (isToBeVoided(payment, rules)) return now - check.since < DAY ? now + 5 * MINUTE : null;
    if (payment.disputed) return later(DISPUTED, check.since, now);
    const refunded = payment.operations.filter(
      ({ type, state }) => type === 'refund' && state === 'confirmed',
    );
    const last = Math.max(...refunded.map(({ endedAt }) => endedAt ?? 0));
    return rules.has.refundStatus && refunded.length > 0 ? later(AFTER_REFUND, last, now) : null;
  }
  if (payment.status === 'voided') return null;
  const ours = ['canceled', 'gateway_never_received', 'resolved', 'expired'].includes(
    payment.failure?.code ?? '',
  );
  return later(ours ? AFTER_CLOSING : AFTER_FAILURE, check.since, now);
}

/** A duplicate that `DUPLICATE_POLICY` voids once the payment that pays is known to be paid still. */
export function isToBeVoided(payment: Payment, rules: Rules): boolean {
  const { duplicateOf, voidTried, status } = payment;
  const wanted = rules.duplicatePolicy === 'void' && rules.has.void && duplicateOf !== null && !voidTried;
  return wanted && status === 'succeeded' && holdsMoney(payment) && !openOperation(payment);
}

/** When the next explicit denial of a payment counts about which no trustworthy answer ever came (P4). */
function nextDenial({ status, answeredAt, denials, createdAt }: Payment, rules: Rules): number {
  if (status !== 'processing' || answeredAt !== null) return Infinity;
  return (denials.count === 0 ? createdAt : denials.last) + Math.ceil(rules.notFoundGraceMs / 3);
}

/** The first of these times after the beginning that is still to come. */
function later(delays: readonly number[], since: number, now: number): number | null {
  const delay = delays.find((one) => since + one > now);
  return delay === undefined ? null : since + delay;
}
