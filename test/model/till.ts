import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call, pause, type Call, type Json, type Reply } from '../chaos/calls.ts';
import { History } from '../chaos/history.ts';
import { quickenDatabase } from '../chaos/database-clock.ts';
import type { Order } from '../chaos/preload/orders.ts';
import type { SabotageName } from '../chaos/preload/sabotage.ts';
import type { PreloadSettings } from '../chaos/preload/preload.ts';
import { Replica } from '../chaos/replica.ts';
import { freePort } from '../setup/free-port.ts';
import { acceptLoss, copyStore, restoreStore } from './old-copy.ts';
import { openReader, type StoreReader } from '../chaos/store-reader.ts';
import type { TestStore } from '../harness/test-store.js';

/** Secrets that may reach the gateway and nothing else. They stand alone wherever they are looked for. */
export const SECRETS = {
  number: '371449635398431',
  // With a zero in front it is no process id.
  cvv: '0264',
  pin: '739154',
  otp: '8305917264',
  merchantKey: 'model-merchant-key-0123456789abcdef',
  secretKey: 'model-secret-key-0123456789abcdef0123456789abcdef',
  apiKey: 'model-gateway-api-key-0123456789',
  accessToken: 'model-gateway-access-token-0123456789',
  notificationSecret: 'model-notification-secret-0123456789abcdef',
} as const;

/** How many times faster the service's clocks run: leases, backoffs and graces of a sequence take a fraction of a second. */
export const SPEED = 8;
/** Milliseconds and seconds of the service's own clock. */
export const GATEWAY_TIMEOUT_MS = 4_000;
export const GRACE_SECONDS = 6;
/** Further than that the model sets no clock. */
const FURTHEST_MS = 9 * 86_400_000;
/** Answers are compared by reference too, and money can be given back; everything else is the built-in profile. */
const profileOf = (asksRefunds: boolean): object => ({
  outcome: { reference: ['/data/transaction/reference'] },
  operations: {
    refund: { method: 'POST', path: '/payment/refund', credentials: true },
    ...(asksRefunds && { refundStatus: { method: 'GET', path: '/refund/{refundRef}', credentials: true } }),
  },
});
/** The clocks of all processes count from one moment, or a restart would set them back. */
const EPOCH = Date.now();

interface Process {
  replica: Replica;
  preload: PreloadSettings;
  /** By how much its clock is off at the beginning of each sequence. */
  offset: number;
  env: Readonly<Record<string, string | undefined>>;
  ended: boolean;
}

export interface TillOptions {
  build: string;
  store: TestStore;
  gatewayUrl: string;
  /** By how much the wall clock of each process is off, in milliseconds; so many processes there are. */
  offsets: readonly number[];
  /** Whether duplicates are voided. */
  voidsDuplicates: boolean;
  /** Whether the gateway says what became of a refund. */
  asksRefunds: boolean;
  /** A build that breaks a promise. */
  sabotage?: SabotageName;
}

/** The service: one process, or replicas on one database, that can die and whose wall clocks can be set. */
export class Till {
  readonly history = new History();
  readonly store: StoreReader;
  onViolation: (what: string) => void = () => undefined;
  /** Processes that were killed, and clocks that were set, so far. */
  kills = 0;
  steps = 0;
  readonly #replicas: Process[] = [];
  #ending = false;

  private readonly options: TillOptions;

  private constructor(options: TillOptions) {
    this.options = options;
    const { store } = options;
    this.store = openReader(store.databaseUrl ?? join(store.dataDir, 'tillfront.db'));
  }

  static async start(options: TillOptions): Promise<Till> {
    const till = new Till(options);
    const profile = join(options.store.dataDir, 'model.profile.json');
    await writeFile(profile, JSON.stringify(profileOf(options.asksRefunds)));
    const { databaseUrl } = options.store;
    if (databaseUrl !== undefined) await quickenDatabase(databaseUrl, { since: EPOCH, speed: SPEED });
    for (const [index, offset] of options.offsets.entries()) await till.#add(index, offset, profile);
    await till.up();
    return till;
  }

  /** Calls one of the processes; whoever is not up is started first. */
  async ask(at: number, { path, ...rest }: Omit<Call, 'url'> & { path: string }): Promise<Reply> {
    const { replica } = this.#at(at);
    const reply = await call({ ...rest, url: replica.url + path });
    const what = reply.answered ? `${reply.status} ${brief(reply.json)}` : reply.why;
    this.history.note(replica.name, `${rest.method} ${path}: ${what}`);
    if (!reply.answered) return reply;
    if (reply.status === 500) this.onViolation(`${rest.method} ${path} was answered with 500: ${reply.text}`);
    this.scan(`the answer of ${rest.method} ${path}`, reply.text);
    return reply;
  }

  /** Reads as the merchant, until it is answered. */
  async read(path: string): Promise<Json> {
    for (let tries = 1; ; tries++) {
      await this.up();
      const reply = await this.ask(tries, { method: 'GET', path, bearer: SECRETS.merchantKey });
      if (reply.answered && reply.status === 200) return reply.json;
      if (tries > 100) throw new Error(`GET ${path} is not answered: ${JSON.stringify(reply)}`);
      await pause(50);
    }
  }

  /** Every process runs and answers; one that a boundary has ended is started again. */
  async up(): Promise<void> {
    for (const one of this.#replicas) {
      while (!one.replica.alive || one.ended) {
        if (!one.replica.alive) this.#spawn(one);
        await this.#answers(one);
      }
    }
  }

  get asksRefunds(): boolean {
    return this.options.asksRefunds;
  }

  get voidsDuplicates(): boolean {
    return this.options.voidsDuplicates;
  }

  /** Keeps a copy of the embedded store. False on PostgreSQL. */
  async copy(): Promise<boolean> {
    const { store } = this.options;
    if (store.databaseUrl !== undefined) return false;
    await this.up();
    copyStore(store.dataDir);
    // Whatever is written from now on is later by the store's own time, which it keeps once a second.
    await pause(1_500 / SPEED);
    return true;
  }

  /** Brings the copy back in place of the store, and accepts what it lacks. */
  async restore(): Promise<void> {
    const one = this.#at(0);
    await this.up();
    one.replica.struck = 'restored';
    await one.replica.stop('SIGTERM');
    restoreStore(this.options.store.dataDir);
    this.#spawn(one);
    one.replica.struck = 'has forgotten';
    await Promise.race([one.replica.ended, this.#answers(one)]);
    if (one.replica.alive) one.replica.struck = undefined;
    else await acceptLoss(this.options.store.dataDir, one.env);
    await this.up();
  }

  /** Ends a process at whatever it is doing. */
  async kill(at: number): Promise<void> {
    const { replica } = this.#at(at);
    replica.struck ??= 'kill from outside';
    await replica.stop('SIGKILL');
  }

  /** Lets a process end itself when it passes a boundary; none: takes such orders back. */
  async arm(at: number, orders: Order[]): Promise<void> {
    await this.#at(at).replica.command({ do: 'arm', orders });
  }

  async disarm(): Promise<void> {
    for (const { replica } of this.#replicas) await replica.command({ do: 'arm', orders: [] });
  }

  /** Sets the wall clock of one process; one that is started later has it too. */
  async step(at: number, milliseconds: number): Promise<void> {
    const { replica, preload } = this.#at(at);
    const clock = preload.clock;
    if (!clock || Math.abs(clock.offset + milliseconds) > FURTHEST_MS) return;
    clock.offset += milliseconds;
    this.steps += 1;
    await replica.command({ do: 'step-clock', milliseconds });
  }

  /** Sets all clocks to where they were at the beginning. */
  async resetClocks(): Promise<void> {
    for (const { replica, preload, offset } of this.#replicas) {
      if (!preload.clock || preload.clock.offset === offset) continue;
      const milliseconds = offset - preload.clock.offset;
      preload.clock.offset = offset;
      await replica.command({ do: 'step-clock', milliseconds });
    }
  }

  /** No secret stands in this text; what is a part of a longer word, such as an id, is none. */
  scan(where: string, text: string): void {
    for (const [name, secret] of Object.entries(SECRETS)) {
      const alone = new RegExp(`(?<![0-9A-Za-z.-])${secret}(?![0-9A-Za-z-])`);
      if (alone.test(text)) this.onViolation(`(f) ${where} holds the ${name}: ${text.slice(0, 500)}`);
    }
  }

  scanOutput(): void {
    for (const { replica } of this.#replicas) this.scan(`the output of ${replica.name}`, replica.output);
  }

  get output(): string {
    return this.#replicas
      .map(({ replica }) => `${replica.name}:\n${replica.output.slice(-6_000)}`)
      .join('\n');
  }

  /** Every row of every table. */
  async scanRows(): Promise<void> {
    const postgres = this.options.store.databaseUrl !== undefined;
    const tables = await this.store.read(
      postgres
        ? `select table_name as name from information_schema.tables where table_schema = 'public'`
        : `select name from sqlite_master where type = 'table'`,
    );
    for (const { name } of tables) {
      for (const row of await this.store.read(`select * from "${String(name)}"`)) {
        const text = Object.values(row).map(textOf).join('\n');
        this.scan(`a row of ${String(name)}`, text);
      }
    }
  }

  async end(): Promise<void> {
    this.#ending = true;
    await Promise.all(this.#replicas.map(({ replica }) => replica.stop('SIGKILL')));
    await this.store.close();
    for (const index of this.options.offsets.keys()) {
      if (index > 0) await rm(this.#folderOf(index), { recursive: true, force: true, maxRetries: 5 });
    }
  }

  #folderOf(index: number): string {
    const { dataDir } = this.options.store;
    return index === 0 ? dataDir : `${dataDir}-${index}`;
  }

  #at(at: number): Process {
    return this.#replicas[at % this.#replicas.length] as Process;
  }

  async #add(index: number, offset: number, profile: string): Promise<void> {
    const { build, store, gatewayUrl, sabotage, voidsDuplicates } = this.options;
    const port = await freePort();
    const preload: PreloadSettings = {
      hookPath: '/none',
      clock: { since: EPOCH, speed: SPEED, offset },
      ...(sabotage && { sabotage }),
    };
    const env = {
      HOST: '127.0.0.1',
      PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
      GATEWAY_BASE_URL: gatewayUrl,
      GATEWAY_API_KEY: SECRETS.apiKey,
      GATEWAY_ACCESS_TOKEN: SECRETS.accessToken,
      GATEWAY_TIMEOUT_MS: String(GATEWAY_TIMEOUT_MS),
      GATEWAY_PROFILE: profile,
      GATEWAY_STATUS_QUERIES_PER_SECOND: '0',
      DUPLICATE_POLICY: voidsDuplicates ? 'void' : 'announce',
      NOT_FOUND_GRACE_SECONDS: String(GRACE_SECONDS),
      DATA_DIR: this.#folderOf(index),
      DATABASE_URL: store.databaseUrl,
      MERCHANT_API_KEY: SECRETS.merchantKey,
      SECRET_KEY: SECRETS.secretKey,
      NOTIFICATION_SECRET: SECRETS.notificationSecret,
      ALLOWED_ORIGINS: 'https://shop.example',
      RATE_LIMIT_PER_MINUTE: '0',
      CARD_TESTING_LIMIT: '0',
      MAX_DECLINES_PER_SESSION: '100',
      MAX_PAYMENTS_PER_SESSION: '0',
      LOG_LEVEL: 'info',
    };
    const replica = new Replica({
      name: `till-${index + 1}`,
      build,
      port,
      history: this.history,
      preload,
      env,
    });
    this.#replicas.push({ replica, preload, offset, env, ended: true });
  }

  #spawn(one: Process): void {
    this.scan(`the output of ${one.replica.name}`, one.replica.output);
    one.ended = true;
    one.replica.spawn();
    void one.replica.ended.then(() => {
      const { struck, output } = one.replica;
      one.ended = true;
      if (struck !== undefined) this.kills += 1;
      else if (!this.#ending)
        this.onViolation(`${one.replica.name} ended by itself:\n${output.slice(-4_000)}`);
    });
  }

  /** A replica whose clock is off may say that it is not ready, and answers all the same. */
  async #answers(one: Process): Promise<void> {
    const { replica } = one;
    for (const deadline = performance.now() + 60_000; replica.alive; await pause(15)) {
      const reply = await call({
        method: 'GET',
        url: `${replica.url}/v1/payments?limit=1`,
        bearer: SECRETS.merchantKey,
        timeoutMs: 5_000,
      });
      if (reply.answered && reply.status === 200) {
        one.ended = false;
        return;
      }
      if (performance.now() > deadline)
        throw new Error(`${replica.name} does not answer:\n${replica.output}`);
    }
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : JSON.stringify(value);
}

/** What an answer says, in a line. */
function brief(json: Json): string {
  if (Array.isArray(json['data'])) return `${json['data'].length} in the list`;
  const told = ['id', 'code', 'status', 'needsAttention', 'pendingOperation', 'duplicateOf'];
  return told.flatMap((name) => (json[name] ? [`${name} ${JSON.stringify(json[name])}`] : [])).join(' ');
}
