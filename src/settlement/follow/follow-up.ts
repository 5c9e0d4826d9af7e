import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Applier, paymentSnapshot } from '../../payments/apply/applier.js';
import { NotifiedPayments } from '../../payments/inquiry/notified-payments.js';
import { PaymentsRepository } from '../../payments/state/payments.repository.js';
import type { DifferenceRecord, PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { Matcher } from '../compare/matcher.js';
import { MatchingTurn } from '../compare/matching-turn.js';
import { DifferencesRepository } from '../store/differences.repository.js';
import { ReportedReversals } from './reported-reversals.js';
import type { NotificationClaim } from '../../payments/schedule/notified.js';
import { REPORTED } from '../../payments/state/payment-update.js';
import { minorOf } from '../files/file-amount.js';

/**
 * Has the gateway asked about what a report claims of a payment, and has a person look where it does not confirm it. What is
 * to be done stands in the store, so that a restart loses none of it; whatever was done is done again without harm.
 */
@Injectable()
export class FollowUp {
  constructor(
    private readonly store: Store,
    private readonly differences: DifferencesRepository,
    private readonly matcher: Matcher,
    private readonly turn: MatchingTurn,
    private readonly payments: PaymentsRepository,
    private readonly notified: NotifiedPayments,
    private readonly applier: Applier,
    private readonly reversals: ReportedReversals,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Puts the question among those that are asked next, by their one schedule. The gateway's time begins now. Where it cannot be asked,
   * another person is.
   */
  async ask(difference: DifferenceRecord): Promise<void> {
    if (await this.reversals.ask(difference)) return;
    await this.notified.note(difference.paymentId ?? '', { claims: claimsOf(difference) });
    const dueAt = this.store.clock.now() + 3600 * 1000;
    await this.differences.move(difference, { step: 'asked', dueAt });
  }

  /** The time is over in which the gateway, or another person, could confirm it. */
  async judge({ id, reference }: DifferenceRecord): Promise<void> {
    await this.turn.use(() => this.matcher.match([reference]));
    const difference = await this.differences.find(id);
    if (difference?.step !== 'asked' && difference?.step !== 'to_approve') return;
    if (difference.state !== 'open' || (await this.reversals.isDeclined(difference))) {
      await this.differences.move(difference, { step: null, dueAt: null });
      return;
    }
    const payment = await this.payments.find(difference.paymentId ?? '');
    const unconfirmed =
      payment && !isConfirmed(difference, payment) && (await this.call(difference, payment));
    await this.differences.move(difference, { step: unconfirmed ? 'unconfirmed' : null, dueAt: null });
  }

  /** Has a person look. False where the gateway has confirmed it meanwhile. */
  private call(
    difference: DifferenceRecord,
    { reference, sessionId, id: paymentId }: { reference: string; sessionId: string; id: string },
  ): Promise<boolean> {
    const { kind } = difference;
    const settlement = difference.settlementId ?? '';
    const row = String(difference.line ?? '');
    return this.store.writer.write<boolean>({ reference, sessionId, paymentId }, (snapshot) => {
      if (isConfirmed(difference, paymentSnapshot(snapshot).payment)) return { changes: {}, result: false };
      const changes = this.applier.changes(snapshot, {
        attention: {
          reason: 'report_unconfirmed',
          answer: `${settlement} row ${row} ${kind} ${difference.claimed ?? ''}`,
        },
        timelineNote: { type: 'report_unconfirmed', detail: { settlement, row, kind } },
      });
      return { changes, result: true };
    });
  }
}

type Claimed = Pick<
  DifferenceRecord,
  'kind' | 'said' | 'claimed' | 'foundAmount' | 'foundDecimals' | 'foundCurrency'
>;

/** What a report claims of a payment, in the words of the gateway's answers. Pure. */
function claimsOf({ kind, said }: Claimed): NotificationClaim[] {
  switch (said) {
    case 'paymentReversal':
      return ['voided', REPORTED];
    case 'chargebackReversal':
      return ['disputeWon', REPORTED];
    case 'refundReversal':
      // No word of an answer says that a refund came back.
      return [REPORTED];
    default:
      if (kind === 'refund_unknown_here') return ['refunded', REPORTED];
      return [kind === 'chargeback_unknown_here' ? 'chargedBack' : 'succeeded', REPORTED];
  }
}

/** Whether the gateway has confirmed by now what a report claims of this payment, in amount and currency. Pure. */
function isConfirmed(
  { kind, said, claimed, foundAmount, foundDecimals, foundCurrency }: Claimed,
  payment: Pick<
    PaymentRecord,
    'status' | 'amount' | 'currency' | 'amountCaptured' | 'amountRefunded' | 'disputed' | 'amountDisputed'
  >,
): boolean {
  const paid = payment.amountCaptured ?? payment.amount;
  // What came back again is confirmed by its movement alone, and then the difference is closed.
  if (said === 'refundReversal' || said === 'chargebackReversal') return false;
  switch (kind) {
    case 'refund_unknown_here':
      if (claimed === null) return false;
      return claimed <= (payment.status === 'voided' ? paid : (payment.amountRefunded ?? 0n));
    case 'chargeback_unknown_here':
      return claimed !== null && payment.disputed && claimed <= (payment.amountDisputed ?? paid);
    default:
      if (foundAmount === null || (foundCurrency !== null && foundCurrency !== payment.currency))
        return false;
      return (
        payment.status === 'succeeded' &&
        minorOf({ digits: foundAmount, decimals: foundDecimals }, payment.currency) === paid
      );
  }
}
