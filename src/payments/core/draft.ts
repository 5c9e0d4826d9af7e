import type { MovementKind } from '../../store/store.js';
import type {
  Announced,
  Decision,
  Effect,
  Entry,
  Moment,
  Money,
  NewKey,
  PaymentEvent,
  Rules,
  SessionEvent,
} from './input.js';
import { isLive } from './payment.js';
import type {
  AttentionReason,
  EntryType,
  Key,
  Order,
  OrderState,
  Payment,
  Session,
  Status,
  TimelineEntry,
} from './payment.js';
import { Refusal } from './refusal.js';

interface Said {
  announce?: PaymentEvent;
  operation?: Announced;
  money?: Money;
  from?: Status;
  to?: Status;
  late?: boolean;
  detail?: TimelineEntry['detail'];
}

/** An order while a decision is made: copies on first touch, so that what was given stays as it was. */
export class Draft {
  readonly order: Order;
  readonly entries: Entry[] = [];
  readonly effects: Effect[] = [];
  /** Why, in a person's words: it stands in the ledger's entries. */
  note: string | null = null;
  private readonly payments: Payment[];
  private readonly touched = new Set<string>();

  constructor(
    private readonly before: OrderState & { order: Order },
    readonly moment: Moment,
    readonly rules: Rules,
    /** Who caused it: a key's name, `payer`, `gateway`, or null for the service itself. */
    readonly actor: string | null,
    /** Whether the asker still holds the payment's lease (P6). */
    readonly owned: boolean,
  ) {
    const { order } = before;
    this.order = {
      ...order,
      duplicates: [...order.duplicates],
      sessions: [...order.sessions],
      keys: [...order.keys],
    };
    this.payments = [...before.payments];
  }

  get now(): number {
    return this.moment.now;
  }

  /** All payments of the order, to look at. */
  all(): readonly Payment[] {
    return this.payments;
  }

  look(id: string): Payment {
    const found = this.payments.find((payment) => payment.id === id);
    if (!found) throw new Refusal('not-found', 'There is no such payment.');
    return found;
  }

  /** A payment to change. */
  payment(id: string): Payment {
    const found = this.look(id);
    if (this.touched.has(id)) return found;
    const copy: Payment = {
      ...found,
      operations: found.operations.map((operation) => ({ ...operation })),
      attention: [...found.attention],
      resolvedWords: [...found.resolvedWords],
      timeline: [...found.timeline],
      check: { ...found.check },
      updatedAt: this.now,
    };
    this.payments[this.payments.indexOf(found)] = copy;
    this.touched.add(id);
    return copy;
  }

  add(payment: Payment): Payment {
    this.payments.push(payment);
    this.touched.add(payment.id);
    return payment;
  }

  /** A session to change. */
  session(id: string): Session {
    const index = this.order.sessions.findIndex((session) => session.id === id);
    const found = this.order.sessions[index];
    if (!found) throw new Refusal('not-found', 'There is no such session.');
    const copy = { ...found };
    this.order.sessions[index] = copy;
    return copy;
  }

  /** Writes a line of the payment's timeline, with what follows from it. */
  say(payment: Payment, type: EntryType, said: Said = {}): void {
    const { announce, operation, money, from, to, late, detail } = said;
    const line: TimelineEntry = { type, at: this.now, actor: this.actor };
    if (from !== undefined) line.from = from;
    if (to !== undefined) line.to = to;
    if (late) line.late = true;
    if (detail !== undefined) line.detail = detail;
    payment.timeline.push(line);
    const entry: Entry = { of: 'payment', id: payment.id, line };
    if (money) entry.money = money;
    if (announce) entry.announce = announce;
    if (operation) entry.operation = operation;
    this.entries.push(entry);
    if (announce) payment.sequence += 1;
  }

  saySession(session: Session, announce: SessionEvent, late = false): void {
    session.sequence += 1;
    this.entries.push({ of: 'session', id: session.id, at: this.now, announce, ...(late ? { late } : {}) });
  }

  /** An entry of the ledger. The gateway's word about money lifts what persons have silenced. */
  money(
    payment: Payment,
    kind: MovementKind,
    direction: Money['direction'],
    amount: bigint,
    extra: { refundId?: string; at?: number; person?: boolean } = {},
  ): Money {
    if (!extra.person) payment.resolvedWords = [];
    const refund = payment.operations.find(({ id }) => id === extra.refundId);
    return {
      kind,
      direction,
      amount,
      refundId: extra.refundId ?? null,
      at: believable(extra.at, payment.createdAt, this.now),
      source: extra.person ? 'person' : 'gateway',
      reason: extra.person ? this.note : (refund?.reason ?? null),
    };
  }

  /** Moves the status: the one place in which it is written. */
  move(payment: Payment, to: Status, said: Omit<Said, 'from' | 'to'> = {}): void {
    const from = payment.status;
    payment.status = to;
    payment.statusSince = this.now;
    payment.nextAction = null;
    this.end(payment, ['outcome_unknown', 'hold_ending']);
    if (to !== 'processing' && to !== 'requires_action' && to !== 'authorized') {
      if (this.order.live === payment.id) this.order.live = null;
    } else this.order.live = payment.id;
    this.say(payment, 'moved', { ...said, from, to });
  }

  /**
   * Gives the payment to a person, unless a person has resolved just this word. It counts only from who holds the lease (P6).
   * `word`: the fact and its amount. `always`: it comes with money, which nobody will say again.
   */
  person(payment: Payment, reason: AttentionReason, word: string, always = false): void {
    const whole = `${reason} ${word}`;
    if (payment.resolvedWords.includes(whole) || payment.attention.some((one) => one.reason === reason))
      return;
    if (!this.owned && !always) return this.askAgain(payment);
    payment.attention.push({ reason, since: this.now, word: whole });
    this.say(payment, 'attention', { announce: 'needs_attention', detail: { reason } });
  }

  /** Ends reasons of attention. */
  end(payment: Payment, reasons: readonly AttentionReason[]): void {
    const kept = payment.attention.filter((one) => !reasons.includes(one.reason));
    if (kept.length === payment.attention.length) return;
    payment.attention = kept;
    this.say(payment, 'attention_ended');
  }

  /** The gateway is to be asked at once: what was heard does not count, or contradicts what is known. */
  askAgain(payment: Payment): void {
    payment.check = { at: this.now, attempts: 0, urgent: true, since: this.now };
  }

  /** Records an idempotency key with what its call did. */
  keep(used: NewKey | undefined, resource: Key['resource'], operation?: string): void {
    if (!used) return;
    const { former: _former, ...key } = used;
    this.order.keys.push({ ...key, resource, ...(operation === undefined ? {} : { operation }) });
  }

  decision(): Decision {
    const live = this.payments.filter(isLive).map(({ sessionId }) => sessionId);
    const open = this.order.sessions.filter(({ id, status }) => status === 'open' && !live.includes(id));
    this.order.dueAt = open.length === 0 ? null : Math.min(...open.map((session) => session.expiresAt));
    return {
      state: { reference: this.before.reference, order: this.order, payments: this.payments },
      changed: this.touched,
      entries: this.entries,
      effects: this.effects,
    };
  }
}

/** The gateway's time of a move, if it can be believed: not before the payment (its clock may differ a little) nor in the future. */
function believable(at: number | undefined, created: number, now: number): number {
  const slack = 10 * 60_000;
  return at !== undefined && at >= created - slack && at <= now + slack ? at : now;
}
