import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { PROFILE } from '../../gateway/gateway.module.js';
import type { GatewayResult } from '../../gateway/gateway-result.js';
import type { Profile } from '../../gateway/profile/format.js';
import { Applier } from '../../payments/apply/applier.js';
import { readStatus, type Reading } from '../../payments/interpret/status-answer.js';
import type { PaymentUpdate } from '../../payments/state/payment-update.js';
import { PaymentsRepository } from '../../payments/state/payments.repository.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import type { SettlementDifferenceRecord } from '../../store/book-tables.js';
import type { Decision, Snapshot } from '../../store/payment-writer.js';
import type { PaymentRecord, ReferenceRecord, SessionRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { StoreUnavailable } from '../../store/store-unavailable.js';
import { minorDigits } from '../../money/money.js';
import { newId } from '../../store/ids.js';
import type { DifferenceState } from '../difference.js';
import { minorOf } from '../files/file-amount.js';
import { SettlementsRepository } from '../store/settlements.repository.js';
import { adoptedPayment, adoptedSession, type Adoptee } from './adopted-payment.js';
import { AskGateway } from './ask-gateway.js';
import { splitReference, type ReferenceParts } from './reference-parts.js';

/** The latest session of the reference changed between reading and writing: read again. */
class Outrun extends Error {}

const MAX_TRIES = 5;

/** Why a row is not taken over, by what the gateway says. */
const LEFT: Readonly<Partial<Record<Reading, DifferenceState>>> = {
  'not-paid': 'left_not_paid',
  waiting: 'left_waiting',
  held: 'left_held',
};

/**
 * Takes over payments that a report names and the store does not have, as after a restored backup. The gateway is asked first.
 * Whatever it says, the number of the report's reference is never given to another payment.
 */
@Injectable()
export class Adoption {
  constructor(
    private readonly store: Store,
    private readonly repository: SettlementsRepository,
    private readonly payments: PaymentsRepository,
    private readonly sessions: SessionsRepository,
    private readonly gateway: AskGateway,
    private readonly applier: Applier,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Takes one row over, or leaves it and says why. Doing it again changes nothing. */
  async adopt(difference: SettlementDifferenceRecord): Promise<void> {
    const { state, paymentId } = await this.become(difference);
    await this.repository.move(difference, {
      state,
      dueAt: null,
      ...(paymentId !== undefined && { paymentId }),
    });
  }

  private async become(
    difference: SettlementDifferenceRecord,
  ): Promise<{ state: DifferenceState; paymentId?: string }> {
    const { reference: gatewayReference } = difference;
    const parts = splitReference(gatewayReference, this.profile.reference);
    if (!parts) return { state: 'left_reference' };
    const known = await this.payments.findByGatewayReference(gatewayReference);
    if (known) return foundState(known);
    const asked = await this.ask(difference);
    if (!asked) {
      await this.keepNumber(parts);
      return { state: 'left_currency' };
    }
    const { adoptee, reading, result } = asked;
    const left = LEFT[reading];
    if (left) {
      await this.keepNumber(parts);
      return { state: left };
    }
    try {
      const paymentId = await this.write(difference, parts, adoptee, { reading, result });
      return { state: reading === 'paid' ? 'adopted' : 'adopted_on_word', paymentId };
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      // Its reference has been given to a payment meanwhile, which the store refuses to do twice.
      const taken = await this.payments.findByGatewayReference(gatewayReference);
      if (taken) return foundState(taken);
      throw error;
    }
  }

  /** Undefined where neither the report nor the gateway names a currency. */
  private async ask(
    difference: SettlementDifferenceRecord,
  ): Promise<{ adoptee: Adoptee; reading: Reading; result: GatewayResult } | undefined> {
    const { reference: clientRef, transactionRef } = difference;
    const question = { clientRef, ...(transactionRef !== null && { transactionRef }) };
    let { currency } = difference;
    if (currency === null) {
      const named = await this.gateway.ask({ ...question, currency: 'NGN' });
      currency = named.kind === 'answered' ? (named.answer.currency?.toUpperCase() ?? null) : null;
    }
    if (currency === null || minorDigits(currency) === undefined) return undefined;
    const { amount: digits, decimals, actor } = difference;
    const amount = minorOf({ digits: digits ?? 0n, decimals }, currency);
    if (amount === undefined || amount <= 0n) return undefined;
    const result = await this.gateway.ask({ ...question, amount, currency });
    const adoptee: Adoptee = {
      id: newId('pay'),
      reference: splitReference(clientRef, this.profile.reference)?.reference ?? '',
      gatewayReference: clientRef,
      amount,
      currency,
      transactionRef:
        (result.kind === 'answered' ? result.answer.transactionRef : undefined) ?? transactionRef,
      actor: actor ?? 'merchant',
    };
    return { adoptee, result, reading: this.readingOf(adoptee, result) };
  }

  /** How the answer reads for a payment of which nothing is known but what the report says. */
  private readingOf(adoptee: Adoptee, result: GatewayResult): Reading {
    const now = this.store.clock.now();
    const session = adoptedSession(adoptee, 'open', now);
    const { payment } = adoptedPayment(adoptee, session, now);
    const { reference } = adoptee;
    const none: ReferenceRecord = {
      reference,
      attempts: 0,
      livePaymentIds: [],
      paidPaymentIds: [],
      sessionId: null,
    };
    const { mode, notFoundGraceSeconds } = this.config.gateway;
    const graceMs = notFoundGraceSeconds * 1000;
    return readStatus(result, {
      payment,
      reference: none,
      session,
      openOperations: [],
      mode,
      now,
      graceMs,
      asksRefunds: false,
    });
  }

  private async write(
    difference: SettlementDifferenceRecord,
    parts: ReferenceParts,
    adoptee: Adoptee,
    said: { reading: Reading; result: GatewayResult },
  ): Promise<string> {
    for (let tries = 0; ; tries += 1) {
      const sessionId = await this.sessions.lastSessionId(parts.reference);
      const wanted = {
        reference: parts.reference,
        createReference: true,
        ...(sessionId !== undefined && { sessionId }),
        // It is new: what is read by its id are the other payments of its reference.
        paymentId: adoptee.id,
      };
      try {
        return await this.store.writer.write<string>(wanted, (snapshot) => {
          if ((snapshot.reference.sessionId ?? undefined) !== sessionId) throw new Outrun();
          return this.decide(snapshot, difference, parts, adoptee, said);
        });
      } catch (error) {
        if (!(error instanceof Outrun) || tries >= MAX_TRIES) throw error;
      }
    }
  }

  private decide(
    snapshot: Snapshot,
    difference: SettlementDifferenceRecord,
    { n }: ReferenceParts,
    adoptee: Adoptee,
    { reading, result }: { reading: Reading; result: GatewayResult },
  ): Decision<string> {
    const now = this.store.clock.now();
    const isDuplicate = snapshot.reference.paidPaymentIds.length > 0;
    const fitting = fits(snapshot.session, adoptee) ? snapshot.session : undefined;
    const session = fitting ?? adoptedSession(adoptee, isDuplicate ? 'paid' : 'open', now);
    const reference: ReferenceRecord = {
      ...snapshot.reference,
      attempts: Math.max(snapshot.reference.attempts, n),
      sessionId: isDuplicate ? (snapshot.reference.sessionId ?? session.id) : session.id,
    };
    const { payment: blank, created } = adoptedPayment(adoptee, session, now);
    const onWord = reading !== 'paid';
    // A person's word is followed: the gateway may yet say otherwise.
    const payment: PaymentRecord = onWord ? { ...blank, resolvedAt: now } : blank;
    const rows: Snapshot = { ...snapshot, reference, session, payment, openOperations: [] };
    const changes = this.applier.changes(rows, {
      ...(onWord ? ON_WORD : answered(result)),
      move: { to: 'succeeded', by: onWord ? 'person' : 'gateway', captured: adoptee.amount, late: true },
      actor: adoptee.actor,
      timelineNote: {
        type: 'adopted',
        detail: { settlement: difference.settlementId, row: String(difference.line ?? '') },
      },
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

  /** The gateway has seen this reference, so no other payment may get it. */
  private async keepNumber({ reference, n }: ReferenceParts): Promise<void> {
    await this.store.writer.write({ reference, createReference: true }, (snapshot) => ({
      changes: snapshot.reference.attempts >= n ? {} : { reference: { ...snapshot.reference, attempts: n } },
      result: undefined,
    }));
  }
}

/** Taken over on a person's word: asked about again at once, and a person must look until the gateway agrees. */
const ON_WORD: PaymentUpdate = { attention: { reason: 'adopted_on_word' }, checkNow: true };

function answered(result: GatewayResult): PaymentUpdate {
  const kept = result.kind === 'answered' ? result.answer.kept : undefined;
  return { ...(kept && { kept }), answered: true, conclusive: true };
}

/** What became of a row whose payment is here by now. */
function foundState(payment: PaymentRecord): { state: DifferenceState; paymentId: string } {
  if (payment.method !== 'unknown') return { state: 'left_known', paymentId: payment.id };
  return { state: payment.needsAttention ? 'adopted_on_word' : 'adopted', paymentId: payment.id };
}

/** Whether a session is about the same money, so that it is this payment that pays it. */
function fits(session: SessionRecord | undefined, { amount, currency }: Adoptee): session is SessionRecord {
  return session?.amount === amount && session.currency === currency;
}
