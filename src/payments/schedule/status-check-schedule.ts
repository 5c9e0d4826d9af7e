import type { FailureCode, OperationRecord, PaymentRecord, SessionRecord } from '../../store/schema.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long a payment that was closed without money is still asked about: money may yet move. */
const FOLLOWED_AFTER_CLOSING = 7 * DAY;
/** How long a hold is followed: issuers let none live longer. */
const FOLLOWED_WHILE_HELD = 90 * DAY;
/** After so long without a conclusive answer a person must look. */
export const ATTENTION_AFTER = 72 * HOUR;

/** Exponential backoff with full jitter: the n-th delay is drawn between `least` and `min(cap, base · 2ⁿ)`. */
interface Backoff {
  base: number;
  cap: number;
  least: number;
}

/** Whatever is open is asked about at least so often. */
export const LONGEST_OPEN_PAUSE = 5 * MINUTE;

const OPEN: Backoff = { base: SECOND, cap: LONGEST_OPEN_PAUSE, least: 200 };
const WAITING: Backoff = { base: 8 * SECOND, cap: LONGEST_OPEN_PAUSE, least: 4 * SECOND };
const HELD: Backoff = { base: 20 * MINUTE, cap: 6 * HOUR, least: 10 * MINUTE };
const CLOSED: Backoff = { base: 2 * MINUTE, cap: 12 * HOUR, least: MINUTE };

/** Failures that are our own decision, not the gateway's word: the gateway may yet say otherwise. */
const OWN_DECISIONS: ReadonlySet<FailureCode> = new Set([
  'gateway_unavailable',
  'gateway_rejected',
  'gateway_credentials_rejected',
  'gateway_busy',
  'gateway_never_received',
]);

/** What of the configuration the schedule depends on. */
export interface StatusCheckRules {
  /** A duplicate that is to be voided is asked about until it is. */
  voidDuplicates: boolean;
  /** How long answers must say the same before an operation that nobody knows counts as not received. */
  graceMs: number;
}

/** Whether something about the payment is open that only the gateway can tell. */
export function isOpen(payment: PaymentRecord, openOperations: readonly OperationRecord[]): boolean {
  return (
    payment.status === 'processing' ||
    payment.status === 'requires_action' ||
    openOperations.some((operation) => operation.status === 'unknown')
  );
}

/**
 * When the gateway is to be asked about a payment next, in milliseconds since the epoch; null: not any more.
 * `random` draws from [0, 1).
 */
export function nextStatusCheckAt(
  payment: PaymentRecord,
  openOperations: readonly OperationRecord[],
  session: Pick<SessionRecord, 'expiresAt'>,
  now: number,
  random: () => number,
  rules: StatusCheckRules,
): number | null {
  const backoff = backoffOf(payment, openOperations, now, rules.voidDuplicates);
  if (!backoff) return null;
  let at = now + Math.round(delay(backoff, payment.statusCheckCount, random));
  // The answer that decides is due right after the moment from which it may, not at the backoff's leisure.
  for (const moment of decisiveMoments(payment, openOperations, session, rules)) {
    const due = moment + SECOND / 2;
    if (now < due) at = Math.min(at, due + Math.round(random() * SECOND));
  }
  return at;
}

function decisiveMoments(
  payment: PaymentRecord,
  openOperations: readonly OperationRecord[],
  session: Pick<SessionRecord, 'expiresAt'>,
  { graceMs }: StatusCheckRules,
): number[] {
  // From here on the word that it is not known, or stands as before, counts.
  const graces = openOperations
    .filter(({ status }) => status === 'unknown')
    .map(({ createdAt }) => createdAt + graceMs);
  const waits = payment.status === 'processing' || payment.status === 'requires_action';
  return waits ? [...graces, Math.max(session.expiresAt, payment.gatewayExpiresAt ?? 0)] : graces;
}

function backoffOf(
  payment: PaymentRecord,
  openOperations: readonly OperationRecord[],
  now: number,
  voidDuplicates: boolean,
): Backoff | undefined {
  if (openOperations.some((operation) => operation.status === 'unknown')) return OPEN;
  switch (payment.status) {
    case 'processing':
      return OPEN;
    case 'requires_action':
      return WAITING;
    case 'authorized':
      return now - payment.createdAt < FOLLOWED_WHILE_HELD ? HELD : undefined;
    case 'failed':
      return payment.failure && OWN_DECISIONS.has(payment.failure.code) ? closed(payment, now) : undefined;
    case 'canceled':
    case 'expired':
      return closed(payment, now);
    case 'succeeded':
      if (!voidDuplicates || payment.duplicateOf === null || payment.needsAttention) return undefined;
      return closed(payment, now) && OPEN;
    case 'voided':
      return undefined;
  }
}

function closed(payment: PaymentRecord, now: number): Backoff | undefined {
  return now - (payment.closedAt ?? now) < FOLLOWED_AFTER_CLOSING ? CLOSED : undefined;
}

function delay({ base, cap, least }: Backoff, count: number, random: () => number): number {
  // The first question is not drawn: a payer waits for it.
  if (count === 0) return Math.max(base, least);
  const most = Math.min(cap, base * 2 ** Math.min(count, 30));
  return least + random() * (most - least);
}
