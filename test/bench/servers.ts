import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { billing, cardRequest, newReference, payer, TillfrontClient } from '../harness/client.js';
import { createTestStore, type StoreKind, type TestStore } from '../harness/test-store.js';
import { startTillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { createTestDatabase } from '../setup/postgres.js';
import type { Call } from './load.js';

export type Name = 'tillfront-postgres' | 'tillfront-embedded' | 'express' | 'durable' | 'nest' | 'medusa';

/** A server under measurement. */
export interface Server {
  name: Name;
  url: string;
  pid: number;
  databaseUrl?: string | undefined;
  /** Calls that each pay an order of its own. What a server needs before them (a session) is made here, unmeasured. */
  calls(count: number): Promise<Call[]>;
  probe(): Promise<Probe>;
  /** Bytes of the log so far. */
  logged(): number;
  stop(): Promise<void>;
}

/** What probe.ts writes. */
export interface Probe {
  asked: number;
  allocated: number;
  heldUpMs: number;
  rss: number;
}

export interface Gateway {
  url: string;
  delay(ms: number): void;
  /** Whether it was asked how a payment of this order went. */
  asked(reference: string): boolean;
  stop(): void;
}

const here = import.meta.dirname;
const LOADER = join(here, '..', 'simulation', 'loader.ts');
const PROBE = join(here, 'probe.ts');
const PROFILER = join(here, 'profiler.ts');
const JSON_BODY = { 'content-type': 'application/json' };

export async function startGateway(): Promise<Gateway> {
  const { child, port } = await fork(join(here, 'gateway.ts'), {});
  const asked = new Set<string>();
  child.on('message', (message: { asked?: string }) => {
    if (message.asked !== undefined) asked.add(message.asked);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    asked: (reference) => asked.has(reference),
    delay: (delayMs) => child.send({ delayMs }),
    stop: () => child.kill('SIGKILL'),
  };
}

export function startServer(name: Name, gatewayUrl: string): Promise<Server> {
  if (name === 'tillfront-postgres') return startOurs(name, 'postgres', gatewayUrl);
  if (name === 'tillfront-embedded') return startOurs(name, 'embedded', gatewayUrl);
  return startPeer(name, gatewayUrl);
}

/** Tillfront on a new store of a kind, or on one that is kept. With `profileFile` it is profiled instead of probed. */
export async function startOurs(
  name: Name,
  on: StoreKind | TestStore,
  gatewayUrl: string,
  profileFile?: string,
): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'tillfront-bench-'));
  const [logFile, probeFile] = [join(folder, 'log'), join(folder, 'probe')];
  const store = typeof on === 'string' ? await createTestStore(on) : on;
  const env =
    profileFile === undefined
      ? { NODE_OPTIONS: `--import ${PROBE}`, BENCH_PROBE: probeFile }
      : { NODE_OPTIONS: `--import ${PROFILER}`, BENCH_PROFILE: profileFile };
  const unbundled = profileFile !== undefined;
  const tillfront = await startTillfront({ store, gatewayUrl, logFile, env, unbundled });
  const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  return {
    name,
    url: tillfront.url,
    pid: tillfront.pid,
    databaseUrl: tillfront.databaseUrl,
    calls: (count) =>
      inTurns(count, async () => {
        const { clientToken } = await client.createSession();
        const headers = {
          ...JSON_BODY,
          authorization: `Bearer ${clientToken}`,
          'idempotency-key': randomUUID(),
        };
        return {
          path: '/v1/payments/card',
          headers,
          body: JSON.stringify({ ...cardRequest(), payer, billing }),
        };
      }),
    probe: probing(tillfront.pid, probeFile),
    logged: () => statSync(logFile).size,
    stop: async () => {
      await tillfront.stop();
      if (typeof on === 'string') await store.dispose();
      await rm(folder, { recursive: true });
    },
  };
}

async function startPeer(name: Exclude<Name, `tillfront-${string}`>, gatewayUrl: string): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'tillfront-bench-'));
  const probeFile = join(folder, 'probe');
  const database = name === 'express' ? undefined : await createTestDatabase();
  const { child, port } = await fork(join(here, 'peers', `${name}.ts`), {
    NODE_ENV: 'production',
    GATEWAY_BASE_URL: gatewayUrl,
    DATABASE_URL: database?.url,
    BENCH_PROBE: probeFile,
  });
  const pid = child.pid as number;
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    pid,
    databaseUrl: database?.url,
    calls: (count) =>
      inTurns(count, () => {
        const order = { reference: newReference(), amount: '1500.00', currency: 'NGN', payer, billing };
        return { path: '/pay', headers: JSON_BODY, body: JSON.stringify({ ...order, ...cardRequest() }) };
      }),
    probe: probing(pid, probeFile),
    logged: () => 0,
    stop: async () => {
      child.kill('SIGKILL');
      await database?.drop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Starts a file of this folder as a process of its own, which says on which port it listens. */
async function fork(
  file: string,
  env: Record<string, string | undefined>,
): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, ['--import', LOADER, '--import', PROBE, file], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message: { port: number }) => resolve(message.port));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  return { child, port };
}

function probing(pid: number, file: string): () => Promise<Probe> {
  let asked = 0;
  return async () => {
    asked += 1;
    process.kill(pid, 'SIGUSR2');
    let probe: Probe | undefined;
    await until(() => {
      try {
        probe = JSON.parse(readFileSync(file, 'utf8')) as Probe;
      } catch {
        return false;
      }
      return probe.asked === asked;
    }, 10_000);
    return probe as Probe;
  };
}

/** `count` results, 16 at a time. */
async function inTurns<T>(count: number, make: () => T | Promise<T>): Promise<T[]> {
  const made: T[] = [];
  let left = count;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (left-- > 0) made.push(await make());
    }),
  );
  return made;
}
