import { Injectable } from '@nestjs/common';
import { FOLLOWED_METHODS, methodOf } from '../../methods/methods.js';
import type { PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import {
  QuestionSchedule,
  STATUS_QUERIES,
  type DueKind,
  type Question,
  type StatusQuery,
} from '../schedule/question-schedule.js';
import { NEVER_LATE, NEVER_PLANNED_FOR, TOO_EARLY } from '../schedule/status-check-schedule.js';
import { isFresh, WORTH, WORTHS, type Worth } from '../schedule/worth.js';
import { PaymentsRepository, type CheckKind, type DueCheck } from '../state/payments.repository.js';

/** How many questions of one kind and method are fetched at once. */
const BATCH = 32;
/** Questions of a kind are fetched again while fewer of them are left. */
const FEW = 8;

/** How often payments are looked for that are planned too late. */
const LATE_EVERY_MS = 60_000;

/** Fetches what is due from the store into the schedule. */
@Injectable()
export class DueChecks {
  /** Kinds of which the store had no more than it gave. */
  private readonly exhausted = new Set<string>();
  private lateAt = -Infinity;

  constructor(
    private readonly store: Store,
    private readonly payments: PaymentsRepository,
    private readonly schedule: QuestionSchedule,
  ) {}

  /** Whether the schedule has used up most of a kind of which the store has more. */
  get runsShort(): boolean {
    return this.short().some((kind) => !this.exhausted.has(keyOf(kind)));
  }

  /** Fetches the kinds of which few are left. */
  async fetch(): Promise<void> {
    // With what is due in a moment: a look that comes a millisecond too early must not leave it to the next one.
    const now = this.store.clock.now() + TOO_EARLY;
    const kinds = this.short();
    // Those that were asked about in vain are among the longest due, and must not be all that is seen.
    const most = BATCH + this.schedule.askedInVain;
    const due = await this.payments.dueForStatusCheck(kinds.flatMap(byMethod), now, most);
    const late = await this.plannedTooLate(now);
    for (const kind of kinds) {
      const found = due.filter((check) => isOfKind(check, kind));
      if (found.length < most) this.exhausted.add(keyOf(kind));
      else this.exhausted.delete(keyOf(kind));
      const questions = [...found, ...late.filter((check) => isOfKind(check, kind))]
        .map((check) => this.question(check))
        .sort((one, other) => one.dueAt - other.dueAt);
      this.schedule.supply(kind.due, kind.operation, questions);
    }
  }

  /** Lets a payment whose outcome has just become unknown be asked about before the older ones. */
  take(payment: PaymentRecord): void {
    const { id, nextStatusCheckAt } = payment;
    if (nextStatusCheckAt === null || payment.leaseOwner !== null || !isFresh(payment)) {
      this.schedule.dropFresh(id);
      return;
    }
    const question = this.question({ id, method: payment.method, worth: WORTH.unknown, nextStatusCheckAt });
    // What the schedule's own question has left unknown was asked already.
    const first = payment.statusCheckCount === 0 && !this.schedule.isAsking(id);
    this.schedule.addFresh({ ...question, first });
  }

  /** Has all of these kinds be asked about now. */
  async hurry(kinds: readonly DueKind[]): Promise<void> {
    const now = this.store.clock.now();
    for (const kind of kinds) await this.payments.hurry(byWorth(kind), now);
  }

  private short(): Kind[] {
    return KINDS.filter(({ due, operation }) => this.schedule.waiting(due, operation) < FEW);
  }

  private async plannedTooLate(now: number): Promise<DueCheck[]> {
    if (performance.now() - this.lateAt < LATE_EVERY_MS) return [];
    this.lateAt = performance.now();
    const kinds = NEVER_LATE.flatMap((worth) =>
      FOLLOWED_METHODS.map((method) => ({ worth, method: method.name })),
    );
    const late = await this.payments.notDueBefore(kinds, now + NEVER_PLANNED_FOR, BATCH);
    return late.map((check) => ({ ...check, nextStatusCheckAt: now }));
  }

  /** The schedule's clock is `performance.now()`. */
  private question({
    id,
    method,
    worth,
    nextStatusCheckAt,
  }: Pick<DueCheck, 'id' | 'method' | 'worth' | 'nextStatusCheckAt'>): Question {
    const dueAt = performance.now() + nextStatusCheckAt - this.store.clock.now();
    return { paymentId: id, operation: methodOf(method).statusQuery, worth: worth as Worth, dueAt };
  }
}

interface Kind {
  due: DueKind;
  operation: StatusQuery;
}

const KINDS: readonly Kind[] = [...WORTHS, 'awaited' as const].flatMap((due) =>
  STATUS_QUERIES.map((operation) => ({ due, operation })),
);

/** Of what kind a check is that is due in the store. */
function dueKindOf({ worth, awaited }: Pick<DueCheck, 'worth' | 'awaited'>): DueKind {
  return worth === WORTH.notified && awaited ? 'awaited' : (worth as Worth);
}

function keyOf({ due, operation }: Kind): string {
  return `${due} ${operation}`;
}

function byWorth(due: DueKind): Omit<CheckKind, 'method'> {
  const worth = due === 'awaited' ? WORTH.notified : due;
  return { worth, ...(worth === WORTH.notified && { awaited: due === 'awaited' }) };
}

function byMethod({ due, operation }: Kind): CheckKind[] {
  return FOLLOWED_METHODS.filter(({ statusQuery }) => statusQuery === operation).map(({ name }) => ({
    ...byWorth(due),
    method: name,
  }));
}

function isOfKind(check: DueCheck, { due, operation }: Kind): boolean {
  return dueKindOf(check) === due && methodOf(check.method).statusQuery === operation;
}
