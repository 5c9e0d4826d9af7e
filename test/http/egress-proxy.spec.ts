import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Secret } from '../../src/secrets/secret.js';
import { WebhookSender } from '../../src/merchant-webhooks/webhook-sender.js';
import { Transport, type TransportResult } from '../../src/gateway/transport/transport.js';

/** `EGRESS_PROXY_URL`: the gateway and the webhook are reached by the proxy alone. */

let target: Server;
let proxy: Server;
let arrived: string[];
/** What the proxy was asked for, and with which credentials. */
let asked: (string | undefined)[][];
let answers: 'tunnel' | 'refusal' = 'tunnel';

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  [arrived, asked] = [[], []];
  target = createServer((request, response) => {
    arrived.push(request.url ?? '');
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  }).listen(0, '127.0.0.1');
  proxy = createServer().listen(0, '127.0.0.1');
  proxy.on('connect', (request, socket) => {
    asked.push([request.url, request.headers['proxy-authorization']]);
    if (answers === 'refusal') {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const beyond = connect(portOf(target), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      beyond.pipe(socket).pipe(beyond);
    });
    beyond.on('error', () => socket.destroy());
    socket.on('error', () => beyond.destroy());
  });
  await Promise.all([once(target, 'listening'), once(proxy, 'listening')]);
});
afterAll(() => {
  for (const server of [target, proxy]) {
    server.closeAllConnections();
    server.close();
  }
});

const proxied = (): Secret => new Secret(`http://till:pa%20ss@127.0.0.1:${portOf(proxy)}`);
const credentials = `Basic ${Buffer.from('till:pa ss').toString('base64')}`;

async function post(): Promise<TransportResult> {
  const config = { baseUrl: 'http://gateway.invalid', timeoutMs: 5_000, tls: {}, egressProxy: proxied() };
  const transport = new Transport(config);
  const deadline = performance.now() + 5_000;
  const result = await transport.send({ method: 'POST', path: '/pay', headers: {}, body: '{}', deadline });
  await transport.close();
  return result;
}

test('a call of the gateway goes through it, and the proxy resolves the name', async () => {
  expect(await post()).toMatchObject({ kind: 'response', status: 200 });
  expect(arrived).toEqual(['/pay']);
  expect(asked).toEqual([['gateway.invalid:80', credentials]]);
});

test('where the proxy refuses, nothing was sent', async () => {
  answers = 'refusal';
  const before = arrived.length;
  expect(await post()).toMatchObject({ kind: 'not-sent', reason: 'refused' });
  expect(arrived).toHaveLength(before);
  answers = 'tunnel';
});

test('an event goes through it too', async () => {
  const sender = new WebhookSender({
    url: 'http://shop.invalid/hooks',
    secrets: new Secret([`whsec_${Buffer.alloc(32, 1).toString('base64')}`]),
    proxy: proxied(),
    connections: 1,
  });
  expect(await sender.send({ id: 'evt_1', body: '{}' })).toEqual({ kind: 'answered', status: 200 });
  expect(arrived.at(-1)).toBe('/hooks');
  expect(asked.at(-1)?.[0]).toBe('shop.invalid:80');
  await sender.close();
});
