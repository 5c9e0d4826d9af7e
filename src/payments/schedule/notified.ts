import type { GatewayMeaning } from '../../gateway/gateway-result.js';
import type { PaymentRecord } from '../../store/schema.js';
import type { Heard } from '../state/payment-update.js';
import { REPORTED } from '../state/reported.js';
import { WORTH } from './worth.js';

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

/** Meanings that say the same about money. */
const ALIKE: readonly (readonly GatewayMeaning[])[] = [
  ['failed', 'expired'],
  ['processing', 'otp', 'pin', 'redirect'],
];

/**
 * A payment about which notifications came: it is asked about at once, and its backoff begins anew. If a check is under
 * way, another one follows it, because the gateway may have answered that one before it sent the notification. Pure.
 */
export function notified(
  payment: PaymentRecord,
  claims: readonly NotificationClaim[],
  underWay: boolean,
  now: number,
): PaymentRecord {
  const known = payment.notificationClaims ?? [];
  return {
    ...payment,
    notificationChecks: underWay ? -1 : 0,
    notificationClaims: [...new Set([...known, ...claims])].sort(),
    statusCheckCount: 0,
    statusCheckWorth: WORTH.notified,
    // Who holds the lease plans the next check when it is given back. If that process dies, the check is due at its end.
    nextStatusCheckAt: underWay ? payment.leaseUntil : now + GATHER_MS,
    version: payment.version + 1,
  };
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
    meaning !== undefined && (claims ?? []).every((claim) => claim === REPORTED || says(claim, meaning));
  const asked = scheduled && meaning !== undefined ? checks + 1 : checks;
  if (agrees || asked > PAUSES.length || statusCheckCount >= MOST_CHECKS) return OVER;
  return { notificationChecks: asked, notificationClaims: claims };
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

function says(claim: string, meaning: GatewayMeaning): boolean {
  const group = ALIKE.find((alike) => alike.includes(meaning)) ?? [meaning];
  return group.some((alike) => alike === claim);
}
