import { toGateway } from './amounts.js';
import { judge } from './answer/judge.js';
import { judgePreparation } from './answer/preparation.js';
import { readBanks, type UssdBank } from './answer/ussd-banks.js';
import { sealerOf } from './encryption.js';
import { busyOf, Exchanger, notSent, type Answered, type CallOptions, type Observe } from './exchange.js';
import { methodFields, type MethodFields, type MethodName } from './method-fields.js';
import type { RawNotification } from './notification/content.js';
import { compileNotifications, type Notification } from './notification/notification.js';
import type { PaymentFacts } from './payment-facts.js';
import type { OperationName, Profile } from './profile/schema.js';
import { partsOf, tokenCall } from './profile/uses.js';
import { compileCalls, compileRequest, type CompiledCall } from './request/compile.js';
import { wordOf, type Scope } from './request/words.js';
import type { GatewaySettings } from './settings.js';

export type { Answered, CallOptions } from './exchange.js';
export type { CardFacts, DeviceFacts, PaymentFacts } from './payment-facts.js';
export type CalledOperation = Exclude<OperationName, 'listUssdBanks'>;
type QueryName = 'transactionStatus' | 'transferUssdStatus';

const NOBODY: PaymentFacts = { clientRef: '', currency: '' };

/**
 * The gateway, in this service's own words. No method throws because of the gateway or the network, none retries, and no card data is in
 * a result, an error or a log.
 */
export class Gateway {
  readonly #fields = new Map<MethodName, MethodFields>();
  readonly #calls: ReadonlyMap<OperationName, CompiledCall>;
  readonly #exchanger: Exchanger;
  /** What a notification names, and whether it is signed. */
  readonly readNotification: (raw: RawNotification) => Notification;

  /** Throws where `settingsProblems` finds one. */
  constructor(
    readonly profile: Profile,
    private readonly settings: GatewaySettings,
    observe: Observe = () => undefined,
  ) {
    const { encryption, token } = profile;
    const baseUrl = settings.baseUrl.replace(/\/$/, '');
    const context = { baseUrl, seal: encryption && sealerOf(encryption, settings.encryptionKey?.unwrap()) };
    this.#calls = compileCalls(profile, context);
    this.#exchanger = new Exchanger(
      settings,
      observe,
      token && {
        profile: token,
        request: compileRequest(profile, tokenCall(token), context),
        scope: () => this.#scope(NOBODY),
      },
    );
    this.readNotification = compileNotifications(profile, settings.notificationSecrets);
  }

  /** Whether the gateway has an operation at all. */
  has(operation: OperationName): boolean {
    return this.#calls.has(operation);
  }

  /** Makes one call, and the one before it, and says what its answer means. The operation must be there. */
  call(operation: CalledOperation, facts: PaymentFacts, options: CallOptions = {}): Promise<Answered> {
    const call = this.#calls.get(operation);
    if (!call) throw new Error(`the profile has no operation ${operation}`);
    return this.#exchanger.within(options, async (limits) => {
      let scope = this.#scope(facts);
      if (call.before) {
        const sent = await this.#exchanger.send(call.before, scope, limits, 'before');
        if ('fact' in sent) return sent;
        const prepared = judgePreparation(call.before.reader, sent.exchanged, call.durable, sent.scope);
        if ('fact' in prepared) return { ...prepared, ...busyOf(sent.exchanged, scope) };
        const { kept } = prepared;
        const durable = Object.fromEntries(Object.entries(kept).filter(([name]) => call.durable.has(name)));
        if (!(await isCommitted(options.commit, durable))) return { fact: notSent('gateway_unavailable') };
        scope = { ...scope, facts: { ...facts, kept: { ...facts.kept, ...kept } } };
      }
      const sent = await this.#exchanger.send(call, scope, limits);
      if ('fact' in sent) return sent;
      const { fact } = judge(call.reader, sent.exchanged, { ...sent, mode: this.settings.mode });
      return { fact, ...busyOf(sent.exchanged, scope) };
    });
  }

  /** The banks that take USSD payments. Undefined where there is no readable list. */
  async listUssdBanks(options: CallOptions = {}): Promise<readonly UssdBank[] | undefined> {
    const call = this.#calls.get('listUssdBanks');
    if (!call) return undefined;
    const sent = await this.#exchanger.within(options, (limits) =>
      this.#exchanger.send(call, this.#scope(NOBODY), limits),
    );
    return 'fact' in sent ? undefined : readBanks(this.profile, sent.exchanged);
  }

  /** What payers are asked for by a method. */
  methodFields(method: MethodName): MethodFields {
    let fields = this.#fields.get(method);
    if (!fields) this.#fields.set(method, (fields = methodFields(this.profile, method)));
    return fields;
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
        ({ word, marked }) => !marked && wordOf(word).kind !== 'credential',
      );
      const meanings = [...(this.#calls.get(name)?.reader.words.values() ?? [])];
      return meanings.includes('unknownTransaction') && needed.every(({ word }) => word === 'client_ref');
    });
  }

  /** `client_ref` of an order's N-th payment: prefix, reference, separator, N. */
  clientRef(reference: string, n: number): string {
    const { prefix = '', separator = '_' } = this.profile.reference ?? {};
    return `${prefix}${reference}${separator}${n}`;
  }

  /** The order and N that a `client_ref` names; undefined where it is none of this shop's. */
  orderOf(clientRef: string): { readonly reference: string; readonly n: number } | undefined {
    const { prefix = '', separator = '_' } = this.profile.reference ?? {};
    const [, before = '', n = ''] = /^(.*\D)(\d{1,6})$/s.exec(clientRef) ?? [];
    const reference = before.slice(prefix.length, -separator.length);
    return clientRef === this.clientRef(reference, Number(n)) ? { reference, n: Number(n) } : undefined;
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
    return this.#exchanger.close();
  }

  #scope(facts: PaymentFacts): Scope {
    const { apiKey, accessToken, notifyUrl } = this.settings;
    const secrets = { apiKey: apiKey?.unwrap(), accessToken: accessToken?.unwrap() };
    return { facts, digits: this.profile.digits ?? {}, notifyUrl, ...secrets, now: new Date() };
  }
}

async function isCommitted(commit: CallOptions['commit'], kept: Record<string, string>): Promise<boolean> {
  try {
    return !commit || Object.keys(kept).length === 0 || (await commit(kept));
  } catch {
    return false;
  }
}
