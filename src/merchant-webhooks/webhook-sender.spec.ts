import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import {
  startWebhookReceiver,
  type ReceiverAnswer,
  type WebhookReceiver,
} from '../../test/harness/webhook-receiver.js';
import { until } from '../../test/harness/until.js';
import { WebhookSender, type WebhookSenderOptions } from './webhook-sender.js';

const secrets = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)].map((key) => `whsec_${key.toString('base64')}`);
const event = { id: 'evt_1', body: '{"id":"evt_1","type":"payment.succeeded","data":{"city":"Ìkòyí"}}' };
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function receiver(answer?: ReceiverAnswer): Promise<WebhookReceiver> {
  const started = await startWebhookReceiver();
  if (answer !== undefined) started.answerWith(answer);
  closers.push(() => started.close());
  return started;
}

function sender(url: string, options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const made = new WebhookSender({
    url,
    allowPrivate: true,
    secrets: () => secrets,
    connections: 4,
    timeoutMs: 30_000,
    ...options,
  });
  closers.push(() => made.close());
  return made;
}

test('what arrives is the event’s body, and verifies with either secret', async () => {
  const shop = await receiver();
  expect(await sender(shop.url).send(event)).toEqual({ kind: 'answered', status: 200 });
  const [request] = shop.received;
  expect(request).toMatchObject({ method: 'POST', path: '/hooks?of=tillfront', text: event.body });
  expect(request?.headers['content-type']).toBe('application/json');
  expect(request?.headers['webhook-id']).toBe('evt_1');
  for (const secret of secrets) new Webhook(secret).verify(event.body, request?.headers ?? {});
});

test('a secret that is replaced while it runs signs the next attempt', async () => {
  const shop = await receiver();
  let current = [secrets[0] ?? ''];
  const posting = sender(shop.url, { secrets: () => current });
  await posting.send(event);
  current = [secrets[1] ?? ''];
  await posting.send(event);
  expect(() =>
    new Webhook(secrets[1] ?? '').verify(event.body, shop.received[1]?.headers ?? {}),
  ).not.toThrow();
  expect(() => new Webhook(secrets[0] ?? '').verify(event.body, shop.received[1]?.headers ?? {})).toThrow();
});

test('nothing is sent unsigned', async () => {
  const shop = await receiver();
  expect(await sender(shop.url, { secrets: () => [] }).send(event)).toEqual({
    kind: 'failed',
    reason: 'no_secret',
  });
  expect(shop.received).toHaveLength(0);
});

test.each([[204], [302], [404], [410], [500]])('status %i is what it says', async (status) => {
  const shop = await receiver({ status });
  expect(await sender(shop.url).send(event)).toEqual({ kind: 'answered', status });
});

test.each([[301], [302], [303], [307], [308]])('a redirect by %i is not followed', async (status) => {
  const elsewhere = await receiver();
  const shop = await receiver({ status, headers: { location: elsewhere.url } });
  expect(await sender(shop.url).send(event)).toEqual({ kind: 'answered', status });
  expect(elsewhere.received).toHaveLength(0);
});

test('no proxy of the environment is used', async () => {
  const shop = await receiver();
  const proxy = await receiver();
  const before = process.env['http_proxy'];
  process.env['http_proxy'] = proxy.url;
  try {
    await sender(shop.url).send(event);
  } finally {
    if (before === undefined) delete process.env['http_proxy'];
    else process.env['http_proxy'] = before;
  }
  expect([shop.received.length, proxy.received.length]).toEqual([1, 0]);
});

describe('a server that breaks down', () => {
  test.each<[ReceiverAnswer & string, string]>([
    ['hang', 'timeout'],
    ['trickling-head', 'timeout'],
    ['reset', 'no_answer'],
    ['cut', 'no_answer'],
    ['not-http', 'no_answer'],
  ])('%s: %s', async (answer, reason) => {
    const shop = await receiver(answer);
    // What ends by itself may take its time.
    const timeoutMs = reason === 'timeout' ? 2_000 : 30_000;
    expect(await sender(shop.url, { timeoutMs }).send(event)).toMatchObject({ kind: 'failed', reason });
  });

  test('nobody listens', async () => {
    const shop = await receiver();
    await shop.close();
    expect(await sender(shop.url).send(event)).toMatchObject({ kind: 'failed', reason: 'unreachable' });
  });

  test('an attempt that is interrupted says so', async () => {
    const shop = await receiver('hang');
    const posting = sender(shop.url);
    const attempt = posting.send(event);
    await until(() => shop.received.length === 1);
    posting.interrupt();
    expect(await attempt).toEqual({ kind: 'failed', reason: 'interrupted' });
  });
});

describe('what follows the head of the answer', () => {
  test.each<[ReceiverAnswer & string]>([['trickling-body'], ['endless-body']])(
    '%s does not change what was answered, and is not read on',
    async (answer) => {
      const shop = await receiver(answer);
      const began = Date.now();
      expect(await sender(shop.url).send(event)).toEqual({ kind: 'answered', status: 200 });
      // Far sooner than at the end of its time.
      expect(Date.now() - began).toBeLessThan(15_000);
      await shop.close();
      // What fits into the buffers of both ends, but no more.
      expect(shop.mostBytesTaken).toBeLessThan(32 * 1_048_576);
    },
  );

  test('a short one lets the connection be used again', async () => {
    const shop = await receiver({ status: 200, body: '{"ok":true}' });
    const posting = sender(shop.url);
    for (let n = 0; n < 10; n++) await posting.send(event);
    expect(shop.received).toHaveLength(10);
    expect(shop.connections).toBeLessThanOrEqual(2);
  });
});

describe('an address that is not public', () => {
  test.each([['http://127.0.0.1'], ['http://[::1]'], ['http://2130706433'], ['http://0x7f.1']])(
    '%s is not called',
    async (host) => {
      const shop = await receiver();
      const url = new URL(host);
      url.port = new URL(shop.url).port;
      expect(await sender(url.href, { allowPrivate: false }).send(event)).toEqual({
        kind: 'failed',
        reason: 'private_address',
      });
      expect(shop.connections).toBe(0);
    },
  );

  test('nor is a name that leads there, whatever it led to before', async () => {
    const shop = await receiver();
    const url = new URL(shop.url);
    url.hostname = 'shop.example';
    const answers = ['2001:db8::1', '127.0.0.1', '169.254.169.254'];
    const posting = sender(url.href, {
      allowPrivate: false,
      resolve: () => {
        const address = answers.shift() ?? '';
        return Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }]);
      },
    });
    for (let n = 0; n < 3; n++) {
      expect(await posting.send(event)).toEqual({ kind: 'failed', reason: 'private_address' });
    }
    expect(shop.connections).toBe(0);
  });

  test('is called where that is allowed', async () => {
    const shop = await receiver();
    const url = new URL(shop.url);
    url.hostname = 'shop.internal';
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    expect(await sender(url.href, { resolve }).send(event)).toEqual({ kind: 'answered', status: 200 });
  });

  test('a name that cannot be resolved is unreachable', async () => {
    const posting = sender('http://shop.invalid/', {
      resolve: () => Promise.reject(Object.assign(new Error('no such host'), { syscall: 'getaddrinfo' })),
    });
    expect(await posting.send(event)).toMatchObject({ kind: 'failed', reason: 'unreachable' });
  });

  test('connections made together ask the resolver once', async () => {
    const shop = await receiver({ status: 200, afterMs: 50 });
    const url = new URL(shop.url);
    url.hostname = 'shop.internal';
    let asked = 0;
    const posting = sender(url.href, {
      resolve: async () => {
        asked += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    await Promise.all([1, 2, 3, 4].map(() => posting.send(event)));
    expect([shop.connections, asked]).toEqual([4, 1]);
  });
});

describe('over TLS', () => {
  let key: string;
  let cert: string;

  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tillfront-test-tls-'));
    execFileSync('openssl', [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '1',
      ],
      ...['-subj', '/CN=shop.internal', '-keyout', join(directory, 'key'), '-out', join(directory, 'cert')],
    ]);
    key = readFileSync(join(directory, 'key'), 'utf8');
    cert = readFileSync(join(directory, 'cert'), 'utf8');
    await rm(directory, { recursive: true });
  });

  test.each([
    ['a certificate that nobody vouches for', {}],
    ['TLS 1.1', { maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const],
  ])('%s is refused, and nothing is sent', async (_what, options) => {
    const shop = await startWebhookReceiver({ key, cert, ...options });
    closers.push(() => shop.close());
    expect(await sender(shop.url).send(event)).toMatchObject({
      kind: 'failed',
      reason: 'tls',
    });
    expect(shop.received).toHaveLength(0);
  });
});
