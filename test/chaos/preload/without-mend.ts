/**
 * The service without one of the rules about who pays an order and what it holds: what the model of money must find out. Each takes a
 * rule out of a module of the built service.
 */
export const WITHOUT = {
  /** A payment that holds no money pays an order. */
  'pays-without-money': {
    module: 'payments/apply/places.js',
    replace: [/holdsMoney\(payment\)\)/, "payment.status === 'succeeded')"],
  },
  /** A person's word is taken while a call about the payment is being sent. */
  'resolved-amid-call': {
    module: 'payments/interpret/interpret-resolution.js',
    code: 'assertNothingBeingSent = () => undefined;',
  },
  /** The policy voids no duplicate of a payment of which anything was given back. */
  'policy-off-by-refund': {
    module: 'payments/operations/void.js',
    replace: [/!holdsMoney\(payer\.payment\)/, 'isGivenBack(payer.payment)'],
  },
  /** The policy acts beside a void that time has ended. */
  'policy-beside-doubtful-void': {
    module: 'payments/operations/void.js',
    replace: [/\.find\(isVoidDoubtful\)/, '.find(() => false)'],
  },
  /** A reversal of a part is taken for all that was given back. */
  'reversal-is-the-sum': {
    module: 'payments/interpret/after-success.js',
    replace: [/\? ownRefunds\(settledRefunds\) : 0n/, '? 0n : 0n'],
  },
  /** What a refused refund had given back is booked as somebody else's. */
  'refused-refund-again': {
    module: 'payments/interpret/own-refunds.js',
    replace: [/return (?=settled\.some)/, 'return false && '],
  },
  /** A whole reversal beside a doubtful void is read as the refunds. */
  'doubtful-void-unseen': {
    module: 'payments/interpret/own-refunds.js',
    code: 'withDoubtfulVoid = (update) => update;',
  },
  /** Refunds and events are numbered after an accepted loss as before it. */
  'no-epoch': {
    module: 'store/history/epoch.js',
    code: "epochMark = () => '';",
  },
  /** A refund that is under way counts as done where the gateway counts it. */
  'pending-refund-counts': {
    module: 'payments/interpret/own-refunds.js',
    replace: [/if \(asksRefunds\) \{/, 'if (false) {'],
  },
  /** A refund that has failed after its success stays done. */
  'no-bounce': {
    module: 'payments/interpret/interpret-refund.js',
    replace: [
      /if \(failed && operation\.status === 'confirmed'/,
      "if (false && operation.status === 'confirmed'",
    ],
  },
  /** The key of a refund is forgotten a week after its session. */
  'refund-key-ends': {
    module: 'idempotency/idempotency.js',
    replace: [/made\.lasts \? KEPT_FOR_EVER : /, ''],
  },
  /** A card that is being charged ends by a cancel or our clock. */
  'charged-card-ends': {
    module: 'payments/state/payment-state.js',
    code: 'isBeingCharged = () => false;',
  },
  /** A hold that money has overtaken stays unseen. */
  'overtaken-hold-unseen': {
    module: 'payments/apply/places.js',
    code: 'overtakenHolds = () => ({ payments: [], timeline: [], events: [] });',
  },
  /** An amount that a person has changed is announced to nobody. */
  'amount-changed-silently': {
    module: 'payments/apply/facts.js',
    code: 'changesAmountAlone = () => false;',
  },
  /** A session runs out that another session's payment has paid, and the shop is told. */
  'paid-and-expired': {
    module: 'sessions/sessions.service.js',
    replace: [/reference\.paidPaymentIds\.length > 0\) \{\n\s+const expired/, 'false) {\n const expired'],
  },
  /** A dispute that was won stays one. */
  'dispute-for-ever': {
    module: 'payments/apply/facts.js',
    replace: [/if \(disputeWon && payment\.disputed\)/, 'if (false)'],
  },
  /** Nobody is told that what was given back was charged back too. */
  'charged-back-twice-unseen': {
    module: 'payments/apply/attention-rules.js',
    replace: [/const beyond = /, 'const beyond = false && '],
  },
  /** What a payer has to do next stays what it was first. */
  'first-action-for-ever': {
    module: 'payments/interpret/interpret-status.js',
    replace: [/return isOther && method\.nextActions\.some/, 'return false && method.nextActions.some'],
  },
} as const;
