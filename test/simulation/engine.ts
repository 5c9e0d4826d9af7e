import 'reflect-metadata';
import { generateKeyPairSync } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

/** The built service's own modules, and how its services are put together without a server. */

type Imported = {
  config: typeof import('../../src/config/config.module.ts');
  readConfig: typeof import('../../src/config/read-config.ts');
  load: typeof import('../../src/gateway/profile/load.ts');
  gateway: typeof import('../../src/gateway/gateway.ts');
  gatewayModule: typeof import('../../src/gateway/gateway.module.ts');
  store: typeof import('../../src/store/store.ts');
  sqlite: typeof import('../../src/store/sqlite/session.ts');
  runner: typeof import('../../src/store/sqlite/runner.ts');
  migrations: typeof import('../../src/store/migrations.ts');
  paymentRow: typeof import('../../src/store/payment-row.ts');
  unavailable: typeof import('../../src/store/store-unavailable.ts');
  epoch: typeof import('../../src/store/history/epoch.ts');
  names: typeof import('../../src/store/payment-name.ts');
  schema: typeof import('../../src/store/schema.ts');
  ids: typeof import('../../src/store/ids.ts');
  metrics: typeof import('../../src/telemetry/metrics.ts');
  logger: typeof import('../../src/telemetry/logger.ts');
  traces: typeof import('../../src/telemetry/traces.ts');
  telemetry: typeof import('../../src/telemetry/telemetry.module.ts');
  view: typeof import('../../src/payments/views/payment-view.ts');
  payments: typeof import('../../src/payments/api/payments.controller.ts');
  refunds: typeof import('../../src/payments/api/refunds.controller.ts');
  paymentsModule: typeof import('../../src/payments/payments.module.ts');
  questions: typeof import('../../src/payments/inquiry/payer-questions.ts');
  reconciliation: typeof import('../../src/payments/reconciliation/reconciliation.module.ts');
  sessionsModule: typeof import('../../src/sessions/sessions.module.ts');
  sessions: typeof import('../../src/checkout/sessions.controller.ts');
  checkout: typeof import('../../src/checkout/checkout.module.ts');
  notificationsModule: typeof import('../../src/notifications/notifications.module.ts');
  notifications: typeof import('../../src/notifications/notifications.service.ts');
  webhooksModule: typeof import('../../src/merchant-webhooks/merchant-webhooks.module.ts');
  deliveries: typeof import('../../src/merchant-webhooks/delivery-worker.ts');
  events: typeof import('../../src/merchant-webhooks/events.repository.ts');
  sequencer: typeof import('../../src/merchant-webhooks/sequencer.ts');
  deliveryTelemetry: typeof import('../../src/merchant-webhooks/delivery-telemetry.ts');
  cardsModule: typeof import('../../src/methods/cards/cards.module.ts');
  cards: typeof import('../../src/methods/cards/cards.controller.ts');
  plainModule: typeof import('../../src/methods/plain/plain-methods.module.ts');
  approvals: typeof import('../../src/approvals/approvals.controller.ts');
  approvalsModule: typeof import('../../src/approvals/approvals.module.ts');
  plain: typeof import('../../src/methods/plain/plain-methods.controller.ts');
  auditModule: typeof import('../../src/audit/audit.module.ts');
};

const FILES: Readonly<Record<keyof Imported, string>> = {
  config: 'config/config.module',
  readConfig: 'config/read-config',
  load: 'gateway/profile/load',
  gateway: 'gateway/gateway',
  gatewayModule: 'gateway/gateway.module',
  store: 'store/store',
  sqlite: 'store/sqlite/session',
  runner: 'store/sqlite/runner',
  migrations: 'store/migrations',
  paymentRow: 'store/payment-row',
  unavailable: 'store/store-unavailable',
  epoch: 'store/history/epoch',
  names: 'store/payment-name',
  schema: 'store/schema',
  ids: 'store/ids',
  metrics: 'telemetry/metrics',
  logger: 'telemetry/logger',
  traces: 'telemetry/traces',
  telemetry: 'telemetry/telemetry.module',
  view: 'payments/views/payment-view',
  payments: 'payments/api/payments.controller',
  refunds: 'payments/api/refunds.controller',
  paymentsModule: 'payments/payments.module',
  questions: 'payments/inquiry/payer-questions',
  reconciliation: 'payments/reconciliation/reconciliation.module',
  sessionsModule: 'sessions/sessions.module',
  sessions: 'checkout/sessions.controller',
  checkout: 'checkout/checkout.module',
  notificationsModule: 'notifications/notifications.module',
  notifications: 'notifications/notifications.service',
  webhooksModule: 'merchant-webhooks/merchant-webhooks.module',
  deliveries: 'merchant-webhooks/delivery-worker',
  events: 'merchant-webhooks/events.repository',
  sequencer: 'merchant-webhooks/sequencer',
  deliveryTelemetry: 'merchant-webhooks/delivery-telemetry',
  cardsModule: 'methods/cards/cards.module',
  cards: 'methods/cards/cards.controller',
  plainModule: 'methods/plain/plain-methods.module',
  approvals: 'approvals/approvals.controller',
  approvalsModule: 'approvals/approvals.module',
  plain: 'methods/plain/plain-methods.controller',
  auditModule: 'audit/audit.module',
};

export type Engine = Imported & { cardKey: string };

export async function loadEngine(build: string): Promise<Engine> {
  // Each node of each query is frozen, and nobody changes one: a part of the time that is better used.
  Object.freeze = <T>(value: T): T => value;
  const entries = await Promise.all(
    Object.entries(FILES).map(async ([name, file]) => [
      name,
      (await import(pathToFileURL(join(build, `${file}.js`)).href)) as object,
    ]),
  );
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const cardKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { ...(Object.fromEntries(entries) as Imported), cardKey };
}

type Token = string | symbol | (abstract new (...values: never[]) => unknown);
interface Factory {
  provide: Token;
  inject?: Token[];
  useFactory?: (...values: unknown[]) => unknown;
  useValue?: unknown;
}
type Provider = Token | Factory;

/** Makes services as Nest would: each once, with what its constructor names. Nothing is made that nobody asks for. */
export class Container {
  readonly #providers = new Map<Token, Provider>();
  readonly #made = new Map<Token, unknown>();
  /** In the order in which they were made. */
  readonly services: unknown[] = [];

  constructor(modules: readonly Token[], given: readonly Factory[]) {
    const seen = new Set<Token>();
    const visit = (module: Token): void => {
      if (typeof module !== 'function' || seen.has(module)) return;
      seen.add(module);
      for (const other of metadata<Token>('imports', module)) visit(other);
      for (const provider of metadata<Provider>('providers', module))
        this.#providers.set(typeof provider === 'object' ? provider.provide : provider, provider);
    };
    for (const module of modules) visit(module);
    for (const factory of given) this.#providers.set(factory.provide, factory);
  }

  get<T>(token: { readonly prototype: T }): T {
    return this.#get(token as Token) as T;
  }

  /** Everything of a module that a start makes. */
  makeAll(module: Token): void {
    for (const provider of metadata<Provider>('providers', module))
      this.#get(typeof provider === 'object' ? provider.provide : provider);
  }

  #get(token: Token): unknown {
    if (this.#made.has(token)) return this.#made.get(token);
    const made = this.#make(this.#providers.get(token) ?? token);
    this.#made.set(token, made);
    this.services.push(made);
    return made;
  }

  #make(provider: Provider): unknown {
    if (typeof provider === 'object') {
      if ('useValue' in provider) return provider.useValue;
      return provider.useFactory?.(...(provider.inject ?? []).map((token) => this.#get(token)));
    }
    if (typeof provider !== 'function') throw new Error(`Nobody provides ${String(provider)}`);
    const types = (Reflect.getMetadata('design:paramtypes', provider) ?? []) as Token[];
    const named = (Reflect.getMetadata('self:paramtypes', provider) ?? []) as {
      index: number;
      param: Token;
    }[];
    const values = types.map((type, index) =>
      this.#get(named.find((one) => one.index === index)?.param ?? type),
    );
    return new (provider as new (...values: unknown[]) => unknown)(...values);
  }
}

function metadata<T>(key: string, module: Token): T[] {
  return (Reflect.getMetadata(key, module) ?? []) as T[];
}
