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
import { Secret } from '../secrets/secret.js';
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
    secrets: new Secret(secrets),
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

test('nothing is sent unsigned', async () => {
  const shop = await receiver();
  expect(await sender(shop.url, { secrets: new Secret<readonly string[]>([]) }).send(event)).toEqual({
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
