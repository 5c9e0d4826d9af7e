import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { noTracing, type Tracing } from '../telemetry/traces.js';
import type {
  CardPaymentInput,
  CompleteInput,
  OtpInput,
  SendGate,
  StatusInput,
  TransferInput,
  UssdInput,
  VoidInput,
  WalletInput,
} from './gateway-input.js';
import type { GatewayResult, UssdBanksResult } from './gateway-result.js';
import { OperationCaller } from './requests/operation-caller.js';
import type { OperationInputs } from './requests/operation-fields.js';
import { readOutcome } from './answers/outcome.js';
import type { OperationKey, Profile } from './profile/format.js';
import { compileBanks, readBanks, type BanksReader } from './answers/ussd-banks.js';

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
  /** Called after every finished call. */
  readonly observe?: (call: GatewayCall) => void;
  /** Opens a span for each call, named after its operation. Nothing that is sent or received is in it. */
  readonly tracing?: Tracing;
}

/**
 * The gateway, in this service's own words. Each method makes exactly one request and returns its result. No method
 * throws because of the gateway or the network, none retries, and no card data is in a result or an error.
 */
@Injectable()
export class Gateway implements OnApplicationShutdown {
  readonly #observe: ((call: GatewayCall) => void) | undefined;
  readonly #tracing: Tracing;
  readonly #caller: OperationCaller;
  readonly #banks: BanksReader;
  readonly #listeners: ((operation: string, result: UssdBanksResult) => void)[] = [];

  /** Throws a `ConfigError` where the profile's encryption needs a key and there is no usable one. */
  constructor({ config, profile, observe, tracing = noTracing }: GatewayOptions) {
    this.#observe = observe;
    this.#tracing = tracing;
    this.#caller = new OperationCaller(config, profile, (operation, outcome, seconds) =>
      observe?.({ operation, outcome, seconds }),
    );
    this.#banks = compileBanks(profile);
  }

  /** Calls `listener` with the result of each call, before the caller gets it. */
  onResult(listener: (operation: string, result: UssdBanksResult) => void): void {
    this.#listeners.push(listener);
  }

  /** Charges a card (seed 2.1). */
  payCard(input: CardPaymentInput, gate?: SendGate): Promise<GatewayResult> {
    return this.#ask('payCard', input, input.currency, gate);
  }

  /** Creates an order at the partner wallet (seed 2.3). The answer names the cashier page. */
  initiateWallet(input: WalletInput, gate?: SendGate): Promise<GatewayResult> {
    return this.#ask('initiateWallet', input, input.currency, gate);
  }

  /** Submits the payer's one-time code. */
  validateOtp(input: OtpInput, gate?: SendGate): Promise<GatewayResult> {
    return this.#ask('validateOtp', input, input.currency, gate);
  }

  /** Asks for an account that the payer can transfer to. */
  initiateTransfer(input: TransferInput, gate?: SendGate): Promise<GatewayResult> {
    return this.#ask('initiateTransfer', input, input.currency, gate);
  }

  /** Asks for a USSD code that the payer can dial. */
  generateUssdCode(input: UssdInput, gate?: SendGate): Promise<GatewayResult> {
    return this.#ask('generateUssdCode', input, input.currency, gate);
  }

  /** Takes the money of an authorized payment. */
  complete(input: CompleteInput, gate?: SendGate): Promise<GatewayResult> {
    return this.#ask('complete', input, input.currency, gate);
  }

  /** Reverses an authorized or paid payment. */
  void(input: VoidInput, gate?: SendGate): Promise<GatewayResult> {
    return this.#ask('void', input, input.currency, gate);
  }

  /** Queries the status of a card or wallet payment. */
  transactionStatus(input: StatusInput): Promise<GatewayResult> {
    return this.#ask('transactionStatus', input, input.currency);
  }

  /** Queries the status of a transfer or USSD payment. */
  transferUssdStatus(input: StatusInput): Promise<GatewayResult> {
    return this.#ask('transferUssdStatus', input, input.currency);
  }

  /** The banks that accept USSD payments. */
  async listUssdBanks(): Promise<UssdBanksResult> {
    return this.#observed('listUssdBanks', async () => {
      const conversation = await this.#caller.call('listUssdBanks', {});
      if (conversation.kind !== 'document') return conversation;
      const banks = readBanks(this.#banks, conversation.document);
      return banks ? { kind: 'banks', banks } : { kind: 'unknown', reason: 'unrecognised' };
    });
  }

  /** Waits for running calls, then closes the connections. */
  async close(): Promise<void> {
    await this.#caller.close();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }

  #ask<K extends OperationKey>(
    key: K,
    input: OperationInputs[K],
    currency: string,
    gate?: SendGate,
  ): Promise<GatewayResult> {
    return this.#observed(key, async () => {
      const conversation = await this.#caller.call(key, input, gate);
      if (conversation.kind !== 'document') return conversation;
      return readOutcome(this.#caller.reader(key), conversation.document, currency);
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
        span.set({ 'tillfront.gateway.outcome': outcome });
        if (result.kind !== 'answered' && result.kind !== 'banks') span.fail();
        return result;
      },
      { role: 'client' },
    );
  }
}

function outcomeOf(result: UssdBanksResult): string {
  return result.kind === 'answered' ? result.answer.meaning : result.kind;
}
