import { Circuit, type CircuitState } from './circuit.js';
import { QuestionRate, type Waits } from './question-rate.js';
import { WORTH, WORTHS, type Worth } from './worth.js';
import type { UnknownReason, UssdBanksResult } from '../../gateway/gateway-result.js';

/** The gateway operations by which a payment's status is asked for. */
export const STATUS_QUERIES = ['transactionStatus', 'transferUssdStatus'] as const;
export type StatusQuery = (typeof STATUS_QUERIES)[number];

/** A question that may be asked. */
export interface Question {
  paymentId: string;
  operation: StatusQuery;
  worth: Worth;
  /** From when on, by the schedule's clock. */
  dueAt: number;
}

/** A question about an outcome that has just become unknown. */
export interface FreshQuestion extends Question {
  /** Whether it was not asked yet: those go first. */
  first: boolean;
}

/** What is to be done now: ask, or look again at a time (`Infinity`: when something has changed). */
export type Next = { ask: Question } | { at: number };

/**
 * How a status query ended, as far as its operation's health is concerned. `busy` says nothing of it: the gateway wants a pause, of
 * which the rate knows.
 */
export type QuestionResult = 'answered' | 'failed' | 'busy';

/**
 * What is due in the store: by worth, but of the notified ones those that somebody waits for are `awaited`, because a notification
 * names a payment that is still open, or a report claims what is not known.
 */
export type DueKind = Worth | 'awaited';

/** Questions with a share of their own. Those about fresh unknown outcomes are a kind before the others. */
type LaneKind = DueKind | 'fresh';

/** Shares of the rate. Awaited questions have a rate of their own. */
const SHARES: Readonly<Record<LaneKind, number>> = {
  fresh: 8,
  awaited: 6,
  [WORTH.unknown]: 6,
  [WORTH.notified]: 6,
  [WORTH.waiting]: 3,
  [WORTH.followUp]: 1,
};
/**
 * How many of an operation's slots one kind may use, so that some are left for the others. Awaited questions come as fast as
 * payments are paid, also where the gateway takes seconds for each answer.
 */
const SLOTS_OF_KIND: Readonly<Record<Waits, number>> = { waited: 60, unwaited: 10 };
/** How many fresh questions are remembered. The store knows all of them. */
const MAX_FRESH = 256;
/** How many payments are remembered about which no answer came: those that were asked about last. */
const MAX_IN_VAIN = 256;

/** The questions of one kind to one operation. */
interface Lane {
  readonly kind: LaneKind;
  readonly operation: StatusQuery;
  readonly waits: Waits;
  readonly stride: number;
  /** How much of its share the lane has used. The lane that has used least is next. */
  pass: number;
  /** The same, of the questions that began while its operation was scarce. */
  turn: number;
  waiting: (Question & Partial<FreshQuestion>)[];
  running: number;
  /** Whether it had something to ask when the schedule last looked. */
  active: boolean;
}

/** What a lane would ask now. */
interface Ready {
  lane: Lane;
  question: Question;
}

/**
 * Decides which payment the gateway is asked about next. It is a model with a virtual clock: it has no timers and does
 * no I/O, and every method is told the time. Kinds of questions share the rate by stride scheduling (Waldspurger and
 * Weihl, 1995): each has a pass that grows with each of its questions, the slower the larger its share, and the smallest
 * pass is next. So none starves, and what one leaves goes to the others. A lane that was empty begins at the pass of the
 * others: what it did not use it does not get later.
 *
 * While an operation hangs or fails, or comes back, few of its questions may begin. All kinds share these in the same way, also those
 * that have a rate of their own. Within a kind, payments about which no answer came before give way to the others, of which the
 * newest is first. So payments that get no answer, however many, keep no other waiting.
 */
export class QuestionSchedule {
  readonly rate: QuestionRate;
  readonly #circuits = new Map(STATUS_QUERIES.map((operation) => [operation, new Circuit()]));
  readonly #lanes: Lane[];
  /** The pass of the last lane that asked. */
  #pass = 0;
  /** The turn of the last lane that asked while its operation was scarce. */
  readonly #turns = new Map(STATUS_QUERIES.map((operation) => [operation, 0]));
  /** Payments about which no answer came, the one that was asked about last at the end. */
  readonly #inVain = new Set<string>();
  /** Questions that have begun, by payment. */
  readonly #asking = new Map<string, { lane: Lane; sent: boolean }>();

  /** @param limit questions in any second that nobody waits for; 0: no limit. */
  constructor(limit: number) {
    this.rate = new QuestionRate(limit);
    this.#lanes = (['fresh', 'awaited', ...WORTHS] as const).flatMap((kind) =>
      STATUS_QUERIES.map((operation) => ({
        kind,
        operation,
        waits: kind === 'awaited' ? ('waited' as const) : ('unwaited' as const),
        stride: 1 / SHARES[kind],
        pass: 0,
        turn: 0,
        waiting: [],
        running: 0,
        active: false,
      })),
    );
  }

  /** Replaces the questions of one kind and operation by those that are due in the store, the longest due first. */
  supply(kind: DueKind, operation: StatusQuery, questions: readonly Question[]): void {
    this.#lane(kind, operation).waiting = questions.filter(({ paymentId }) => !this.#asking.has(paymentId));
  }

  /** How many questions of one kind and operation wait here, without those about payments that were asked about in vain. */
  waiting(kind: DueKind, operation: StatusQuery): number {
    return this.#lane(kind, operation).waiting.filter(({ paymentId }) => !this.#inVain.has(paymentId)).length;
  }

  /** How many payments are remembered that were asked about in vain. So many more are to be supplied, so that others are among them. */
  get askedInVain(): number {
    return this.#inVain.size;
  }

  /**
   * Adds a question about an outcome that has just become unknown. The newest that was not asked yet is asked first, so
   * that no crowd of repeated questions stands before it.
   */
  addFresh(question: FreshQuestion): void {
    const { waiting } = this.#lane('fresh', question.operation);
    const known = waiting.findIndex(({ paymentId }) => paymentId === question.paymentId);
    if (known >= 0) waiting.splice(known, 1);
    waiting.push(question);
    if (waiting.length <= MAX_FRESH) return;
    waiting.splice(
      Math.max(
        0,
        waiting.findIndex(({ first }) => !first),
      ),
      1,
    );
  }

  /** Forgets a fresh question: its payment's outcome is known now. */
  dropFresh(paymentId: string): void {
    for (const { kind, waiting } of this.#lanes) {
      const known = kind === 'fresh' ? waiting.findIndex((each) => each.paymentId === paymentId) : -1;
      if (known >= 0) waiting.splice(known, 1);
    }
  }

  /** Whether a question about this payment has begun and not ended. */
  isAsking(paymentId: string): boolean {
    return this.#asking.has(paymentId);
  }

  /**
   * The question to begin now, with its place in the rate and its slot taken, or when to look again. After a question
   * {@link sent} is called when it leaves, and {@link end} in any case.
   */
  next(now: number): Next {
    const ready: Ready[] = [];
    let at = Infinity;
    for (const lane of this.#lanes) {
      const question = this.#first(lane, now);
      const readyAt = question ? this.#readyAt(lane, question, now) : Infinity;
      if (!question || readyAt > now) {
        lane.active = false;
        at = Math.min(at, readyAt);
        continue;
      }
      if (!lane.active) lane.pass = Math.max(lane.pass, this.#pass);
      lane.active = true;
      const free = this.rate.freeAt(now, lane.waits);
      at = Math.min(at, free);
      if (free <= now) ready.push({ lane, question });
    }
    const next = this.#choose(ready);
    if (!next) return { at };
    this.#begin(next.lane, next.question, now);
    return { ask: next.question };
  }

  /** Those that somebody waits for go first, because they have their own rate; where an operation is scarce, they wait for their turn. */
  #choose(ready: readonly Ready[]): Ready | undefined {
    const inTurn = ready.filter(({ lane }) => {
      if (!this.#circuit(lane.operation).isScarce) return true;
      const rivals = ready.filter(({ lane: { operation } }) => operation === lane.operation);
      return leastBy(rivals, (rival) => this.#turnOf(rival.lane))?.lane === lane;
    });
    const waited = inTurn.filter(({ lane }) => lane.waits === 'waited');
    return leastBy(waited.length > 0 ? waited : inTurn, ({ lane }) => lane.pass);
  }

  /** The question about this payment leaves now. */
  sent(paymentId: string, now: number): void {
    const asking = this.#asking.get(paymentId);
    if (!asking || asking.sent) return;
    asking.sent = true;
    this.rate.sent(now, asking.lane.waits);
  }

  /** The question about this payment has ended, whether it was sent or not. */
  end(paymentId: string): void {
    const asking = this.#asking.get(paymentId);
    if (!asking) return;
    if (!asking.sent) this.rate.release(asking.lane.waits);
    this.#asking.delete(paymentId);
    asking.lane.running -= 1;
    this.#circuit(asking.lane.operation).end(paymentId);
  }

  /**
   * A status query ended, the schedule's or a payer's.
   *
   * @param about which payment it was about. One about which no answer comes again and again says nothing about the operation.
   */
  result(operation: StatusQuery, result: QuestionResult, now: number, about: string): void {
    if (result === 'busy') return;
    const again = this.#inVain.delete(about);
    if (result === 'answered') {
      this.#circuit(operation).succeeded(now);
      this.rate.answered(now);
      return;
    }
    this.#inVain.add(about);
    for (const oldest of this.#inVain) {
      if (this.#inVain.size <= MAX_IN_VAIN) break;
      this.#inVain.delete(oldest);
    }
    if (!again) this.#circuit(operation).failed(now);
  }

  circuitState(operation: StatusQuery): CircuitState {
    return this.#circuit(operation).state;
  }

  #begin(lane: Lane, question: Question, now: number): void {
    // The awaited ones have their own rate, so what they use is no measure for the others.
    if (lane.waits === 'unwaited') this.#pass = lane.pass;
    lane.pass += lane.stride;
    if (this.#circuit(lane.operation).isScarce) {
      const turn = this.#turnOf(lane);
      this.#turns.set(lane.operation, turn);
      lane.turn = turn + lane.stride;
    }
    lane.running += 1;
    this.#circuit(lane.operation).begin(question.paymentId, now);
    this.#asking.set(question.paymentId, { lane, sent: false });
    this.rate.reserve(lane.waits);
    for (const other of this.#lanes) {
      const index = other.waiting.findIndex(({ paymentId }) => paymentId === question.paymentId);
      if (index >= 0) other.waiting.splice(index, 1);
    }
  }

  #readyAt(lane: Lane, question: Question, now: number): number {
    if (lane.running >= SLOTS_OF_KIND[lane.waits]) return Infinity;
    return Math.max(question.dueAt, this.#circuit(lane.operation).freeAt(now));
  }

  /** What a lane that was idle did not use it does not get later. */
  #turnOf({ operation, turn }: Lane): number {
    return Math.max(turn, this.#turns.get(operation) ?? 0);
  }

  /** The lane's next question that is due, or else the one that is due first. */
  #first({ kind, operation, waiting }: Lane, now: number): Question | undefined {
    const free = waiting.filter(({ paymentId }) => !this.#asking.has(paymentId));
    const allDue = free.filter(({ dueAt }) => dueAt <= now);
    const untried = this.#circuit(operation).isScarce
      ? allDue.filter(({ paymentId }) => !this.#inVain.has(paymentId))
      : [];
    const due = untried.length > 0 ? untried : allDue;
    const newestFirst = kind === 'fresh' || untried.length > 0;
    if (due.length > 0) return newestFirst ? (due.findLast(({ first }) => first) ?? due.at(-1)) : due[0];
    return free.reduce<Question | undefined>(
      (first, each) => (first && first.dueAt <= each.dueAt ? first : each),
      undefined,
    );
  }

  #lane(kind: Lane['kind'], operation: StatusQuery): Lane {
    const found = this.#lanes.find((lane) => lane.kind === kind && lane.operation === operation);
    if (!found) throw new Error('There is no such lane');
    return found;
  }

  #circuit(operation: StatusQuery): Circuit {
    const found = this.#circuits.get(operation);
    if (!found) throw new Error('There is no such operation');
    return found;
  }
}

/** The first of those of which the number is the least. */
function leastBy<T>(all: readonly T[], numberOf: (each: T) => number): T | undefined {
  return all.reduce<T | undefined>(
    (least, each) => (least === undefined || numberOf(each) < numberOf(least) ? each : least),
    undefined,
  );
}

/** Answers that came whole, though they could not be understood: about one payment, not about the operation. */
const STRANGE: ReadonlySet<UnknownReason> = new Set([
  'too-large',
  'unrecognised',
  'contradiction',
  'requirement',
]);

/** Whether the gateway answered a status query, so that its operation works, whatever the answer says. */
export function isAnswered(result: UssdBanksResult): boolean {
  switch (result.kind) {
    case 'answered':
    case 'banks':
    case 'rejected':
    case 'busy':
      return true;
    case 'unknown':
      return STRANGE.has(result.reason);
    case 'not-sent':
    case 'credentials-rejected':
      return false;
  }
}

/** How a status query ended, as far as its operation's health is concerned. */
export function questionResult(result: UssdBanksResult): QuestionResult {
  if (result.kind === 'busy') return 'busy';
  return isAnswered(result) ? 'answered' : 'failed';
}
