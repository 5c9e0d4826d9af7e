import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Approvals, type Deciding } from '../../approvals/approvals.js';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Problem } from '../../http/problems/problem.js';
import { formatMajor } from '../../money/money.js';
import type { ApprovalRecord, PaymentRecord } from '../../store/schema.js';
import { WrittenTexts } from '../../store/written-texts.js';
import type { Outcome } from '../operations/command.js';
import { Engine } from '../operations/engine.js';
import { ResolvePayment } from '../operations/resolve.js';
import { PaymentsRepository } from '../state/payments.repository.js';
import { RefundsRepository } from '../state/refunds.repository.js';
import { viewPayment } from '../views/payment-view.js';
import { viewRefund } from '../views/refund.dto.js';
import { refusal } from './payment-answers.js';

/** Does what was asked for about payments and approved: refunds, and resolutions as paid. */
@Injectable()
export class ApprovedPayments implements OnModuleInit {
  constructor(
    private readonly approvals: Approvals,
    private readonly engine: Engine,
    private readonly resolutions: ResolvePayment,
    private readonly payments: PaymentsRepository,
    private readonly refunds: RefundsRepository,
    private readonly texts: WrittenTexts,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.approvals.register('refund', {
      approve: (approval, by) => this.refund(approval, by),
      result: (approval) => this.refundOf(approval),
    });
    this.approvals.register('resolve', {
      approve: (approval, by) => this.resolve(approval, by),
      result: async (approval) =>
        viewPayment(await this.paymentOf(approval), this.config.gateway.mode === 'live'),
    });
  }

  /** Just so much as was asked for. It is the asker's refund. */
  private async refund(approval: ApprovalRecord, { call, ...by }: Deciding): Promise<{ replayed: boolean }> {
    const { id, amount, currency, actor } = approval;
    return done(
      await this.engine.run({
        type: 'refund',
        payment: await this.paymentOf(approval),
        actor,
        call,
        amount: formatMajor(amount, currency),
        reason: await this.approvals.textOf(approval),
        approved: { id, by },
      }),
    );
  }

  private async resolve(approval: ApprovalRecord, { call, ...by }: Deciding): Promise<{ replayed: boolean }> {
    const { id, actor: askedBy, wanted } = approval;
    const { amountReceived } = wanted;
    const resolution = {
      status: 'succeeded' as const,
      note: (await this.approvals.textOf(approval)) ?? '',
      ...(amountReceived !== undefined && { amountReceived: BigInt(amountReceived) }),
    };
    const payment = await this.paymentOf(approval);
    return done(await this.resolutions.resolve(payment, resolution, call, { id, by, askedBy }));
  }

  private async refundOf(approval: ApprovalRecord): Promise<object | null> {
    const { paymentId, operationId, currency } = approval;
    const refund = await this.refunds.find(paymentId ?? '', operationId ?? '');
    if (!refund) return null;
    return viewRefund(refund, currency, await this.texts.read(refund.textId === null ? [] : [refund.textId]));
  }

  private async paymentOf({ paymentId }: ApprovalRecord): Promise<PaymentRecord> {
    const payment = await this.payments.find(paymentId ?? '');
    if (!payment) throw new Problem('not-found', 'There is no such payment.');
    return payment;
  }
}

/** Throws what the caller is told instead, where the gateway did not do it. */
function done({ payment, replayed, problem }: Outcome): { replayed: boolean } {
  if (problem) throw refusal(payment, problem);
  return { replayed };
}
