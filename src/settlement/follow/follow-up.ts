import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Applier } from '../../payments/apply/applier.js';
import { paymentSnapshot } from '../../payments/apply/payment-snapshot.js';
import { NotifiedPayments } from '../../payments/inquiry/notified-payments.js';
import { REPORTED } from '../../payments/state/reported.js';
import { PaymentsRepository } from '../../payments/state/payments.repository.js';
import type { SettlementDifferenceRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { SettlementsRepository } from '../store/settlements.repository.js';
import { claimOf, isConfirmed } from './claims.js';

/**
 * Has the gateway asked about what a report claims of a payment, and has a person look where it does not confirm it. What is
 * to be done stands in the store, so that a restart loses none of it; whatever was done is done again without harm.
 */
@Injectable()
export class FollowUp {
  constructor(
    private readonly store: Store,
    private readonly repository: SettlementsRepository,
    private readonly payments: PaymentsRepository,
    private readonly notified: NotifiedPayments,
    private readonly applier: Applier,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Puts the question among those that are asked next, by their one schedule. The gateway's time begins now. */
  async ask(difference: SettlementDifferenceRecord): Promise<void> {
    await this.notified.note(difference.paymentId ?? '', { claims: [claimOf(difference), REPORTED] });
    const dueAt = this.store.clock.now() + this.config.settlementConfirmSeconds * 1000;
    await this.repository.move(difference, { state: 'asked', dueAt });
  }

  /** The gateway's time is over. */
  async judge(difference: SettlementDifferenceRecord): Promise<void> {
    const payment = await this.payments.find(difference.paymentId ?? '');
    if (!payment || isConfirmed(difference, payment)) {
      await this.repository.move(difference, { state: 'confirmed', dueAt: null });
      return;
    }
    const { reference, sessionId, id: paymentId } = payment;
    const { settlementId: settlement, kind } = difference;
    const row = String(difference.line ?? '');
    const confirmed = await this.store.writer.write<boolean>(
      { reference, sessionId, paymentId },
      (snapshot) => {
        if (isConfirmed(difference, paymentSnapshot(snapshot).payment)) return { changes: {}, result: true };
        const changes = this.applier.changes(snapshot, {
          attention: {
            reason: 'report_unconfirmed',
            answer: `${settlement} row ${row} ${kind} ${difference.claimed ?? ''}`,
          },
          timelineNote: { type: 'report_unconfirmed', detail: { settlement, row, kind } },
        });
        return { changes, result: false };
      },
    );
    await this.repository.move(difference, { state: confirmed ? 'confirmed' : 'unconfirmed', dueAt: null });
  }
}
