import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../setup/free-port.js';
import { connect } from 'node:net';
import { startProbe, type Probe } from './probe-app.js';
import { expectProblem, send } from './wire.js';

describe('with a port for the merchant and one for machines', () => {
  let probe: Probe;
  let merchant: number;
  let management: number;

  beforeAll(async () => {
    [merchant, management] = await Promise.all([freePort(), freePort()]);
    probe = await startProbe({ merchantPort: merchant, managementPort: management });
  });
  afterAll(() => probe?.app.close());

  test('each route is at its own port only, and nothing is elsewhere', async () => {
    const ports = { payers: probe.port, merchant, management };
    const places: Record<string, (keyof typeof ports)[]> = {
      '/v1/things/1': ['payers'],
      '/console': ['merchant'],
      '/v1/both': ['payers', 'merchant'],
      '/health/live': ['management'],
    };
    for (const [path, open] of Object.entries(places)) {
      for (const [door, port] of Object.entries(ports) as [keyof typeof ports, number][]) {
        for (const method of ['GET', 'HEAD', 'DELETE']) {
          const { status } = await send(port, method, path);
          const expected = method === 'DELETE' ? 405 : 200;
          expect([path, door, method, status]).toEqual([
            path,
            door,
            method,
            open.includes(door) ? expected : 404,
          ]);
        }
      }
    }
  });

  test('the page at the merchant’s port may call it, by whatever name it is reached', async () => {
    const own = { host: `till.internal:${merchant}`, origin: `http://till.internal:${merchant}` };
    expect((await send(merchant, 'POST', '/v1/merchants', own)).status).toBe(201);
    expectProblem(
      await send(merchant, 'POST', '/v1/merchants', { ...own, host: 'else.internal' }),
      'origin-not-allowed',
      403,
    );
    const payers = { host: 'evil.example', origin: 'http://evil.example' };
    expectProblem(await send(probe.port, 'GET', '/v1/both', payers), 'origin-not-allowed', 403);
  });

  test('a client may stop at any moment', async () => {
    for (const port of [probe.port, merchant, management]) {
      for (const bytes of [
        'GET / HTTP/1.1\r\nHost: h\r\n',
        'CONNECT a:1 HTTP/1.1\r\nHost: h\r\n\r\n',
        '\x16\x03\x01',
      ])
        for (const times of [1, 2, 3]) await reset(port, bytes.repeat(times));
    }
    expect((await send(management, 'GET', '/health/live')).status).toBe(200);
  });
});

describe('with one port', () => {
  test('all of it is there', async () => {
    const probe = await startProbe();
    for (const path of ['/v1/things/1', '/console', '/v1/both', '/health/live'])
      expect([path, (await send(probe.port, 'GET', path)).status]).toEqual([path, 200]);
    await probe.app.close();
  });
});

describe('a connection', () => {
  test('on which nothing moves is closed', async () => {
    const probe = await startProbe({}, { limits: { idle: 300 } });
    probe.app.getHttpServer().timeout = 300;
    const began = performance.now();
    expect((await send(probe.port, 'GET', '/v1/slow?wait=5000')).text).toBe('');
    expect(performance.now() - began).toBeLessThan(4_000);
    await probe.app.close();
  });
});

/** Sends a little and resets the connection. */
function reset(port: number, bytes: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes, () => socket.resetAndDestroy());
    });
    socket.on('error', () => undefined).on('close', () => resolve());
  });
}
