import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The service without one of its rules: what the simulation must find. `from` stands in `src/payments/FILE`. */
export interface Mutant {
  file: string;
  from: string | RegExp;
  to: string;
}

const moves = (from: string, to: string): Mutant => ({ file: 'core/moves.ts', from, to });

export const MUTANTS: Readonly<Record<string, Mutant>> = {
  // The table, row by row.
  'a late success is ignored': moves(
    "'paidAgain', 'lateSucceed', 'person']",
    "'paidAgain', 'none', 'person']",
  ),
  'a paid hold is ignored': moves(
    "paid: ['succeed', 'succeed', 'succeed',",
    "paid: ['succeed', 'succeed', 'none',",
  ),
  'paid moves a voided one': moves(
    "'paidAgain', 'lateSucceed', 'person']",
    "'paidAgain', 'lateSucceed', 'lateSucceed']",
  ),
  'a plain success beside a dispute is ignored': {
    file: 'core/facts.ts',
    from: 'return payment.disputed ? contradicted() : undefined;',
    to: 'return;',
  },
  'a hold is ignored': moves("held: ['hold', 'hold',", "held: ['none', 'none',"),
  'a late hold is ignored': moves("'lateHold', 'none']", "'none', 'none']"),
  'a late hold beside a live payment counts': {
    file: 'core/facts.ts',
    from: 'return draft.order.live === null && paidBy(draft.order, draft.all()) === undefined',
    to: 'return true',
  },
  'a held payment fails': moves("failed: ['fail', 'fail', 'person',", "failed: ['fail', 'fail', 'fail',"),
  'a paid payment fails': moves(
    "'person', 'person', 'none', 'none'],\n  expired",
    "'person', 'fail', 'none', 'none'],\n  expired",
  ),
  'failed is ignored': moves("failed: ['fail', 'fail',", "failed: ['none', 'none',"),
  'expired is ignored': moves("expired: ['expire', 'expire',", "expired: ['none', 'none',"),
  'a hold never expires': moves(
    "expired: ['expire', 'expire', 'expire',",
    "expired: ['expire', 'expire', 'none',",
  ),
  'a reversal is ignored': moves(
    "'void', 'void', 'void', 'reverse', 'void', 'none']",
    "'void', 'void', 'void', 'none', 'void', 'none']",
  ),
  'a reversal voids beside a refund': {
    file: 'core/facts.ts',
    from: "payment.disputed || payment.refunded > 0n || openOperation(payment)?.type === 'refund'",
    to: 'payment.disputed',
  },
  'a whole refund voids': moves(
    "givenBackWhole: ['void', 'void', 'void', 'after',",
    "givenBackWhole: ['void', 'void', 'void', 'void',",
  ),
  'what is given back is ignored': moves("    'after',\n", "    'none',\n"),
  'a chargeback of what is unpaid here enters no sale': {
    file: 'core/facts.ts',
    from: "      succeed(draft, payment, fact, move === 'lateSucceedThenAfter');\n",
    to: '',
  },
  'a code that is asked for is not shown': moves("waiting: ['wait', 'wait',", "waiting: ['none', 'wait',"),
  'denials are not counted': moves("denied: ['count',", "denied: ['none',"),
  'one denial is enough': { file: 'core/facts.ts', from: 'if (payment.denials.count < 3) return;', to: '' },
  'denials need no time': { file: 'core/facts.ts', from: /if \(draft\.now - last < [^;]*;/, to: '' },
  'a foreign answer counts': { file: 'core/expected.ts', from: 'return differs ? {', to: 'return false ? {' },
  'a foreign reference is nothing': {
    file: 'core/facts.ts',
    from: "if (fact.is === 'foreign') return draft.person(payment, 'differs', fact.differs);",
    to: "if (fact.is === 'foreign') return;",
  },
  // P1 and P2: one at a time.
  'two live payments': {
    file: 'core/commands.ts',
    from: 'const live = draft.all().find(isLive);',
    to: 'const live = undefined as Payment | undefined;',
  },
  'two open operations': {
    file: 'core/commands.ts',
    from: 'const open = openOperation(payment);\n  if (open)',
    to: 'const open = openOperation(payment);\n  if (open && false)',
  },
  'a paid order starts again': {
    file: 'core/commands.ts',
    from: "if (paid || session.status === 'paid')",
    to: 'if (false)',
  },
  'a paid order takes codes': {
    file: 'core/commands.ts',
    from: "if (paid !== undefined) throw new Refusal('session-paid'",
    to: "if (false) throw new Refusal('session-paid'",
  },
  'N is used again': {
    file: 'core/commands.ts',
    from: 'const n = draft.order.attempts + 1;',
    to: 'const n = draft.all().filter(isLive).length + 1;',
  },
  'a stale intent is sent': {
    file: 'engine.ts',
    from: 'mayBegin: () => !this.isStale(intent)',
    to: 'mayBegin: () => true',
  },
  'an orphan stays intended': {
    file: 'core/answers.ts',
    from: "if (operation?.state === 'intended') stayUnknown",
    to: "if (operation?.state === 'refused') stayUnknown",
  },
  'an orphan is refused': {
    file: 'core/answers.ts',
    from: "if (operation?.state === 'intended') stayUnknown(draft, payment, operation);",
    to: "if (operation?.state === 'intended') { ended(draft, payment, operation, 'refused'); if (operation.type === 'pay') endUnpaid(draft, payment, 'canceled', CANCELED); }",
  },
  'an unclear start fails': {
    file: 'core/answers.ts',
    from: "if (fact.is === 'refused' || fact.is === 'notSent') {\n    // A later operation's refusal may name a transaction of its own.\n    learn(payment, fact);\n    refuse(draft, payment, operation, fact);\n    if (payment.status === 'processing') endUnpaid(draft, payment, 'failed', fact.failure);",
    to: "if (fact.is === 'refused' || fact.is === 'notSent' || fact.is === 'unclear') {\n    ended(draft, payment, operation, 'refused');\n    if (payment.status === 'processing') endUnpaid(draft, payment, 'failed', CANCELED);",
  },
  'an unclear completion is refused': {
    file: 'core/answers.ts',
    from: 'const isCode = operation.type',
    to: "if (fact.is === 'unclear') return ended(draft, payment, operation, 'refused');\n  const isCode = operation.type",
  },
  'an unclear refund fails': {
    file: 'core/answers.ts',
    from: "if (fact.is === 'refundFailed' || fact.is === 'failed') {",
    to: "if (fact.is === 'refundFailed' || fact.is === 'failed' || fact.is === 'unclear') {",
  },
  'a card being charged is called off': {
    file: 'core/answers.ts',
    from: '|| isCardBeingCharged(payment))',
    to: ')',
  },
  'our clock ends a card being charged': {
    file: 'core/facts.ts',
    from: 'isOver(draft, payment) && !isCardBeingCharged(payment)',
    to: 'isOver(draft, payment)',
  },
  // P3: what contradicts blocks the order.
  'a contradiction is nothing': {
    file: 'core/facts.ts',
    from: "draft.person(payment, 'contradicted', `${fact.is} ${fact.amount ?? ''}`)",
    to: 'undefined',
  },
  'a success is worth what was owed': {
    file: 'core/expected.ts',
    from: "if (open?.type === 'complete' && open.amount !== undefined) return [open.amount];",
    to: '',
  },
  // P5: the first success pays.
  'the last success pays': {
    file: 'core/orders.ts',
    from: 'if (order.payer !== null && order.payer !== payment.id) {',
    to: 'if (false) {',
  },
  'a duplicate needs nobody': {
    file: 'core/orders.ts',
    from: /draft\.person\((payment|draft\.payment\(id\)), 'duplicate', [^;]*;/g,
    to: ';',
  },
  'a blocked order goes on': {
    file: 'core/orders.ts',
    from: '  if (blocking)\n    throw',
    to: '  if (blocking && false)\n    throw',
  },
  'the payer may be voided beside a duplicate': {
    file: 'core/commands.ts',
    from: 'if (duplicate && !order.duplicates.includes(payment.id))',
    to: 'if (false)',
  },
  'a voided payer leaves though a duplicate holds money': {
    file: 'core/orders.ts',
    from: 'if (order.payer === null || duplicateWithMoney(order, draft.all())) return;',
    to: 'if (order.payer === null) return;',
  },
  'a voided payer pays for good': {
    file: 'core/orders.ts',
    from: '  order.payer = null;\n  const session',
    to: '  const session',
  },
  'a session expires while a payment is live': {
    file: 'core/orders.ts',
    from: 'if (draft.all().some((payment) => payment.sessionId === id && isLive(payment))) continue;',
    to: '',
  },
  // P6: judged against the row as it is when written.
  'who lost the lease counts': {
    file: 'order-writer.ts',
    from: 'const owned = runs === 1 || holds(stored, payment, owner);',
    to: 'const owned = true;',
  },
  'nobody guards the lease': {
    file: 'order-writer.ts',
    from: '...(owned ? { guard: { payment, owner } } : {}),',
    to: '',
  },
  'money without a lease is dropped': {
    file: 'core/facts.ts',
    from: 'if (!draft.owned && !saysMoney(fact)) return draft.askAgain(payment);',
    to: 'if (!draft.owned) return draft.askAgain(payment);',
  },
  // Refunds and disputes (part 5).
  'a refund is counted twice': {
    file: 'core/refunds.ts',
    from: "if (refund.state === 'confirmed' ||",
    to: 'if (',
  },
  'a rise ends no refund of ours': {
    file: 'core/refunds.ts',
    from: "if (open?.type === 'refund' && open.amount !== undefined && open.amount <= rise) {",
    to: 'if (false) {',
  },
  'the rest of a rise is forgotten': {
    file: 'core/refunds.ts',
    from: 'if (rest > 0n) gatewaysOwnRefund',
    to: 'if (false) gatewaysOwnRefund',
  },
  'a bounced refund stays given back': {
    file: 'core/refunds.ts',
    from: '    payment.refunded -= amount;\n',
    to: '',
  },
  'a bounce is never heard': {
    file: 'core/answers.ts',
    from: "else if (fact.is === 'refundFailed' && refund.state !== 'refused') {",
    to: "else if (fact.is === 'refundFailed' && refund.state === 'unknown') {",
  },
  'a chargeback is entered each time': {
    file: 'core/refunds.ts',
    from: 'if (payment.disputed && rise <= 0n) return;',
    to: '',
  },
  'a won dispute moves nothing': {
    file: 'core/refunds.ts',
    from: '  payment.disputedAmount = 0n;\n',
    to: '',
  },
  'any word confirms a void': {
    file: 'core/answers.ts',
    from: "if (fact.is === 'reversed' && status === 'voided') ended",
    to: "if (fact.is === 'paid' || status === 'voided') ended",
  },
  'a voided completion stays open': {
    file: 'core/answers.ts',
    from: "else if (status !== 'authorized') ended(draft, payment, open, 'refused');",
    to: '',
  },
  'a moved code stays open': {
    file: 'core/answers.ts',
    from: "if (status !== 'requires_action' || askedAgain) ended",
    to: 'if (askedAgain) ended',
  },
  'a refunded payment is asked about its refund alone': {
    file: 'asker.ts',
    from: 'await this.write(state, owner, { payment: id, to: { refund: refund.id } }, fact, true);',
    to: 'return this.write(state, owner, { payment: id, to: { refund: refund.id } }, fact);',
  },
  // Part 9: a store that lost something.
  'a restored store asks nothing': {
    file: 'prober.ts',
    from: 'restoredAt !== undefined && this.gateway.canProbe &&',
    to: 'false && this.gateway.canProbe &&',
  },
  'only known payments are asked about': {
    file: 'prober.ts',
    from: "return before.filter(({ fact }) => fact.is !== 'denied');",
    to: 'return [];',
  },
  'what is unclear is nothing': { file: 'prober.ts', from: 'if (!known || !found)', to: 'if (!known)' },
  'a denial counts while commits are being lost': {
    file: 'asker.ts',
    from: "return losing && fact.is === 'denied'",
    to: "return losing && fact.is === 'unclear'",
  },
  'an answer whose payment is gone is dropped': {
    file: 'order-writer.ts',
    from: 'extra.known ? remembering(',
    to: 'false && extra.known ? remembering(',
  },
  // What is written is all that is written.
  'an event is not counted': {
    file: 'core/draft.ts',
    from: 'if (announce) payment.sequence += 1;',
    to: "if (announce && announce !== 'failed') payment.sequence += 1;",
  },
  'a movement is not written': {
    file: 'core/records.ts',
    from: 'movements: entries.flatMap((entry) => movementOf(state, entry, moment, recording)),',
    to: 'movements: [],',
  },
};

/** Those that change nothing any more, because what they replace reads otherwise. */
export function unfit(): string[] {
  return Object.entries(MUTANTS).flatMap(([name, { file, from, to }]) => {
    const source = readFileSync(join(import.meta.dirname, '../../src/payments', file), 'utf8');
    return source.replace(from, to) === source ? [name] : [];
  });
}
