import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { PROFILE } from '../../gateway/gateway.module.js';
import type { GatewayAnswer, GatewayResult } from '../../gateway/gateway-result.js';
import type { Profile } from '../../gateway/profile/format.js';
import { methodAskedBy } from '../../methods/methods.js';
import { minorDigits } from '../../money/money.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import { newId } from '../../store/ids.js';
import { answeredNames } from '../../store/named-reference.js';
import { isBelievable } from '../../store/payment-name.js';
import type { Decision, Snapshot } from '../../store/payment-writer.js';
import {
  newReferenceRecord,
  type PaymentRecord,
  type ReferenceRecord,
  type SessionRecord,
} from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { StoreUnavailable } from '../../store/store-unavailable.js';
import { Applier } from '../apply/applier.js';
import { readStatus, saysTaken, type Reading } from '../interpret/status-answer.js';
import type { StatusQuery } from '../schedule/question-schedule.js';
import { withAttention, type Attention } from '../state/attention.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { PaymentsRepository } from '../state/payments.repository.js';
import { adoptedPayment, adoptedSession, type Adoptee } from './adopted-payment.js';
import { AskGateway, type QuestionBudget } from './ask-gateway.js';
import { splitReference, type ReferenceParts } from './naming.js';

/** The latest session of the reference changed between reading and writing: read again. */
class Outrun extends Error {}

/** An answer is not the one that is looked for. */
class Unfitting extends Error {}

const MAX_TRIES = 5;

/** An amount in minor units of its currency. */
export interface Money {
  readonly amount: bigint;
  readonly currency: string;
}

/** What is known of a payment before the gateway is asked about it. */
export interface Candidate {
  readonly parts: ReferenceParts;
  readonly gatewayReference: string;
  readonly transactionRef: string | null;
  /** The currency that a report names; otherwise the gateway's word counts. */
  readonly currency?: string;
  /** The amount that a report names, in minor units of a currency; otherwise the gateway's word counts. */
  readonly amountIn?: (currency: string) => bigint | undefined;
  /** What its order costs now, which counts where neither a report nor the gateway says more. */
  readonly likely?: Money;
  /** Who wants it taken over, for its timeline. */
  readonly actor: string;
}

/** What the gateway says of a payment that the store does not have. */
export interface Said {
  readonly adoptee: Adoptee;
  readonly reading: Reading;
  readonly result: GatewayResult;
}

/** What is known of money that went back of a payment before it was taken over. */
export interface GivenBack {
  /** Minor units, by the gateway's answer or the reports, whichever is more. */
  readonly amount: bigint;
  /** The least number of refunds that it took, and the highest that one of them is named by: the next one is not called like one of them. */
  readonly refunds: number;
}

/** How a payment comes to be taken over. */
export interface Occasion {
  readonly given: GivenBack;
  /** What its timeline says of it. */
  readonly detail: Record<string, string>;
  /** The gateway is asked about the payment after it too, unless others are named. */
  readonly asksOn?: boolean;
}

/**
 * Takes over payments that the gateway has and the store does not. Whatever becomes of one, its number is never given to another
 * payment.
 */
@Injectable()
export class TakeOver {
  constructor(
    private readonly store: Store,
    private readonly payments: PaymentsRepository,
    private readonly sessions: SessionsRepository,
    private readonly gateway: AskGateway,
    private readonly applier: Applier,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** By how many queries a payment is asked about of which no more is known than its name. */
  get queriesEach(): number {
    return this.gateway.queries.length;
  }

  /** The parts of a gateway reference; undefined where it is none of ours. */
  partsOf(gatewayReference: string): ReferenceParts | undefined {
    return splitReference(gatewayReference, this.profile.reference);
  }

  /**
   * Asks by every query that may know the payment, all at the same time: the first that calls it paid is believed. Only all of them
   * together deny it. Undefined where nobody names a currency or an amount, or the budget was too small.
   */
  async ask(candidate: Candidate, budget?: QuestionBudget): Promise<Said | undefined> {
    const asked = this.gateway.queries.map((query) => this.askBy(query, candidate, budget));
    const paid = await firstOf(asked, (said) => said?.reading === 'paid');
    if (paid) return paid;
    const said = (await Promise.all(asked)).filter((one) => one !== undefined);
    const told = said.find(({ reading }) => reading !== 'inconclusive');
    if (told) return told;
    // A denial counts less than anything else: the other query may know the payment.
    const isDenial = said.length > 0 && said.every(({ result }) => isDenied(result));
    if (isDenial) return said.length < asked.length ? undefined : said[0];
    return said.find(({ result }) => !isDenied(result));
  }

  private async askBy(
    query: StatusQuery,
    candidate: Candidate,
    budget: QuestionBudget | undefined,
  ): Promise<Said | undefined> {
    const { gatewayReference, transactionRef, actor, parts, amountIn, likely } = candidate;
    const question = { clientRef: gatewayReference, ...(transactionRef !== null && { transactionRef }) };
    const ask = (money: Partial<Money> & Pick<Money, 'currency'>): Promise<GatewayResult | undefined> =>
      this.gateway.ask(query, { ...question, ...money }, budget);
    const first = likely ?? moneyOf(candidate.currency ?? 'NGN', candidate);
    let result = await ask(first);
    const currency =
      candidate.currency ?? (result && answerOf(result)?.currency?.toUpperCase()) ?? likely?.currency;
    if (!result || currency === undefined || minorDigits(currency) === undefined) return undefined;
    const claimed = amountIn?.(currency);
    // Amounts are read in the currency that was asked for.
    if (currency !== first.currency || (claimed !== undefined && candidate.currency === undefined)) {
      result = await ask(moneyOf(currency, candidate));
      if (!result) return undefined;
    }
    const answer = answerOf(result);
    const named = typeof answer?.amount === 'bigint' ? answer.amount : undefined;
    const amount = claimed ?? named ?? (likely?.currency === currency ? likely.amount : undefined);
    if (amount === undefined || amount <= 0n) return undefined;
    const adoptee: Adoptee = {
      id: newId('pay'),
      reference: parts.reference,
      gatewayReference,
      amount,
      currency,
      transactionRef: answer?.transactionRef ?? transactionRef,
      method: methodAskedBy(query),
      actor,
    };
    return { adoptee, result, reading: this.readingOf(adoptee, result) };
  }

  /** How the answer reads for a payment of which nothing is known but its name and its money. */
  private readingOf(adoptee: Adoptee, result: GatewayResult): Reading {
    const now = this.store.clock.now();
    const session = adoptedSession(adoptee, 'open', now);
    const { payment } = adoptedPayment(adoptee, session, now);
    const { mode, notFoundGraceSeconds } = this.config.gateway;
    const inquiry = {
      payment,
      reference: newReferenceRecord(adoptee.reference),
      session,
      openOperations: [],
      mode,
      now,
      graceMs: notFoundGraceSeconds * 1000,
      asksRefunds: false,
    };
    const back = saidGivenBack(result);
    // Of what says how much of it was given back, the rest is there: it was paid.
    const isRest = back > 0n && back < adoptee.amount;
    return isRest && saysTaken(result, inquiry) ? 'paid' : readStatus(result, inquiry);
  }

  /**
   * Makes the payment one of the store, and answers with it, or with the one that is there by now. Paid where the gateway has said so;
   * otherwise it waits for the gateway's word or another person's.
   */
  async take(
    { parts }: Pick<Candidate, 'parts'>,
    said: Said,
    occasion: Occasion,
  ): Promise<{ paymentId: string; found?: PaymentRecord }> {
    try {
      return { paymentId: await this.write(parts, said, occasion) };
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      // Its reference has been given to a payment meanwhile, which the store refuses to do twice.
      const found = await this.payments.findByGatewayReference(said.adoptee.gatewayReference);
      if (found) return { paymentId: found.id, found };
      throw error;
    }
  }

  private async write(parts: ReferenceParts, said: Said, occasion: Occasion): Promise<string> {
    const { reference } = parts;
    for (let tries = 0; ; tries += 1) {
      const sessionId = await this.sessions.lastSessionId(reference);
      const wanted = {
        reference,
        createReference: true,
        ...(sessionId !== undefined && { sessionId }),
        // It is new: what is read by its id are the other payments of its reference.
        paymentId: said.adoptee.id,
      };
      try {
        return await this.store.writer.write<string>(wanted, (snapshot) => {
          if ((snapshot.reference.sessionId ?? undefined) !== sessionId) throw new Outrun();
          return this.decide(snapshot, parts, said, occasion);
        });
      } catch (error) {
        if (!(error instanceof Outrun) || tries >= MAX_TRIES) throw error;
      }
    }
  }

  private decide(
    snapshot: Snapshot,
    { n }: ReferenceParts,
    { adoptee, reading, result }: Said,
    { given, detail, asksOn }: Occasion,
  ): Decision<string> {
    const now = this.store.clock.now();
    const isDuplicate = snapshot.reference.paidPaymentIds.length > 0;
    const fitting = fits(snapshot.session, adoptee) ? snapshot.session : undefined;
    const session = fitting ?? adoptedSession(adoptee, isDuplicate ? 'paid' : 'open', now);
    const reference: ReferenceRecord = {
      ...answeredNames(snapshot.reference, [n], asksOn ? now : undefined),
      sessionId: isDuplicate ? (snapshot.reference.sessionId ?? session.id) : session.id,
    };
    const { payment: blank, created } = adoptedPayment(adoptee, session, now);
    const onWord = reading !== 'paid';
    // One that only a person speaks of keeps its order from being paid again until more is known.
    if (onWord) reference.livePaymentIds = [...reference.livePaymentIds, blank.id];
    const isOther = snapshot.session !== undefined && !fitting;
    const other: Attention = { reason: 'adopted_other_amount' };
    const payment: PaymentRecord = {
      ...blank,
      // The word of a person is announced for itself, and says no more of the amount than the gateway does later.
      ...(isOther && onWord && { needsAttention: true, attentionReason: withAttention(null, other) }),
      refundsMade: given.refunds,
      // What went back of it is known before it is known to be paid.
      ...(onWord && given.amount > 0n && { amountRefunded: given.amount }),
    };
    const rows: Snapshot = { ...snapshot, reference, session, payment, openOperations: [] };
    const changes = this.applier.changes(rows, {
      ...(onWord
        ? onWordOf(adoptee.actor)
        : {
            ...answered(result),
            move: { to: 'succeeded', by: 'gateway', captured: adoptee.amount, late: true },
            ...(given.amount > 0n && { refunded: given.amount }),
            ...(isOther && { attention: other }),
          }),
      actor: adoptee.actor,
      timelineNote: { type: 'adopted', detail },
    });
    return {
      changes: {
        ...changes,
        reference: changes.reference ?? reference,
        ...((changes.session ?? !fitting) && { session: changes.session ?? session }),
        timeline: [created, ...(changes.timeline ?? [])],
      },
      result: changes.payment.id,
    };
  }

  /** The gateway has seen this number, so no other payment may get it. `answered`: nor does it hold up others any longer. */
  async keepNumber({ reference, n }: ReferenceParts, { answered: isAnswered = false } = {}): Promise<void> {
    await this.store.writer.write({ reference, createReference: true }, (snapshot) => {
      const before = snapshot.reference;
      if (!isBelievable(n, before.attempts)) return { changes: {}, result: undefined };
      const after = isAnswered
        ? answeredNames(before, [n])
        : { ...before, attempts: Math.max(before.attempts, n) };
      const isSame = after.attempts === before.attempts && after.names.length === before.names.length;
      return { changes: isSame ? {} : { reference: after }, result: undefined };
    });
  }
}

/** The first that fits, without waiting for the others; undefined where none does. One that fails is for whoever waits for all of them. */
function firstOf<T>(all: readonly Promise<T>[], fits: (one: T) => boolean): Promise<T | undefined> {
  const fitting = all.map(async (one) => {
    const found = await one;
    if (!fits(found)) throw new Unfitting();
    return found;
  });
  return Promise.any(fitting).catch(() => undefined);
}

/** The money that a question names. */
function moneyOf(currency: string, { amountIn }: Candidate): Partial<Money> & Pick<Money, 'currency'> {
  const amount = amountIn?.(currency);
  return { currency, ...(amount !== undefined && { amount }) };
}

/** What an answer says was given back, in minor units. Pure. */
export function saidGivenBack(result: GatewayResult): bigint {
  const named = answerOf(result)?.refundedAmount;
  return typeof named === 'bigint' ? named : 0n;
}

/** Whether an answer denies in so many words that there is such a payment. Pure. */
export function isDenied(result: GatewayResult): boolean {
  return answerOf(result)?.meaning === 'unknownTransaction';
}

/** Whether nothing is left of a payment: all of it was given or charged back. Pure. */
export function isGivenBack({ adoptee: { amount }, reading, result }: Said, given: GivenBack): boolean {
  const answer = answerOf(result);
  if (!answer) return false;
  const { meaning, refundedAmount } = answer;
  if (meaning === 'chargedBack' || (meaning === 'refunded' && refundedAmount === undefined)) return true;
  const saysSo = typeof refundedAmount === 'bigint' && refundedAmount >= amount;
  return saysSo || (reading === 'paid' && given.amount >= amount);
}

function answerOf(result: GatewayResult): GatewayAnswer | undefined {
  return result.kind === 'answered' ? result.answer : undefined;
}

/**
 * Taken over on one person's word, whom the attention names: it waits for the gateway, which is asked again at once, or for another
 * person.
 */
function onWordOf(actor: string): PaymentUpdate {
  return { attention: { reason: 'adopted_on_word', answer: actor }, checkNow: true };
}

function answered(result: GatewayResult): PaymentUpdate {
  const kept = answerOf(result)?.kept;
  return { ...(kept && { kept }), answered: true, conclusive: true };
}

/** Whether a session is about the same money, so that it is this payment that pays it. */
function fits(session: SessionRecord | undefined, { amount, currency }: Adoptee): session is SessionRecord {
  return session?.amount === amount && session.currency === currency;
}
