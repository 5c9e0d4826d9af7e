import type { Shown } from './shop.ts';
import type { Transaction } from './money-ledger.ts';

/** What the gateway, its banks and its staff do by themselves. */
export const GATEWAY_MOVES = [
  'payer-pays',
  'payer-pays-hold',
  'payer-declines',
  'asks-for-a-code',
  'expires',
  'captures',
  'reverses',
  'reverses-a-part',
  'refunds-a-part',
  'refunds-as-refused',
  'refunds-all',
  'bounces',
  'counts-pending',
  'charges-back',
  'wins-a-dispute',
  'changes-its-mind',
  'settles',
] as const;
export type GatewayMove = (typeof GATEWAY_MOVES)[number];

type Move = (transaction: Transaction) => void;
interface Rule {
  may: (transaction: Transaction, shown: Shown) => boolean;
  move: Move;
}

const waits = ({ waits: really }: Transaction): boolean => really;
const held = ({ books, accepted }: Transaction): boolean => books.state === 'held' && !accepted;
/** Taken, known to be so, and nothing given back. What is given back before the shop has heard of the money is another story. */
const taken = ({ books, accepted }: Transaction, { status }: Shown): boolean =>
  books.state === 'captured' &&
  books.refunded === 0n &&
  !books.disputed &&
  !accepted &&
  status === 'succeeded';
/** Taken, known to be so, and some of it may have been given back by refunds. */
const paidOut = ({ books, accepted }: Transaction, { status }: Shown): boolean =>
  books.state === 'captured' &&
  !books.reversedInPart &&
  !books.disputed &&
  !accepted &&
  status === 'succeeded';
/** A refund that the shop was told had failed, of which so much could still be given back. */
const refusedOf = (one: Transaction) =>
  [...one.refunds.values()].find(
    ({ state, amount }) => (state === 'refused' || state === 'absent') && one.canRefund(amount),
  );
const doneOf = ({ refunds }: Transaction) => [...refunds.values()].findLast(({ state }) => state === 'done');
const third = ({ books }: Transaction): bigint => books.captured / 3n;

const RULES: Readonly<Record<GatewayMove, Rule>> = {
  'payer-pays': { may: waits, move: (one) => one.capture(one.amount) },
  'payer-pays-hold': {
    may: (one) => one.waits && one.method === 'card',
    move: (one) => one.change({ state: 'held' }),
  },
  'payer-declines': { may: waits, move: (one) => one.change({ state: 'declined' }) },
  // After a redirect, or of a card that was taken on.
  'asks-for-a-code': {
    may: ({ method, books }) =>
      method === 'card' && (books.state === 'redirect' || books.state === 'pending'),
    move: (one) => one.change({ state: 'otp' }),
  },
  expires: { may: (one) => one.waits || held(one), move: (one) => one.change({ state: 'expired' }) },
  captures: { may: held, move: (one) => one.capture(one.amount) },
  reverses: {
    may: (one, shown) => held(one) || taken(one, shown),
    move: (one) => one.change({ state: 'reversed' }),
  },
  'reverses-a-part': {
    may: (one, shown) => paidOut(one, shown) && one.books.refunded + third(one) <= one.books.captured,
    move: (one) => one.change({ refunded: one.books.refunded + third(one), reversedInPart: true }),
  },
  // Somebody gives back on the gateway's own page what the shop could not.
  'refunds-as-refused': {
    may: (one, shown) => paidOut(one, shown) && refusedOf(one) !== undefined,
    move: (one) => one.change({ refunded: one.books.refunded + (refusedOf(one)?.amount ?? 0n) }),
  },
  // A refund that was done comes back.
  bounces: {
    may: (one, shown) => paidOut(one, shown) && doneOf(one) !== undefined,
    move: (one) => {
      const refund = doneOf(one);
      if (!refund) return;
      refund.state = 'refused';
      one.change({ refunded: one.books.refunded - refund.amount });
    },
  },
  // It counts a refund as given back that is only under way.
  'counts-pending': {
    may: ({ accepted, books }) => accepted?.operation === 'refund' && books.state === 'captured',
    move: (one) => one.change({ countsPending: true }),
  },
  'refunds-a-part': {
    may: (one, { status }) =>
      one.books.state === 'captured' &&
      one.books.refunded <= third(one) &&
      !one.books.reversedInPart &&
      !one.books.disputed &&
      !one.accepted &&
      status === 'succeeded',
    move: (one) => one.change({ refunded: one.books.refunded + third(one) }),
  },
  'refunds-all': { may: taken, move: (one) => one.change({ refunded: one.books.captured }) },
  'charges-back': {
    may: (one, shown) =>
      taken(one, shown) ||
      (one.holdsMoney && !one.books.reversedInPart && !one.accepted && shown.status === 'succeeded'),
    move: (one) => one.change({ disputed: true, disputeWon: false }),
  },
  'wins-a-dispute': {
    may: ({ books }) => books.state === 'captured' && books.disputed,
    move: (one) => one.change({ disputed: false, disputeWon: true }),
  },
  'changes-its-mind': {
    may: ({ books }) => books.state === 'declined',
    move: (one) => {
      one.excuses.movedLate = true;
      one.capture(one.amount);
    },
  },
  settles: { may: (one) => one.accepted !== undefined || one.comesLater, move: (one) => settle(one) },
};

/** Whether it can be done now; if so it is. What moves after the service has closed its payment is late. */
export function moveAtGateway(
  move: GatewayMove,
  transaction: Transaction,
  shown: Shown,
  stale: boolean,
): boolean {
  const { may, move: go } = RULES[move];
  if (!may(transaction, shown)) return false;
  const closed = ['canceled', 'expired', 'failed'].includes(shown.status);
  if (stale || closed) transaction.excuses.movedLate = true;
  go(transaction);
  return true;
}

function settle(transaction: Transaction): void {
  // It comes after all: whoever was told "not known" often enough has closed it meanwhile.
  transaction.settle();
}
