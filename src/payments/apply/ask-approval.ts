import { Inject, Injectable } from '@nestjs/common';
import { newApproval, isAbove, type Asked } from '../../approvals/approval.js';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import type { Made } from '../../idempotency/idempotency.js';
import type { Changes } from '../../store/payment-writer.js';
import type { EventOperation } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import type { PaymentSnapshot } from './apply.js';
import { Recorder } from './recorder.js';

/** What another person must approve first, and the operation that is wanted. */
export interface Needed {
  readonly asked: Asked;
  readonly operation: EventOperation;
}

/** The rows of what waits for an approval. `waits`: the approval's id. */
export interface Waiting {
  changes: Changes;
  waits: string;
  made: Made;
}

/** Asks for approvals about payments, in the commit of the payment's own write. */
@Injectable()
export class AskApproval {
  constructor(
    private readonly store: Store,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Whether so much, in minor units, needs a second person. */
  isNeeded(amount: bigint, currency: string): boolean {
    return isAbove(this.config.payments.approvalAbove, amount, currency);
  }

  /** The approval, and the event that tells of it. Nothing else of the payment changes. Pure but for ids. */
  rows(
    { payment: before, session }: Pick<PaymentSnapshot, 'payment' | 'session'>,
    { asked, operation }: Needed,
    now: number,
  ): Waiting {
    const approval = newApproval(asked, before, now);
    const payment = { ...before, version: before.version + 1 };
    const recorder = new Recorder(payment, {
      at: Math.max(now, before.updatedAt),
      now,
      actor: asked.actor,
      livemode: this.config.gateway.mode === 'live',
      deliver: this.config.merchant.webhookUrl !== undefined,
      epoch: this.store.epoch.number,
    });
    recorder.announce('payment.approval_needed', { late: false, operation });
    return {
      changes: { payment, approval, events: recorder.events },
      waits: approval.id,
      made: {
        sessionId: session.id,
        paymentId: before.id,
        operationId: approval.id,
        sessionExpiresAt: session.expiresAt,
        // Used anew, the key would ask for the same money again.
        lasts: true,
      },
    };
  }
}
