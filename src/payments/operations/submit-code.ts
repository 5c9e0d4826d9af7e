import { Injectable } from '@nestjs/common';
import { Gateway, type SendGate } from '../../gateway/gateway.js';
import type { GatewayResult } from '../../gateway/gateway-result.js';
import type { OperationKey } from '../../gateway/profile/format.js';
import { Problem } from '../../http/problems/problem.js';
import type { KeyedCall } from '../../sessions/keyed-call.js';
import type { Secret } from '../../secrets/secret.js';
import type { CodeType, PaymentRecord } from '../../store/schema.js';
import { interpretCode } from '../interpret/interpret-operation.js';
import { GatewayFacts, type LaterFacts } from '../state/gateway-facts.js';
import { assertSupported } from './supported.js';
import type { CodeCount } from './code-counts.js';
import { OperationRunner } from './operation-runner.js';
import { assertNotPaidByAnother } from './paid-by-another.js';
import type { Outcome } from './outcome.js';

/** What the payer types for one of the gateway's challenges. */
interface Code {
  readonly operation: OperationKey;
  /** In words for the payer's page. */
  readonly name: string;
  /** Nobody may go on guessing: after so many of this kind for one payment no further one is sent. */
  readonly most: number;
  readonly sent: CodeCount;
  readonly send: (
    gateway: Gateway,
    facts: LaterFacts,
    secret: Secret,
    gate: SendGate,
  ) => Promise<GatewayResult>;
}

const CODES: Readonly<Record<CodeType, Code>> = {
  otp: {
    operation: 'validateOtp',
    name: 'one-time code',
    most: 5,
    sent: 'otpsSent',
    send: (gateway, facts, otp, gate) => gateway.validateOtp({ ...facts, otp }, gate),
  },
  // Banks block a card after the third wrong PIN.
  pin: {
    operation: 'validatePin',
    name: 'card PIN',
    most: 3,
    sent: 'pinsSent',
    send: (gateway, facts, pin, gate) => gateway.validatePin({ ...facts, pin }, gate),
  },
};

/** Sends the one-time code or the card PIN that a payer has typed. */
@Injectable()
export class SubmitCode {
  constructor(
    private readonly runner: OperationRunner,
    private readonly gateway: Gateway,
    private readonly facts: GatewayFacts,
  ) {}

  /**
   * Throws `invalid-state` where the payment waits for no such code, or where too many were sent, and `session-paid`
   * where another payment has paid meanwhile. `assertNew` refuses what only a repeated request may bring.
   */
  submit(
    payment: PaymentRecord,
    type: CodeType,
    secret: Secret,
    request: KeyedCall,
    assertNew: () => void = () => undefined,
  ): Promise<Outcome> {
    const { operation, send } = CODES[type];
    return this.runner.run(payment, request, {
      type,
      actor: 'payer',
      check: (rows) => {
        assertNew();
        assertSupported(this.gateway, operation);
        assertWaitsFor(rows.payment, type);
        assertNotPaidByAnother(rows);
        return null;
      },
      send: async (current, _, gate) =>
        send(this.gateway, await this.facts.of(current, operation), secret, gate),
      interpret: interpretCode,
      sent: { words: [], secrets: [secret.unwrap()] },
    });
  }
}

function assertWaitsFor(payment: PaymentRecord, type: CodeType): void {
  const { name, most, sent } = CODES[type];
  if (payment.status !== 'requires_action' || payment.nextAction?.type !== type) {
    throw new Problem('invalid-state', `This payment does not wait for a ${name}.`);
  }
  if (payment[sent] >= most) throw new Problem('invalid-state', `No further ${name} can be sent.`);
}
