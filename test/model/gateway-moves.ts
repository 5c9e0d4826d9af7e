import type { Shown } from './shop.ts';
import type { Transaction } from './money-ledger.ts';

/** What the gateway, its banks and its staff do by themselves. */
export const GATEWAY_MOVES = [
  'payer-pays',
  'payer-pays-hold',
  'payer-declines',
  'expires',
  'captures',
  'reverses',
  'reverses-a-part',
  'refunds-a-part',
  'refunds-all',
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
const third = ({ books }: Transaction): bigint => books.captured / 3n;

const RULES: Readonly<Record<GatewayMove, Rule>> = {
  'payer-pays': { may: waits, move: (one) => one.capture(one.amount) },
  'payer-pays-hold': {
    may: (one) => one.waits && one.method === 'card',
    move: (one) => one.change({ state: 'held' }),
  },
  'payer-declines': { may: waits, move: (one) => one.change({ state: 'declined' }) },
  expires: { may: (one) => one.waits || held(one), move: (one) => one.change({ state: 'expired' }) },
  captures: { may: held, move: (one) => one.capture(one.amount) },
  reverses: {
    may: (one, shown) => held(one) || taken(one, shown),
    move: (one) => one.change({ state: 'reversed' }),
  },
  'reverses-a-part': {
    may: taken,
    move: (one) => one.change({ refunded: third(one), reversedInPart: true }),
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
