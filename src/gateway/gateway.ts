import { readBanks, type UssdBank } from './answer/ussd-banks.js';
import { toGateway } from './amounts.js';
import { Caller, type Answered, type CallOptions, type Observe } from './call.js';
import { EncryptionKeyError, sealerOf } from './encryption.js';
import { methodFields, type MethodFields, type MethodName } from './method-fields.js';
import { compileNotifications, type Notification } from './notification/notification.js';
import type { RawNotification } from './notification/content.js';
import type { PaymentFacts } from './payment-facts.js';
import type { OperationName, Profile } from './profile/schema.js';
import { callsOf, callWords, partsIn, textsOf } from './profile/uses.js';
import { WORDS } from './request/words.js';
import type { GatewaySettings } from './settings.js';

export type { Answered, CallOptions } from './call.js';
export type { PaymentFacts, CardFacts, DeviceFacts } from './payment-facts.js';
export type { OperationName, Profile } from './profile/schema.js';

/** The operations that {@link Gateway.call} makes. */
export type CalledOperation = Exclude<OperationName, 'listUssdBanks'>;
export type QueryName = 'transactionStatus' | 'transferUssdStatus';

/**
 * The gateway, in this service's own words. No method throws because of the gateway or the network, none retries, and no card data is in
 * a result, an error or a log.
 */
export class Gateway {
  readonly #caller: Caller;
  readonly #readNotification: (raw: RawNotification) => Notification;

  /** Throws where {@link settingsProblems} finds a problem. */
  constructor(
    readonly profile: Profile,
    settings: GatewaySettings,
    observe: Observe = () => undefined,
  ) {
    this.#caller = new Caller(profile, settings, observe);
    this.#readNotification = compileNotifications(profile, settings.notificationSecrets);
  }

  /** Whether the gateway has an operation at all. */
  has(operation: OperationName): boolean {
    return this.#caller.get(operation) !== undefined;
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
      const call = this.profile.operations[name];
      if (!call || ![...(this.#caller.get(name)?.reader.words.values() ?? [])].includes('unknownTransaction'))
        return false;
      const parts = [call, call.before].flatMap((one) =>
        one ? textsOf(one).flatMap(({ text }) => partsIn(text)) : [],
      );
      const needed = parts.filter(({ word, marked }) => !marked && WORDS[word]?.kind !== 'credential');
      return needed.every(({ word }) => word === 'client_ref');
    });
  }

  /** What a notification names, and whether it is signed. */
  readNotification(raw: RawNotification): Notification {
    return this.#readNotification(raw);
  }

  /** The banks that take USSD payments. Undefined where there is no readable list. */
  async listUssdBanks(options?: CallOptions): Promise<readonly UssdBank[] | undefined> {
    const { listUssdBanks } = this.profile.operations;
    const call = this.#caller.get('listUssdBanks');
    if (!listUssdBanks || !call) return undefined;
    return readBanks(call.reader, listUssdBanks.banks, await this.#caller.fetch('listUssdBanks', options));
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

/** Whether notifications are signed as the profile says; else the service's own rules for the secret apply. */
export function signsNotifications({ notification }: Profile): boolean {
  return notification?.signature !== undefined;
}

/** What of the configuration a profile needs and lacks, by variable. */
export function settingsProblems(
  profile: Profile,
  settings: Pick<GatewaySettings, 'apiKey' | 'accessToken' | 'encryptionKey'>,
): { readonly variable: string; readonly message: string }[] {
  const words = new Set([
    ...callsOf(profile).flatMap(({ call }) => callWords(profile, call)),
    ...tokenWords(profile),
  ]);
  const uses = (name: string): boolean => [...words].some((word) => word.split(':').includes(name));
  const keys = Object.values(profile.credentials ?? {}).map(({ sign }) => sign?.key);
  const problems: { variable: string; message: string }[] = [];
  if (settings.apiKey === undefined && (uses('apiKey') || keys.includes('apiKey')))
    problems.push({ variable: 'GATEWAY_API_KEY', message: 'is missing: the profile sends it' });
  if (settings.accessToken === undefined && (uses('accessToken') || keys.includes('accessToken')))
    problems.push({ variable: 'GATEWAY_ACCESS_TOKEN', message: 'is missing: the profile sends it' });
  try {
    if (profile.encryption) sealerOf(profile.encryption, settings.encryptionKey?.unwrap());
  } catch (error) {
    const message = error instanceof EncryptionKeyError ? error.message : 'cannot be used';
    problems.push({ variable: 'GATEWAY_ENCRYPTION_KEY', message });
  }
  return problems;
}

function tokenWords({ token }: Profile): string[] {
  if (!token) return [];
  const { value: _value, expiresIn: _expiresIn, ...call } = token;
  return textsOf(call).flatMap(({ text }) => partsIn(text).map(({ word }) => word));
}
