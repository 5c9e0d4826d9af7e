import type { Fact } from '../gateway/fact.js';
import type { Answered, CalledOperation, Gateway, PaymentFacts } from '../gateway/gateway.js';
import { START_OF } from '../gateway/method-fields.js';
import type { Asks, Sending } from './asks.js';
import type { Operation, Payment, Session } from './core/payment.js';

const OPERATIONS = {
  otp: 'validateOtp',
  pin: 'validatePin',
  complete: 'complete',
  void: 'void',
  refund: 'refund',
} as const;
const NO_QUERY: Fact = { is: 'unclear', why: 'the profile has no such query' };

/** The gateway as payments ask it. */
export class GatewayAsks implements Asks {
  private readonly probes: CalledOperation[];

  constructor(
    private readonly gateway: Gateway,
    /** Where the payer of a payment comes back to. */
    private readonly returnUrl: (paymentId: string) => string,
  ) {
    this.probes = gateway.asksByReference();
  }

  get canProbe(): boolean {
    return this.probes.length > 0;
  }

  async send({ payment, session, operation, details, mayBegin, deadline, keep }: Sending): Promise<Fact> {
    const { code, ...typed } = details;
    const facts: PaymentFacts = {
      ...this.facts(payment, session, operation),
      ...typed,
      ...(operation.type === 'otp' && code ? { otp: code } : {}),
      ...(operation.type === 'pin' && code ? { pin: code } : {}),
    };
    const commit = async (kept: Record<string, string>) => {
      await keep(kept);
      return true;
    };
    const { fact } = await this.gateway.call(operationOf(payment, operation), facts, {
      deadline,
      mayBegin,
      commit,
    });
    return fact;
  }

  async status(payment: Payment, session: Session, deadline: number): Promise<Fact> {
    const query = this.gateway.queryOf(payment.method);
    if (!query) return NO_QUERY;
    return patient(await this.gateway.call(query, this.facts(payment, session), { deadline }));
  }

  async refundStatus(payment: Payment, session: Session, refund: Operation, deadline: number): Promise<Fact> {
    const facts = this.facts(payment, session, refund);
    return patient(await this.gateway.call('refundStatus', facts, { deadline }));
  }

  async probe(gatewayReference: string, session: Session, deadline: number): Promise<Fact> {
    const facts = { clientRef: gatewayReference, currency: session.currency, amount: session.amount };
    const asked = await Promise.all(
      this.probes.map((query) => this.gateway.call(query, facts, { deadline })),
    );
    const said = asked.map(({ fact }) => fact);
    return (
      said.find(({ is }) => is !== 'denied' && is !== 'unclear') ??
      said.find(({ is }) => is === 'unclear') ??
      said[0] ??
      NO_QUERY
    );
  }

  private facts(payment: Payment, session: Session, operation?: Operation): PaymentFacts {
    return {
      clientRef: payment.gatewayReference,
      currency: payment.currency,
      amount: operation?.amount ?? payment.amount,
      kept: payment.kept,
      payer: session.payer,
      billing: session.billing,
      returnUrl: this.returnUrl(payment.id),
      ...(payment.transactionRef === null ? {} : { transactionRef: payment.transactionRef }),
      ...(operation?.refundRef === undefined ? {} : { refundRef: operation.refundRef }),
    };
  }
}

function operationOf({ method, id }: Payment, { type }: Operation): CalledOperation {
  if (type !== 'pay') return OPERATIONS[type];
  if (method === 'unknown') throw new Error(`Payment ${id} was adopted and cannot be started.`);
  return START_OF[method];
}

/** A busy gateway says how long it wants to be left alone. */
function patient({ fact, busySeconds }: Answered): Fact {
  return fact.is === 'unclear' && busySeconds !== undefined
    ? { ...fact, retryAfterSeconds: busySeconds }
    : fact;
}
