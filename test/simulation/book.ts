import { major, minor, WAITS, type Method, type State } from './money-ledger.ts';
import { saidOf, type Said } from './gateway-words.ts';

/**
 * The books of the simulated gateway: what was really held, taken and given back, under each `client_ref`. They are the judge's only
 * measure, and know nothing of the service.
 */

export { major, minor, type Method, type State };

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
  /** The service has heard that it failed. */
  toldFailed?: boolean;
  /** How often it has heard since that it came back. */
  toldBack?: number;
}

/** A row of the gateway's own book: money that moved. */
export interface SettledRow {
  ref: string;
  type: 'PAYMENT' | 'PAYMENT_REVERSAL' | 'REFUND' | 'REFUND_REVERSAL' | 'CHARGEBACK' | 'CHARGEBACK_REVERSAL';
  /** Minor units. */
  amount: bigint;
  at: number;
}

/** A status answer that came as it was sent. */
export interface Heard {
  /** When it was written, and when it came: by the world's clock, as all times here. */
  said: number;
  at: number;
  by: { readonly dead: boolean };
  /** What it says; undefined where it denies that there is such a charge. */
  money: Money | undefined;
}

/** So many answers about a charge are remembered. */
const REMEMBERED = 60;

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
  /** What the gateway's reports should say of it. */
  readonly rows: SettledRow[] = [];
  /** It was begun elsewhere: the service knows it when it was taken over. */
  isForeign = false;
  /** How often each operation was sent. */
  readonly sent = new Map<string, number>();
  /** An operation that was accepted and is not carried out yet; `carryOut` does it now. */
  accepted: 'complete' | 'void' | 'refund' | undefined;
  carryOut: (() => void) | undefined;
  /** The service has heard that its last completion or void was accepted. */
  toldAccepted: string | undefined;
  /** The same, that it was refused. */
  toldRefused: string | undefined;
  /** Who has heard what its payer has to do, and when. */
  toldAction: { at: number; by: { readonly dead: boolean } } | undefined;
  /** It never comes to an end by itself: nobody can know but a person. */
  isStuck = false;
  /** What people have said became of the payment, those included who wait for the answer. Whoever is refused has said nothing. */
  readonly words = new Set<{ readonly namesAmount: boolean }>();
  /** The gateway has said once what was before: that a code is asked for, say, which it had got. */
  misled = false;
  /** Since then the service cannot know how the charge stands: money moved by itself, or an answer shows what was before. */
  unknownSince: number | undefined;
  changedAt = 0;
  /** How many answers about it are on their way, or were just heard. */
  answering = 0;
  /** The sum of what was given back held a refund that came back or failed, or a person has said that one failed. */
  blurred = false;
  /** Somebody gave something back at the gateway itself. */
  givenByOthers = false;
  everHeld = false;
  everCaptured = false;
  everReversed = false;
  mostGivenBack = 0n;
  /** Somebody has given back just what the shop was told had failed, and nothing else has moved since. */
  doneAsRefused: bigint | undefined;
  readonly ref: string;
  readonly method: Method;
  readonly amount: bigint;

  constructor(ref: string, method: Method, amount: bigint) {
    this.ref = ref;
    this.method = method;
    this.amount = amount;
  }

  /** A person has settled the payment: what moves from then on is told to a person, and moves no status. */
  get settledByPerson(): boolean {
    return this.words.size > 0;
  }

  /** A person has said how much was taken. */
  get amountByPerson(): boolean {
    return [...this.words].some(({ namesAmount }) => namesAmount);
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

  /** What the gateway says of it, or of how it was. */
  said({ countsOpen, reversedPart, disputed, ...money }: Money = this.money): Said {
    return saidOf({
      ...money,
      ...{ reference: this.ref, amount: this.amount },
      refunded: money.refunded + countsOpen,
      reversed: reversedPart > 0n ? reversedPart : undefined,
      disputed: disputed > 0n,
    });
  }

  change(at: number, to: Partial<Money>): void {
    this.former.push({ until: at, money: this.money });
    if (this.former.length > 8) this.former.shift();
    const before = this.money;
    this.money = { ...this.money, ...to };
    this.#settle(at, before);
    this.changedAt = at;
    this.doneAsRefused = undefined;
    const { state, refunded } = this.money;
    if (state === 'held') this.everHeld = true;
    if (state === 'captured') this.everCaptured = true;
    if (state === 'reversed') this.everReversed = true;
    if (refunded > this.mostGivenBack) this.mostGivenBack = refunded;
  }

  #settle(at: number, before: Money): void {
    const { state, captured, refunded, disputed } = this.money;
    const settle = (type: SettledRow['type'], amount: bigint): void => {
      if (amount > 0n) this.rows.push({ ref: this.ref, type, amount, at });
    };
    if (state === 'captured' && before.state !== 'captured') settle('PAYMENT', captured);
    if (state === 'reversed' && before.state === 'captured') settle('PAYMENT_REVERSAL', captured);
    settle('REFUND', refunded - before.refunded);
    settle('REFUND_REVERSAL', before.refunded - refunded);
    settle('CHARGEBACK', disputed - before.disputed);
    settle('CHARGEBACK_REVERSAL', before.disputed - disputed);
  }

  /** As it was so long ago. */
  before(at: number): Money {
    return this.former.find(({ until }) => until > at)?.money ?? this.money;
  }

  count(operation: string): number {
    const count = (this.sent.get(operation) ?? 0) + 1;
    this.sent.set(operation, count);
    return count;
  }

  canRefund(amount: bigint): boolean {
    const { state, disputed, reversedPart } = this.money;
    return state === 'captured' && disputed === 0n && reversedPart === 0n && amount <= this.left;
  }

  /** Gives a refund's money back, if it still can; or not, where it fails. */
  giveBack(at: number, refundRef: string, fails = false): void {
    const refund = this.refunds.get(refundRef);
    if (refund?.state !== 'open') return;
    refund.state = !fails && this.canRefund(refund.amount) ? 'done' : 'refused';
    if (refund.state === 'refused' && this.money.countsOpen > 0n) this.blurred = true;
    const countsOpen = 0n;
    if (refund.state === 'done')
      this.change(at, { refunded: this.money.refunded + refund.amount, countsOpen });
    else this.change(at, { countsOpen });
  }
}

export class Book {
  readonly #all = new Map<string, Charge>();
  readonly #heard = new Map<string, Heard[]>();
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

  /** The answers about a charge that the service has heard, the oldest first; also about one that never was. */
  heard(ref: string): readonly Heard[] {
    return this.#heard.get(ref) ?? [];
  }

  hears(ref: string, answer: Heard): void {
    const heard = this.#heard.get(ref);
    if (!heard) this.#heard.set(ref, [answer]);
    else if (heard.push(answer) > REMEMBERED) heard.shift();
  }
}
