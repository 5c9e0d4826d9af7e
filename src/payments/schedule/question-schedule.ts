import { Circuit, type CircuitState } from './circuit.js';
import { QuestionRate, type Waits } from './question-rate.js';
import { WORTH, WORTHS, type Worth } from './worth.js';

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

/** How a status query ended, as far as its operation's health is concerned. */
export type QuestionResult = 'answered' | 'failed';

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

/** The questions of one kind to one operation. */
interface Lane {
  readonly kind: LaneKind;
  readonly operation: StatusQuery;
  readonly waits: Waits;
  readonly stride: number;
  /** How much of its share the lane has used. The lane that has used least is next. */
  pass: number;
  waiting: (Question & Partial<FreshQuestion>)[];
  running: number;
  /** Whether it had something to ask when the schedule last looked. */
  active: boolean;
}

/**
 * Decides which payment the gateway is asked about next. It is a model with a virtual clock: it has no timers and does
 * no I/O, and every method is told the time. Kinds of questions share the rate by stride scheduling (Waldspurger and
 * Weihl, 1995): each has a pass that grows with each of its questions, the slower the larger its share, and the smallest
 * pass is next. So none starves, and what one leaves goes to the others. A lane that was empty begins at the pass of the
 * others: what it did not use it does not get later.
 */
export class QuestionSchedule {
  readonly rate: QuestionRate;
  readonly #circuits = new Map(STATUS_QUERIES.map((operation) => [operation, new Circuit()]));
  readonly #lanes: Lane[];
  /** The pass of the last lane that asked. */
  #pass = 0;
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

  /** How many questions of one kind and operation wait here. */
  waiting(kind: DueKind, operation: StatusQuery): number {
    return this.#lane(kind, operation).waiting.length;
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
    const chosen: Partial<Record<Waits, { lane: Lane; question: Question }>> = {};
    let at = Infinity;
    for (const lane of this.#lanes) {
      const question = this.#first(lane, now);
      const ready = question ? this.#readyAt(lane, question, now) : Infinity;
      if (ready > now) {
        lane.active = false;
        at = Math.min(at, ready);
        continue;
      }
      if (!lane.active) lane.pass = Math.max(lane.pass, this.#pass);
      lane.active = true;
      const other = chosen[lane.waits];
      if (question && (!other || lane.pass < other.lane.pass)) chosen[lane.waits] = { lane, question };
    }
    for (const waits of ['waited', 'unwaited'] as const) {
      const next = chosen[waits];
      if (!next) continue;
      const free = this.rate.freeAt(now, waits);
      at = Math.min(at, free);
      if (free > now) continue;
      this.#begin(next.lane, next.question, now);
      return { ask: next.question };
    }
    return { at };
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

  /** A status query ended, the schedule's or a payer's. */
  result(operation: StatusQuery, result: QuestionResult, now: number): void {
    if (result === 'failed') {
      this.#circuit(operation).failed(now);
      return;
    }
    this.#circuit(operation).succeeded();
    this.rate.answered(now);
  }

  circuitState(operation: StatusQuery): CircuitState {
    return this.#circuit(operation).state;
  }

  #begin(lane: Lane, question: Question, now: number): void {
    // The awaited ones have their own rate, so what they use is no measure for the others.
    if (lane.waits === 'unwaited') this.#pass = lane.pass;
    lane.pass += lane.stride;
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

  /** The lane's next question that is due, or else the one that is due first. */
  #first({ kind, waiting }: Lane, now: number): Question | undefined {
    const free = waiting.filter(({ paymentId }) => !this.#asking.has(paymentId));
    const due = free.filter(({ dueAt }) => dueAt <= now);
    if (due.length > 0) return kind === 'fresh' ? (due.findLast(({ first }) => first) ?? due.at(-1)) : due[0];
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
