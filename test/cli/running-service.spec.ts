import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import type { Sandbox } from '../../sandbox/server.ts';
import { startTestSandbox } from '../harness/sandbox.js';
import { startTillfront, testKeys, type Tillfront } from '../harness/tillfront.js';
import { startWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver.js';
import { freePort } from '../setup/free-port.js';
import { runBuiltCli, runCli } from './run-cli.js';

const WEBHOOK_SECRET = 'whsec_5TbdCl0vYF0XwJYqoaRh0Jm3s4iSqVnC';

let sandbox: Sandbox;
let shop: WebhookReceiver;
let tillfront: Tillfront;
/** What the operator of the service has in the environment. */
let env: Record<string, string | undefined>;
const outputs: string[] = [];

beforeAll(async () => {
  [sandbox, shop] = await Promise.all([startTestSandbox(), startWebhookReceiver()]);
  // Events that are not genuine are refused, as a shop does.
  shop.answerWith(({ text, headers }) => {
    try {
      new Webhook(WEBHOOK_SECRET).verify(text, headers);
      return { status: 204 };
    } catch {
      return { status: 401 };
    }
  });
  const ports = { MERCHANT_PORT: String(await freePort()), MANAGEMENT_PORT: String(await freePort()) };
  const webhook = { MERCHANT_WEBHOOK_URL: shop.url, MERCHANT_WEBHOOK_SECRET: WEBHOOK_SECRET };
  tillfront = await startTillfront({
    store: 'embedded',
    gatewayUrl: sandbox.url,
    env: { ...ports, ...webhook },
  });
  env = {
    ...ports,
    ...webhook,
    PORT: String(tillfront.port),
    GATEWAY_BASE_URL: sandbox.url,
    GATEWAY_API_KEY: testKeys.apiKey,
    GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
    DATA_DIR: tillfront.dataDir,
    MERCHANT_API_KEY: `anna=${tillfront.merchantKey},other-key-0123456789abcdef`,
  };
});
afterAll(async () => {
  for (const output of outputs)
    for (const secret of [...Object.values(testKeys), WEBHOOK_SECRET]) expect(output).not.toContain(secret);
  await tillfront?.stop();
  await Promise.all([sandbox?.close(), shop?.close()]);
});

async function cli(args: string[], changed: Record<string, string | undefined> = {}) {
  const finished = await runCli(args, { ...env, ...changed });
  outputs.push(finished.stdout, finished.stderr);
  return finished;
}

interface Body {
  id: string;
  status: string;
  code: string;
  clientToken: string;
  payer: object;
  expiresAt: string;
  createdAt: string;
  data: { id: string; reference: string }[];
}

const json = (text: string): Body => JSON.parse(text) as Body;

const SESSION = ['reference=CLI-1', 'amount=1500', 'currency=NGN', 'payer.email=ada@example.com'];

describe('api', () => {
  test('makes calls with content by name, and finds ports and keys by the variables', async () => {
    const made = await cli(['api', 'post', '/v1/checkout-sessions', ...SESSION, 'expiresInSeconds=600']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const session = json(made.stdout);
    expect(session).toMatchObject({ reference: 'CLI-1', amount: '1500.00' });
    expect(session.payer).toMatchObject({ email: 'ada@example.com' });
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(600_000);

    // A client token is a payer's, who is served on PORT.
    const paid = await cli(['api', 'POST', 'v1/payments/wallet'], { TILLFRONT_API_KEY: session.clientToken });
    expect(paid).toMatchObject({ code: 0, stderr: '' });

    const listed = await cli(['api', 'GET', '/v1/payments?limit=5', 'reference=CLI-1']);
    expect(json(listed.stdout).data).toEqual([expect.objectContaining({ reference: 'CLI-1' })]);
  });

  test('sends a file or JSON values, and the same key again', async () => {
    const file = join(tillfront.dataDir, 'session.json');
    await writeFile(file, JSON.stringify({ reference: 'CLI-2', amount: '10.00', currency: 'NGN' }));
    const call = ['api', 'POST', '/v1/checkout-sessions', '--idempotency-key', 'once'];
    const [first, again] = [await cli([...call, `@${file}`]), await cli([...call, `@${file}`])];
    expect(json(again.stdout).id).toBe(json(first.stdout).id);
    const other = await cli([
      'api',
      'POST',
      '/v1/checkout-sessions',
      ...['reference=CLI-3', 'amount=1.00', 'currency=NGN', 'expiresInSeconds=600', 'metadata.cart=42'],
    ]);
    expect(json(other.stdout)).toMatchObject({ reference: 'CLI-3', metadata: { cart: '42' } });
  });

  test('a refusal goes to the standard error', async () => {
    const refused = await cli(['api', 'GET', '/v1/payments/pay_nothing']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(json(refused.stderr)).toMatchObject({ status: 404, code: 'not-found' });
    const unauthorized = await cli(['api', 'GET', '/v1/payments'], { TILLFRONT_API_KEY: 'of-nobody' });
    expect(json(unauthorized.stderr).code).toBe('unauthorized');
  });

  test.each([
    [['api', 'PUT', '/v1/payments'], 2],
    [['api', 'GET', '/v1/payments', 'status'], 2],
    [['api', 'POST', '/v1/payments', '@one', '@two'], 2],
    [['api', 'POST', '/v1/payments', '@/nowhere'], 4],
  ])('%j is refused before anything is sent', async (args, code) => {
    expect(await cli(args)).toMatchObject({ code, stdout: '' });
  });

  test('a missing key and a service that is not there are named', async () => {
    expect(await cli(['api', 'GET', '/v1/payments'], { MERCHANT_API_KEY: undefined })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('TILLFRONT_API_KEY'),
    });
    const TILLFRONT_URL = `http://127.0.0.1:${await freePort()}`;
    expect(await cli(['api', 'GET', '/v1/payments'], { TILLFRONT_URL })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('ECONNREFUSED'),
    });
  });
});

describe('health', () => {
  test('is 0 where a payment could be recorded, also of the built command', async () => {
    expect(await cli(['health'])).toEqual({ code: 0, stdout: 'ready\n', stderr: '' });
    expect((await runBuiltCli(['health', '--live'], env)).code).toBe(0);
  });

  test('is 1 where nothing answers, or something else', async () => {
    expect((await cli(['health'], { MANAGEMENT_PORT: String(await freePort()) })).code).toBe(1);
    const other = createServer((_request, response) => response.end('<html>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const TILLFRONT_URL = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect((await cli(['health'], { TILLFRONT_URL })).code).toBe(1);
    await new Promise((resolve) => other.close(resolve));
  });
});

describe('doctor', () => {
  test('is 0 where payments work, and has tried the webhook', async () => {
    const { code, stdout } = await cli(['doctor']);
    expect(stdout).not.toContain('PROBLEM');
    for (const check of ['configuration', 'store', 'gateway', 'webhook', 'readiness'])
      expect(stdout).toMatch(new RegExp(`^ok +${check} `, 'm'));
    expect(code).toBe(0);
    expect(shop.received.some(({ json: event }) => event.type === 'tillfront.test')).toBe(true);
  });

  test.each([
    ['a malformed variable', { PORT: 'x' }, 'configuration'],
    ['a folder that cannot be made', { DATA_DIR: '/proc/nowhere' }, 'store'],
    [
      'a database that is not there',
      { DATABASE_URL: 'postgres://u:of-tillfront@127.0.0.1:1/nothing' },
      'store',
    ],
    ['a wrong credential', { GATEWAY_ACCESS_TOKEN: 'of-somebody-else' }, 'gateway'],
    ['a gateway that is not there', { GATEWAY_BASE_URL: 'http://127.0.0.1:1' }, 'gateway'],
    [
      'a wrong secret',
      { MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 3).toString('base64')}` },
      'webhook',
    ],
    ['a service that does not run', { MANAGEMENT_PORT: '1' }, 'readiness'],
  ])('%s is a problem with a remedy, and no value is shown', async (_what, changed, check) => {
    const { code, stdout } = await cli(['doctor'], changed);
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^PROBLEM +${check} .*(\\n(?!PROBLEM|ok|WARNING).*)*-> `, 'm'));
    expect(stdout).not.toMatch(/of-tillfront|of-somebody-else|whsec_/);
  });
});
