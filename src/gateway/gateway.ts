import { SpanStatusCode } from '@opentelemetry/api';
import { Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { Tracing } from '../telemetry/traces.js';
import type {
  CardPaymentInput,
  CompleteInput,
  OtpInput,
  PinInput,
  RefundInput,
  RefundStatusInput,
  SendGate,
  StatusInput,
  TransferInput,
  UssdInput,
  VoidInput,
  WalletInput,
} from './gateway-input.js';
import type { GatewayResult, UssdBanksResult } from './gateway-result.js';
import { compileBanks, readBanks, type BanksReader } from './answers/ussd-banks.js';
import { meanAnswer } from './answers/meaning.js';
import { OperationCaller } from './call/operation-caller.js';
import type { OperationKey, Profile } from './profile/format.js';
import type { CallFacts } from './requests/payment-fields.js';
import type { Exchanges } from './transport/transport.js';

export type * from './gateway-input.js';
export type * from './gateway-result.js';

/** A finished call as it is reported to metrics. */
export interface GatewayCall {
  /** Key of the operation in the profile. */
  readonly operation: string;
  /** The meaning of the answer, `banks`, or the kind of result where there was no answer. */
  readonly outcome: string;
  readonly seconds: number;
}

export interface GatewayOptions {
  readonly config: Config['gateway'];
  /** A profile that {@link loadProfile} has returned. */
  readonly profile: Profile;
  /** Where the gateway's notifications go, for a profile that tells the gateway. Asked for at each call. */
  readonly notificationUrl?: () => string;
  /** Called after every finished call. */
  readonly observe?: (call: GatewayCall) => void;
  /** Opens a span for each call, named after its operation. Nothing that is sent or received is in it. */
  readonly tracing?: Tracing;
  /** Absent: the gateway's address is called by HTTP. */
  readonly transport?: Exchanges;
}

/**
 * The gateway, in this service's own words. Each method makes exactly one request and returns its result. No method
 * throws because of the gateway or the network, none retries, and no card data is in a result or an error.
 */
@Injectable()
export class Gateway {
  readonly #observe: ((call: GatewayCall) => void) | undefined;
  readonly #tracing: Tracing;
  readonly #caller: OperationCaller;
  readonly #banks: BanksReader;
  readonly #listeners: ((operation: string, result: UssdBanksResult) => void)[] = [];
  readonly #notificationUrl: (() => string) | undefined;

  /** Throws a `ConfigError` where the profile's encryption needs a key and there is no usable one. */
  constructor({
    config,
    profile,
    notificationUrl,
    observe,
    tracing = new Tracing(),
    transport,
  }: GatewayOptions) {
    this.#notificationUrl = notificationUrl;
    this.#observe = observe;
    this.#tracing = tracing;
    this.#caller = new OperationCaller(
      config,
      profile,
      (operation, outcome, seconds) => observe?.({ operation, outcome, seconds }),
      transport,
    );
    this.#banks = compileBanks(profile);
  }

  /** Calls `listener` with the result of each call, before the caller gets it. */
  onResult(listener: (operation: string, result: UssdBanksResult) => void): void {
    this.#listeners.push(listener);
  }

  /** Whether the gateway has an operation at all, as its profile says. */
  supports(key: OperationKey): boolean {
    return this.#caller.plan(key) !== undefined;
  }

  /** Whether the profile has an operation name the payer, beside the operations that always do. */
  namesPayer(key: OperationKey): boolean {
    return this.#caller.plan(key)?.namesPayer ?? false;
  }

  /** Charges a card. */
  payCard(input: CardPaymentInput, gate?: SendGate): Promise<GatewayResult> {
    return this.#ask('payCard', input, gate);
  }

  /** Creates an order at the partner wallet. The answer names the cashier page. */
  initiateWallet(input: WalletInput, gate?: SendGate): Promise<GatewayResult> {
    return this.#ask('initiateWallet', input, gate);
  }

  /** Submits the payer's one-time code. */
  validateOtp(input: OtpInput, gate?: SendGate): Promise<GatewayResult> {
    return this.#ask('validateOtp', input, gate);
  }

  /** Submits the payer's card PIN, where the gateway asks for it after the card. */
  validatePin(input: PinInput, gate?: SendGate): Promise<GatewayResult> {
    return this.#ask('validatePin', input, gate);
  }

  /** Asks for an account that the payer can transfer to. */
  initiateTransfer(input: TransferInput, gate?: SendGate): Promise<GatewayResult> {
    return this.#ask('initiateTransfer', input, gate);
  }

  /** Asks for a USSD code that the payer can dial. */
  generateUssdCode(input: UssdInput, gate?: SendGate): Promise<GatewayResult> {
    return this.#ask('generateUssdCode', input, gate);
  }

  /** Takes the money of an authorized payment. */
  complete(input: CompleteInput, gate?: SendGate): Promise<GatewayResult> {
    return this.#ask('complete', input, gate);
  }

  /** Reverses an authorized or paid payment. */
  void(input: VoidInput, gate?: SendGate): Promise<GatewayResult> {
    return this.#ask('void', input, gate);
  }

  /** Gives money of a paid payment back. */
  refund(input: RefundInput, gate?: SendGate): Promise<GatewayResult> {
    return this.#ask('refund', input, gate);
  }

  /** Queries the status of one refund. */
  refundStatus(input: RefundStatusInput): Promise<GatewayResult> {
    return this.#ask('refundStatus', input);
  }

  /** Queries the status of a card or wallet payment. */
  transactionStatus(input: StatusInput): Promise<GatewayResult> {
    return this.#ask('transactionStatus', input);
  }

  /** Queries the status of a transfer or USSD payment. */
  transferUssdStatus(input: StatusInput): Promise<GatewayResult> {
    return this.#ask('transferUssdStatus', input);
  }

  /** The banks that accept USSD payments. */
  async listUssdBanks(): Promise<UssdBanksResult> {
    return this.#observed('listUssdBanks', async () => {
      const plan = this.#caller.plan('listUssdBanks');
      if (!plan) return LACKING;
      const { conversation } = await this.#caller.call(plan, {});
      if (conversation.kind !== 'document') return conversation;
      const banks = readBanks(this.#banks, conversation.document);
      return banks ? { kind: 'banks', banks } : { kind: 'unknown', reason: 'unrecognised' };
    });
  }

  /** Waits for running calls, then closes the connections. */
  async close(): Promise<void> {
    await this.#caller.close();
  }

  #ask(
    key: OperationKey,
    input: CallFacts & { readonly currency: string },
    gate?: SendGate,
  ): Promise<GatewayResult> {
    return this.#observed(key, async () => {
      const plan = this.#caller.plan(key);
      if (!plan) return LACKING;
      const notificationUrl = this.#notificationUrl?.();
      const facts = { ...input, ...(notificationUrl !== undefined && { notificationUrl }) };
      const { conversation, ...called } = await this.#caller.call(plan, facts, gate);
      return meanAnswer(plan, conversation, {
        ...called,
        currency: input.currency,
        supports: (other) => this.supports(other),
      });
    });
  }

  #observed<R extends UssdBanksResult>(operation: string, call: () => Promise<R>): Promise<R> {
    return this.#tracing.span(
      `gateway ${operation}`,
      { 'tillfront.gateway.operation': operation },
      async (span) => {
        const begun = performance.now();
        const result = await call();
        const outcome = outcomeOf(result);
        this.#observe?.({ operation, outcome, seconds: (performance.now() - begun) / 1000 });
        for (const listener of this.#listeners) listener(operation, result);
        span.setAttribute('tillfront.gateway.outcome', outcome);
        if (result.kind !== 'answered' && result.kind !== 'banks')
          span.setStatus({ code: SpanStatusCode.ERROR });
        return result;
      },
      { role: 'client' },
    );
  }
}

/** Nothing can be sent for an operation that the gateway lacks. Callers ask before they begin. */
const LACKING: GatewayResult = { kind: 'not-sent', reason: 'abandoned' };

function outcomeOf(result: UssdBanksResult): string {
  return result.kind === 'answered' ? result.answer.meaning : result.kind;
}
