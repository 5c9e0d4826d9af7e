import type { Mutant } from './mutant.ts';

/** Without what keeps the books right. */
export const MONEY = {
  /** Money that comes after a payment was closed unpaid is not seen. */
  'late-money-unseen': {
    module: 'payments/interpret/proposed-transition.js',
    replace: [
      'if (!canMove(',
      "if (target === 'succeeded' && isClosedUnpaid(status)) return {};\n    if (!canMove(",
    ],
  },
  /** A refund whose outcome is unknown has failed. */
  'unknown-refund-failed': {
    module: 'payments/interpret/meaning.js',
    replace: [
      "if (result.kind !== 'answered')",
      "if (result.kind !== 'answered' && call.operation.type === 'refund') return settledRefund(call, 'refused'); $&",
    ],
  },
  /** Any rise of what was given back confirms an open refund. */
  'any-rise-confirms': {
    module: 'payments/interpret/own-refunds.js',
    replace: ['rise < refund.amount)\n', 'false)\n'],
  },
  /** More than what is left is given back. */
  'refunds-without-end': {
    module: 'payments/operations/refund.js',
    replace: [
      'const rest = (wholeOf(payment) ?? 0n) - (payment.amountRefunded ?? 0n) - open;',
      'const rest = wholeOf(payment) ?? 0n;',
    ],
  },
  /** A disputed payment is given back as well. */
  'disputed-given-back': {
    module: 'payments/operations/refund.js',
    replace: ['if (payment.disputed)', 'if (false)'],
  },
  /** What was given back in part is voided as well. */
  'given-back-and-voided': {
    module: 'payments/operations/void.js',
    replace: ['if (isGivenBack(payment)) {', 'if (false) {'],
  },
  /** What somebody gives back at the gateway is not heard. */
  'refund-elsewhere-unseen': {
    module: 'payments/apply/apply.js',
    replace: ['this.refunds.take(update.refunded)', 'this.refunds.take(undefined)'],
  },
  /** A chargeback is not heard. */
  'chargeback-unseen': {
    module: 'payments/apply/facts.js',
    replace: ['if (!disputed)', 'if (true)'],
  },
  /** The amount of an answer is not compared. */
  'foreign-answers-count': {
    module: 'payments/interpret/interpret-status.js',
    replace: ['if (differs.length > 0)', 'if (false)'],
  },
  /** An order that was voided stays paid. */
  'voided-stays-paid': {
    module: 'payments/apply/places.js',
    replace: [/leavePlace\(\{[^)]*\}\) \{/, '$& return;'],
  },
  /** Whoever pays is not held against the others. */
  'all-pay': {
    module: 'payments/apply/places.js',
    replace: [
      'const payer = holding.find(isKnown) ??',
      'const payer = paid.find((one) => isNew(one)) ?? holding.find(isKnown) ??',
    ],
  },
  /** The policy does not ask about the payment that pays. */
  'policy-without-asking': {
    module: 'payments/reconciliation/duplicate-voider.js',
    replace: ['if (!payer?.taken || !holdsMoney(payer.payment))', 'if (false)'],
  },
  /** The policy voids beside whatever is on its way. */
  'policy-beside-operations': {
    module: 'payments/operations/void.js',
    replace: [
      'const unknown = [...openOperations, ...payer.openOperations].filter(isOnItsWay);',
      'const unknown = [];',
    ],
  },
  /** A payment is voided while the policy voids its duplicate. */
  'voided-beside-policy': {
    module: 'payments/operations/void.js',
    replace: ['if (!voiding)', 'if (true)'],
  },
  /** Two completions of a part count as the whole. */
  'part-counts-as-whole': {
    module: 'payments/interpret/meaning.js',
    replace: ['{ captured: amountOf(call) }', '{ captured: payment.amount }'],
  },
  /** The answer to a refund that shows that a refused one was done counts that one as somebody else's. */
  'refused-refund-beside': {
    module: 'payments/interpret/interpret-refund.js',
    replace: ['...(isContradicted &&', '...(false &&'],
  },
  /** Nobody asks what a reversal was that was read as a refund, once that refund has failed. */
  'failed-refund-unasked': {
    module: 'payments/interpret/interpret-refund.js',
    replace: ["{ ...settledRefund(call, 'refused'), checkNow: true }", "settledRefund(call, 'refused')"],
  },
  /** Nobody asks about a refund again after it was done. */
  'done-refund-unasked': {
    module: 'payments/schedule/status-check-schedule.js',
    replace: ["if (status !== 'succeeded' || refundedAt === null)", 'if (true)'],
  },
} as const satisfies Record<string, Mutant>;
