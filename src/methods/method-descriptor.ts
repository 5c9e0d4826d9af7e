import type { PaymentMethod } from '../config/read-config.js';
import type { Gateway } from '../gateway/gateway.js';
import type { SendGate } from '../gateway/gateway-input.js';
import type { GatewayAnswer, GatewayResult } from '../gateway/gateway-result.js';
import type { OperationKey } from '../gateway/profile/format.js';
import type { Billing, NextAction, Payer, PaymentRecord } from '../store/schema.js';

/** How a next action of one type is described to those who call the API. */
export interface NextActionDescription {
  readonly type: NextAction['type'];
  /** What the payer must do. */
  readonly description: string;
  /** Its members beside `type`, as JSON schemas. */
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

/** What a payment's own record says that a next action may repeat. */
export type ActionOrder = Pick<PaymentRecord, 'amount' | 'currency'>;

/**
 * Everything by which one way to pay differs from another, for all who handle payments without asking which one it is.
 * Pure: what it takes to receive a call of the method stands in the method's own folder.
 */
export interface MethodDescriptor<
  PayerField extends keyof Payer = keyof Payer,
  BillingField extends keyof Billing = keyof Billing,
> {
  readonly name: PaymentMethod;
  /** The gateway's operation that begins it. */
  readonly initiation: OperationKey;
  /** The gateway's operation that asks what became of it. */
  readonly statusQuery: 'transactionStatus' | 'transferUssdStatus';
  /**
   * The operations that it uses whose form the built-in profile only assumes. A card payment's and a wallet's beginning
   * are not among them: those requests are the gateway's own words (seed 2.1, 2.3).
   */
  readonly assumed: readonly OperationKey[];
  /** Whether its first request carries secrets, for which the gateway is known to have an encryption (seed 4.1). */
  readonly carriesSecrets: boolean;
  /** Whether the answer to its beginning can be that it is paid or held. Where not, such a word is not believed. */
  readonly finishesAtOnce: boolean;
  /** Whether the payer may be asked for a one-time code. */
  readonly takesOtp: boolean;
  /** Whether a decline counts against the session, the card and the address. */
  readonly countsDeclines: boolean;
  /** What it needs of the payer, from the request or the session. */
  readonly needs: { readonly payer: readonly PayerField[]; readonly billing: readonly BillingField[] };
  /** The next actions that it can ask for. */
  readonly nextActions: readonly NextActionDescription[];
  /** The next action that an answer fills, if it fills it wholly. */
  fillAction(answer: GatewayAnswer, order: ActionOrder, mode: 'test' | 'live'): NextAction | undefined;
}

/** Those members of a record that a method needs: all there. */
export type Needed<T, K extends keyof T> = { readonly [P in K]-?: NonNullable<T[P]> };

/** What is asked for at the gateway. */
export interface Order {
  readonly clientRef: string;
  /** Minor units. */
  readonly amount: bigint;
  /** ISO 4217. */
  readonly currency: string;
}

/** A method of whose request nothing is secret: it can be started from its descriptor alone. */
export interface PlainMethod<
  Body extends object = object,
  PayerField extends keyof Payer = keyof Payer,
> extends MethodDescriptor<PayerField, never> {
  readonly carriesSecrets: false;
  /** Begins it at the gateway. */
  begin(
    gateway: Gateway,
    order: Order,
    payer: Needed<Payer, PayerField>,
    body: Body,
    gate: SendGate,
  ): Promise<GatewayResult>;
}
