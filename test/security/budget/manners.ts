import { gzipSync } from 'node:zlib';
import { Pool } from 'undici';
import { wire, type Call, type Listener } from './described-calls.js';
import { HostileConnection, type Tally } from './hostile-client.js';

/** How a client may behave. Each manner takes some calls and so many connections at once. */

export interface Target {
  readonly ports: Readonly<Record<Listener, number>>;
  readonly tally: Tally;
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function within(ms: number, done: () => boolean): Promise<void> {
  for (const deadline = performance.now() + ms; !done() && performance.now() < deadline;) await pause(5);
}

/** All calls, for as much as they give at once but without waiting, so many rounds of them, shared among the connections, each answered before the next one. Returns the statuses by call. */
export async function ordinarily(
  calls: readonly Call[],
  connections: number,
  { ports, tally }: Target,
  rounds: number,
): Promise<Map<string, number[]>> {
  const statuses = new Map<string, number[]>();
  const pools = new Map<number, Pool>();
  const poolOf = (port: number): Pool => {
    const pool =
      pools.get(port) ?? new Pool(`http://127.0.0.1:${port}`, { connections, headersTimeout: 90_000 });
    pools.set(port, pool);
    return pool;
  };
  const waiting = Array.from({ length: rounds }, () => calls).flat();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let call = waiting[next++]; call; call = waiting[next++]) {
      const most = call.request(true);
      const { method, target, headers, body } = most.target.includes('wait=') ? call.request() : most;
      const answered = await poolOf(ports[call.listener]).request({
        method,
        path: target,
        headers,
        body: body ?? null,
      });
      tally.add(answered.statusCode, `HTTP/1.1 ${answered.statusCode}\r\n\r\n${await answered.body.text()}`);
      const name = `${call.route} as ${call.who}`;
      statuses.set(name, [...(statuses.get(name) ?? []), answered.statusCode]);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  await Promise.all([...pools.values()].map((pool) => pool.close()));
  return statuses;
}

/** What a connection takes at once, and a system's buffer holds. */
const PIPELINE = 63 * 1024;
/** How long an attack may take to show its first answer. */
const BEGUN_MS = 2_000;
/** Batches with keys of their own; connections beyond share them, so that keys are repeated too. */
const BATCHES = 3;

interface Batch {
  readonly bytes: Buffer;
  readonly requests: number;
}

function batchOf(calls: readonly Call[], greedy: boolean): Batch {
  const parts: Buffer[] = [];
  for (let size = 0, index = 0; ; index++) {
    const part = wire((calls[index % calls.length] as Call).request(greedy));
    size += part.length;
    if (size > PIPELINE && parts.length > 0) return { bytes: Buffer.concat(parts), requests: parts.length };
    parts.push(part);
  }
}

interface Pipelining {
  readonly reads: boolean;
  readonly greedy: boolean;
  /** After it the client leaves, answered or not. */
  readonly forMs: number;
}

/** Every connection sends 63 KiB of requests at once. */
export async function pipelined(
  calls: readonly Call[],
  connections: number,
  { ports, tally }: Target,
  { reads, greedy, forMs }: Pipelining,
): Promise<void> {
  const byListener = Map.groupBy(calls, ({ listener }) => listener);
  await Promise.all(
    [...byListener].map(async ([listener, ofListener]) => {
      const count = Math.max(1, Math.round((connections * ofListener.length) / calls.length));
      const batches = Array.from({ length: Math.min(BATCHES, count) }, () => batchOf(ofListener, greedy));
      const all = await HostileConnection.openMany(count, ports[listener], tally);
      all.forEach((connection, index) => {
        const { bytes } = batches[index % batches.length] as Batch;
        if (reads) connection.read();
        connection.write(bytes);
      });
      const came = (connection: HostileConnection): boolean => connection.closed || connection.answers > 0;
      // However busy the machine is, the attack has begun.
      if (reads) await within(BEGUN_MS, () => all.some(came));
      await within(
        forMs,
        () =>
          reads &&
          all.every(
            (connection, index) =>
              connection.closed || connection.answers >= (batches[index % batches.length] as Batch).requests,
          ),
      );
      for (const connection of all) connection.end();
    }),
  );
}

/** How many requests of a call fit into 63 KiB. */
export const pipelinedBy = (call: Call): number => batchOf([call], true).requests;

/** Bytes of one answer to each call. */
export async function answerSizes(
  calls: readonly Call[],
  { ports, tally }: Target,
): Promise<readonly number[]> {
  const sizes: number[] = [];
  for (const call of calls) {
    const connection = await HostileConnection.open(ports[call.listener], tally);
    connection.read().write(wire(call.request()));
    await within(BEGUN_MS, () => connection.answers > 0 || connection.closed);
    // The rest of it.
    await pause(30);
    sizes.push(connection.received);
    connection.end();
  }
  return sizes;
}

/** So many connections, each with 63 KiB of one of the calls, of which nothing is read; some read a little first. Left open. */
export async function leaveUnread(
  calls: readonly Call[],
  connections: number,
  { ports, tally }: Target,
): Promise<HostileConnection[]> {
  return Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      const call = calls[index % calls.length] as Call;
      const connection = await HostileConnection.open(ports[call.listener], tally);
      if (index % 3 === 0) {
        connection.read();
        setTimeout(() => connection.stopReading(), 50);
      }
      return connection.write(batchOf([call], true).bytes);
    }),
  );
}

const DRIP_MS = 100;
const SLOW_KINDS = ['bytes', 'headers', 'body', 'chunks'];

/** Headers, bodies and chunks that arrive a byte at a time, and silence. Ends when each was shown out, or after `forMs`; returns those that were left. */
export async function slowly(
  calls: readonly Call[],
  connections: number,
  { ports, tally }: Target,
  forMs: number,
): Promise<string[]> {
  const all = await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      const call = calls[index % calls.length] as Call;
      const connection = await HostileConnection.open(ports[call.listener], tally);
      const kind = Math.floor(index / 2) % SLOW_KINDS.length;
      const [begin, drip] = slowStream(call, kind);
      connection.read().write(begin);
      const timer = setInterval(() => connection.write(drip()), DRIP_MS);
      void connection.ended().then(() => clearInterval(timer));
      return { connection, name: `${SLOW_KINDS[kind]} of ${call.route} as ${call.who}` };
    }),
  );
  await within(forMs, () => all.every(({ connection }) => connection.closed));
  const left = all.filter(({ connection }) => !connection.closed).map(({ name }) => name);
  for (const { connection } of all) connection.end();
  return left;
}

function slowStream(call: Call, kind: number): [begin: Buffer | string, drip: () => Buffer | string] {
  const { body, ...head } = call.request();
  // Long enough that a byte at a time takes more than the time for a header.
  const padded = { ...head.headers, 'x-long': 'a'.repeat(400) };
  const bytes = wire({ ...head, headers: padded, body: body ?? Buffer.alloc(0) });
  if (kind === 0) {
    let at = 0;
    return ['', () => bytes.subarray(at, ++at)];
  }
  if (kind === 1) {
    const cut = bytes.subarray(0, bytes.indexOf('\r\n\r\n') + 2);
    return [cut, () => 'x-slow: 1\r\n'];
  }
  const { method, target, headers } = head;
  const post = { method: method === 'GET' ? 'POST' : method, target };
  if (kind === 2) return [wire({ ...post, headers: { ...headers, 'content-length': '30000' } }), () => ' '];
  return [wire({ ...post, headers: { ...headers, 'transfer-encoding': 'chunked' } }), () => '1\r\n \r\n'];
}

/** What is done before the connection is reset, given a request's bytes and the length of its head. */
const MOMENTS: readonly ((
  connection: HostileConnection,
  bytes: Buffer,
  head: number,
) => Promise<unknown> | undefined)[] = [
  () => undefined,
  (connection, bytes) => {
    connection.write(bytes.subarray(0, 10));
    return undefined;
  },
  (connection, bytes, head) => {
    connection.write(bytes.subarray(0, head - 2));
    return pause(1);
  },
  (connection, bytes, head) => {
    connection.write(bytes.subarray(0, head));
    return pause(1);
  },
  (connection, bytes, head) => {
    connection.write(bytes.subarray(0, head + Math.ceil((bytes.length - head) / 2)));
    return pause(2);
  },
  (connection, bytes) => {
    connection.write(bytes);
    return undefined;
  },
  (connection, bytes) => {
    connection.write(bytes);
    return new Promise((resolve) => setImmediate(resolve));
  },
  (connection, bytes) => {
    connection.write(bytes);
    return pause(2);
  },
  (connection, bytes) => {
    connection.write(bytes);
    return pause(10);
  },
  (connection, bytes) => {
    connection.read().write(bytes);
    return answerOrEnd(connection);
  },
  (connection, bytes) => {
    connection.read().write(Buffer.concat([bytes, bytes, bytes]));
    return answerOrEnd(connection);
  },
];

const answerOrEnd = (connection: HostileConnection): Promise<void> =>
  within(200, () => connection.answers > 0 || connection.closed);

/** Sends each and resets the connection at one moment after another. */
export async function resetting(
  requests: readonly { readonly port: number; readonly bytes: Buffer }[],
  connections: number,
  { tally }: Pick<Target, 'tally'>,
): Promise<void> {
  const all = requests.flatMap((request) => MOMENTS.map((moment) => ({ ...request, moment })));
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let one = all[next++]; one; one = all[next++]) {
        const { port, bytes, moment } = one;
        const connection = await HostileConnection.open(port, tally);
        const end = bytes.indexOf('\r\n\r\n');
        await moment(connection, bytes, end < 0 ? bytes.length : end + 4);
        connection.reset();
      }
    }),
  );
}

const MEGABYTE = 1024 * 1024;
const commas = Buffer.alloc(16 * MEGABYTE, ',');
const quoted = Buffer.concat([Buffer.from('"'), Buffer.alloc(16 * MEGABYTE, 'x'), Buffer.from('"')]);
const packed = gzipSync(Buffer.alloc(64 * MEGABYTE, ','));
const header = Buffer.from('reference,transactionRef,type,amount,fee,currency,status,settledAt\n');

interface Large {
  readonly bytes: Buffer;
  /** The rest of it never comes, so it may have no answer for as long as a request may take. */
  readonly unfinished?: true;
}

/** Requests with too much of something, those that a call takes at all. */
export function oversized(call: Call): Large[] {
  const { method, target, headers, body } = call.request();
  const post = { method: 'POST', target };
  const json = { ...headers, 'content-type': 'application/json' };
  const whole = (bytes: Buffer): Large => ({ bytes });
  const sent = (bytes: Buffer, more: Record<string, string> = {}): Large =>
    whole(wire({ ...post, headers: { ...headers, ...more }, body: bytes }));
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`x-${index}`, 'y']));
  const common: Large[] = [
    whole(
      wire({
        method,
        target: `${target}${target.includes('?') ? '&' : '?'}${'a'.repeat(20_000)}`,
        headers,
        body,
      }),
    ),
    whole(wire({ method, target, headers: { ...headers, 'x-large': 'a'.repeat(60_000) }, body })),
    whole(wire({ method, target, headers: { ...headers, ...many }, body })),
    whole(wire({ ...post, headers: json, body: Buffer.alloc(MEGABYTE, ' ') })),
    {
      bytes: wire({ ...post, headers: { ...json, 'content-length': String(1024 * MEGABYTE) } }),
      unfinished: true,
    },
  ];
  if (call.media === undefined) return common;
  if (call.media === 'text/csv')
    return [
      ...common,
      sent(commas),
      sent(Buffer.concat([header, commas])),
      sent(quoted),
      sent(Buffer.concat([header, quoted])),
      sent(Buffer.concat([header, Buffer.alloc(8 * MEGABYTE, '\n')])),
      sent(packed, { 'content-encoding': 'gzip' }),
    ];
  return [
    ...common,
    sent(Buffer.from(`${'['.repeat(16_000)}${']'.repeat(16_000)}`)),
    sent(Buffer.from(`{"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_001)}`)),
    sent(Buffer.from(`{${Array.from({ length: 3_000 }, (_, index) => `"k${index}":1`).join(',')}}`)),
    sent(Buffer.from(JSON.stringify({ reference: 'x'.repeat(32_000), amount: '1'.repeat(500) }))),
    sent(Buffer.from(JSON.stringify({ client_ref: 'a=&'.repeat(80_000) }))),
    {
      bytes: Buffer.concat([
        wire({ ...post, headers: { ...headers, 'transfer-encoding': 'chunked' } }),
        Buffer.from('1\r\n \r\n'.repeat(30_000)),
      ]),
      unfinished: true,
    },
  ];
}

/** Sends the requests, so many at a time, and waits for each one's answer or end. Those that are unfinished stay open meanwhile. */
export async function sendLarge(
  requests: readonly Large[],
  port: number,
  connections: number,
  { tally }: Pick<Target, 'tally'>,
  forMs: number,
): Promise<void> {
  const unanswered: HostileConnection[] = [];
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      const mine = connections > 1 ? [requests[index % requests.length] as Large] : requests;
      for (const { bytes, unfinished } of mine) {
        const connection = await HostileConnection.open(port, tally);
        connection.read().write(bytes);
        if (unfinished) {
          unanswered.push(connection);
          continue;
        }
        await within(forMs, () => connection.answers > 0 || connection.closed);
        connection.end();
      }
    }),
  );
  for (const connection of unanswered) connection.end();
}
