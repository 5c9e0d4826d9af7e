import { isAnnouncedDuplicate } from '../state/payment-state.js';
import { holdNeedsAttentionAt, reasonsOf } from '../state/attention.js';
import { holdsMoney } from '../state/money-held.js';
import { seenSinceCall, unseenUntil } from '../state/seen-time.js';
import type { FailureCode, OperationRecord, PaymentRecord, SessionRecord } from '../../store/schema.js';
import { WORTH, type Worth, worthOf } from './worth.js';
import type { Heard } from '../state/payment-update.js';
import { afterNotification, dropKnown, followNotifications } from './notified.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long the gateway is still asked about a payment that was closed unpaid: money may arrive late. */
export const FOLLOWED_AFTER_CLOSING = 7 * DAY;
/** When the gateway is asked about an issuer's decline, after it. */
const AFTER_A_DECLINE = [10 * MINUTE, DAY, 6 * DAY];
/** When the gateway is asked about a chargeback, after it: daily for a week, then weekly for 60 days. It may be won. */
const AFTER_A_CHARGEBACK = [1, 2, 3, 4, 5, 6, 7, 14, 21, 28, 35, 42, 49, 56, 60].map((days) => days * DAY);
/** When the gateway is asked about a payment of which a refund succeeded, after that: it may bounce. */
const AFTER_A_REFUND = [HOUR, DAY, 3 * DAY, 7 * DAY];
/** How long a hold is checked. No issuer keeps one longer. */
const FOLLOWED_WHILE_HELD = 90 * DAY;

/** Exponential backoff with full jitter: the n-th delay is drawn between `least` and `min(cap, base · 2ⁿ)`. */
interface Backoff {
  base: number;
  cap: number;
  least: number;
}

/** A check that comes so much too early is made: the schedule's clock is not exactly the store's. */
export const TOO_EARLY = 50;

/** The longest pause between two checks of an open payment. */
const LONGEST_OPEN_PAUSE = 5 * MINUTE;
/**
 * What is planned for later than this was planned by a clock that has been set back since, or before a notification came:
 * neither an open payment nor one that a notification is about ever waits so long.
 */
export const NEVER_PLANNED_FOR = 10 * MINUTE;
/** The worths of which that is true. Checks of the other one may wait for days. */
export const NEVER_LATE: readonly Worth[] = [WORTH.unknown, WORTH.notified, WORTH.waiting];

const OPEN: Backoff = { base: SECOND, cap: LONGEST_OPEN_PAUSE, least: 200 };
/** A void that was refused may be refused for days. No longer than this, for what kept the policy from it may be over at any time. */
const NOT_VOIDED: Backoff = { base: SECOND, cap: HOUR, least: 200 };
const WAITING: Backoff = { base: 8 * SECOND, cap: LONGEST_OPEN_PAUSE, least: 4 * SECOND };
const HELD: Backoff = { base: 20 * MINUTE, cap: 6 * HOUR, least: 10 * MINUTE };
const CLOSED: Backoff = { base: 2 * MINUTE, cap: 12 * HOUR, least: MINUTE };

/** Failures that the service concluded by itself. The gateway may still say otherwise. */
const OWN_DECISIONS: ReadonlySet<FailureCode> = new Set([
  'gateway_unavailable',
  'gateway_rejected',
  'gateway_credentials_rejected',
  'gateway_busy',
  'gateway_never_received',
]);

/** What the schedule needs of the configuration. */
export interface StatusCheckRules {
  /** Whether duplicates are voided. Then they are checked until they are. */
  voidDuplicates: boolean;
  /** How long the gateway must deny an operation before it counts as not received. */
  graceMs: number;
}

/** Whether something about the payment is still open that only the gateway can answer. */
export function isOpen(payment: PaymentRecord, openOperations: readonly OperationRecord[]): boolean {
  return (
    payment.status === 'processing' ||
    payment.status === 'requires_action' ||
    openOperations.some((operation) => operation.status === 'unknown')
  );
}

/** Whether a payment's status check is due, or planned for later than such a one ever is. */
export function isDue({ nextStatusCheckAt, statusCheckWorth }: PaymentRecord, now: number): boolean {
  if (nextStatusCheckAt === null) return false;
  if (nextStatusCheckAt <= now + TOO_EARLY) return true;
  const neverLate = NEVER_LATE.some((worth) => worth === statusCheckWorth);
  return neverLate && nextStatusCheckAt > now + NEVER_PLANNED_FOR;
}

/**
 * When the gateway is asked about a payment next, in milliseconds since the epoch; null: never again. `random` returns
 * a number in [0, 1).
 */
export function nextStatusCheckAt(
  payment: PaymentRecord,
  openOperations: readonly OperationRecord[],
  session: Pick<SessionRecord, 'expiresAt'>,
  now: number,
  random: () => number,
  rules: StatusCheckRules,
): number | null {
  const follows = earliest(
    nextAfterDecline(payment, now),
    nextAfterChargeback(payment, now),
    nextAfterRefund(payment, now),
  );
  const backoff = backoffOf(payment, openOperations, now, rules.voidDuplicates);
  if (!backoff) return follows;
  let at = now + Math.round(delay(backoff, payment.statusCheckCount, random));
  if (follows !== null) at = Math.min(at, follows);
  // A check that can decide is due as soon as it can, without waiting for the backoff.
  for (const moment of decisiveMoments(payment, openOperations, session, now, rules)) {
    const due = moment + SECOND / 2;
    if (now < due) at = Math.min(at, due + Math.round(random() * SECOND));
  }
  return at;
}

/** When the gateway is asked about an issuer's decline next; null where it was none, or long ago. */
function nextAfterDecline({ status, failure, closedAt }: PaymentRecord, now: number): number | null {
  if (status !== 'failed' || failure?.code !== 'declined') return null;
  return AFTER_A_DECLINE.map((after) => (closedAt ?? now) + after).find((at) => at > now) ?? null;
}

/** When the gateway is asked about a chargeback next; null where there is none, or it was long ago. */
function nextAfterChargeback({ disputed, disputedAt }: PaymentRecord, now: number): number | null {
  if (!disputed || disputedAt === null) return null;
  return AFTER_A_CHARGEBACK.map((after) => disputedAt + after).find((at) => at > now) ?? null;
}

/** When the gateway is asked about a payment next of which a refund succeeded; null where none has, or long ago. */
function nextAfterRefund({ status, refundedAt }: PaymentRecord, now: number): number | null {
  if (status !== 'succeeded' || refundedAt === null) return null;
  return AFTER_A_REFUND.map((after) => refundedAt + after).find((at) => at > now) ?? null;
}

function earliest(...times: (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function decisiveMoments(
  payment: PaymentRecord,
  openOperations: readonly OperationRecord[],
  session: Pick<SessionRecord, 'expiresAt'>,
  now: number,
  { graceMs }: StatusCheckRules,
): number[] {
  // From this moment, an answer "not known" or "unchanged" counts.
  const graces = openOperations
    .filter(({ status }) => status === 'unknown')
    .map((operation) => now + graceMs - seenSinceCall(payment, operation));
  const hold = holdNeedsAttentionAt(payment);
  if (hold !== undefined) graces.push(hold);
  const waits = payment.status === 'processing' || payment.status === 'requires_action';
  if (!waits) return graces;
  const end = Math.max(session.expiresAt, payment.gatewayExpiresAt ?? 0);
  return [...graces, Math.max(end, now + Math.ceil(unseenUntil(end, payment)))];
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
      if (!payment.failure || !OWN_DECISIONS.has(payment.failure.code)) return resolved(payment, now);
      return closed(payment, now) ?? resolved(payment, now);
    case 'canceled':
    case 'expired':
      return closed(payment, now) ?? resolved(payment, now);
    case 'succeeded':
      if (voidDuplicates && isToBeVoided(payment) && closed(payment, now)) {
        return payment.needsAttention ? NOT_VOIDED : OPEN;
      }
      return resolved(payment, now);
    case 'voided':
      return resolved(payment, now);
  }
}

/** Whether the policy may yet void the payment. Where it could not, it tries again: what was on its way may be settled. */
function isToBeVoided(payment: PaymentRecord): boolean {
  const waits = reasonsOf(payment).every((reason) => reason === 'duplicate_not_voided');
  return payment.duplicateOf !== null && waits && holdsMoney(payment) && !isAnnouncedDuplicate(payment);
}

/** A person's word is followed too, whatever it was: the gateway may contradict it. */
function resolved({ resolvedAt }: PaymentRecord, now: number): Backoff | undefined {
  return resolvedAt !== null && now - resolvedAt < FOLLOWED_AFTER_CLOSING ? CLOSED : undefined;
}

function closed(payment: PaymentRecord, now: number): Backoff | undefined {
  return now - (payment.closedAt ?? now) < FOLLOWED_AFTER_CLOSING ? CLOSED : undefined;
}

function delay({ base, cap, least }: Backoff, count: number, random: () => number): number {
  // The first check has no jitter: a payer is waiting for it.
  if (count === 0) return Math.max(base, least);
  const most = Math.min(cap, base * 2 ** Math.min(count, 30));
  return least + random() * (most - least);
}

/** What happened to a payment, as far as its schedule is concerned. */
export interface News {
  /** Its status or its unknown operation is another one. */
  changed: boolean;
  /** The gateway's answer was conclusive. */
  conclusive?: boolean;
  /** The schedule asked, so its next pause is longer. */
  scheduled?: boolean;
  heard?: Heard;
  /** The backoff begins anew. */
  restart?: boolean;
  checkNow?: boolean;
  /** The next check is made at the latest after so many milliseconds. */
  againInMs?: number;
}

type Schedule = Pick<
  PaymentRecord,
  | 'openSince'
  | 'statusCheckCount'
  | 'notificationChecks'
  | 'notificationClaims'
  | 'statusCheckWorth'
  | 'nextStatusCheckAt'
>;

/** How a payment is followed after something happened to it. Pure; `random` returns a number in [0, 1). */
export function scheduled(
  rows: {
    payment: PaymentRecord;
    operations: readonly OperationRecord[];
    session: Pick<SessionRecord, 'expiresAt'>;
  },
  news: News,
  { now, random, rules }: { now: number; random: () => number; rules: StatusCheckRules },
): Schedule {
  const { operations, session } = rows;
  const payment = { ...rows.payment };
  // A status check that somebody asked for does not lengthen the schedule's next pause.
  if (news.changed || news.checkNow || news.restart) payment.statusCheckCount = 0;
  else if (news.scheduled) payment.statusCheckCount += 1;
  if (!isOpen(payment, operations)) payment.openSince = null;
  else if (news.conclusive || payment.openSince === null) payment.openSince = now;
  if (news.heard) Object.assign(payment, followNotifications(payment, news.heard));
  Object.assign(payment, dropKnown(payment));
  const own = nextStatusCheckAt(payment, operations, session, now, random, rules);
  const wait = afterNotification(payment, news.heard, random);
  const waits = [wait, news.againInMs].filter((milliseconds) => milliseconds !== undefined);
  const planned = waits.length === 0 ? own : Math.min(now + Math.min(...waits), own ?? Infinity);
  return {
    openSince: payment.openSince,
    statusCheckCount: payment.statusCheckCount,
    notificationChecks: payment.notificationChecks,
    notificationClaims: payment.notificationClaims,
    statusCheckWorth: worthOf(payment, operations),
    nextStatusCheckAt: news.checkNow ? now : planned,
  };
}
