import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startScene, type Scene } from '../harness/scene.js';
import { until } from '../harness/until.js';
import { freePort } from '../setup/free-port.js';

/** Clients that ask for all they can and read nothing: others are served meanwhile, and nothing grows with what they ask. */

let scene: Scene;
let management: number;

beforeAll(async () => {
  management = await freePort();
  scene = await startScene('embedded', { MANAGEMENT_PORT: String(management), LOG_LEVEL: 'warn' });
});
afterAll(() => scene?.stop());

const handles = (): number => readdirSync(`/proc/${scene.tillfront.pid}/fd`).length;
const memoryMiB = (): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${scene.tillfront.pid}/status`, 'utf8'))?.[1]) / 1024;

/** Sends 63 KiB of one request, and reads nothing. */
function greedy(port: number, path: string): Socket {
  const request = `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(request.repeat(Math.floor(64_512 / request.length)));
  return socket;
}

/** Milliseconds of the slowest of so many questions of somebody else, one after the other. */
async function slowest(count: number): Promise<number> {
  let most = 0;
  for (let each = 0; each < count; each++) {
    const began = performance.now();
    const answer = await fetch(`${scene.tillfront.url}/v1/payments/none`);
    expect(answer.status).toBe(401);
    most = Math.max(most, performance.now() - began);
  }
  return most;
}

const figures: unknown[] = [];
afterAll(() => {
  if (process.env['SHOW_FIGURES'] !== undefined) process.stdout.write(`${JSON.stringify(figures)}\n`);
});

test.each([
  ['/metrics', () => management],
  ['/docs/swagger-ui-bundle.js', () => scene.tillfront.port],
  ['/openapi.json', () => scene.tillfront.port],
  ['/checkout', () => scene.tillfront.port],
])(
  'twenty of them ask for %s',
  async (path, port) => {
    await fetch(`http://127.0.0.1:${port()}${path}`);
    await slowest(50);
    const before = { handles: handles(), memory: memoryMiB() };
    const sockets = Array.from({ length: 20 }, () => greedy(port(), path));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    const longest = await slowest(200);
    const more = { handles: handles() - before.handles, memory: memoryMiB() - before.memory };
    figures.push({ path, longest, ...more });
    expect(more.handles).toBeLessThan(60);
    expect(more.memory).toBeLessThan(100);
    // A busy machine has taken a second for one of so many; seven were the fault.
    expect(longest).toBeLessThan(2_500);
    for (const socket of sockets) socket.destroy();
    await until(() => handles() < before.handles + 5);
  },
  120_000,
);

test('one that never reads is cut', async () => {
  // More than the buffers of both ends hold.
  const socket = greedy(scene.tillfront.port, '/docs/swagger-ui-bundle.js');
  let closed = false;
  socket.on('close', () => (closed = true));
  const counted = async (): Promise<boolean> =>
    (await (await fetch(`http://127.0.0.1:${management}/metrics`)).text()).includes(
      'tillfront_connections_cut_total{reason="unread"} 1',
    );
  await until(counted, 90_000);
  // Once it reads what is left, it finds the end.
  socket.resume();
  await until(() => closed);
}, 150_000);
