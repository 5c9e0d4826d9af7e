import type { Mutant } from './mutant.ts';

/** Without what keeps processes and clocks apart. */
export const LEASES = {
  /** A lease is taken over as soon as the store's clock says that it has ended, though its holder lives. */
  'lease-ends-by-the-clock': {
    module: 'store/lease-watch.js',
    replace: [
      'return !this.unchangedFor(name, lease, lasts) || isHeld(lease, now);',
      'return isHeld(lease, now);',
    ],
  },
  /** Nobody's lease counts. */
  'no-lease': {
    module: 'payments/lease/lease-keeper.js',
    code: 'LeaseKeeper.prototype.isTaken = () => false;',
  },
  /** What a dead process held is held for ever. */
  'lease-for-ever': {
    module: 'store/lease-watch.js',
    replace: [
      'return !this.unchangedFor(name, lease, lasts) || isHeld(lease, now);',
      'return lease.owner !== null;',
    ],
  },
  /** A living holder does not renew. */
  'lease-not-renewed': {
    module: 'payments/lease/lease-keeper.js',
    replace: ['const RENEW_AFTER_MS = LEASE_MS / 2', 'const RENEW_AFTER_MS = Infinity'],
  },
  /** What a dead process may have sent stays about to be sent. */
  'intent-left-behind': {
    module: 'payments/inquiry/inquiry.js',
    replace: ['if (orphans.length === 0)', 'if (true)'],
  },
  /** Whoever writes without the lease plans the next question, though its holder may be about to send something. */
  'question-of-the-holder-lost': {
    module: 'payments/apply/apply.js',
    replace: ['!this.isHeldByAnother() || nextStatusCheckAt === null', 'true'],
  },
  /** What is about to be sent goes out however late. */
  'sent-however-late': {
    module: 'payments/operations/send-gate.js',
    replace: ['beforeSend: () => isFresh(since, thisMoment())', 'beforeSend: () => true'],
  },
  /** Time passes as the database's clock says. */
  'time-by-the-clock': {
    module: 'payments/state/seen-time.js',
    replace: ['Math.min(own, stored)', 'stored'],
  },
  /** What a process saw before another one began an operation counts as time of that. */
  'time-before-the-call': {
    module: 'payments/state/seen-time.js',
    replace: ['before === undefined || isNews', 'before === undefined'],
  },
  /** Waiting ends when the clock says so. */
  'waiting-ends-by-the-clock': {
    module: 'payments/interpret/interpret-status.js',
    replace: ['return now > end && unseenUntil(end, payment) <= 0;', 'return now > end;'],
  },
  /** An event that a dead process was delivering is delivered by nobody. */
  'delivery-left-behind': {
    module: 'merchant-webhooks/delivery-worker.js',
    code: 'DeliveryWorker.prototype.giveBackAbandoned = DeliveryWorker.prototype.releaseStale = async () => undefined;',
  },
} as const satisfies Record<string, Mutant>;
