import { Injectable } from '@nestjs/common';
import { Gateway } from '../../gateway/gateway.js';
import type { KeyedCall } from '../../sessions/keyed-call.js';
import type { PaymentRecord } from '../../store/schema.js';
import { interpretVoid } from '../interpret/interpret-operation.js';
import { assertVoidable, assertVoidableByPolicy, POLICY } from './void-rules.js';
import { GatewayFacts } from '../state/gateway-facts.js';
import { FreshAnswers, type Fresh } from './fresh-answers.js';
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
    private readonly answers: FreshAnswers,
  ) {}

  /**
   * Voids a payment because somebody asks for it. Throws `invalid-state` where nothing is held or taken,
   * `operation-in-progress` while the policy voids its duplicate, and `outcome-unknown` where a void of its order may have been done and
   * the gateway does not say.
   */
  void(payment: PaymentRecord, request: KeyedCall): Promise<Outcome> {
    let fresh: Fresh | undefined;
    return this.runner.run(payment, request, {
      ...this.sentAsVoid,
      actor: request.actor,
      check: (rows) => {
        assertSupported(this.gateway, 'void');
        assertVoidable(rows);
        if (fresh) this.answers.assert(rows, fresh);
        return null;
      },
      asksFirst: (rows) => this.answers.areNeeded(rows),
      askFirst: async (leased, rows) => {
        fresh = await this.answers.ask(leased, rows);
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
