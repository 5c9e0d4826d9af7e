/** The gateway's books: what was really held, taken, given back, under each `client_ref`. They are the truth of the model. */

export type Method = 'card' | 'wallet' | 'transfer' | 'ussd';

/** Where a transaction stands. `absent`: the gateway has nothing of it. */
export type State =
  | 'absent'
  | 'pending'
  | 'waiting'
  | 'otp'
  | 'pin'
  | 'redirect'
  | 'held'
  | 'captured'
  | 'declined'
  | 'expired'
  | 'reversed';

/** The gateway waits: for the payer, or for a bank. */
export const WAITS: readonly State[] = ['pending', 'waiting', 'otp', 'pin', 'redirect'];

/** What a status query shows. */
export interface Books {
  state: State;
  /** Minor units, as all amounts here. */
  captured: bigint;
  refunded: bigint;
  /** Whether what was given back is called a reversal of a part. */
  reversedInPart: boolean;
  /** How much the gateway says then: all that was given back, or that reversal alone. */
  reversed: bigint;
  disputed: boolean;
  /** Whether it was charged back and the dispute was won. */
  disputeWon: boolean;
  /** Whether what is said to have been given back holds a refund that is only accepted. */
  countsPending: boolean;
}

/** An operation that the gateway has accepted and not carried out yet. */
export type Accepted =
  | { operation: 'complete'; amount: bigint }
  | { operation: 'void' }
  | { operation: 'refund'; refundRef: string };

/** A refund that the merchant asked for. `absent`: the gateway has nothing of it. */
export interface Refund {
  amount: bigint;
  state: 'done' | 'open' | 'refused' | 'absent';
}

/** Words of the gateway in the past that excuse what the service made of them. They excuse nothing at rest but `lied`. */
export interface Excuses {
  /** It said of this payment itself what was never so. Then only a person can tell. */
  lied: boolean;
  /** Money moved, or was shown, after the service could know that it had closed the payment. */
  movedLate: boolean;
  /** It named another payment where it was asked about this one. Then "not known" is not believed any more. */
  foreign: boolean;
  /** A person has closed the payment. */
  resolved: boolean;
  /** A person has said another amount than what came. */
  miscounted: boolean;
}

export class Transaction {
  books: Books = {
    state: 'absent',
    captured: 0n,
    refunded: 0n,
    reversedInPart: false,
    reversed: 0n,
    disputed: false,
    disputeWon: false,
    countsPending: false,
  };
  /** Everything that was ever really given back of it, with what came back: until it is asked about, a refund that bounced counts as done. */
  everRefunded = 0n;
  /** Before the last change: what a lagging status query shows. */
  former: Books = this.books;
  readonly excuses: Excuses = {
    ...{ lied: false, movedLate: false, foreign: false },
    ...{ resolved: false, miscounted: false },
  };
  accepted: Accepted | undefined;
  /** By their references. */
  readonly refunds = new Map<string, Refund>();
  /** Carried out long after the call: until then the gateway says that it does not know the payment. */
  comesLater = false;
  /** A void that reached the gateway, shows nowhere, and is carried out whatever was done since. */
  voidComesLater = false;
  /** What the store had forgotten of it when an old copy was restored: references of refunds. */
  readonly forgottenRefunds = new Set<string>();
  /** The restored copy does not know it at all. */
  forgotten = false;
  /** The gateway has told the service of it since. Of one that nobody names the service cannot know. */
  named = false;
  /** What the service was told last of the books, truly and in full. */
  heard: Books | undefined;
  /** Somebody has given back just what the shop was told had failed, and nothing else has moved since. */
  doneAsRefused = false;
  /** A refund of it came back. */
  hasBounced = false;
  /** A report has brought it back. */
  adopted = false;
  /** Calls received, by operation. */
  readonly calls = new Map<string, number>();
  /** Answers "not known": how many, and when the call and the last one came, by `performance.now()`. */
  denied = 0;
  deniedLast = 0;
  readonly calledAt = performance.now();
  /** Where the payer comes back. */
  returnUrl: string | undefined;
  /** Calls about it, not questions, whose answers are under way. */
  sending = 0;
  /** A card that the gateway has taken on, or whose code it has, and of which it asks nothing. */
  charging = false;
  everHeld = false;
  everCaptured = false;
  everReversed = false;
  readonly clientRef: string;
  readonly method: Method;
  readonly amount: bigint;

  constructor(clientRef: string, method: Method, amount: bigint) {
    this.clientRef = clientRef;
    this.method = method;
    this.amount = amount;
  }

  get reference(): string {
    return this.clientRef.slice(0, this.clientRef.lastIndexOf('_'));
  }

  get waits(): boolean {
    return WAITS.includes(this.books.state);
  }

  /** The payer's money is held or taken. */
  get hasMoney(): boolean {
    return this.books.state === 'held' || this.books.state === 'captured';
  }

  /** Something of what was taken was neither given back nor charged back. */
  get holdsMoney(): boolean {
    const { state, captured, refunded, disputed } = this.books;
    return state === 'captured' && refunded < captured && !disputed;
  }

  /** More was given back than was taken: a void that came late met a refund or a chargeback. */
  get givenBackTwice(): boolean {
    const { state, refunded, disputed } = this.books;
    return state === 'reversed' && (refunded > 0n || disputed);
  }

  change(to: Partial<Books>): void {
    this.former = this.books;
    this.doneAsRefused = false;
    const before = this.books.refunded;
    this.books = { ...this.books, ...to };
    const { state, refunded } = this.books;
    if (refunded > before) this.everRefunded += refunded - before;
    if (state !== 'pending') this.charging = false;
    if (state === 'held') this.everHeld = true;
    if (state === 'captured') this.everCaptured = true;
    if (state === 'reversed') this.everReversed = true;
  }

  capture(amount: bigint): void {
    this.change({ state: 'captured', captured: amount });
  }

  /** Whether so much can be given back now. */
  canRefund(amount: bigint): boolean {
    const { state, captured, refunded, reversedInPart, disputed } = this.books;
    return state === 'captured' && !reversedInPart && !disputed && refunded + amount <= captured;
  }

  /** Gives a refund's money back, if it still can. */
  giveBack(refundRef: string): void {
    const refund = this.refunds.get(refundRef);
    if (!refund) return;
    refund.state = this.canRefund(refund.amount) ? 'done' : 'refused';
    if (refund.state === 'done') this.change({ refunded: this.books.refunded + refund.amount });
  }

  /** How much of what is said to have been given back is only under way. */
  get pendingRefund(): bigint {
    const { accepted, refunds } = this;
    return accepted?.operation === 'refund' ? (refunds.get(accepted.refundRef)?.amount ?? 0n) : 0n;
  }

  /** Carries out what was accepted. */
  settle(): void {
    const { accepted } = this;
    this.accepted = undefined;
    if (this.books.countsPending) this.change({ countsPending: false });
    if (this.comesLater) {
      this.comesLater = false;
      this.capture(this.amount);
    }
    if (accepted?.operation === 'complete' && this.books.state === 'held') this.capture(accepted.amount);
    if (accepted?.operation === 'refund') this.giveBack(accepted.refundRef);
    if (accepted?.operation === 'void' && this.hasMoney && this.books.refunded === 0n)
      this.change({ state: 'reversed' });
    if (this.voidComesLater && this.hasMoney) this.change({ state: 'reversed' });
    this.voidComesLater = false;
  }

  count(operation: string): number {
    const calls = (this.calls.get(operation) ?? 0) + 1;
    this.calls.set(operation, calls);
    return calls;
  }
}

/** Every transaction by its `client_ref`. */
export class MoneyLedger {
  readonly #all = new Map<string, Transaction>();

  find(clientRef: string): Transaction | undefined {
    return this.#all.get(clientRef);
  }

  begin(clientRef: string, method: Method, amount: bigint): Transaction {
    const transaction = new Transaction(clientRef, method, amount);
    this.#all.set(clientRef, transaction);
    return transaction;
  }

  of(reference: string): Transaction[] {
    return [...this.#all.values()].filter((transaction) => transaction.reference === reference);
  }

  forget(reference: string): void {
    for (const { clientRef } of this.of(reference)) this.#all.delete(clientRef);
  }
}

/** `"1500.00"` as minor units; both currencies of the model have two digits. */
export function minor(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

export function major(amount: bigint): string {
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
