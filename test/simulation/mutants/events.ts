import type { Mutant } from './mutant.ts';

/** Without what lets nobody miss anything. */
export const EVENTS = {
  /** An event does not wait for the one before it. */
  'events-out-of-order': {
    module: 'merchant-webhooks/events.repository.js',
    replace: [
      'and (other.sequence < due.sequence or other.lease_owner is not null)',
      'and other.sequence < 0',
    ],
  },
  /** Whatever the shop answers, the event was delivered. */
  'any-answer-delivers': {
    module: 'merchant-webhooks/delivery-outcome.js',
    replace: [/attempt\.status >= 200 && attempt\.status < 300|attempt\.status < 300/, 'true'],
  },
  /** A notification counts as handed over before it is. */
  'notification-over-first': {
    module: 'notifications/notification-handover.js',
    replace: [/await this\.notified\.note\([^;]*\);/, ''],
  },
  /** Notifications that a crash left are not looked for. */
  'notification-left-behind': {
    module: 'notifications/notification-handover.js',
    replace: [
      'const found = await this.repository.waitingPayments(this.cursor, before, BATCH);',
      'const found = [];',
    ],
  },
  /** What raises attention does not say so in its own events. */
  'attention-in-silence': {
    module: 'payments/apply/apply.js',
    replace: ['this.recorder.tellAttention();', ';'],
  },
  /** A payment that overtakes another is announced as nothing. */
  'duplicate-in-silence': {
    module: 'payments/apply/places.js',
    replace: ["manner.recorder.announce('payment.duplicate', { late: manner.late });", ';'],
  },
  /** Nobody is called, however long an outcome is unknown. */
  'nobody-is-called': {
    module: 'payments/apply/attention-rules.js',
    replace: [/export function attentionByTime\([^)]*\) \{/, '$& return undefined;'],
  },
  /** The schedule forgets what is open. */
  'open-and-unasked': {
    module: 'payments/schedule/status-check-schedule.js',
    replace: [
      "case 'processing':\n            return OPEN;",
      "case 'processing':\n            return undefined;",
    ],
  },
} as const satisfies Record<string, Mutant>;
