import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/server.ts';
import { BILLING, cardBody, PAYER } from '../chaos/bodies.ts';
import { call, pause, type Json, type Reply } from '../chaos/calls.ts';
import { History } from '../chaos/history.ts';
import { startShop, type Shop } from '../chaos/shop.ts';
import { TcpProxy } from '../chaos/tcp-proxy.ts';
import { startTestSandbox } from '../harness/sandbox.ts';
import { createTestStore, type StoreKind, type TestStore } from '../harness/test-store.ts';
import { startTillfront, testKeys, type Tillfront, type TillfrontOptions } from '../harness/tillfront.ts';
import { until } from '../harness/until.ts';
import { service } from '../setup/service.ts';
import { Load } from './load.ts';

const NOTIFICATION_SECRET = 'drill-notification-secret-58c1e07d';
/**
 * A process that dies between the commit of an intent and its call leaves a payment that the gateway never got. That is failed only
 * when the gateway has denied it for so long, and the audit waits for that: by default it would be 15 minutes.
 */
export const GRACE_SECONDS = 20;
/** A drill on a busy machine takes its time; whatever takes longer than this does not happen. */
const PATIENCE_MS = 90_000;

/** What all drills need: the gateway, the shop, lines that can be cut between them and the service, its processes, and a clock. */
export class Bench {
  /** What the drill measured, by its words. */
  readonly figures = new Map<string, string>();
  /** What the drill itself found wrong, and went on. */
  readonly faults: string[] = [];
  readonly tills: Tillfront[] = [];
  /** Where payers and the gateway reach the service: one replica that lives after the other. */
  readonly front = new TcpProxy(() => ({ host: '127.0.0.1', port: this.#nextPort() }));
  readonly gatewayLine = new TcpProxy(() => ({ host: '127.0.0.1', port: this.sandbox.port }));
  readonly shopLine = new TcpProxy(() => ({ host: '127.0.0.1', port: Number(new URL(this.shop.url).port) }));
  readonly sandbox: Sandbox;
  readonly shop: Shop;
  /** A folder that is removed at the end. */
  readonly folder: string;
  readonly #undo: (() => unknown)[] = [];
  readonly #loads: Load[] = [];
  /** Every process, those that have ended too. */
  readonly #all: Tillfront[] = [];
  #turn = 0;
  #environment: Record<string, string | undefined> = {};

  private constructor(sandbox: Sandbox, shop: Shop, folder: string) {
    this.sandbox = sandbox;
    this.shop = shop;
    this.folder = folder;
  }

  static async open(): Promise<Bench> {
    const settings = { settleAfterMs: 300, notifyRetryMs: 200, notifySecret: NOTIFICATION_SECRET };
    const sandbox = await startTestSandbox({ settings });
    const folder = await mkdtemp(join(tmpdir(), 'tillfront-drill-'));
    // A database runs under an account of its own.
    await chmod(folder, 0o755);
    const bench = new Bench(sandbox, await startShop(new History()), folder);
    for (const line of [bench.front, bench.gatewayLine, bench.shopLine]) await line.start();
    sandbox.settings.notifyUrl = `${bench.url}/v1/gateway/notifications`;
    return bench;
  }

  get url(): string {
    return `http://127.0.0.1:${this.front.port}`;
  }
  /** The process that was started last. */
  get till(): Tillfront {
    return this.tills.at(-1) as Tillfront;
  }

  /** What each process has logged. */
  everyLog(): string[] {
    return this.#all.map((till) => till.logs());
  }

  /** Done at the end, the newest first. */
  finally(undo: () => unknown): void {
    this.#undo.push(undo);
  }

  /** A store with today's schema. */
  async store(kind: StoreKind): Promise<TestStore> {
    const store = await createTestStore(kind);
    this.finally(() => store.dispose());
    return store;
  }

  /** A store in a database that the drill made, or in a folder of its own. */
  async storeAt(place: { databaseUrl?: string; dataDir?: string }): Promise<TestStore> {
    const dataDir = place.dataDir ?? (await mkdtemp(join(this.folder, 'data-')));
    const kind = place.databaseUrl === undefined ? 'embedded' : 'postgres';
    return { kind, dataDir, ...place, dispose: () => Promise.resolve() };
  }

  /** Starts one more process, with the defaults of an operator who set what is needed, and a short grace. */
  async start(store: TestStore, options: Partial<TillfrontOptions> = {}): Promise<Tillfront> {
    const gatewayUrl = options.gatewayUrl ?? `http://127.0.0.1:${this.gatewayLine.port}`;
    const env = {
      NOTIFICATION_SECRET,
      MERCHANT_WEBHOOK_URL: `http://127.0.0.1:${this.shopLine.port}${this.shop.path}`,
      MERCHANT_WEBHOOK_SECRET: this.shop.secret,
      GATEWAY_STATUS_QUERIES_PER_SECOND: undefined,
      NOT_FOUND_GRACE_SECONDS: String(GRACE_SECONDS),
      ...options.env,
    };
    this.#environment = {
      ...{ DATA_DIR: store.dataDir, DATABASE_URL: store.databaseUrl, SECRET_KEY: testKeys.secretKey },
      ...{ GATEWAY_BASE_URL: gatewayUrl, MERCHANT_API_KEY: testKeys.merchant, PUBLIC_BASE_URL: this.url },
      ...{ GATEWAY_API_KEY: testKeys.apiKey, GATEWAY_ACCESS_TOKEN: testKeys.accessToken },
      ...env,
    };
    const till = await startTillfront({ ...options, store, gatewayUrl, env });
    this.tills.push(till);
    this.#all.push(till);
    void till.exited.then(() => this.tills.splice(this.tills.indexOf(till), 1));
    return till;
  }

  /** Runs `tillfront` with the variables of the process that was started last. */
  async cli(...args: string[]): Promise<{ code: number; text: string }> {
    const command = [join(await service('build'), 'cli/main.js'), ...args];
    const env = { PATH: process.env['PATH'], TILLFRONT_URL: this.url, ...this.#environment };
    return new Promise((resolve) => {
      execFile(process.execPath, command, { env, cwd: this.folder }, (error, stdout, stderr) => {
        resolve({ code: Number(error?.code ?? 0), text: stdout + stderr });
      });
    });
  }

  /** What the doctor says; that all is well while readiness is not 200 is a fault of the drill. */
  async doctorFails(): Promise<string> {
    const { code, text } = await this.cli('doctor');
    if (code === 0) this.faults.push('the doctor says that all is well');
    return text;
  }

  /** Payers, until the drill ends or stops them. */
  load(buyers = 4, stuckMs?: number): Load {
    const load = new Load(this, buyers, stuckMs);
    this.#loads.push(load);
    return load;
  }

  /** A session and its payment by card, each call made once. */
  async buy(reference: string, number = '4111111111111111'): Promise<Reply> {
    const session = await this.session(reference, reference);
    if (!session.answered || session.status !== 201) return session;
    return this.pay(String(session.json['clientToken']), crypto.randomUUID(), number);
  }

  session(reference: string, key: string): Promise<Reply> {
    const body = { reference, amount: '1500.00', currency: 'NGN', payer: PAYER, billing: BILLING };
    return this.#post('/v1/checkout-sessions', testKeys.merchant, key, body);
  }

  pay(token: string, key: string, number: string): Promise<Reply> {
    return this.#post('/v1/payments/card', token, key, cardBody(number));
  }

  merchant(path: string, body: object, key: string = crypto.randomUUID()): Promise<Reply> {
    return this.#post(path, testKeys.merchant, key, body);
  }

  /** Reads as the merchant; undefined where nobody answers with 200. */
  async ask(path: string): Promise<Json | undefined> {
    const url = this.url + path;
    const reply = await call({ method: 'GET', url, bearer: testKeys.merchant, timeoutMs: 5_000 });
    return reply.answered && reply.status === 200 ? reply.json : undefined;
  }

  /** What readiness says, and 0 where nobody answers. */
  async readiness(till = this.till): Promise<{ status: number; text: string }> {
    const reply = await call({ method: 'GET', url: `${till.url}/health/ready`, timeoutMs: 10_000 });
    return reply.answered ? reply : { status: 0, text: reply.why };
  }

  /** Whether readiness is 503, and says the word. */
  async unready(word = '', till = this.till): Promise<boolean> {
    const { status, text } = await this.readiness(till);
    return status === 503 && text.includes(word);
  }

  async allReady(): Promise<boolean> {
    const all = await Promise.all(this.tills.map((till) => this.readiness(till)));
    return all.every(({ status }) => status === 200);
  }

  /** Whether a new order can be paid now. */
  async paying(): Promise<boolean> {
    const reply = await this.buy(`TRY-${crypto.randomUUID().slice(0, 18)}`);
    return reply.answered && reply.status === 201;
  }

  /** How long it takes from the end of an act until something holds. */
  async timed(
    figure: string,
    act: () => unknown,
    holds: () => Promise<boolean> | boolean,
    withinMs = PATIENCE_MS,
  ): Promise<void> {
    await act();
    const begun = performance.now();
    await until(holds, withinMs).catch(async () => {
      const said = await Promise.all(this.tills.map((till) => this.readiness(till)));
      const ready = said.map(({ status, text }) => `${status} ${text}`).join(', ');
      throw new Error(`${figure}: not within ${withinMs / 1_000} s; readiness: ${ready}`);
    });
    this.figures.set(figure, `${((performance.now() - begun) / 1_000).toFixed(1)} s`);
  }

  /** Waits until so many more orders were answered. */
  async more(load: Load, count = 10): Promise<void> {
    const enough = load.answered.size + count;
    await until(() => load.answered.size >= enough, PATIENCE_MS);
  }

  async stopLoad(): Promise<Load[]> {
    await Promise.all(this.#loads.map((load) => load.stop()));
    return this.#loads;
  }

  async close(): Promise<void> {
    for (const load of this.#loads) load.abandon();
    for (const { pid } of this.tills) process.kill(pid, 'SIGCONT');
    await Promise.all([...this.tills].map((till) => till.kill()));
    for (const undo of this.#undo.reverse()) await undo();
    for (const line of [this.front, this.gatewayLine, this.shopLine]) await line.stop();
    await this.shop.close();
    await this.sandbox.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  #post(path: string, bearer: string, key: string, body: object): Promise<Reply> {
    return call({ method: 'POST', url: this.url + path, bearer, key, body, timeoutMs: 40_000 });
  }

  #nextPort(): number {
    return this.tills[this.#turn++ % Math.max(1, this.tills.length)]?.port ?? 1;
  }
}

/** One drill: it starts the service, makes the fault and undoes it. Its load is stopped and audited afterwards. */
export interface Drill {
  /** What goes wrong, in one sentence. */
  about: string;
  /** The section of docs/runbook.md that it walks. */
  page: string;
  stores: readonly StoreKind[];
  /** Takes less than a minute and needs no rights to mount: also one of the tests. */
  quick?: boolean;
  run(bench: Bench, store: StoreKind): Promise<void>;
}

/** How an answer reads in a figure: its code, or its status where it has none. */
export function codeOf(reply: Reply): string {
  if (!reply.answered) return reply.why;
  const { code } = reply.json;
  return typeof code === 'string' ? code : String(reply.status);
}

export { pause, until };
