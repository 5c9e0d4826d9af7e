import type { OperationRecord, PaymentRecord, SessionRecord } from '../../store/schema.js';
import type { Heard } from '../state/payment-update.js';
import { afterNotification, dropKnown, followNotifications } from './notified.js';
import { isOpen, nextStatusCheckAt, type StatusCheckRules } from './status-check-schedule.js';
import { worthOf } from './worth.js';

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
