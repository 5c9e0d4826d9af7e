import { Injectable } from '@nestjs/common';
import { Gateway } from '../../gateway/gateway.js';
import { Problem } from '../../http/problems/problem.js';
import type { KeyedRequest } from '../../idempotency/idempotency.js';
import type { Secret } from '../../secrets/secret.js';
import type { PaymentRecord } from '../../store/schema.js';
import { interpretOtp } from '../interpret/interpret-operation.js';
import { GatewayFacts } from '../state/gateway-facts.js';
import { assertSupported } from './supported.js';
import { assertNotPaidByAnother } from './paid-by-another.js';
import { OperationRunner } from './operation-runner.js';
import type { Outcome } from './outcome.js';

/** How many one-time codes may be sent for one payment, so that nobody can go on guessing. */
const MAX_OTPS = 5;

/** Sends the one-time code that a payer has typed. */
@Injectable()
export class SubmitOtp {
  constructor(
    private readonly runner: OperationRunner,
    private readonly gateway: Gateway,
    private readonly facts: GatewayFacts,
  ) {}

  /**
   * Throws `invalid-state` where the payment waits for no code, or where too many were sent, and `session-paid` where
   * another payment has paid meanwhile.
   */
  submit(payment: PaymentRecord, otp: Secret, request: KeyedRequest): Promise<Outcome> {
    return this.runner.run(payment, request, {
      type: 'otp',
      actor: 'payer',
      check: (rows) => {
        assertSupported(this.gateway, 'validateOtp');
        assertWaitsForOtp(rows.payment);
        assertNotPaidByAnother(rows);
        return null;
      },
      send: async (current, _, gate) =>
        this.gateway.validateOtp({ ...(await this.facts.of(current, 'validateOtp')), otp }, gate),
      interpret: interpretOtp,
      sent: { words: [], secrets: [otp.unwrap()] },
    });
  }
}

function assertWaitsForOtp(payment: PaymentRecord): void {
  if (payment.status !== 'requires_action' || payment.nextAction?.type !== 'otp') {
    throw new Problem('invalid-state', 'This payment does not wait for a one-time code.');
  }
  if (payment.otpsSent >= MAX_OTPS) throw new Problem('invalid-state', 'No further codes can be sent.');
}
