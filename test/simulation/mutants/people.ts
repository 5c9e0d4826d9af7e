import type { Mutant } from './mutant.ts';

/** Without what takes two people, and what a payer types. */
export const PEOPLE = {
  /** Who has asked for a refund approves it. */
  'approved-by-asker': {
    module: 'approvals/approval.js',
    replace: ['if (actor === `merchant:${caller.name}`)', 'if (false)'],
  },
  /** Nothing waits for a second person. */
  'sent-before-approval': {
    module: 'payments/operations/refund.js',
    replace: [/if \(!approvals\.isNeeded\([^\n]*\)\n/, 'if (true)\n'],
  },
  /** Many small refunds pass below the bound. */
  'small-refunds-pass': {
    module: 'payments/operations/refund.js',
    replace: [
      'approvals.isNeeded((amountRefunded ?? 0n) + amount, currency)',
      'approvals.isNeeded(amount, currency)',
    ],
  },
  /** An approval counts as often as somebody gives it, and after it was declined. */
  'approved-again': {
    module: 'approvals/approval.js',
    replace: ["if (standing !== 'waiting')", 'if (false)'],
  },
  /** The decision is not written in the refund's commit. */
  'approval-apart': {
    module: 'payments/operations/engine.js',
    replace: ['approval: { ...decision.approval, operationId: row.id, doneAt: now },', ''],
  },
  /** What is left is given back, whatever was asked for. */
  'approved-rest': {
    module: 'payments/api/approved-payments.js',
    replace: ['amount: formatMajor(amount, currency),', 'amount: undefined,'],
  },
  /** An approval lasts for ever. */
  'approval-for-ever': {
    module: 'approvals/approval.js',
    replace: ["state === 'waiting' && expiresAt <= now ? 'expired' : state", 'state'],
  },
  /** A request for the PIN is a decline. */
  'pin-is-a-decline': {
    module: 'payments/interpret/status-answer.js',
    replace: ["pin: 'waiting'", "pin: 'not-paid'"],
  },
  /** The answer to a card that asks for its PIN is a refusal. */
  'pin-refuses-the-card': {
    module: 'payments/interpret/meaning.js',
    replace: ['pin: asksNext,', "pin: moves('failed', 'refused'),"],
  },
  /** A PIN whose outcome is unknown can be typed again at once. */
  'pin-again': {
    module: 'payments/interpret/meaning.js',
    replace: ["(type === 'otp' || type === 'pin')", "type === 'otp'"],
  },
  /** PINs are guessed without end. */
  'pins-without-end': {
    module: 'payments/operations/submit-code.js',
    replace: ['if (payment[sent] >= most)', 'if (false)'],
  },
} as const satisfies Record<string, Mutant>;
