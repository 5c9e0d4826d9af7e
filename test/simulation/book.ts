/**
 * The books of the simulated gateway: what was really held, taken and given back, under each `client_ref`. They are the judge's only
 * measure, and know nothing of the service.
 */

export type Method = 'card' | 'wallet' | 'transfer';
export type State =
  | 'absent'
  | 'pending'
  | 'waiting'
  | 'otp'
  | 'redirect'
  | 'held'
  | 'captured'
  | 'declined'
  | 'expired'
  | 'reversed';

/** The gateway waits: for the payer, or for a bank. */
export const WAITS: readonly State[] = ['pending', 'waiting', 'otp', 'redirect'];

export interface Money {
  state: State;
  /** Minor units, as all amounts here. */
  captured: bigint;
  /** Given back by refunds, whoever asked for them. */
  refunded: bigint;
  /** Of that: by a reversal of a part, which the gateway calls so. */
  reversedPart: bigint;
  disputed: bigint;
  disputeWon: boolean;
  /** An open refund is counted in what was given back. */
  countsOpen: bigint;
}

export interface Refund {
  amount: bigint;
  state: 'done' | 'open' | 'refused' | 'bounced';
}

export class Charge {
  money: Money = {
    state: 'absent',
    captured: 0n,
    refunded: 0n,
    reversedPart: 0n,
    disputed: 0n,
    disputeWon: false,
    countsOpen: 0n,
  };
  /** What it was before, and until when. */
  readonly former: { until: number; money: Money }[] = [];
  readonly refunds = new Map<string, Refund>();
  /** How often each operation arrived. */
  readonly arrived = new Map<string, number>();
  /** An operation that was accepted and is not carried out yet. */
  accepted: 'complete' | 'void' | 'refund' | undefined;
  /** Money moved of its own accord after the service had closed the payment, or a person had. */
  excused = false;
  /** Anything moved beside what the shop asked for. */
  ownMoves = 0;
  changedAt = 0;
  /** How many answers about it are on their way, or were just heard. */
  answering = 0;
  /** A refund came back, and the sum of what was given back does not tell which. */
  blurred = false;
  /** Somebody gave something back at the gateway itself. */
  givenByOthers = false;
  everHeld = false;
  everCaptured = false;
  everReversed = false;
  mostGivenBack = 0n;
  /** Somebody has given back just what the shop was told had failed, and nothing else has moved since. */
  doneAsRefused: bigint | undefined;
  /** Answers "not known", as the service heard them. */
  denials: number[] = [];
  calledAt: number;
  readonly ref: string;
  readonly method: Method;
  readonly amount: bigint;

  constructor(ref: string, method: Method, amount: bigint, at: number) {
    this.ref = ref;
    this.method = method;
    this.amount = amount;
    this.calledAt = at;
  }

  get reference(): string {
    return this.ref.slice(0, this.ref.lastIndexOf('_'));
  }

  /** What the payer's money comes to here. */
  get net(): bigint {
    const { state, captured, refunded, disputed } = this.money;
    return state === 'captured' ? captured - refunded - disputed : 0n;
  }

  get hasMoney(): boolean {
    return this.money.state === 'held' || this.net > 0n;
  }

  get waits(): boolean {
    return WAITS.includes(this.money.state);
  }

  get left(): bigint {
    return this.money.captured - this.money.refunded;
  }

  get openRefunds(): bigint {
    return [...this.refunds.values()]
      .filter(({ state }) => state === 'open')
      .reduce((sum, { amount }) => sum + amount, 0n);
  }

  change(at: number, to: Partial<Money>): void {
    this.former.push({ until: at, money: this.money });
    if (this.former.length > 8) this.former.shift();
    this.money = { ...this.money, ...to };
    this.changedAt = at;
    this.doneAsRefused = undefined;
    const { state, refunded } = this.money;
    if (state === 'held') this.everHeld = true;
    if (state === 'captured') this.everCaptured = true;
    if (state === 'reversed') this.everReversed = true;
    if (refunded > this.mostGivenBack) this.mostGivenBack = refunded;
  }

  /** As it was so long ago. */
  before(at: number): Money {
    return this.former.find(({ until }) => until > at)?.money ?? this.money;
  }

  count(operation: string): number {
    const count = (this.arrived.get(operation) ?? 0) + 1;
    this.arrived.set(operation, count);
    return count;
  }

  canRefund(amount: bigint): boolean {
    const { state, disputed, reversedPart } = this.money;
    return state === 'captured' && disputed === 0n && reversedPart === 0n && amount <= this.left;
  }

  /** Gives a refund's money back, if it still can. */
  giveBack(at: number, refundRef: string): void {
    const refund = this.refunds.get(refundRef);
    if (refund?.state !== 'open') return;
    refund.state = this.canRefund(refund.amount) ? 'done' : 'refused';
    const countsOpen = 0n;
    if (refund.state === 'done')
      this.change(at, { refunded: this.money.refunded + refund.amount, countsOpen });
    else this.change(at, { countsOpen });
  }
}

export class Book {
  readonly #all = new Map<string, Charge>();
  readonly #byReference = new Map<string, Charge[]>();

  find(ref: string): Charge | undefined {
    return this.#all.get(ref);
  }

  of(reference: string): readonly Charge[] {
    return this.#byReference.get(reference) ?? [];
  }

  begin(charge: Charge): void {
    this.#all.set(charge.ref, charge);
    const others = this.#byReference.get(charge.reference);
    if (others) others.push(charge);
    else this.#byReference.set(charge.reference, [charge]);
  }

  all(): Charge[] {
    return [...this.#all.values()];
  }
}

/** `"1500.00"` as minor units; all currencies of the simulation have two digits. */
export function minor(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

export function major(amount: bigint): string {
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
