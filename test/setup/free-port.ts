import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections: one of those would take a free port before it is used. */
const [LOWEST, HIGHEST] = [15_000, 32_000];
const TRIES = 50;

/** Each of jest's workers takes from a part of them that is its own: a port is free until its service has started, seconds later. */
const PARTS = 8;
const SIZE = Math.floor((HIGHEST - LOWEST) / PARTS);
const FIRST = LOWEST + (Number(process.env['JEST_WORKER_ID'] ?? 0) % PARTS) * SIZE;
/** What this file's tests were given already, used or not. */
const given = new Set<number>();

/** A port of 127.0.0.1 on which nobody listens. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < TRIES; tried++) {
    const port = randomInt(FIRST, FIRST + SIZE);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port on 127.0.0.1');
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, '127.0.0.1', () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
