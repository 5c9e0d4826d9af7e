import type { PaymentMethod } from '../config/payment-method.js';
import type { Gateway } from '../gateway/gateway.js';
import type { PaymentFacts, SendGate } from '../gateway/gateway-input.js';
import type { GatewayAnswer, GatewayResult } from '../gateway/gateway-result.js';
import type { OperationKey } from '../gateway/profile/format.js';
import type { NextAction, PaymentRecord, RecordedMethod } from '../store/schema.js';

/** How a type of next action is described in the API. */
export interface NextActionDescription {
  readonly type: NextAction['type'];
  /** What the payer must do. */
  readonly description: string;
  /** Its members besides `type`, as JSON schemas. */
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

/** The parts of a payment's record that a next action may repeat. */
export type ActionOrder = Pick<PaymentRecord, 'amount' | 'currency'>;

/**
 * Everything that distinguishes one payment method from another, so that other code need not ask which method a payment
 * uses. Pure. The code that receives calls is in the method's own folder.
 */
export interface MethodDescriptor {
  readonly name: PaymentMethod;
  /** The gateway operation that starts a payment. */
  readonly initiation: OperationKey;
  /** The gateway operation that queries a payment's status. */
  readonly statusQuery: 'transactionStatus' | 'transferUssdStatus';
  /** The operations without which it cannot be offered. */
  readonly requires: readonly OperationKey[];
  /**
   * The operations of this method whose form is only an assumption of the built-in profile. Starting a card or wallet
   * payment is not one of them, because the gateway's public description has those requests.
   */
  readonly assumed: readonly OperationKey[];
  /** Whether its first request carries secrets, which the gateway is known to want encrypted. */
  readonly carriesSecrets: boolean;
  /** Whether the first answer can say that the payment is paid or held. Otherwise such an answer is not believed. */
  readonly finishesAtOnce: boolean;
  /** Whether the payer may be asked for a one-time code. */
  readonly takesOtp: boolean;
  /** Whether a decline counts against the session, the card and the address. */
  readonly countsDeclines: boolean;
  /** The next actions that it may ask for. */
  readonly nextActions: readonly NextActionDescription[];
  /** The next action in an answer. Undefined where the answer lacks a part of it. */
  fillAction(answer: GatewayAnswer, order: ActionOrder, mode: 'test' | 'live'): NextAction | undefined;
}

/** What is known of a method by which a payment was paid, though not how to start one by it. */
export type FollowedMethod = Omit<
  MethodDescriptor,
  'name' | 'initiation' | 'requires' | 'assumed' | 'carriesSecrets'
> & { readonly name: RecordedMethod };

/** What the gateway is asked to charge, who pays, and what else a profile may have the call carry. */
export interface Order extends PaymentFacts {
  readonly clientRef: string;
  /** Minor units. */
  readonly amount: bigint;
  /** ISO 4217. */
  readonly currency: string;
  readonly returnUrl: string;
}

/** A method whose request holds no secrets. It can be started from its descriptor alone. */
export interface PlainMethod<Body extends object = object> extends MethodDescriptor {
  readonly carriesSecrets: false;
  /** Starts a payment at the gateway. */
  begin(gateway: Gateway, order: Order, body: Body, gate: SendGate): Promise<GatewayResult>;
}
