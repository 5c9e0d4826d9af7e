import { Inject, Injectable } from '@nestjs/common';
import { PROFILE } from '../../gateway/gateway.module.js';
import type { Profile } from '../../gateway/profile/format.js';
import { clientRefOf } from '../../gateway/requests/client-ref.js';
import { Problem } from '../../http/problems/problem.js';
import { answeredNames, askedInVain, withoutNext } from '../../store/named-reference.js';
import { isUnchanged, openNames, type PaymentName } from '../../store/payment-name.js';
import type { ReferenceRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { logFailure } from '../../telemetry/failure-log.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';
import { Inquiry } from '../inquiry/inquiry.js';
import type { Waits } from '../schedule/question-rate.js';
import { PaymentsRepository } from '../state/payments.repository.js';
import { within, type QuestionBudget } from './ask-gateway.js';
import { isDenied, isGivenBack, saidGivenBack, TakeOver, type Candidate, type Money } from './take-over.js';

const MOST_QUESTIONS = 20;
/** Of these so many at most are about payments that the store has. */
const MOST_ABOUT_CLOSED = 8;
/** For so long a start waits. What was asked until then is heard all the same, and what it says is kept. */
const START_WAITS_MS = 5_000;
/** For so long questions are sent after that, for the next start. */
const LONGEST_MS = 30_000;

/** An order whose payment is to start. */
export interface Order extends Money {
  readonly reference: string;
}

/** Questions about the named payments of an order, which callers at the same time share. */
interface Run {
  readonly cleared: Promise<boolean>;
  readonly budget: QuestionBudget;
}

/**
 * Stands before every start of a payment: as long as payments of its order are named that the store does not have, the gateway is
 * asked about them first. What it knows as paid is taken over, what it denies is forgotten, each as soon as it is known; what it does
 * not decide holds the order up.
 */
@Injectable()
export class Barrier {
  /** By reference. */
  private readonly running = new Map<string, Run>();

  constructor(
    private readonly store: Store,
    private readonly payments: PaymentsRepository,
    private readonly inquiry: Inquiry,
    private readonly takeOver: TakeOver,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws `outcome-unknown` unless it is known of every named payment of the order what became of it, or the order is paid. */
  async clear(order: Order): Promise<void> {
    if (await within(START_WAITS_MS, this.ask(order, 'waited'))) return;
    const { paidPaymentIds } = await this.hold(order.reference);
    if (paidPaymentIds.length > 0) return;
    throw new Problem(
      'outcome-unknown',
      'A payment of this order may have been made that is not known here, and the gateway does not say now. Try again later.',
    );
  }

  /** Asks about the named payments of an order. Whether it is known of all of them what became of it. */
  ask(order: Order, waits: Waits): Promise<boolean> {
    const running = this.running.get(order.reference);
    if (running) {
      if (waits === 'waited') running.budget.waits = waits;
      return running.cleared;
    }
    const budget = { questions: MOST_QUESTIONS, deadline: performance.now() + LONGEST_MS, waits };
    const cleared = this.askAll(order, budget).finally(() => this.running.delete(order.reference));
    this.running.set(order.reference, { cleared, budget });
    return cleared;
  }

  /** Writes down that the names of a reference were asked about in vain, where any is open: until when it is not asked again. */
  async hold(reference: string): Promise<ReferenceRecord> {
    const { after, isNews } = await this.store.writer.write(
      { reference, createReference: true },
      ({ reference: before }) => {
        const after = askedInVain(before, this.store.clock.now());
        const isSame = after.namesDueAt === before.namesDueAt && after.heldSince === before.heldSince;
        const isNews = before.heldSince === null && after.heldSince !== null;
        return { changes: isSame ? {} : { reference: after }, result: { after, isNews } };
      },
    );
    const names = openNames(after.names).map(({ n }) => n);
    if (isNews) this.logger.warn({ event: 'payments.reference_held', reference, count: names.length });
    return after;
  }

  private async askAll(order: Order, budget: QuestionBudget): Promise<boolean> {
    const { reference } = order;
    let open = await this.openOf(reference);
    // The store may have forgotten what became of those that it has, too.
    if (open.some(({ source }) => source === 'loss')) await this.askClosed(reference, budget);
    const asked: PaymentName[] = [];
    while (open.length > 0) {
      // No more than can be asked by every query: what is asked by half says nothing.
      const room = Math.floor(budget.questions / this.takeOver.queriesEach);
      const next = open
        .filter((name) => !asked.some((one) => one.n === name.n && isUnchanged(one, name)))
        .slice(0, room);
      if (next.length === 0 || performance.now() >= budget.deadline) break;
      asked.push(...next);
      await Promise.all(next.map((name) => this.judge(order, name, budget)));
      open = await this.openOf(reference);
    }
    if (open.length > 0) await this.hold(reference);
    return open.length === 0;
  }

  /** Finds out what became of a payment, and keeps it, as far as the gateway says it. */
  private async judge(order: Order, name: PaymentName, budget: QuestionBudget): Promise<void> {
    const { reference, amount, currency } = order;
    const gatewayReference = clientRefOf(reference, name.n, this.profile.reference);
    const candidate = {
      parts: { reference, n: name.n },
      gatewayReference,
      transactionRef: null,
      likely: { amount, currency },
      actor: 'gateway',
    };
    try {
      const isHere = (await this.payments.findByGatewayReference(gatewayReference)) !== undefined;
      if (isHere || (await this.isTakenOver(candidate, name, budget))) await this.answered(reference, name);
    } catch (error) {
      logFailure(this.logger, { event: 'payments.name_not_judged' }, error);
    }
  }

  /** Whether the store has it by now. What the gateway calls unpaid may still be paid, and nobody would hear of it. */
  private async isTakenOver(
    candidate: Candidate,
    name: PaymentName,
    budget: QuestionBudget,
  ): Promise<boolean> {
    const said = await this.takeOver.ask(candidate, budget);
    if (!said) return false;
    if (isDenied(said.result)) {
      await this.denied(candidate.parts.reference, name);
      return false;
    }
    const back = saidGivenBack(said.result);
    const given = { amount: back, refunds: back > 0n ? 1 : 0 };
    if (said.reading !== 'paid' || isGivenBack(said, given)) return false;
    const occasion = { given, detail: { source: name.source }, asksOn: true };
    return (await this.takeOver.take(candidate, said, occasion)).found !== undefined;
  }

  private async answered(reference: string, { n }: PaymentName): Promise<void> {
    await this.change(reference, (before) => answeredNames(before, [n], this.store.clock.now()));
  }

  /** Forgets a payment that the gateway denies. One that was heard of again since it was asked about stays: the answer may be older. */
  private async denied(reference: string, name: PaymentName): Promise<void> {
    await this.change(reference, (before) => {
      const known = before.names.find(({ n }) => n === name.n);
      if (!known || known.released || !isUnchanged(known, name)) return before;
      if (name.source === 'next') return withoutNext(before, name);
      return answeredNames(before, [name.n], this.store.clock.now());
    });
  }

  private change(reference: string, to: (before: ReferenceRecord) => ReferenceRecord): Promise<void> {
    return this.store.writer.write({ reference, createReference: true }, ({ reference: before }) => {
      const after = to(before);
      return { changes: after === before ? {} : { reference: after }, result: undefined };
    });
  }

  /** Asks about the order's payments that count as closed: of one of them the store may have forgotten that it was paid after all. */
  private async askClosed(reference: string, budget: QuestionBudget): Promise<void> {
    const closed = await this.payments.closedUnpaid(reference, MOST_ABOUT_CLOSED);
    budget.questions -= closed.length;
    await Promise.allSettled(closed.map((id) => this.inquiry.ask(id)));
  }

  private async openOf(reference: string): Promise<PaymentName[]> {
    const { names } = await this.store.writer.write({ reference, createReference: true }, (snapshot) => ({
      changes: {},
      result: snapshot.reference,
    }));
    return openNames(names);
  }
}
