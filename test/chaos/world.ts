import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { call, pause, type Json } from './calls.ts';
import { quickenDatabase } from './database-clock.ts';
import { EventsReader } from './events-reader.ts';
import { History } from './history.ts';
import type { Order } from './preload/orders.ts';
import type { SabotageName } from './preload/sabotage.ts';
import { Replica } from './replica.ts';
import { freePort } from '../setup/free-port.ts';
import { startShop, type Shop } from './shop.ts';
import { openReader, type StoreReader } from './store-reader.ts';
import { TcpProxy } from './tcp-proxy.ts';

export interface WorldOptions {
  /** The folder with the built service. */
  build: string;
  /** `postgres://…` of a database of its own; without it the embedded store. */
  databaseUrl?: string;
  /** What stands between the service and its database; it ends with the world. */
  databaseLine?: TcpProxy;
  /** Processes on one database. */
  replicas?: number;
  /** How many times faster the service's clocks run. */
  speed?: number;
  /** How long a process that was stopped stays so, in real milliseconds. */
  pauseMs?: number;
  sabotage?: SabotageName;
  /** Further variables of the service. */
  env?: Readonly<Record<string, string | undefined>>;
  /** By how much each replica's clock is off, in milliseconds. */
  clockOffsets?: readonly number[];
  /** Does not start the replicas. */
  asleep?: boolean;
  /** Another account for the service, for what root may do anyway. */
  account?: { uid: number; gid: number } | undefined;
  /** How long everything may take to come to rest, in real time. */
  patienceMs?: number;
}

export const MERCHANT_KEY = 'chaos-merchant-key-0123456789abcdef';
export const NOTIFICATION_SECRET = 'chaos-notification-secret-0123456789';
/** The sandbox's own, with refunds. */
const GATEWAY_PROFILE = fileURLToPath(new URL('../../sandbox/refunds.profile.json', import.meta.url));
const GATEWAY = { apiKey: 'chaos-gateway-key', accessToken: 'chaos-gateway-token' };

/** Seconds of the service's own clock after which three times "not known" means never received. */
export const GRACE_SECONDS = 15;
const SPEED = 6;
/** Real milliseconds: longer than a lease and shorter than the grace, on a clock that runs six times faster. */
const PAUSE_MS = 1_600;
/** Milliseconds of the service's own clock. */
const GATEWAY_TIMEOUT_MS = 4_000;

/** The service with all that is around it: gateway, shop, lines in between, store. */
export class World {
  readonly history: History;
  /** What must never be: broken promises, as sentences. */
  readonly violations: string[] = [];
  /** Processes that died at a boundary or from outside so far. */
  crashes = 0;
  /** Orders of the next processes that are started after a crash. */
  nextOrders: Order[][] = [];
  restartAfterMs = 30;
  /** The wall clock was set back or forward: times say nothing about order any more. */
  clockMoved = false;
  /** How often that was done so far. */
  clockSteps = 0;
  /** Told of each order that has struck. */
  onStruck: (order: string) => void = () => undefined;
  #ending = false;
  readonly #supervised: Promise<void>[] = [];
  #expectedEnds = new Set<Replica>();

  private readonly parts: {
    options: WorldOptions;
    history: History;
    sandbox: Sandbox;
    shop: Shop;
    line: TcpProxy;
    front: TcpProxy;
    store: StoreReader;
    dataDir: string;
    disposeStore: () => Promise<void>;
  };
  readonly replicas: Replica[];
  readonly events: EventsReader;

  private constructor(parts: World['parts'], makeReplicas: (world: World) => Replica[]) {
    this.parts = parts;
    this.history = parts.history;
    this.replicas = makeReplicas(this);
    this.events = new EventsReader((path) => this.ask(path));
  }

  static async start(options: WorldOptions): Promise<World> {
    const history = new History();
    const dataDir = await mkdtemp(join(tmpdir(), 'tillfront-chaos-'));
    const sandbox = await startSandbox({
      port: 0,
      ...GATEWAY,
      ledgerFile: join(dataDir, 'ledger.jsonl'),
      settings: {
        settleAfterMs: 150,
        notifyRetryMs: 100,
        notifySecret: NOTIFICATION_SECRET,
        expiresAfterMs: 10 * 86_400_000,
        keepRequests: 5_000,
      },
    });
    const line = new TcpProxy({ host: '127.0.0.1', port: sandbox.port });
    await line.start();
    const shop = await startShop(history);
    let turn = 0;
    const ports = await Promise.all(Array.from({ length: options.replicas ?? 1 }, freePort));
    const front = new TcpProxy(() => ({ host: '127.0.0.1', port: ports[turn++ % ports.length] as number }));
    await front.start();
    const storeDir = join(dataDir, 'store');
    const { databaseUrl, speed = SPEED } = options;
    if (databaseUrl !== undefined) await quickenDatabase(databaseUrl, { since: EPOCH, speed });
    const world = new World(
      {
        options,
        history,
        sandbox,
        shop,
        line,
        front,
        store: openReader(options.databaseUrl ?? join(storeDir, 'tillfront.db')),
        dataDir: storeDir,
        disposeStore: () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }),
      },
      (made) => ports.map((port, index) => made.#makeReplica(port, index)),
    );
    sandbox.settings.notifyUrl = `http://127.0.0.1:${front.port}/v1/gateway/notifications`;
    if (!options.asleep) await world.wake();
    return world;
  }

  get sandbox(): Sandbox {
    return this.parts.sandbox;
  }
  get shop(): Shop {
    return this.parts.shop;
  }
  /** The line between the service and the gateway. */
  get line(): TcpProxy {
    return this.parts.line;
  }
  get databaseLine(): TcpProxy | undefined {
    return this.parts.options.databaseLine;
  }
  get store(): StoreReader {
    return this.parts.store;
  }
  get dataDir(): string {
    return this.parts.dataDir;
  }
  get patienceMs(): number {
    return this.parts.options.patienceMs ?? 60_000;
  }
  get speed(): number {
    return this.parts.options.speed ?? SPEED;
  }

  /** Starts every replica and keeps each running until the end. `orders` are the first process's. */
  async wake(orders: Order[] = []): Promise<void> {
    for (const replica of this.replicas) this.#supervised.push(this.#supervise(replica, orders));
    await Promise.all(this.replicas.map((replica) => this.#untilReady(replica)));
    if (this.violations.length === 0) return;
    await this.end();
    throw new Error(`the service did not start:\n${this.violations.join('\n')}`);
  }

  /** Through crashes that were ordered; not through any other end. */
  async #untilReady(replica: Replica): Promise<void> {
    while (this.violations.length === 0 && !(await replica.ready())) await pause(50);
  }

  /** Whether times can be compared: nobody has moved a clock, and all replicas have the same one. */
  get clocksAgree(): boolean {
    return !this.clockMoved && new Set(this.parts.options.clockOffsets).size <= 1;
  }

  violation(what: string): void {
    this.violations.push(what);
    this.history.note('VIOLATION', what);
  }

  /** Sets the wall clock of one process, until it is started again. */
  async stepClock(replica: Replica, milliseconds: number): Promise<void> {
    this.clockMoved = true;
    this.clockSteps += 1;
    this.history.note(replica.name, `its clock is set by ${milliseconds / 60_000} min`);
    await replica.command({ do: 'step-clock', milliseconds });
  }

  /** Ends a process from outside, at whatever it is doing. */
  kill(replica: Replica): void {
    if (!replica.alive) return;
    replica.struck ??= 'kill from outside';
    this.history.note(replica.name, 'killed from outside');
    replica.signal('SIGKILL');
  }

  /** Reads as the merchant, from a replica that answers; undefined where none does. */
  async ask(path: string): Promise<Json | undefined> {
    for (const replica of this.replicas) {
      const reply = await call({ method: 'GET', url: replica.url + path, bearer: MERCHANT_KEY });
      if (!reply.answered) continue;
      if (reply.status === 200) return reply.json;
      if (reply.status === 500) this.violation(`GET ${path} was answered with 500: ${reply.text}`);
    }
    return undefined;
  }

  /** The sandbox's control interface. */
  async control(path: string, body: object): Promise<number> {
    const reply = await call({ method: 'POST', url: `${this.sandbox.url}/sandbox/${path}`, body });
    return reply.answered ? reply.status : 0;
  }

  async end(): Promise<void> {
    if (this.#ending) return;
    this.#ending = true;
    for (const replica of this.replicas) {
      replica.signal('SIGCONT');
      replica.signal('SIGKILL');
    }
    await Promise.all(this.#supervised);
    await this.parts.front.stop();
    await this.line.stop();
    await this.databaseLine?.stop();
    await this.shop.close();
    await this.sandbox.close();
    await this.store.close();
    await this.parts.disposeStore();
  }

  /** Says that the next end of this process is no surprise. */
  expectEnd(replica: Replica): void {
    this.#expectedEnds.add(replica);
  }

  async #supervise(replica: Replica, orders: Order[]): Promise<void> {
    replica.spawn(orders);
    while (!this.#ending) {
      const { code, signal } = await replica.ended;
      if (this.#ending) return;
      if (replica.struck === undefined && !this.#expectedEnds.delete(replica)) {
        this.violation(
          `${replica.name} ended by itself (${signal ?? code}):\n${replica.output.slice(-4_000)}`,
        );
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      this.crashes += 1;
      await new Promise((resolve) => setTimeout(resolve, this.restartAfterMs));
      if (!this.#ending) replica.spawn(this.nextOrders.shift() ?? []);
    }
  }

  #makeReplica(port: number, index: number): Replica {
    const { options, line, front, shop, dataDir } = this.parts;
    const replica: Replica = new Replica({
      name: `till-${index + 1}`,
      build: options.build,
      ...(options.account && { account: options.account }),
      port,
      history: this.history,
      env: {
        HOST: '127.0.0.1',
        PUBLIC_BASE_URL: `http://127.0.0.1:${front.port}`,
        GATEWAY_BASE_URL: `http://127.0.0.1:${line.port}`,
        GATEWAY_API_KEY: GATEWAY.apiKey,
        GATEWAY_ACCESS_TOKEN: GATEWAY.accessToken,
        GATEWAY_PROFILE,
        GATEWAY_TIMEOUT_MS: String(GATEWAY_TIMEOUT_MS),
        NOT_FOUND_GRACE_SECONDS: String(GRACE_SECONDS),
        DATA_DIR: options.databaseUrl === undefined ? dataDir : `${dataDir}-${index}`,
        DATABASE_URL: through(options.databaseLine, options.databaseUrl),
        MERCHANT_API_KEY: MERCHANT_KEY,
        NOTIFICATION_SECRET,
        SECRET_KEY: 'chaos-secret-key-0123456789abcdef0123456789abcdef',
        MERCHANT_WEBHOOK_URL: shop.url,
        MERCHANT_WEBHOOK_SECRET: shop.secret,
        ALLOWED_ORIGINS: 'https://shop.example',
        RATE_LIMIT_PER_MINUTE: '0',
        CARD_TESTING_LIMIT: '0',
        LOG_LEVEL: 'warn',
        ...options.env,
      },
      preload: {
        hookPath: shop.path,
        clock: { since: EPOCH, speed: this.speed, offset: options.clockOffsets?.[index] ?? 0 },
        ...(options.sabotage && { sabotage: options.sabotage }),
      },
      onStruck: (order) => {
        if (order.startsWith('step')) {
          this.clockMoved = true;
          this.clockSteps += 1;
        }
        this.onStruck(order);
        if (order.startsWith('stop'))
          setTimeout(() => replica.signal('SIGCONT'), options.pauseMs ?? PAUSE_MS).unref();
      },
    });
    return replica;
  }
}

function through(line: TcpProxy | undefined, databaseUrl: string | undefined): string | undefined {
  if (!line || databaseUrl === undefined) return databaseUrl;
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${line.port}`;
  return url.href;
}

/** The clocks of all processes of a run count from one moment, or a restart would set them back. */
const EPOCH = Date.now();
