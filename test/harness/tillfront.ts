import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileCache } from '../setup/compile-cache.ts';
import { freePort } from '../setup/free-port.ts';
import { service } from '../setup/service.ts';
import { IN_CONTAINER } from './in-container.ts';
import { createEmptyStore, createTestStore, type StoreKind, type TestStore } from './test-store.ts';

/**
 * The built service as a separate process, as a merchant runs it. Only variables configure it.
 */

export interface TillfrontOptions {
  /**
   * A kind creates a store that is removed when the process stops: with the schema, or without it for `emptyStore`. A `TestStore` is kept until its creator disposes of it.
   */
  store: StoreKind | TestStore;
  gatewayUrl: string;
  /** Further variables. `undefined` removes one. They override the harness's own. */
  env?: Readonly<Record<string, string | undefined>>;
  /** A free port by default. */
  port?: number;
  /** For tests of the start itself: the store that it creates has no schema yet. */
  emptyStore?: boolean;
  /** For a profile that names rooms: from the files that the bundle is made of. */
  unbundled?: boolean;
  /** What its start is waited for: that it may get requests, or only that it answers. `ready` by default. */
  startsWhen?: 'ready' | 'live';
  /** So long that a busy machine may take its time. */
  readyWithinMs?: number;
  /** Both streams go to this file instead of the harness, as where a supervisor keeps the log on a disk. */
  logFile?: string;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Tillfront {
  /** `http://127.0.0.1:<port>`, also its `PUBLIC_BASE_URL`. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly merchantKey: string;
  readonly merchantReadKey: string;
  readonly dataDir: string;
  readonly databaseUrl?: string;
  /**
   * Everything that it has printed on both streams, in order; whole lines only while it runs. The log is written beside the work,
   * so a line may come after the answer of its request: wait for it with `until`.
   */
  logs(): string;
  /** Resolves when the process has ended, for whatever reason. */
  readonly exited: Promise<Exit>;
  /** Sends the signal (SIGTERM), waits for the end and removes a store that the harness created. */
  stop(signal?: NodeJS.Signals): Promise<Exit>;
  /** Sends SIGKILL, like a crash. Waits for the end and removes nothing. */
  kill(): Promise<Exit>;
}

/** As random as production’s rules want them, which some tests have in force. */
export const testKeys = {
  apiKey: 'test-gateway-api-key',
  accessToken: 'test-gateway-access-token',
  merchant: 'mk_test_7f2c91d0a84be356f1c08d9e',
  merchantRead: 'rk_test_c60b8e2d4f19a7530e92bd71',
  secretKey: 'sk_test_3d94f1a86c07be25d8190e4b7f62ca53',
} as const;

/** As the image starts it. The inspector has tests of its own. */
const NODE_FLAGS = IN_CONTAINER.nodeArguments.filter((flag) => flag !== '--disable-sigusr1');

const running = new Set<ChildProcess>();
// a test file that dies half-way must not leave a process behind
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

interface Started {
  child: ChildProcess;
  logs: () => string;
  exited: Promise<Exit>;
}

async function spawnTillfront(
  env: Readonly<Record<string, string | undefined>>,
  { logFile, unbundled = false }: Pick<TillfrontOptions, 'logFile' | 'unbundled'> = {},
): Promise<Started> {
  const distribution = await service('build');
  // only what every process needs, because the developer's shell must not influence a test
  const { PATH, HOME, TMPDIR } = process.env;
  const base = { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE: compileCache, ...IN_CONTAINER.environment };
  const log = logFile === undefined ? undefined : openSync(logFile, 'a');
  const child = spawn(
    process.execPath,
    [...NODE_FLAGS, join(distribution, unbundled ? '' : 'service', 'main.js')],
    {
      cwd: join(distribution, '..'),
      env: definedOnly({ ...base, ...env }),
      stdio: ['ignore', log ?? 'pipe', log ?? 'pipe'],
    },
  );
  if (log !== undefined) closeSync(log);
  running.add(child);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
  let closed = false;
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    // "close", not "exit": by then all output has been read
    child.once('close', (code, signal) => {
      closed = true;
      running.delete(child);
      resolve({ code, signal });
    });
  });
  // Between its end and the last of its output a line may be half there too.
  const logs = () =>
    logFile !== undefined
      ? readFileSync(logFile, 'utf8')
      : closed
        ? output
        : output.slice(0, output.lastIndexOf('\n') + 1);
  return { child, logs, exited };
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/**
 * The variables of an ordinary test: no limit for each address, because all tests call from the same one, and none for
 * questions, because dozens of scenarios share a service.
 */
function usualEnvironment(
  options: TillfrontOptions,
  store: TestStore,
  port: number,
): Record<string, string | undefined> {
  return {
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
    GATEWAY_BASE_URL: options.gatewayUrl,
    GATEWAY_API_KEY: testKeys.apiKey,
    GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
    DATA_DIR: store.dataDir,
    DATABASE_URL: store.databaseUrl,
    MERCHANT_API_KEY: testKeys.merchant,
    MERCHANT_READ_API_KEY: testKeys.merchantRead,
    SECRET_KEY: testKeys.secretKey,
    ALLOWED_ORIGINS: 'https://shop.example',
    RATE_LIMIT_PER_MINUTE: '0',
    GATEWAY_STATUS_QUERIES_PER_SECOND: '0',
    CARD_TESTING_LIMIT: '0',
    ...options.env,
  };
}

/** Starts the service and waits until it reports that it is ready. Otherwise throws with its output. */
export async function startTillfront(options: TillfrontOptions): Promise<Tillfront> {
  const create = options.emptyStore ? createEmptyStore : createTestStore;
  const own = typeof options.store === 'string' ? await create(options.store) : undefined;
  const store = own ?? (options.store as TestStore);
  const port = options.port ?? (await freePort());
  const env = usualEnvironment(options, store, port);
  const started = await spawnTillfront(env, options);
  const end = async (signal: NodeJS.Signals): Promise<Exit> => {
    started.child.kill(signal);
    return started.exited;
  };
  const url = `http://127.0.0.1:${env['PORT'] ?? port}`;
  try {
    const management = env['MANAGEMENT_PORT'];
    await waitUntilReady(
      management ? `http://127.0.0.1:${management}` : url,
      started,
      options.readyWithinMs ?? 90_000,
      options.startsWhen ?? 'ready',
    );
  } catch (error) {
    await end('SIGKILL');
    await own?.dispose();
    throw error;
  }
  return {
    url,
    port,
    pid: started.child.pid as number,
    merchantKey: testKeys.merchant,
    merchantReadKey: testKeys.merchantRead,
    dataDir: store.dataDir,
    ...(store.databaseUrl === undefined ? {} : { databaseUrl: store.databaseUrl }),
    logs: started.logs,
    exited: started.exited,
    stop: async (signal = 'SIGTERM') => {
      const exit = await end(signal);
      await own?.dispose();
      return exit;
    },
    kill: () => end('SIGKILL'),
  };
}

async function waitUntilReady(
  url: string,
  started: Started,
  withinMs: number,
  health: 'ready' | 'live',
): Promise<void> {
  const deadline = Date.now() + withinMs;
  let last = 'no answer';
  while (Date.now() < deadline) {
    if (started.child.exitCode !== null || started.child.signalCode !== null) {
      const exit = await started.exited;
      throw new Error(
        `Tillfront ended at its start (code ${exit.code}, signal ${exit.signal}):\n${started.logs()}`,
      );
    }
    try {
      const answer = await fetch(`${url}/health/${health}`, { signal: AbortSignal.timeout(2000) });
      if (answer.ok) return;
      last = `${answer.status} ${await answer.text()}`;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(
    `Tillfront was not ready within ${withinMs} ms (${last}):\n${started.logs().slice(0, 10_000)}`,
  );
}

/**
 * Runs the service with exactly these variables until it ends by itself, for starts that must be refused. If it has not
 * ended within 90 s, it is killed and reported with the signal `SIGKILL`.
 */
export async function runTillfront(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Exit & { output: string }> {
  const started = await spawnTillfront(env);
  const timer = setTimeout(() => started.child.kill('SIGKILL'), 90_000);
  const exit = await started.exited;
  clearTimeout(timer);
  return { ...exit, output: started.logs() };
}
