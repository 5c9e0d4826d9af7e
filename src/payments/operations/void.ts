import { Injectable } from '@nestjs/common';
import { Gateway } from '../../gateway/gateway.js';
import { Problem } from '../../http/problems/problem.js';
import type { KeyedCall } from '../../sessions/keyed-call.js';
import type { PaymentRecord, ReferenceRecord } from '../../store/schema.js';
import { interpretVoid } from '../interpret/interpret-operation.js';
import { gatewayReferences } from '../state/gateway-references.js';
import { OperationRunner, type Operation } from './operation-runner.js';
import type { Outcome } from './outcome.js';

/** Gives the money back, or releases the hold. */
@Injectable()
export class VoidPayment {
  constructor(
    private readonly runner: OperationRunner,
    private readonly gateway: Gateway,
  ) {}

  /** Voids a payment because somebody asks for it. Throws `invalid-state` where nothing is held or taken. */
  void(payment: PaymentRecord, request: KeyedCall): Promise<Outcome> {
    return this.runner.run(payment, request, {
      ...this.sentAsVoid,
      actor: request.actor,
      check: (current) => {
        assertVoidable(current);
        return null;
      },
      interpret: interpretVoid,
    });
  }

  /** Voids a duplicate because the policy says so, as long as the payment that was announced first is still paid. */
  voidDuplicate(payment: PaymentRecord): Promise<Outcome> {
    return this.runner.run(payment, undefined, {
      ...this.sentAsVoid,
      actor: 'policy',
      check: (current, reference) => {
        assertDuplicate(current, reference);
        return null;
      },
      // A refused void is sent again when the schedule comes to it. Checking now would repeat it without end.
      interpret: (result, call) => ({ ...interpretVoid(result, call), checkNow: false }),
    });
  }

  private get sentAsVoid(): Pick<Operation, 'type' | 'send'> {
    return {
      type: 'void',
      send: (current, _, gate) => this.gateway.void(gatewayReferences(current), gate),
    };
  }
}

function assertVoidable({ status }: PaymentRecord): void {
  if (status !== 'authorized' && status !== 'succeeded') {
    throw new Problem('invalid-state', 'Only an authorized or succeeded payment can be voided.');
  }
}

function assertDuplicate({ status, duplicateOf }: PaymentRecord, { paidPaymentIds }: ReferenceRecord): void {
  if (status !== 'succeeded' || duplicateOf === null || !paidPaymentIds.includes(duplicateOf)) {
    throw new Problem('invalid-state', 'This payment is no duplicate of a paid one.');
  }
}
