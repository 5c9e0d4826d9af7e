import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Gateway } from '../../gateway/gateway.js';
import type { GatewayMeaning, GatewayResult } from '../../gateway/gateway-result.js';
import { Problem } from '../../http/problems/problem.js';
import { methodOf } from '../../methods/methods.js';
import type { IdempotencyRecord, PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import type { Changes, Snapshot } from '../../store/payment-writer.js';
import { logFailure } from '../../telemetry/failure-log.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';
import { Applier, paymentSnapshot, withSeenPayment } from '../apply/applier.js';
import { canceled, endsByCancel, isUndecided } from '../interpret/interpret-cancellation.js';
import { interpretStatus } from '../interpret/interpret-status.js';
import { saysGivenBack } from '../interpret/own-refunds.js';
import { readStatus, saysTaken, type Reading, type StatusInquiry } from '../interpret/status-answer.js';
import { LeaseKeeper } from '../lease/lease-keeper.js';
import { LeaseWaiter } from '../lease/lease-waiter.js';
import { holds, withLease, afterLostLease } from '../lease/payment-lease.js';
import { AnswerNotes } from '../state/seen-time.js';
import { isAnswered, questionResult, QuestionSchedule } from '../schedule/question-schedule.js';
import type { QuestionPlace } from '../schedule/question-rate.js';
import { isDue } from '../schedule/status-check-schedule.js';
import { orphaned } from '../state/operation-state.js';
import { GatewayFacts } from '../state/gateway-facts.js';
import { PaymentsRepository } from '../state/payments.repository.js';
import type { PaymentUpdate } from '../state/payment-update.js';

const LONGEST_WAIT_FOR_ROOM_MS = 5_000;
const LOOK_FOR_ROOM_EVERY_MS = 50;

/** The result of asking: how the answer reads, and the payment as it now stands. */
export interface Asked {
  reading: Reading;
  /** Whether the gateway has just said that its money was taken, whatever was given back of it since. */
  taken: boolean;
  payment: PaymentRecord;
  /** Whether the gateway has answered clearly about this payment: nothing in the answer needs a person. */
  fresh: boolean;
  /** Whether it has said how much has been given back by now. */
  saysGivenBack: boolean;
}

/** What a caller may add to an inquiry. */
export interface InquiryOptions {
  /** Whether the schedule asks. */
  scheduled?: boolean;
  /** Whether the backoff begins anew after the answer. */
  restart?: boolean;
  /** The question's place in the rate. Without one it is asked at once, and counted. */
  place?: QuestionPlace | undefined;
  /** Whoever asks waits no longer for the answer, in milliseconds. One that comes later is recorded without them. */
  longestMs?: number;
  /**
   * Somebody asks to cancel the payment, under this idempotency key, which is in use. A clear answer ends it; otherwise nothing was
   * done, and it may be used again.
   */
  cancel?: { actor: string; key: { scope: string; key: string } };
}

/** A question that callers share until it is asked. */
interface NextQuestion {
  asked: Promise<Asked>;
  restart: boolean;
  place: QuestionPlace | undefined;
}

/** The place of a question that the rate has counted already. */
const COUNTED: QuestionPlace = { sent: () => undefined, release: () => undefined };

/**
 * Asks the gateway about one payment, under that payment's lease, and applies the answer. Refresh, return,
 * cancellation, notifications and the schedule all use it, so the gateway is never asked twice about one payment at the
 * same time.
 */
@Injectable()
export class Inquiry {
  /** By payment: the question that is not asked yet, and that all who come until then share. */
  private readonly next = new Map<string, NextQuestion>();

  constructor(
    private readonly store: Store,
    private readonly gateway: Gateway,
    private readonly facts: GatewayFacts,
    private readonly repository: PaymentsRepository,
    private readonly keeper: LeaseKeeper,
    private readonly waiter: LeaseWaiter,
    private readonly applier: Applier,
    private readonly notes: AnswerNotes,
    private readonly schedule: QuestionSchedule,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Asks now or, where a query is under way, after it. All who wait for the next question share it. Throws `not-found`,
   * or `operation-in-progress` where the query under way takes too long.
   *
   * @param restart begins the backoff anew: the payer has come back. `place` is taken where the question is not shared.
   */
  ask(
    paymentId: string,
    { restart = false, place }: Pick<InquiryOptions, 'restart' | 'place'> = {},
  ): Promise<Asked> {
    const next = this.next.get(paymentId);
    if (next) {
      next.restart ||= restart;
      return next.asked;
    }
    const asked = this.waiter.inTurn(paymentId, () => this.tryAskNext(paymentId));
    const question: NextQuestion = { asked, restart, place };
    this.next.set(paymentId, question);
    const forget = (): void => {
      if (this.next.get(paymentId) === question) this.next.delete(paymentId);
    };
    asked.then(forget, forget);
    return asked;
  }

  /**
   * Asks for the schedule. Undefined where another request holds the lease, or the check is no longer due: somebody else
   * has asked.
   */
  async tryAsk(paymentId: string): Promise<Asked | undefined> {
    const leased = await this.tryLease(paymentId, (payment) => isDue(payment, this.store.clock.now()));
    return leased && this.askHolding(leased, { scheduled: true });
  }

  /**
   * Asks about another payment on behalf of a scheduled question, as soon as the rate has room for it. Undefined where it
   * has none for seconds: the schedule comes back to it.
   */
  async askBesides(paymentId: string): Promise<Asked | undefined> {
    const deadline = performance.now() + LONGEST_WAIT_FOR_ROOM_MS;
    while (!this.schedule.rate.take(performance.now())) {
      if (performance.now() >= deadline) return undefined;
      await pause(LOOK_FOR_ROOM_EVERY_MS);
    }
    return this.ask(paymentId, { place: COUNTED });
  }

  /** Whether a question about this payment is to be asked that who comes now would share. */
  hasNext(paymentId: string): boolean {
    return this.next.has(paymentId);
  }

  private async tryAskNext(paymentId: string): Promise<Asked | undefined> {
    const leased = await this.tryLease(paymentId, () => true);
    if (!leased) return undefined;
    // Whoever comes from now on came after this question.
    const { restart = false, place } = this.next.get(paymentId) ?? {};
    this.next.delete(paymentId);
    return this.askHolding(leased, { restart, place });
  }

  private async tryLease(
    paymentId: string,
    wanted: (payment: PaymentRecord) => boolean,
  ): Promise<PaymentRecord | undefined> {
    const found = await this.repository.find(paymentId);
    if (!found) throw new Problem('not-found', 'There is no such payment.');
    const { reference, sessionId } = found;
    return this.store.writer.write<PaymentRecord | undefined>(
      { reference, sessionId, paymentId },
      (snapshot) => {
        const changes = wanted(paymentSnapshot(snapshot).payment) ? this.lease(snapshot) : undefined;
        return { changes: changes ?? {}, result: changes?.payment };
      },
    );
  }

  /**
   * The changes that take the payment's lease; undefined where another request holds it. An operation that is still
   * `intended` while the lease is free was left behind by a process that died. It may have been sent, so it becomes
   * unknown.
   */
  lease(snapshot: Snapshot): (Changes & { payment: PaymentRecord }) | undefined {
    const now = this.store.clock.now();
    const { payment, openOperations } = paymentSnapshot(snapshot);
    if (this.keeper.isTaken(payment, now)) return undefined;
    const orphans = openOperations.filter((operation) => operation.status === 'intended');
    if (orphans.length === 0) return { payment: withLease(payment, this.store.owner, now) };
    const changes = this.applier.changes(snapshot, orphaned(payment, orphans));
    return { ...changes, payment: withLease(changes.payment, this.store.owner, now) };
  }

  /** Asks about a payment whose lease was just taken, applies the answer and gives the lease back. */
  async askHolding(leased: PaymentRecord, options: InquiryOptions = {}): Promise<Asked> {
    const { id: paymentId, reference, leaseFence: fence } = leased;
    return this.keeper.keep({ reference, paymentId, fence }, async () =>
      this.record(leased, await this.queryWithin(leased, options), options),
    );
  }

  private async record(
    leased: PaymentRecord,
    result: GatewayResult,
    options: InquiryOptions = {},
    settledRefunds = leased.refundsMade > 0,
  ): Promise<Asked> {
    const { id: paymentId, reference, sessionId, leaseFence: fence } = leased;
    const heard = result.kind === 'answered' ? this.notes.hear(paymentId) : undefined;
    const wanted = { reference, sessionId, paymentId, settledRefunds, idempotency: options.cancel?.key };
    const asked = await this.store.writer.write<Asked>(wanted, (found) => {
      const snapshot = heard ? withSeenPayment(found, heard, this.store.clock.now()) : found;
      const inquiry = this.applier.inquiry(snapshot);
      const reading = readStatus(result, inquiry);
      const meant = this.interpret(result, reading, inquiry, options);
      const { scheduled = false, restart = false } = options;
      const held = holds(inquiry.payment, this.store.owner, fence);
      const interpreted = held ? meant : afterLostLease(meant);
      const answer = held && { heard: { meaning: meaningOf(result, reading), scheduled } };
      const update = { ...interpreted, scheduled, restart, ...answer };
      const changes = this.applier.changes(snapshot, update, { owner: this.store.owner, fence });
      const asked = {
        reading,
        taken: saysTaken(result, inquiry),
        payment: changes.payment,
        fresh: interpreted.answered === true && interpreted.attention === undefined,
        saysGivenBack: saysGivenBack(result, meant, inquiry.payment),
      };
      return { changes: { ...changes, ...keyAfter(options, asked, found.idempotency) }, result: asked };
    });
    if (heard) this.notes.keep(asked.payment, heard);
    return asked;
  }

  private async queryWithin(
    payment: PaymentRecord,
    { scheduled = false, place, longestMs }: InquiryOptions,
  ): Promise<GatewayResult> {
    const asking = this.query(payment, scheduled, place);
    if (longestMs === undefined) return asking;
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<GatewayResult>((resolve) => {
      timer = setTimeout(() => {
        void this.recordLate(payment, asking);
        resolve({ kind: 'unknown', reason: 'timeout' });
      }, longestMs);
    });
    return Promise.race([asking, over]).finally(() => {
      clearTimeout(timer);
    });
  }

  /**
   * Records an answer that nobody waits for any more. The lease was given back, so it counts as after a lost one. It may be the only one
   * that says where the money is: a payment that is paid is not asked about again by itself. A refund may have been made since.
   */
  private async recordLate(leased: PaymentRecord, asking: Promise<GatewayResult>): Promise<void> {
    try {
      const result = await asking;
      if (result.kind === 'answered') await this.record(leased, result, {}, true);
    } catch (error) {
      logFailure(this.logger, { event: 'payment.late_answer_lost', paymentId: leased.id }, error);
    }
  }

  private async query(
    payment: PaymentRecord,
    scheduled: boolean,
    place: QuestionPlace | undefined,
  ): Promise<GatewayResult> {
    const { statusQuery } = methodOf(payment.method);
    const facts = await this.facts.of(payment, statusQuery);
    const now = performance.now();
    if (scheduled) this.schedule.sent(payment.id, now);
    else if (place) place.sent(now);
    else this.schedule.rate.asked(now);
    const result = await this.gateway[statusQuery](facts);
    this.schedule.result(statusQuery, questionResult(result), performance.now(), payment.id);
    return result;
  }

  private interpret(
    result: GatewayResult,
    reading: Reading,
    inquiry: StatusInquiry,
    { cancel }: InquiryOptions,
  ): PaymentUpdate {
    if (cancel && endsByCancel(reading, inquiry.payment, result)) return canceled(inquiry, cancel.actor);
    return interpretStatus(this.applier.clean(result, inquiry.session), inquiry);
  }
}

/** What becomes of the key of a cancellation with the answer. */
function keyAfter(
  { cancel }: InquiryOptions,
  asked: Asked,
  kept: IdempotencyRecord | undefined,
): Pick<Changes, 'idempotency' | 'releaseIdempotency'> {
  if (!cancel) return {};
  if (isUndecided(asked)) return { releaseIdempotency: cancel.key };
  return kept ? { idempotency: { ...kept, runningUntil: null } } : {};
}

/**
 * What the gateway said, for the notifications about the payment; undefined where it said nothing. Money in an answer that
 * is not believed, as about another payment, agrees with no claim. Nor does an answer that is not understood, but it is one:
 * asking on would bring no other.
 */
function meaningOf(result: GatewayResult, reading: Reading): GatewayMeaning | undefined {
  if (result.kind === 'rejected') return 'refused';
  if (result.kind === 'unknown') return isAnswered(result) ? 'undecided' : undefined;
  if (result.kind !== 'answered') return undefined;
  const { meaning } = result.answer;
  return reading === 'inconclusive' && meaning !== 'unknownTransaction' ? 'undecided' : meaning;
}
