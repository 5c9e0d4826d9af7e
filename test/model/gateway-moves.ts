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
  'reverses-besides',
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
/** One that is known here: what else was given back, the service follows by its sum alone, which is not believed when it falls. */
const doneOf = ({ refunds, forgottenRefunds }: Transaction) =>
  [...refunds].findLast(([ref, { state }]) => state === 'done' && !forgottenRefunds.has(ref))?.[1];
const knownRefunds = ({ refunds, forgottenRefunds }: Transaction): bigint =>
  [...refunds]
    .filter(([ref, { state }]) => state === 'done' && !forgottenRefunds.has(ref))
    .reduce((sum, [, { amount }]) => sum + amount, 0n);
/** A sum that fell and rises again before anybody asks looks as if the refund that came back were still in it. */
const isToldApart = (one: Transaction): boolean => !one.hasBounced || one.heard === one.books;
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
  // It says how much was given back in all.
  'reverses-a-part': {
    may: (one, shown) => paidOut(one, shown) && one.books.refunded + third(one) <= one.books.captured,
    move: (one) => {
      const refunded = one.books.refunded + third(one);
      one.change({ refunded, reversed: refunded, reversedInPart: true });
    },
  },
  // Beside refunds that the shop has made: it says how much it reversed.
  'reverses-besides': {
    may: (one, shown) =>
      paidOut(one, shown) &&
      one.books.refunded > 0n &&
      one.books.refunded === knownRefunds(one) &&
      one.books.refunded + third(one) < one.books.captured,
    move: (one) =>
      one.change({
        refunded: one.books.refunded + third(one),
        reversed: third(one),
        reversedInPart: true,
      }),
  },
  // Somebody gives back on the gateway's own page what the shop could not.
  'refunds-as-refused': {
    may: (one, shown) => paidOut(one, shown) && refusedOf(one) !== undefined && isToldApart(one),
    move: (one) => {
      const known = one.heard === one.books;
      one.change({ refunded: one.books.refunded + (refusedOf(one)?.amount ?? 0n) });
      one.doneAsRefused = known;
    },
  },
  // A refund that was done comes back.
  bounces: {
    may: (one, shown) => paidOut(one, shown) && doneOf(one) !== undefined,
    move: (one) => {
      const refund = doneOf(one);
      if (!refund) return;
      refund.state = 'refused';
      one.hasBounced = true;
      one.change({ refunded: one.books.refunded - refund.amount });
    },
  },
  // It counts a refund as given back that is only under way.
  'counts-pending': {
    may: ({ accepted, books, forgottenRefunds }) =>
      accepted?.operation === 'refund' &&
      !forgottenRefunds.has(accepted.refundRef) &&
      books.state === 'captured',
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
  'refunds-all': {
    may: (one, shown) => taken(one, shown) && isToldApart(one),
    move: (one) => one.change({ refunded: one.books.captured }),
  },
  'charges-back': {
    may: (one, shown) =>
      taken(one, shown) ||
      (one.books.state === 'captured' &&
        !one.books.disputed &&
        !one.books.reversedInPart &&
        !one.accepted &&
        shown.status === 'succeeded'),
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
  settles: {
    may: (one) => one.accepted !== undefined || one.comesLater || one.voidComesLater,
    move: (one) => settle(one),
  },
};

/** Moves that nobody can see where the gateway does not say what became of a refund. */
const ONLY_OF_REFUNDS: readonly GatewayMove[] = ['bounces', 'counts-pending'];

/**
 * Makes the move, or the next one of the list that can be made now, and says which. What moves after the service has closed its payment
 * is late.
 */
export function moveAtGateway(
  move: GatewayMove,
  transaction: Transaction,
  { shown, stale, asksRefunds }: { shown: Shown; stale: boolean; asksRefunds: boolean },
): GatewayMove | undefined {
  const from = GATEWAY_MOVES.indexOf(move);
  const made = [...GATEWAY_MOVES.slice(from), ...GATEWAY_MOVES.slice(0, from)].find(
    (one) => (asksRefunds || !ONLY_OF_REFUNDS.includes(one)) && RULES[one].may(transaction, shown),
  );
  if (made === undefined) return undefined;
  const closed = ['canceled', 'expired', 'failed'].includes(shown.status);
  if (stale || closed) transaction.excuses.movedLate = true;
  RULES[made].move(transaction);
  return made;
}

function settle(transaction: Transaction): void {
  // It comes after all: whoever was told "not known" often enough has closed it meanwhile.
  transaction.settle();
}
