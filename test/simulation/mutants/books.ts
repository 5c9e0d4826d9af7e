import type { Mutant } from './mutant.ts';

/** Without what keeps reports, differences and what is taken over right. */
export const BOOKS = {
  /** A row that several files have counts in each. */
  'rows-count-again': {
    module: 'settlement/match/kept-row.js',
    replace: [
      '({ identity, nth }) => `${identity} ${nth}`',
      '({ identity, nth, settlementId }) => `${identity} ${nth} ${settlementId}`',
    ],
  },
  /** A movement may be settled by several rows. */
  'settled-by-many': {
    module: 'settlement/match/matching.js',
    replace: ['return !this.#settled.has(id) && !this.#named.has(id);', 'return true;'],
  },
  /** The amount of a sale's row is not compared. */
  'report-amount-unseen': {
    module: 'settlement/match/match-rows.js',
    replace: ["matching.find('amount_differs', first, { movement: sale, expected, sum });", ';'],
  },
  /** What is settled twice is no difference. */
  'twice-unseen': {
    module: 'settlement/match/match-rows.js',
    replace: ["matching.find('settled_twice', row, { movement: sale });", ';'],
  },
  /** What a difference lacked has come, and it stays open. */
  'difference-for-ever': {
    module: 'settlement/match/reconcile.js',
    replace: ["state === 'open' && !subjects.has(subject)", 'false'],
  },
  /** What is learned after a report is not held against it. */
  'ledger-unwatched': {
    module: 'settlement/follow/ledger-watch.js',
    code: 'LedgerWatch.prototype.note = LedgerWatch.prototype.sweepLedger = async () => undefined;',
  },
  /** Nobody goes on with a report that a dead process has left half matched. */
  'report-left-behind': {
    module: 'settlement/follow/ledger-watch.js',
    code: 'LedgerWatch.prototype.goOn = async () => true;',
  },
  /** What is above the bound is taken over at one person's wish. */
  'adopted-before-approval': {
    module: 'settlement/api/adopt.js',
    replace: ['this.approvals.areNeeded(amount, currency)', 'false'],
  },
  /** The same of a write-off. */
  'written-off-before-approval': {
    module: 'settlement/api/difference-acts.js',
    replace: ['this.approvals.areNeeded(amount, currency)', 'false'],
  },
  /** An approved take-over that a crash left is never done. */
  'approval-left-behind': {
    module: 'settlement/api/adopt.js',
    replace: [
      'await this.repository.wantAdopted([row.id], actor, this.store.clock.now());\n        this.followUps',
      'this.followUps',
    ],
  },
  /** What is taken over is written down without asking whether it is there. */
  'taken-over-unasked': {
    module: 'settlement/follow/adoption.js',
    replace: ['if (left) {', 'if (false) {'],
  },
  /** What went back before a payment was taken over is forgotten. */
  'given-back-forgotten': {
    module: 'payments/named/take-over.js',
    replace: [/given\.amount/g, '0n'],
  },
  /** Two match at once, and undo each other's work. */
  'matched-at-once': {
    module: 'settlement/compare/matching-turn.js',
    code: 'MatchingTurn.prototype.use = (work) => work();',
  },
  /** All that waits of a payment counts as handed over with the first notification. */
  'notification-with-others': {
    module: 'notifications/notification-handover.js',
    replace: ['claims.has(digest) || claims.has(LEFT[0])', 'true'],
  },
} as const satisfies Record<string, Mutant>;
