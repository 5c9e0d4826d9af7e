import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { answer, approved } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { until } from '../harness/until.js';

/** Clients that send a byte now and then and hold their connections: payments go on meanwhile, and they are shown out. */

/** A long run sets these: `npm run slow-clients -- --connections 1000 --seconds 60`. */
const CONNECTIONS = Number(process.env['SLOW_CONNECTIONS'] ?? 1_000);
const SECONDS = Number(process.env['SLOW_SECONDS'] ?? 4);

/** Headers must be there within 10 s, the whole request within 15 s; looked at every second, and a busy machine may be late. */
const LONGEST_HEADER_MS = 14_500;
const LONGEST_BODY_MS = 30_000;

const EVERY_MS = 500;

let scene: Scene;

beforeAll(async () => {
  scene = await startScene('embedded', { LOG_LEVEL: 'warn' });
  scene.gateway.script('POST /payment/card', answer(approved));
});
afterAll(() => scene.stop());

interface SlowClient {
  readonly openedAt: number;
  closedAt: number | undefined;
  answer: string;
  connected: boolean;
  end(): void;
}

/** Sends the beginning, then one byte every half second, for ever. */
function slowClient(beginning: string, drip: string): SlowClient {
  const socket: Socket = connect(scene.tillfront.port, '127.0.0.1');
  const client: SlowClient = {
    openedAt: Date.now(),
    closedAt: undefined,
    answer: '',
    connected: false,
    end: () => socket.destroy(),
  };
  socket.write(beginning);
  socket.on('connect', () => (client.connected = true));
  const timer = setInterval(() => socket.write(drip), EVERY_MS);
  socket.on('data', (data) => (client.answer += data.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearInterval(timer);
    client.closedAt = Date.now();
  });
  return client;
}

const HEAD = 'POST /v1/payments/card HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';

/** By turns: a header that never ends, a body that never ends, chunks that never end, nothing at all. */
const kinds: readonly [beginning: string, drip: string][] = [
  [HEAD, 'x-slow: 1\r\n'],
  [`${HEAD}content-length: 30000\r\n\r\n{`, ' '],
  [`${HEAD}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
  ['', ''],
];

/** Milliseconds that each of so many payments takes, one after the other, and the median of them. */
async function medianPayment(seconds: number): Promise<number> {
  const times: number[] = [];
  for (const end = Date.now() + seconds * 1000; Date.now() < end || times.length < 10;) {
    const session = await scene.client.createSession();
    const began = performance.now();
    expect((await scene.client.payCard(session)).status).toBe(201);
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

test(
  `payments go on while ${CONNECTIONS} slow clients hold connections`,
  async () => {
    await medianPayment(1);
    const before = await medianPayment(2);
    const clients = Array.from({ length: CONNECTIONS }, (_, index) =>
      slowClient(...(kinds[index % kinds.length] as [string, string])),
    );
    await until(() => clients.every(({ connected }) => connected));
    const during = await medianPayment(SECONDS);
    if (process.env['SLOW_CONNECTIONS'] !== undefined) {
      process.stdout.write(
        `median payment: ${before.toFixed(1)} ms alone, ${during.toFixed(1)} ms beside ${CONNECTIONS} slow clients\n`,
      );
    }
    for (const client of clients) client.end();
    await until(() => clients.every(({ closedAt }) => closedAt !== undefined));
    const after = await medianPayment(1);
    // the same order of size, on a machine that does other things too, now more and now less of them
    expect(during).toBeLessThan(Math.max(250, Math.max(before, after) * 8));
  },
  120_000 + SECONDS * 1_000,
);

test('each kind of slow client is shown out in time, with an answer', async () => {
  const clients = kinds.slice(0, 3).map(([beginning, drip]) => slowClient(beginning, drip));
  await until(() => clients.every(({ closedAt }) => closedAt !== undefined), 2 * LONGEST_BODY_MS);
  for (const [index, { answer: text, openedAt, closedAt }] of clients.entries()) {
    expect(text).toMatch(/^HTTP\/1\.1 408 .*"code":"request-timeout"/s);
    expect((closedAt ?? Infinity) - openedAt).toBeLessThan(index === 0 ? LONGEST_HEADER_MS : LONGEST_BODY_MS);
  }
});
