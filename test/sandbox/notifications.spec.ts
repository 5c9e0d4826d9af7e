import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Json, SandboxClient, until } from './sandbox-client.js';

interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  json: Json;
}

let received: Received[];
let answers: number[];
let receiver: Server;
let url: string;
let client: SandboxClient;

beforeEach(async () => {
  received = [];
  answers = [];
  receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, text, json: JSON.parse(text) as Json });
      response.writeHead(answers.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  client = await SandboxClient.start({
    settings: { notifyUrl: url, notifySecret: 'hook-secret', notifyRetryMs: 20 },
  });
});
afterEach(async () => {
  await client.close();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

const mode = (value: string, delayMs?: number) =>
  client.post('/sandbox/notifications', { mode: value, delayMs });
const quiet = () => new Promise((resolve) => setTimeout(resolve, 150));

test('every move is told, with the secret; waiting for the payer is not', async () => {
  const { ref } = await client.pay({ cardNumber: '4000000000000804' });
  await quiet();
  expect(received).toEqual([]);
  await client.post(`/sandbox/transactions/${ref}/approve`);
  await until(() => received.length === 1);
  expect(received[0]?.json).toMatchObject({
    client_ref: ref,
    status: 'SUCCESS',
    amount: '1500.00',
    currency: 'NGN',
  });
  expect(received[0]?.headers['x-notification-secret']).toBe('hook-secret');
  await client.post(`/sandbox/transactions/${ref}/reverse`);
  await until(() => received.length === 2);
  expect(received[1]?.json.status).toBe('VOIDED');
});

test('is sent again until a 2xx, and no more after it', async () => {
  answers = [503, 302, 204];
  const { ref } = await client.pay();
  await until(() => received.length === 3);
  await quiet();
  expect(received.length).toBe(3);
  // It knows of the third answer a moment after that was given.
  await until(() => client.sandbox.notifications.list(ref)[0]?.state === 'delivered');
  const [record] = client.sandbox.notifications.list(ref);
  expect(record).toMatchObject({
    state: 'delivered',
    attempts: [{ status: 503 }, { status: 302 }, { status: 204 }],
  });
});

test('dropped: nothing arrives, and the record says why', async () => {
  await mode('drop');
  const { ref } = await client.pay();
  await quiet();
  expect(received).toEqual([]);
  expect(client.sandbox.notifications.list(ref)).toMatchObject([{ state: 'dropped' }]);
});

test('duplicated: the same twice', async () => {
  await mode('duplicate');
  await client.pay();
  await until(() => received.length === 2);
  expect(received[0]?.text).toBe(received[1]?.text);
});

test('reordered: the later one arrives first', async () => {
  await mode('reorder');
  const { ref } = await client.pay();
  await client.post(`/sandbox/transactions/${ref}/reverse`);
  await until(() => received.length === 2);
  expect(received.map(({ json }) => json.status)).toEqual(['VOIDED', 'SUCCESS']);
});

test('delayed by what was asked for', async () => {
  await mode('delay', 300);
  const begun = performance.now();
  await client.pay();
  await until(() => received.length === 1);
  expect(performance.now() - begun).toBeGreaterThan(290);
});

test('is sent once more on request, and nothing without an address', async () => {
  const { ref } = await client.pay();
  await until(() => received.length === 1);
  await client.post('/sandbox/notifications/send', { client_ref: ref });
  await until(() => received.length === 2);
  await client.post('/sandbox/config', { notifyUrl: '' });
  await client.pay();
  await quiet();
  expect(received.length).toBe(2);
});

test('a rehearsed operation tells nobody', async () => {
  await client.post('/sandbox/faults', { kind: 'contradiction', processed: false });
  await client.pay();
  await quiet();
  expect(received).toEqual([]);
});

test('the second dialect signs the raw body', async () => {
  await client.close();
  client = await SandboxClient.start({
    dialect: 'second',
    encryption: 'none',
    settings: { notifyUrl: url, notifySecret: 'hook-secret' },
  });
  client.sandbox.bank.charge(
    client.sandbox.ledger.open(
      { clientRef: 'A_1', method: 'wallet', amountMinor: 1n, currency: 'NGN' },
      'test',
    ),
    'test',
  );
  await until(() => received.length === 1);
  const signature = createHmac('sha256', 'hook-secret')
    .update(received[0]?.text ?? '')
    .digest('hex');
  expect(received[0]?.headers['x-hook-signature']).toBe(`sha256=${signature}`);
  expect(received[0]?.json).toMatchObject({ payment: { merchantRef: 'A_1', state: 'Settled' } });
});
