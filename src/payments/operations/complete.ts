import { Injectable } from '@nestjs/common';
import { Gateway } from '../../gateway/gateway.js';
import { Problem } from '../../http/problems/problem.js';
import { formatMajor, parseMajor } from '../../money/money.js';
import type { KeyedCall } from '../../sessions/keyed-call.js';
import type { PaymentRecord } from '../../store/schema.js';
import { interpretCompletion } from '../interpret/interpret-operation.js';
import { GatewayFacts } from '../state/gateway-facts.js';
import { assertSupported } from './supported.js';
import { assertNotPaidByAnother } from './paid-by-another.js';
import { FreshAnswers, type Fresh } from './fresh-answers.js';
import { OperationRunner } from './operation-runner.js';
import type { Outcome } from './outcome.js';

/** Takes held money, in whole or in part. */
@Injectable()
export class CompletePayment {
  constructor(
    private readonly runner: OperationRunner,
    private readonly gateway: Gateway,
    private readonly facts: GatewayFacts,
    private readonly answers: FreshAnswers,
  ) {}

  /**
   * Takes `amount`, a decimal string in major units, or everything that is held. Throws `invalid-state` where nothing is
   * held, `session-paid` where another payment has paid meanwhile, `outcome-unknown` where the store has forgotten something since it
   * was held and the gateway does not say how it stands, and `validation-failed` for an amount that does not fit.
   */
  complete(payment: PaymentRecord, amount: string | undefined, request: KeyedCall): Promise<Outcome> {
    let fresh: Fresh | undefined;
    return this.runner.run(payment, request, {
      type: 'complete',
      actor: request.actor,
      check: (rows) => {
        const { payment: current } = rows;
        assertSupported(this.gateway, 'complete');
        if (current.status !== 'authorized') {
          throw new Problem('invalid-state', 'Only an authorized payment can be completed.');
        }
        assertNotPaidByAnother(rows);
        if (fresh) this.answers.assert(rows, fresh);
        return amountToComplete(current, amount);
      },
      asksFirst: (rows) => this.answers.areNeeded(rows),
      askFirst: async (leased, rows) => {
        fresh = await this.answers.ask(leased, rows);
      },
      send: async (current, { amount: asked }, gate) => {
        const facts = await this.facts.of(current, 'complete');
        return this.gateway.complete({ ...facts, amount: asked ?? current.amount }, gate);
      },
      interpret: interpretCompletion,
    });
  }
}

/** How much to take, in minor units. Throws `validation-failed` for zero, for more than is held, or for what is no amount. */
function amountToComplete(payment: PaymentRecord, amount: string | undefined): bigint {
  const held = payment.amountAuthorized ?? payment.amount;
  if (amount === undefined) return held;
  const asked = parseMajor(amount, payment.currency);
  const fault =
    asked === undefined
      ? `must be a decimal amount in ${payment.currency}`
      : asked <= 0n
        ? 'must be above zero'
        : asked > held
          ? `must be at most the authorized amount, ${formatMajor(held, payment.currency)}`
          : undefined;
  if (asked === undefined || fault !== undefined) {
    throw new Problem('validation-failed', 'The amount to complete does not fit.', {
      errors: [{ pointer: '/amount', message: fault ?? 'must be an amount' }],
    });
  }
  return asked;
}
