import { Inject, Injectable } from '@nestjs/common';
import { Gateway } from '../../gateway/gateway.js';
import { PROFILE } from '../../gateway/gateway.module.js';
import type { Profile } from '../../gateway/profile/format.js';
import { refundRefOf } from '../../gateway/requests/client-ref.js';
import type { KeyedCall } from '../../sessions/keyed-call.js';
import type { OperationRecord, PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { saysGivenBack } from '../interpret/refund-baseline.js';
import { interpretRefund } from '../interpret/interpret-refund.js';
import { GatewayFacts } from '../state/gateway-facts.js';
import { RefundsRepository } from '../state/refunds.repository.js';
import { FreshAnswers, type Fresh } from './fresh-answers.js';
import { OperationRunner } from './operation-runner.js';
import type { Outcome } from './outcome.js';
import { amountToRefund, assertRefundable } from './refund-rules.js';
import { assertSupported } from './supported.js';

/** What a merchant asks for. */
export interface RefundWish {
  /** Decimal string in major units; absent: the rest. */
  amount?: string;
  /** For the merchant's own books. It does not reach the gateway. */
  reason?: string;
}

/** Gives money of a paid payment back, in whole or in part. */
@Injectable()
export class RefundPayment {
  constructor(
    private readonly store: Store,
    private readonly runner: OperationRunner,
    private readonly gateway: Gateway,
    private readonly facts: GatewayFacts,
    private readonly refunds: RefundsRepository,
    private readonly answers: FreshAnswers,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  /**
   * Sends a refund once, under a reference of its own. The gateway is asked before how much it has given back, for what its own
   * dashboard gave back is not left; without a clear answer what is known counts. The outcome's `operationId` is the refund's. Throws `not-supported`
   * where the gateway has no refunds, `invalid-state` where the payment is not paid or disputed, or so much is not left of it,
   * `outcome-unknown` where a void of its order may have been done and the gateway does not say, `operation-in-progress` while another
   * operation on it is open, and `validation-failed` for an amount that is none.
   */
  refund(payment: PaymentRecord, { amount, reason }: RefundWish, request: KeyedCall): Promise<Outcome> {
    let baselineSaid = false;
    let fresh: Fresh | undefined;
    return this.runner.run(payment, request, {
      type: 'refund',
      actor: request.actor,
      check: (rows) => {
        assertSupported(this.gateway, 'refund');
        assertRefundable(rows);
        if (fresh) this.answers.assert(rows, fresh);
        return amountToRefund(rows, amount);
      },
      askFirst: async (leased, rows) => {
        fresh = await this.answers.ask(leased, rows, {
          conclude: (_, inquiry, result) => {
            baselineSaid = saysGivenBack(result, inquiry);
            return undefined;
          },
        });
      },
      refund: ({ gatewayReference, refundsMade, amountRefunded }) => ({
        reason: reason ?? null,
        refundReference: refundRefOf(
          gatewayReference,
          refundsMade + 1,
          this.profile.reference,
          this.store.epoch.number,
        ),
        refundedBefore: amountRefunded ?? 0n,
        refundBaselineSaid: baselineSaid,
        inSum: false,
        fallHeardAt: null,
      }),
      send: async (current, row, gate) => {
        const facts = await this.facts.of(current, 'refund');
        const own = { amount: row.amount ?? 0n, refundRef: row.refundReference ?? '' };
        return this.gateway.refund({ ...facts, ...own }, gate);
      },
      interpret: interpretRefund,
      recorded: (row) => this.recorded(row),
    });
  }

  /**
   * The refund's row as it is now. Rejects where the store is away, and the outcome is written later: judged by a row from before
   * an own commit whose answer was lost, the outcome would contradict itself.
   */
  private async recorded(row: OperationRecord): Promise<OperationRecord> {
    return (await this.refunds.find(row.paymentId, row.id)) ?? row;
  }
}
