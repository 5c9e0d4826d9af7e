import type { Fact, Seen } from '../../gateway/fact.js';
import type { Status } from './payment.js';

/** A fact that was compared with its payment. `differs`: what is another payment's, for the word of attention. */
export type Judged = Exclude<Fact, { is: 'foreign' }> | ({ is: 'foreign'; differs: string } & Seen);

/**
 * What a fact does to a payment of a status.
 * - `none`: ignored. `person`: nothing moves, the payment needs attention.
 * - `paidAgain`: nothing, but `person` beside a dispute.
 * - `after`: what happens to money that was captured; `succeedThenAfter`: the sale that it implies is entered first.
 * - `late…`: the same, announced as late. `lateHold`: only where the order is neither live nor paid, else `person`.
 * - `reverse`: voided, but `person` beside a refund (also an open one) or a dispute.
 */
export type Move =
  | 'none'
  | 'person'
  | 'succeed'
  | 'lateSucceed'
  | 'paidAgain'
  | 'hold'
  | 'lateHold'
  | 'fail'
  | 'expire'
  | 'void'
  | 'reverse'
  | 'after'
  | 'succeedThenAfter'
  | 'lateSucceedThenAfter'
  | 'wait'
  | 'count';

/** The rows of the table: facts that can move a payment. */
export type Row =
  | 'paid'
  | 'held'
  | 'failed'
  | 'expired'
  | 'reversed'
  | 'afterwards'
  | 'givenBackWhole'
  | 'waiting'
  | 'denied'
  | 'foreign'
  | 'unlisted';

type Cells = readonly [
  processing: Move,
  requiresAction: Move,
  authorized: Move,
  succeeded: Move,
  ended: Move,
  voided: Move,
];

/** The contract's table (part 1), row by row. */
const TABLE: Record<Row, Cells> = {
  paid: ['succeed', 'succeed', 'succeed', 'paidAgain', 'lateSucceed', 'person'],
  held: ['hold', 'hold', 'none', 'none', 'lateHold', 'none'],
  failed: ['fail', 'fail', 'person', 'person', 'none', 'none'],
  expired: ['expire', 'expire', 'expire', 'person', 'none', 'none'],
  reversed: ['void', 'void', 'void', 'reverse', 'void', 'none'],
  afterwards: [
    'succeedThenAfter',
    'succeedThenAfter',
    'succeedThenAfter',
    'after',
    'lateSucceedThenAfter',
    'person',
  ],
  givenBackWhole: ['void', 'void', 'void', 'after', 'void', 'none'],
  waiting: ['wait', 'wait', 'none', 'none', 'none', 'none'],
  denied: ['count', 'none', 'none', 'none', 'none', 'none'],
  foreign: ['person', 'person', 'person', 'person', 'person', 'person'],
  unlisted: ['none', 'none', 'person', 'person', 'none', 'none'],
};

const COLUMN: Record<Status, number> = {
  processing: 0,
  requires_action: 1,
  authorized: 2,
  succeeded: 3,
  failed: 4,
  canceled: 4,
  expired: 4,
  voided: 5,
};

/** Facts about an operation alone, and those that say nothing. */
const NO_ROW: readonly Fact['is'][] = [
  'accepted',
  'refundDone',
  'refundFailed',
  'refused',
  'notSent',
  'unclear',
];

/** The table's row of a fact; undefined where the fact moves no payment by itself. */
export function rowOf(fact: Judged, disputed: boolean): Row | undefined {
  if (fact.is === 'givenBack') return fact.whole ? 'givenBackWhole' : 'afterwards';
  if (fact.is === 'chargedBack') return 'afterwards';
  if (fact.is === 'disputeWon') return disputed ? 'afterwards' : 'paid';
  return NO_ROW.includes(fact.is) ? undefined : (fact.is as Row);
}

/** What the contract's table says for a row and a status. */
export function moveOf(row: Row, status: Status): Move {
  return TABLE[row][COLUMN[status]] ?? 'person';
}

/** Whether a fact says that money moved, so that it counts whoever asked (P6). */
export function saysMoney(fact: Judged): boolean {
  return ['paid', 'held', 'givenBack', 'chargedBack', 'disputeWon', 'refundDone'].includes(fact.is);
}

/** Whether the answer ends a start. */
export function isTrustworthy(fact: Judged): boolean {
  return !['unclear', 'foreign', 'unlisted', 'denied', 'notSent'].includes(fact.is);
}

/** Whether the gateway knows the payment, so that its later denials count for nothing (P4). */
export function isKnownBy(fact: Fact): boolean {
  return fact.is === 'foreign'
    ? fact.differs !== 'reference'
    : !['unclear', 'denied', 'notSent'].includes(fact.is);
}
