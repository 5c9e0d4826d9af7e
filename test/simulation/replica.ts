import type { Config } from '../../src/config/config.ts';
import type { Profile } from '../../src/gateway/profile/format.ts';
import type { Exchanges } from '../../src/gateway/transport/transport.ts';
import type { DeliveryWorkerParts } from '../../src/merchant-webhooks/delivery-worker.ts';
import type { Random } from '../chaos/random.ts';
import { Container, type Engine } from './engine.ts';
import type { SharedStore } from './shared-store.ts';
import { theTime, type Process } from './virtual-time.ts';

/** What a process does with the world outside: each may be the last thing that it does. */
export type Boundary = 'commit' | 'statement' | 'gateway' | 'webhook';

/** It dies when it passes the `nth` such boundary, before or after that takes effect. */
export interface Doom {
  at: Boundary;
  nth: number;
  when: 'before' | 'after';
}

export interface ReplicaParts {
  engine: Engine;
  store: SharedStore;
  config: Config;
  profile: Profile;
  /** Whether anybody uploads reports: what looks for them looks each second. */
  random: Random;
  telemetry: { logger: unknown; metrics: unknown; tracing: unknown };
  transport: (replica: Replica) => Exchanges;
  webhooks: (replica: Replica) => NonNullable<DeliveryWorkerParts['sender']>;
  /** How slow the store is, in milliseconds. */
  latency: () => number;
  /** How often the store's answer is lost after a commit. */
  losesAnswers: () => number;
}

/** What came of a call. Lost: no answer came, whatever was done. */
export type Reply<T> =
  { kind: 'answered'; value: T } | { kind: 'refused'; code: string; error: unknown } | { kind: 'lost' };

const never = new Promise<never>(() => undefined);
/** Nobody waits longer for an answer. */
const PATIENCE_MS = 60_000;

interface Hooks {
  onModuleInit?: () => unknown;
  onApplicationBootstrap?: () => unknown;
  onModuleDestroy?: () => unknown;
  beforeApplicationShutdown?: () => unknown;
  onApplicationShutdown?: () => unknown;
}

/** One process of the service: its services, put together, with every way out of it in our hands. */
export class Replica implements Process {
  dead = false;
  wallOffset = 0;
  frozenUntil = 0;
  /** Until then it does not reach the store. */
  cutOffUntil = 0;
  doom: Doom | undefined;
  stopping = false;
  /** It has started. */
  serves = false;
  onDeath: () => void = () => undefined;
  /** It cannot do what it should until then. */
  onTrouble: (until: number) => void = () => undefined;
  readonly name: string;
  readonly #engine: Engine;
  /** Its name in leases. */
  readonly owner: string;
  readonly container: Container;
  readonly #waiting = new Set<() => void>();
  private readonly parts: ReplicaParts;

  constructor(name: string, wallOffset: number, parts: ReplicaParts) {
    this.name = name;
    this.wallOffset = wallOffset;
    this.parts = parts;
    const { engine, store, config, profile, telemetry } = parts;
    this.#engine = engine;
    const opened = theTime().as(this, () => store.open(this));
    this.owner = opened.owner;
    this.container = theTime().as(this, () => {
      const gateway = new engine.gateway.Gateway({
        config: config.gateway,
        profile,
        transport: parts.transport(this),
      });
      const { LOGGER } = engine.telemetry;
      const { EventsRepository } = engine.events;
      const { Sequencer } = engine.sequencer;
      const { DeliveryTelemetry } = engine.deliveryTelemetry;
      const container: Container = new Container(modulesOf(engine), [
        { provide: engine.store.Store as never, useValue: opened },
        { provide: engine.gateway.Gateway, useValue: gateway },
        { provide: engine.gatewayModule.PROFILE, useValue: profile },
        { provide: engine.config.CONFIG, useValue: config },
        { provide: LOGGER, useValue: telemetry.logger },
        { provide: engine.traces.Tracing, useValue: telemetry.tracing },
        { provide: engine.metrics.Metrics, useValue: telemetry.metrics },
        {
          provide: engine.deliveries.DeliveryWorker,
          useFactory: () =>
            new engine.deliveries.DeliveryWorker({
              store: opened,
              repository: container.get(EventsRepository),
              sequencer: container.get(Sequencer),
              telemetry: container.get(DeliveryTelemetry),
              config,
              sender: parts.webhooks(this),
            }),
        },
      ]);
      for (const module of startedModules(engine)) container.makeAll(module);
      return container;
    });
  }

  /** Resolves when it serves. */
  start(): Promise<void> {
    return theTime().as(this, async () => {
      await this.container.get(this.parts.engine.store.Store).prepare();
      const services = (this.container.services as (Hooks | undefined)[]).filter(
        (service) => typeof service === 'object',
      );
      await Promise.all(services.map((service) => service?.onModuleInit?.()));
      await Promise.all(services.map((service) => service?.onApplicationBootstrap?.()));
      this.serves = true;
    });
  }

  /** Passes a boundary: `effect` counts for the world; whether anybody hears of it depends. */
  async boundary<T>(at: Boundary, effect: () => T | Promise<T>): Promise<T> {
    if (this.dead) return never;
    const { random, latency, losesAnswers } = this.parts;
    const doomed = this.#passes(at);
    if (doomed?.when === 'before') return this.#die();
    const wait = latency();
    if (wait > 0) await theTime().pause(wait);
    if (this.dead) return never;
    const result = effect();
    if (doomed) return this.#die();
    if (at === 'commit' && random.chance(losesAnswers())) {
      await result;
      throw new this.parts.engine.unavailable.StoreUnavailable('its answer was lost', 'ECONNRESET');
    }
    return result;
  }

  /** Whether this is the boundary that ends it. */
  #passes(at: Boundary): Doom | undefined {
    const { doom } = this;
    if (doom?.at !== at) return undefined;
    doom.nth -= 1;
    return doom.nth <= 0 ? doom : undefined;
  }

  /** For ways out that are their own boundary, such as a call that takes its time. */
  passes(at: Boundary, when: Doom['when']): boolean {
    const { doom } = this;
    if (doom?.at !== at || doom.when !== when) return false;
    doom.nth -= 1;
    if (doom.nth > 0) return false;
    void this.#die();
    return true;
  }

  /** It stands still, as a process does that is stopped or gets no processor time. */
  freeze(milliseconds: number): void {
    this.frozenUntil = theTime().now + milliseconds;
    this.onTrouble(this.frozenUntil);
  }

  kill(): void {
    if (this.dead) return;
    this.dead = true;
    for (const give of [...this.#waiting]) give();
    this.onDeath();
  }

  /** Ends it as a signal does. */
  async stop(): Promise<void> {
    if (this.dead || this.stopping) return;
    this.stopping = true;
    await theTime().as(this, async () => {
      // Nest calls the hooks of all services, one kind after the other.
      const services = this.container.services as Hooks[];
      await Promise.all(services.map((service) => service.onModuleDestroy?.()));
      await Promise.all(services.map((service) => service.beforeApplicationShutdown?.()));
      await Promise.all(services.map((service) => service.onApplicationShutdown?.()));
      await this.container.get(this.#engine.store.Store).close();
    });
    this.kill();
  }

  #die(): Promise<never> {
    this.kill();
    return never;
  }

  /** Calls it as a client does, who gives up when it dies or takes too long. */
  call<T>(work: (container: Container) => Promise<T>): Promise<Reply<T>> {
    if (this.dead || this.stopping) return Promise.resolve({ kind: 'lost' });
    return new Promise((resolve) => {
      const end = (reply: Reply<T>): void => {
        this.#waiting.delete(lost);
        patience.close();
        resolve(reply);
      };
      const lost = (): void => {
        end({ kind: 'lost' });
      };
      const patience = theTime().outside(() => theTime().plan(PATIENCE_MS, lost));
      this.#waiting.add(lost);
      theTime()
        .as(this, () => work(this.container))
        .then(
          (value) => {
            end({ kind: 'answered', value });
          },
          (error: unknown) => {
            end({ kind: 'refused', code: codeOf(error), error });
          },
        );
    });
  }
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : 'internal-error';
}

type Module = new () => object;

/** Everything of these begins with a start. */
function startedModules(engine: Engine): Module[] {
  return [
    engine.paymentsModule.PaymentsModule,
    engine.reconciliation.ReconciliationModule,
    engine.notificationsModule.NotificationsModule,
    engine.webhooksModule.MerchantWebhooksModule,
    engine.approvalsModule.ApprovalsModule,
  ];
}

function modulesOf(engine: Engine): Module[] {
  return [
    ...startedModules(engine),
    engine.sessionsModule.SessionsModule,
    engine.checkout.CheckoutModule,
    engine.cardsModule.CardsModule,
    engine.plainModule.PlainMethodsModule,
    engine.auditModule.AuditModule,
  ];
}
