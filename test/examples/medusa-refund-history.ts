import {
  nextRefund,
  reasonOf,
  type EnteredRefund,
  type TillfrontRefund,
} from '../../examples/medusa/src/modules/tillfront/next-refund.js';

/** What happens next. `pick` chooses among those it can happen to; if there are none, nothing happens. */
export interface Happening {
  kind:
    | 'enter'
    | 'read'
    | 'decide'
    | 'arrive'
    | 'answer'
    | 'give-up'
    | 'settle'
    | 'remove'
    | 'die'
    | 'confirm'
    | 'bounce'
    | 'console'
    | 'ten-minutes';
  pick: number;
  amount: string;
  skewMs: number;
}

/** One attempt of Medusa at a refund, as `refundPayment` of the provider makes it. */
interface Attempt {
  own: EnteredRefund;
  at: 'entered' | 'read' | 'asked' | 'settling' | 'failed' | 'over';
  seen: TillfrontRefund[];
  standsFor?: string;
}

/** A request that was sent. It may arrive long after its sender gave up, or never. */
interface Request {
  number: number;
  own: EnteredRefund;
  from: Attempt;
}

/** Medusa, Tillfront and all that lies between them, for one payment, in any order of events. */
export class RefundHistory {
  readonly book = new Map<string, EnteredRefund>();
  readonly refunds: (TillfrontRefund & { number?: number })[] = [];
  deaths = 0;
  private now = 0;
  private entries = 0;
  private attempts: Attempt[] = [];
  private requests: Request[] = [];
  private readonly answers = new Map<Attempt, TillfrontRefund | 'refused'>();

  happen({ kind, pick, amount, skewMs }: Happening): void {
    const one = (at: Attempt['at']): Attempt | undefined => pickOf(this.attempts, pick, (it) => it.at === at);
    if (kind === 'enter') this.enter(amount, skewMs);
    else if (kind === 'read') this.read(one('entered'));
    else if (kind === 'decide') this.decide(one('read'));
    else if (kind === 'arrive') this.arrive(pickOf(this.requests, pick), pick);
    else if (kind === 'answer') this.hear(pickOf(this.attempts, pick, (it) => this.answers.has(it)));
    else if (kind === 'give-up') end(one('asked'), 'failed');
    else if (kind === 'settle') this.settle(one('settling'));
    else if (kind === 'remove') this.remove(one('failed'));
    else if (kind === 'die') this.die(pickOf(this.attempts, pick, ({ at }) => at !== 'over'));
    else if (kind === 'confirm') this.conclude(pick, 'succeeded');
    else if (kind === 'bounce') this.conclude(pick, 'failed');
    else if (kind === 'console') this.make(amount, null, pick);
    else this.tenMinutes();
  }

  /** Everybody gives up, and what is still on its way arrives. */
  settleDown(): void {
    this.tenMinutes();
    while (this.requests.length > 0) this.arrive(this.requests[0], 0);
    while (this.underWay()) this.conclude(0, 'succeeded');
  }

  /** Somebody refunds an amount, undisturbed. Returns what was done about it. */
  refund(amount: string): ReturnType<typeof nextRefund> {
    const attempt = this.enter(amount, 0);
    this.read(attempt);
    const next = this.decide(attempt);
    while (this.requests.length > 0) this.arrive(this.requests[0], 0);
    if (attempt.at === 'asked') this.hear(attempt);
    if (attempt.at === 'settling') this.settle(attempt);
    this.remove(attempt.at === 'failed' ? attempt : undefined);
    return next;
  }

  alive(): TillfrontRefund[] {
    return this.refunds.filter(({ status }) => status !== 'failed');
  }

  settled(): string[] {
    return [...this.book.values()].flatMap(({ settledBy }) => settledBy ?? []);
  }

  private enter(amount: string, skewMs: number): Attempt {
    this.entries += 1;
    const enteredAt = new Date(this.now + skewMs);
    const own = { id: `ref_${this.entries}`, amount, settledBy: null, enteredAt };
    this.book.set(own.id, own);
    const attempt: Attempt = { own, at: 'entered', seen: [] };
    this.attempts.push(attempt);
    return attempt;
  }

  private read(attempt: Attempt | undefined): void {
    if (attempt) attempt.seen = this.refunds.map((refund) => ({ ...refund }));
    end(attempt, 'read');
  }

  private decide(attempt: Attempt): ReturnType<typeof nextRefund>;
  private decide(attempt: Attempt | undefined): ReturnType<typeof nextRefund> | undefined;
  private decide(attempt: Attempt | undefined): ReturnType<typeof nextRefund> | undefined {
    if (!attempt) return undefined;
    const { own } = attempt;
    const others = [...this.book.values()].filter(({ id }) => id !== own.id);
    const next = nextRefund(own, others, attempt.seen);
    if (next.step === 'make') this.requests.push({ number: next.number, own, from: attempt });
    if (next.step === 'take-over') attempt.standsFor = next.refund.id;
    attempt.at = next.step === 'make' ? 'asked' : next.step === 'take-over' ? 'settling' : 'failed';
    return next;
  }

  /** Tillfront makes one refund of a key, and none while another is open. */
  private arrive(request: Request | undefined, pick: number): void {
    if (!request) return;
    this.requests = this.requests.filter((other) => other !== request);
    const { number, own, from } = request;
    const isUsed = this.refunds.some((refund) => refund.number === number);
    this.answers.set(
      from,
      isUsed || this.underWay() ? 'refused' : this.make(own.amount, reasonOf(own), pick, number),
    );
  }

  private hear(attempt: Attempt | undefined): void {
    const answer = attempt && this.answers.get(attempt);
    if (!answer) return;
    this.answers.delete(attempt);
    if (attempt.at !== 'asked') return;
    const isMade = answer !== 'refused' && answer.status === 'succeeded';
    if (isMade) attempt.standsFor = answer.id;
    attempt.at = isMade ? 'settling' : 'failed';
  }

  private settle(attempt: Attempt | undefined): void {
    if (!attempt) return;
    this.book.set(attempt.own.id, { ...attempt.own, settledBy: attempt.standsFor ?? null });
    attempt.at = 'over';
  }

  private remove(attempt: Attempt | undefined): void {
    if (!attempt) return;
    this.book.delete(attempt.own.id);
    attempt.at = 'over';
  }

  /** The entry stays as it is. */
  private die(attempt: Attempt | undefined): void {
    if (attempt) this.deaths += 1;
    end(attempt, 'over');
  }

  private make(amount: string, reason: string | null, pick: number, number?: number): TillfrontRefund {
    const status = (['succeeded', 'processing', 'failed'] as const)[this.underWay() ? 0 : pick % 3];
    const refund = { id: `r${this.refunds.length}`, amount, reason, status: status ?? 'succeeded', number };
    this.refunds.push(refund);
    // What the answer says is what held when it was sent.
    return { ...refund };
  }

  private conclude(pick: number, status: 'succeeded' | 'failed'): void {
    const refund = pickOf(this.refunds, pick, (it) => it.status === 'processing');
    if (refund) refund.status = status;
  }

  private underWay(): boolean {
    return this.refunds.some(({ status }) => status === 'processing');
  }

  /** No attempt of Medusa runs so long, but its request may. */
  private tenMinutes(): void {
    for (const attempt of this.attempts) if (attempt.at !== 'over') this.remove(attempt);
    this.now += 15 * 60_000;
  }
}

function end(attempt: Attempt | undefined, at: Attempt['at']): void {
  if (attempt) attempt.at = at;
}

function pickOf<T>(all: readonly T[], pick: number, fits: (one: T) => boolean = () => true): T | undefined {
  const fitting = all.filter(fits);
  return fitting[pick % fitting.length];
}
