import { toGateway } from './amounts.js';
import { readBanks, type UssdBank } from './answer/ussd-banks.js';
import { Caller, type Answered, type CallOptions, type Observe } from './call.js';
import { methodFields, type MethodFields, type MethodName } from './method-fields.js';
import type { RawNotification } from './notification/content.js';
import { compileNotifications, type Notification } from './notification/notification.js';
import type { PaymentFacts } from './payment-facts.js';
import type { OperationName, Profile } from './profile/schema.js';
import { partsOf } from './profile/uses.js';
import { WORDS } from './request/words.js';
import type { GatewaySettings } from './settings.js';

export type { Answered, CallOptions } from './call.js';
export type { CardFacts, DeviceFacts, PaymentFacts } from './payment-facts.js';
export type CalledOperation = Exclude<OperationName, 'listUssdBanks'>;
export type QueryName = 'transactionStatus' | 'transferUssdStatus';

/**
 * The gateway, in this service's own words. No method throws because of the gateway or the network, none retries, and no card data is in
 * a result, an error or a log.
 */
export class Gateway {
  readonly #caller: Caller;
  /** What a notification names, and whether it is signed. */
  readonly readNotification: (raw: RawNotification) => Notification;

  /** Throws where `settingsProblems` finds one. */
  constructor(
    readonly profile: Profile,
    settings: GatewaySettings,
    observe: Observe = () => undefined,
  ) {
    this.#caller = new Caller(profile, settings, observe);
    this.readNotification = compileNotifications(profile, settings.notificationSecrets);
  }

  /** Whether the gateway has an operation at all. */
  has(operation: OperationName): boolean {
    return this.profile.operations[operation] !== undefined;
  }

  /** Makes one call, and says what its answer means. The operation must be there. */
  call(operation: CalledOperation, facts: PaymentFacts, options?: CallOptions): Promise<Answered> {
    return this.#caller.call(operation, facts, options);
  }

  /** What payers are asked for by a method. */
  methodFields(method: MethodName): MethodFields {
    return methodFields(this.profile, method);
  }

  /** The query that asks about payments of a method; undefined where the profile has none. */
  queryOf(method: MethodName | 'unknown'): QueryName | undefined {
    const isTransfer = method === 'transfer' || method === 'ussd';
    if (isTransfer && this.has('transferUssdStatus')) return 'transferUssdStatus';
    return this.has('transactionStatus') ? 'transactionStatus' : undefined;
  }

  /** The queries that can ask about a payment that the store lost: by `client_ref` alone, with a word for "never received". */
  asksByReference(): QueryName[] {
    return (['transactionStatus', 'transferUssdStatus'] as const).filter((name) => {
      const needed = partsOf(this.profile.operations[name]).filter(
        ({ word, marked }) => !marked && WORDS[word]?.kind !== 'credential',
      );
      const meanings = [...(this.#caller.get(name)?.reader.words.values() ?? [])];
      return meanings.includes('unknownTransaction') && needed.every(({ word }) => word === 'client_ref');
    });
  }

  /** The banks that take USSD payments. Undefined where there is no readable list. */
  async listUssdBanks(options?: CallOptions): Promise<readonly UssdBank[] | undefined> {
    const { listUssdBanks } = this.profile.operations;
    const reader = this.#caller.get('listUssdBanks')?.reader;
    return (
      listUssdBanks &&
      reader &&
      readBanks(reader, listUssdBanks.banks, await this.#caller.fetch('listUssdBanks', options))
    );
  }

  /** `client_ref` of an order's N-th payment: prefix, reference, separator, N. */
  clientRef(reference: string, n: number): string {
    const { prefix = '', separator = '_' } = this.profile.reference ?? {};
    return `${prefix}${reference}${separator}${n}`;
  }

  /** Whether the gateway takes a reference of this length. */
  fits(clientRef: string): boolean {
    return clientRef.length <= (this.profile.reference?.maxLength ?? Infinity);
  }

  /** Whether the gateway can write an amount: it may count in whole units where ISO 4217 has cents. */
  canWrite(amount: bigint, currency: string): boolean {
    return toGateway(amount, currency, this.profile.digits ?? {}) !== undefined;
  }

  /** Waits for calls that are under way, then closes the connections. */
  close(): Promise<void> {
    return this.#caller.close();
  }
}
