import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { gatewayPayment, servicePayment } from './card-request.ts';
import { DurableProof } from './durable-proof.ts';
import { Connection, httpRequest, type Answer } from './http-load.ts';
import { MeasuredProcess, type Usage } from './measured-process.ts';
import type { ProfileOf } from './peers/report-usage.ts';
import type { PeerStore } from './peer-store.ts';

/** A server under load: what is asked of it, and what it used. */
export interface Subject {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  readonly startMs: number;
  /** So many card payments, ready to be sent. What has to exist before, such as sessions, is made here and not measured. */
  prepare(count: number): Promise<Buffer[]>;
  isRight(answer: Answer): boolean;
  usage(): Promise<Usage>;
  beginProfile(of: ProfileOf): Promise<void>;
  /** Writes what was sampled since, as a `.cpuprofile` or `.heapprofile`. */
  endProfile(of: ProfileOf, file: string): Promise<void>;
  beginWatch(): Promise<void>;
  /** Writes what the main thread did since, and when the event loop stood still (`StallFigures`). */
  endWatch(file: string): Promise<void>;
  /** How the event loop stood still since this was last asked, by the server's own metrics, where it has any. */
  stalls?(): Promise<Stalls>;
  /** Of a peer that says that it stores payments: throws unless its store holds what it has answered. */
  readonly proof?: DurableProof;
  stop(): Promise<void>;
}

/** Delays of the event loop in milliseconds. */
export interface Stalls {
  p99: number;
  max: number;
}

const credentials = { GATEWAY_API_KEY: 'bench-api-key', GATEWAY_ACCESS_TOKEN: 'bench-access-token' };
/** Of every service that is started here. */
export const merchantKey = 'bench-merchant-key-0123456789abcdef';

/** Makes an empty database in a cluster and gives its address. */
export async function createDatabase(clusterUrl: string, name: string): Promise<string> {
  const client = new Client({ connectionString: clusterUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export interface PeerOptions {
  name: string;
  /** The path of a server in `peers`, compiled where it must be. It passes the gateway's own request on. */
  program: string;
  gatewayPort: number;
  /** Where it stores payments, if it does. */
  store?: PeerStore;
  /** Where it runs, if it needs a folder of its own. */
  folder?: string;
}

/** Starts one of the servers in `peers`. */
export async function startPeer({
  name,
  program,
  gatewayPort,
  store,
  folder,
}: PeerOptions): Promise<Subject> {
  const started = await MeasuredProcess.start(
    program,
    {
      ...credentials,
      NODE_ENV: 'production',
      GATEWAY_BASE_URL: `http://127.0.0.1:${gatewayPort}/api/v1`,
      ...store?.environment,
    },
    { readyPath: '/ready', ...(folder !== undefined && { folder }) },
  );
  const proof = store && new DurableProof(name, started.port, store);
  const run = randomBytes(4).toString('hex');
  let made = 0;
  return {
    name,
    port: started.port,
    pid: started.pid,
    startMs: started.startMs,
    prepare: (count) =>
      Promise.resolve(
        Array.from({ length: count }, () =>
          httpRequest('POST', '/pay', {}, gatewayPayment(`ORDER-${run}-${made++}`)),
        ),
      ),
    isRight: ({ status, body }) => {
      const right = status === 200 && body.includes('SUCCESSFUL');
      if (right) proof?.answered();
      return right;
    },
    usage: () => started.usage(),
    beginProfile: (of) => started.beginProfile(of),
    endProfile: (of, file) => started.endProfile(of, file),
    beginWatch: () => started.beginWatch(),
    endWatch: (file) => started.endWatch(file),
    ...(proof && { proof }),
    stop: async () => {
      await started.stop();
      store?.remove();
    },
  };
}

export interface ServiceOptions {
  name: string;
  /** The folder of the built service. */
  build: string;
  gatewayPort: number;
  databaseUrl?: string;
  /** Kept by the caller; otherwise a new folder that is removed at the end. */
  dataDir?: string;
  nodeArguments?: readonly string[];
  environment?: Readonly<Record<string, string>>;
}

/** The service as it is built, with everything on: checks, idempotency, intent and outcome committed, events, log at info, metrics. */
export async function startService(options: ServiceOptions): Promise<Subject> {
  const own = options.dataDir === undefined ? mkdtempSync(join(tmpdir(), 'tillfront-bench-')) : undefined;
  const dataDir = options.dataDir ?? own ?? '';
  mkdirSync(dataDir, { recursive: true });
  const started = await MeasuredProcess.start(
    join(options.build, 'main.js'),
    {
      ...credentials,
      MERCHANT_API_KEY: merchantKey,
      SECRET_KEY: 'bench-secret-key-0123456789abcdef0123456789abcdef',
      GATEWAY_BASE_URL: `http://127.0.0.1:${options.gatewayPort}/api/v1`,
      DATA_DIR: dataDir,
      ...(options.databaseUrl !== undefined && { DATABASE_URL: options.databaseUrl }),
      // All load comes from one address.
      RATE_LIMIT_PER_MINUTE: '1000000',
      LOG_LEVEL: 'info',
      ...options.environment,
    },
    {
      readyPath: '/health/ready',
      logFile: join(dataDir, 'service.log'),
      ...(options.nodeArguments && { nodeArguments: options.nodeArguments }),
    },
  );
  return {
    name: options.name,
    port: started.port,
    pid: started.pid,
    startMs: started.startMs,
    prepare: (count) => preparePayments([started.port], count),
    isRight: ({ status, body }) => status === 201 && body.includes('"succeeded"'),
    usage: () => started.usage(),
    beginProfile: (of) => started.beginProfile(of),
    endProfile: (of, file) => started.endProfile(of, file),
    beginWatch: () => started.beginWatch(),
    endWatch: (file) => started.endWatch(file),
    stalls: () => readStalls(started.port),
    stop: async () => {
      await started.stop();
      if (own !== undefined) rmSync(own, { recursive: true, force: true });
    },
  };
}

/** The service's metrics of its event loop begin anew each time they are read. */
async function readStalls(port: number): Promise<Stalls> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const milliseconds = (name: string): number =>
    Number(
      new RegExp(`^nodejs_eventloop_lag_${name}_seconds(?:{[^}]*})? (\\S+)$`, 'm').exec(text)?.[1] ?? NaN,
    ) * 1000;
  return { p99: milliseconds('p99'), max: milliseconds('max') };
}

const SESSION_CONNECTIONS = 32;

/** Makes sessions, spread over the given processes, and a payment for each. References begin with `prefix`. */
export async function preparePayments(
  ports: readonly number[],
  count: number,
  prefix = 'B',
): Promise<Buffer[]> {
  // Letters alone: digits may look like a card number, which is refused.
  const run = randomBytes(6)
    .toString('hex')
    .replace(/[0-9]/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
  const payments: Buffer[] = [];
  let made = 0;
  const worker = async (_: unknown, index: number): Promise<void> => {
    const connection = new Connection(ports[index % ports.length] ?? 0);
    while (made < count) {
      const reference = `${prefix}${run}-${made++}`;
      const body = JSON.stringify({
        reference,
        amount: '1500.00',
        currency: 'NGN',
        expiresInSeconds: 86_400,
      });
      const headers = { authorization: `Bearer ${merchantKey}`, 'idempotency-key': reference };
      const answer = await connection.ask(httpRequest('POST', '/v1/checkout-sessions', headers, body));
      const token = /"clientToken":"([^"]+)"/.exec(answer.body)?.[1];
      if (token === undefined) throw new Error(`no session: ${answer.status} ${answer.body}`);
      payments.push(
        httpRequest(
          'POST',
          '/v1/payments/card',
          { authorization: `Bearer ${token}`, 'idempotency-key': `${reference}-pay` },
          servicePayment,
        ),
      );
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: SESSION_CONNECTIONS }, worker));
  return payments;
}
