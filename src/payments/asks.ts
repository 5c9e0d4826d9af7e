import type { Fact } from '../gateway/fact.js';
import type { PaymentFacts } from '../gateway/payment-facts.js';
import type { Secret } from '../secrets/secret.js';
import type { Operation, Payment, Session } from './core/payment.js';

/** What a call carries besides what is stored: what the payer typed. Secrets in it reach the gateway and nothing else. */
export interface Details extends Pick<
  PaymentFacts,
  'payer' | 'billing' | 'payerIp' | 'bankCode' | 'card' | 'device'
> {
  /** A one-time code or PIN. */
  code?: Secret;
}

/** One operation to be sent: what the gateway's bodies are made of. */
export interface Sending {
  payment: Payment;
  session: Session;
  operation: Operation;
  details: Details;
  /** Asked once, right before the first byte leaves. False: nothing is sent. */
  mayBegin: () => boolean;
  /** All of its calls end by then, in milliseconds of `performance.now()`. */
  deadline: number;
  /** Makes values of a preparing call durable. Awaited before the call that moves money. */
  keep: (kept: Record<string, string>) => Promise<void>;
}

/** What payments ask of the gateway. No method rejects: an answer that cannot be trusted is `unclear`. */
export interface Asks {
  /** Sends an operation, once. `notSent` only where it is proven that nothing left. */
  send(sending: Sending): Promise<Fact>;
  status(payment: Payment, session: Session, deadline: number): Promise<Fact>;
  refundStatus(payment: Payment, session: Session, refund: Operation, deadline: number): Promise<Fact>;
  /** Whether a status query needs nothing but the `client_ref`, so that a payment that the store lost can be asked about. */
  readonly canProbe: boolean;
  /** Asks by every such query about a payment that the store may have lost. `denied`: all say that there is none. */
  probe(gatewayReference: string, session: Session, deadline: number): Promise<Fact>;
}
