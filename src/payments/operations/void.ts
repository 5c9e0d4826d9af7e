import { Injectable } from '@nestjs/common';
import { Gateway } from '../../gateway/gateway.js';
import type { KeyedCall } from '../../sessions/keyed-call.js';
import type { PaymentRecord } from '../../store/schema.js';
import { interpretVoid } from '../interpret/interpret-operation.js';
import { assertVoidable, assertVoidableByPolicy, POLICY } from './void-rules.js';
import { GatewayFacts } from '../state/gateway-facts.js';
import { assertSupported } from './supported.js';
import { OperationRunner, type Operation } from './operation-runner.js';
import type { Outcome } from './outcome.js';

/** Gives the money back, or releases the hold. */
@Injectable()
export class VoidPayment {
  constructor(
    private readonly runner: OperationRunner,
    private readonly gateway: Gateway,
    private readonly facts: GatewayFacts,
  ) {}

  /**
   * Voids a payment because somebody asks for it. Throws `invalid-state` where nothing is held or taken, and
   * `operation-in-progress` while the policy voids its duplicate.
   */
  void(payment: PaymentRecord, request: KeyedCall): Promise<Outcome> {
    return this.runner.run(payment, request, {
      ...this.sentAsVoid,
      actor: request.actor,
      check: (rows) => {
        assertSupported(this.gateway, 'void');
        assertVoidable(rows);
        return null;
      },
      interpret: interpretVoid,
    });
  }

  /**
   * Voids a duplicate because the policy says so. Whether it may is decided by the write that records the intent. Throws
   * `invalid-state` where it may not.
   */
  voidDuplicate(payment: PaymentRecord): Promise<Outcome> {
    return this.runner.run(payment, undefined, {
      ...this.sentAsVoid,
      actor: POLICY,
      check: (rows) => {
        assertVoidableByPolicy(rows);
        return null;
      },
      // A refused void is sent again when the schedule comes to it. Checking now would repeat it without end.
      interpret: (result, call) => ({ ...interpretVoid(result, call), checkNow: false }),
    });
  }

  private get sentAsVoid(): Pick<Operation, 'type' | 'send'> {
    return {
      type: 'void',
      send: async (current, _, gate) => this.gateway.void(await this.facts.of(current, 'void'), gate),
    };
  }
}
