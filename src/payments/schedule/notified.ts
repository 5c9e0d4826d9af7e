import type { GatewayMeaning } from '../../gateway/gateway-result.js';
import type { PaymentRecord } from '../../store/schema.js';
import { type Heard, REPORTED } from '../state/payment-update.js';
import { WORTH } from './worth.js';
import { moneyHeld } from '../state/money-held.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * The pauses between the checks that follow a notification. The first check is made at once, the others about 2, 10 and
 * 60 s and 10 min after it.
 */
const PAUSES = [2 * SECOND, 8 * SECOND, 50 * SECOND, 9 * MINUTE];
/** While the gateway cannot be asked, the pauses double up to this. */
const LONGEST_PAUSE = 5 * MINUTE;
/** A check without an answer does not count, but not for longer than about three days. */
const MOST_CHECKS = 1_000;
/** Notifications about one payment within this time share one check. */
const GATHER_MS = 100;

/** What a notification claims: a meaning of the profile, or that it has none that can be read. */
export type NotificationClaim = GatewayMeaning | 'unreadable' | typeof REPORTED;

type Followed = Pick<PaymentRecord, 'notificationChecks' | 'notificationClaims'>;

const OVER: Followed = { notificationChecks: null, notificationClaims: null };

/** Notifications that say again what is followed already do not begin it anew; the next check is made within this time. */
const REPEATED_MS = 10 * SECOND;
/** A notification that tells nothing new causes no check where the gateway was heard of the payment within this time. */
const JUST_HEARD_MS = 10 * MINUTE;

/** What came about a payment. */
export interface Notice {
  claims: readonly NotificationClaim[];
  /** Whether all of it came before, word for word, and was followed up. */
  repeated?: boolean;
}

/**
 * A payment about which notifications came; undefined where nothing is to be done about them. A notification costs what it
 * can change:
 *
 * - About a payment that is open it is asked about at once, and its backoff begins anew. If a check is under way, another
 *   one follows it, because the gateway may have answered that one before it sent the notification.
 * - One that contradicts what is recorded is followed in the same way. One more with the same claim does not begin that
 *   anew, and one that is repeated after it is over is a single check.
 * - One that tells nothing new is a single check of the lowest worth, or none where the gateway's word is young.
 *
 * Pure.
 */
export function notified(
  payment: PaymentRecord,
  { claims, repeated = false }: Notice,
  underWay: boolean,
  now: number,
): PaymentRecord | undefined {
  const known = payment.notificationClaims ?? [];
  const isFollowed = payment.notificationChecks !== null;
  if (claims.every((claim) => isKnown(claim, payment))) {
    const heardAgo = now - (payment.answeredAt ?? 0);
    if (isFollowed || repeated || heardAgo < JUST_HEARD_MS) return undefined;
    return planned(payment, now);
  }
  const isOpen = payment.status === 'processing' || payment.status === 'requires_action';
  if (isFollowed && !isOpen && claims.every((claim) => claim !== REPORTED && known.includes(claim))) {
    return underWay ? undefined : planned(payment, now + REPEATED_MS);
  }
  const first = repeated && !isOpen ? PAUSES.length : 0;
  return {
    ...payment,
    notificationChecks: underWay ? -1 : first,
    notificationClaims: [...new Set([...known, ...claims])].sort(),
    statusCheckCount: 0,
    statusCheckWorth: WORTH.notified,
    // Who holds the lease plans the next check when it is given back. If that process dies, the check is due at its end.
    nextStatusCheckAt: underWay ? payment.leaseUntil : now + GATHER_MS,
    version: payment.version + 1,
  };
}

/** The payment with a check at this time, where none is planned before it. */
function planned(payment: PaymentRecord, at: number): PaymentRecord | undefined {
  const { nextStatusCheckAt, version } = payment;
  if (nextStatusCheckAt !== null && nextStatusCheckAt <= at) return undefined;
  return { ...payment, nextStatusCheckAt: at, version: version + 1 };
}

/**
 * The following of notifications after a status query: over where the answer agrees with all that they claim, or the
 * checks are spent. Pure.
 */
export function followNotifications(payment: PaymentRecord, heard: Heard): Followed {
  const { notificationChecks: checks, notificationClaims: claims, statusCheckCount } = payment;
  if (checks === null) return OVER;
  // A notification came while the query was under way.
  if (checks < 0) return { notificationChecks: 0, notificationClaims: claims };
  const { meaning, scheduled } = heard;
  const agrees =
    meaning !== undefined && (claims ?? []).every((claim) => claim === REPORTED || reaches(meaning, claim));
  const asked = scheduled && meaning !== undefined ? checks + 1 : checks;
  if (agrees || asked > PAUSES.length || statusCheckCount >= MOST_CHECKS) return OVER;
  return { notificationChecks: asked, notificationClaims: claims };
}

/**
 * The following of notifications after whatever happened to the payment: over where what is recorded now is all that they
 * claim, as where the answer to its call came after them. What a report claims is always asked about. Pure.
 */
export function dropKnown(payment: PaymentRecord): Followed {
  const { notificationChecks, notificationClaims } = payment;
  if (notificationClaims?.every((claim) => isKnown(claim, payment))) return OVER;
  return { notificationChecks, notificationClaims };
}

/**
 * How long until the next check that follows a notification, in milliseconds; undefined where none is followed.
 *
 * @param heard what came of the last status query, where one was just made. `random` returns a number in [0, 1).
 */
export function afterNotification(
  payment: Pick<PaymentRecord, 'notificationChecks' | 'statusCheckCount'>,
  heard: Heard | undefined,
  random: () => number,
): number | undefined {
  const { notificationChecks: checks, statusCheckCount } = payment;
  if (checks === null) return undefined;
  if (heard && heard.meaning === undefined) {
    const most = Math.min(LONGEST_PAUSE, SECOND * 2 ** Math.min(statusCheckCount, 30));
    return Math.round(most / 2 + (random() * most) / 2);
  }
  // Repeats within a second are one question.
  if (checks <= 0) return heard ? SECOND : 0;
  return PAUSES[checks - 1] ?? 0;
}

const UNPAID: readonly string[] = ['failed', 'expired'] satisfies GatewayMeaning[];
const WAITING: readonly string[] = [
  'processing',
  'otp',
  'pin',
  'redirect',
  'unsupported',
] satisfies GatewayMeaning[];

/** How far a payment has come by each meaning. What is further follows what is less far, never the other way round. */
const STAGE: Readonly<Partial<Record<string, number>>> = {
  ...Object.fromEntries(WAITING.map((meaning) => [meaning, 0])),
  failed: 1,
  expired: 1,
  authorized: 1,
  succeeded: 2,
  partiallyRefunded: 3,
  voided: 4,
  refunded: 4,
  chargedBack: 4,
  disputeWon: 5,
} satisfies Partial<Record<GatewayMeaning, number>>;

/**
 * Whether a meaning is what a notification claims, or what comes after it: then the gateway's answer is not older than the
 * notification. Claims that cannot be read are never reached. Pure.
 */
function reaches(meaning: GatewayMeaning, claim: string): boolean {
  if (claim === meaning) return true;
  if (UNPAID.includes(claim)) return UNPAID.includes(meaning);
  if (WAITING.includes(claim) && WAITING.includes(meaning)) return true;
  const [from, to] = [STAGE[claim], STAGE[meaning]];
  return from !== undefined && to !== undefined && from < to;
}

/**
 * Whether a notification with this claim would tell nothing that is not recorded: the payment is decided, by the gateway's
 * own word where the claim is an earlier state of it, and nothing about it is open or doubtful. Pure.
 */
function isKnown(claim: string, payment: PaymentRecord): boolean {
  const { status, failure, pendingOperation, needsAttention, resolvedAt } = payment;
  if (pendingOperation !== null || needsAttention || resolvedAt !== null) return false;
  switch (status) {
    case 'processing':
    case 'requires_action':
      return false;
    case 'authorized':
      return reaches('authorized', claim);
    case 'succeeded':
      return isKnownOfPaid(claim, payment);
    case 'voided':
      return claim === 'voided';
    case 'failed':
    case 'canceled':
    case 'expired':
      return UNPAID.includes(claim) || (failure?.code === 'declined' && WAITING.includes(claim));
  }
}

/** What was given back in part may have grown, and who won a dispute is not told by a success. */
function isKnownOfPaid(claim: string, payment: PaymentRecord): boolean {
  const { disputed, amountRefunded } = payment;
  if (disputed) return claim === 'chargedBack' && moneyHeld(payment) === 0n;
  if ((amountRefunded ?? 0n) > 0n) return claim === 'refunded' && moneyHeld(payment) === 0n;
  return reaches('succeeded', claim);
}
