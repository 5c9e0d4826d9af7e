import type { Fact } from '../../src/gateway/fact.js';
import type { Operation } from '../../src/payments/core/payment.js';
import { DECLINED } from './given.js';

/** A gateway that keeps its book and tells the truth about it: what really happened to the money of each `client_ref`. */

export interface Account {
  state: 'waiting' | 'asked' | 'held' | 'paid' | 'failed' | 'expired' | 'voided';
  owed: bigint;
  /** What was ever captured. */
  captured: bigint;
  refunded: bigint;
  disputed: bigint;
  /** Its last dispute was won. */
  won: boolean;
  refunds: Readonly<Record<string, { amount: bigint; state: 'pending' | 'done' | 'failed' }>>;
  /** The step in which the state last changed. */
  changed: number;
}

/** Accounts by N. */
export type Book = Readonly<Record<number, Account>>;

/** How a start ends at the gateway. */
export type Ending = 'paid' | 'held' | 'asked' | 'waiting' | 'failed';

export const NEW: Account = {
  state: 'waiting',
  owed: 0n,
  captured: 0n,
  refunded: 0n,
  disputed: 0n,
  won: false,
  refunds: {},
  changed: 0,
};

/** What the payer has paid, less what went back. */
export function held({ state, captured, refunded, disputed }: Account): bigint {
  return state === 'paid' ? captured - refunded - disputed : 0n;
}

/** Whether the payer's money is there, or may still come by itself. */
export function mayHold(account: Account): boolean {
  return ['waiting', 'asked', 'held'].includes(account.state) || held(account) > 0n;
}

/** What a status query answers. */
export function wordOf(account: Account | undefined): Fact {
  if (!account) return { is: 'denied' };
  const { captured, refunded, disputed, won } = account;
  const totals = { amount: captured, refundedTotal: refunded };
  switch (account.state) {
    case 'waiting':
      return { is: 'waiting' };
    case 'asked':
      return { is: 'waiting', action: { type: 'otp' } };
    case 'held':
      return { is: 'held' };
    case 'failed':
      return { is: 'failed', failure: DECLINED };
    case 'expired':
      return { is: 'expired', failure: { ...DECLINED, code: 'expired' } };
    case 'voided':
      return { is: 'reversed' };
    case 'paid':
      if (disputed > 0n) return { is: 'chargedBack', disputedTotal: disputed, ...totals };
      if (won) return { is: 'disputeWon', ...totals };
      return refunded > 0n
        ? { is: 'givenBack', whole: refunded === captured, ...totals }
        : { is: 'paid', ...totals };
  }
}

export function refundWord(account: Account | undefined, refundRef: string): Fact {
  const refund = account?.refunds[refundRef];
  if (!refund) return { is: 'denied' };
  const words = { pending: 'accepted', done: 'refundDone', failed: 'refundFailed' } as const;
  return { is: words[refund.state], amount: refund.amount };
}

const REFUSED: Fact = { is: 'refused', failure: DECLINED, cardTried: false };

/** An operation arrives: what the account is then, and what is answered. */
export function arrives(
  account: Account | undefined,
  operation: Operation,
  owed: bigint,
  ending: Ending,
  step: number,
): { account: Account | undefined; answer: Fact } {
  const become = (change: Partial<Account>) => {
    const next = { ...(account ?? { ...NEW, owed }), ...change, changed: step };
    return { account: next, answer: wordOf(next) };
  };
  const refused = { account, answer: REFUSED };
  if (operation.type === 'pay')
    return account
      ? { account, answer: { is: 'unclear', why: 'reference used' } }
      : become(ended(ending, owed));
  if (!account) return refused;
  const { state } = account;
  const amount = operation.amount ?? account.owed;
  switch (operation.type) {
    case 'otp':
    case 'pin':
      return state === 'asked' ? become(ended(ending, account.owed)) : refused;
    case 'complete':
      return state === 'held' ? become({ state: 'paid', captured: amount }) : refused;
    case 'void': {
      const free =
        state === 'held' || (state === 'paid' && account.refunded === 0n && account.disputed === 0n);
      return free ? become({ state: 'voided' }) : refused;
    }
    case 'refund': {
      const ref = operation.refundRef ?? '';
      const pending = Object.values(account.refunds).filter((one) => one.state === 'pending');
      if (pending.reduce((rest, one) => rest - one.amount, held(account)) < amount) return refused;
      const waits = ending === 'waiting';
      const refund = { amount, state: waits ? ('pending' as const) : ('done' as const) };
      const { account: next } = become({
        refunds: { ...account.refunds, [ref]: refund },
        ...(waits ? {} : { refunded: account.refunded + amount }),
      });
      return { account: next, answer: refundWord(next, ref) };
    }
  }
}

function ended(ending: Ending, owed: bigint): Partial<Account> {
  return { state: ending, ...(ending === 'paid' ? { captured: owed } : {}) };
}

/** What a gateway, a bank or a payer does by itself, by name. Undefined: not now. */
export const OWN_MOVES: Record<string, (account: Account) => Partial<Account> | undefined> = {
  /** A payer pays, or a declined or expired payment is paid late. */
  pays: ({ state, owed }) =>
    ['waiting', 'asked', 'failed', 'expired'].includes(state) ? { state: 'paid', captured: owed } : undefined,
  holds: ({ state }) => (['waiting', 'asked', 'failed'].includes(state) ? { state: 'held' } : undefined),
  declines: ({ state }) => (['waiting', 'asked'].includes(state) ? { state: 'failed' } : undefined),
  expires: ({ state }) => (['waiting', 'asked', 'held'].includes(state) ? { state: 'expired' } : undefined),
  gives: (account) => {
    const half = account.captured / 2n;
    return account.disputed === 0n && half > 0n && held(account) >= half
      ? { refunded: account.refunded + half }
      : undefined;
  },
  disputes: (account) =>
    held(account) > 0n ? { disputed: account.disputed + held(account), won: false } : undefined,
  wins: ({ disputed }) => (disputed > 0n ? { disputed: 0n, won: true } : undefined),
  /** A dispute ends, and nobody says how. */
  forgets: ({ disputed }) => (disputed > 0n ? { disputed: 0n, won: false } : undefined),
  reverses: ({ state, refunded, disputed }) =>
    state === 'held' || (state === 'paid' && refunded === 0n && disputed === 0n)
      ? { state: 'voided' }
      : undefined,
  /** A pending refund is done, a done one bounces. */
  refunds: ({ refunds, refunded }) => {
    const [ref, refund] = Object.entries(refunds).find(([, { state }]) => state === 'pending') ?? [];
    return ref && refund
      ? { refunds: { ...refunds, [ref]: { ...refund, state: 'done' } }, refunded: refunded + refund.amount }
      : undefined;
  },
  bounces: ({ refunds, refunded }) => {
    const [ref, refund] = Object.entries(refunds).find(([, { state }]) => state === 'done') ?? [];
    return ref && refund
      ? { refunds: { ...refunds, [ref]: { ...refund, state: 'failed' } }, refunded: refunded - refund.amount }
      : undefined;
  },
};
