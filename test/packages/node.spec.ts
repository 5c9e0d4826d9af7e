import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Sandbox } from '../../sandbox/server.ts';
import type * as Package from '../../packages/tillfront-node/src/index.js';
import { signatureHeaders } from '../../src/webhooks/sender.js';
import { expectStatus, sessionRequest, TillfrontClient } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { freePort } from '../setup/free-port.js';
import { startLosingProxy, type LosingProxy } from './losing-proxy.js';
import { installPacked, runIn } from './packed.js';

/** packages/tillfront-node from its packed form, against the running service. */

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
let folder: string;
let shopPort: number;
let sandbox: Sandbox;
let tillfront: Tillfront;
let proxy: LosingProxy;
let payer: TillfrontClient;
let node: typeof Package;
let client: Package.Tillfront;

beforeAll(async () => {
  [folder, sandbox, shopPort] = await Promise.all([
    installPacked('tillfront-node'),
    startTestSandbox(),
    freePort(),
  ]);
  tillfront = await startTillfront({
    store: 'embedded',
    gatewayUrl: sandbox.url,
    env: {
      GATEWAY_PROFILE: resolve('sandbox/refunds.profile.json'),
      MERCHANT_WEBHOOK_URL: `http://127.0.0.1:${shopPort}/webhooks`,
      MERCHANT_WEBHOOK_SECRET: SECRET,
    },
  });
  proxy = await startLosingProxy(tillfront.url);
  payer = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  const main = join(folder, 'node_modules/tillfront-node/dist/index.js');
  node = (await import(pathToFileURL(main).href)) as typeof Package;
  client = new node.Tillfront({ url: proxy.url, apiKey: tillfront.merchantKey });
});
afterAll(async () => {
  await proxy?.close();
  await tillfront?.stop();
  await sandbox?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const newSession = () => sessionRequest() as unknown as Package.NewSession;

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function paid(): Promise<Package.Payment> {
  const session = await client.sessions.create(newSession());
  const { body } = expectStatus(await payer.payCard({ clientToken: session.clientToken ?? '' }), 201);
  return body as unknown as Package.Payment;
}

test('the package has its code, types, licence and README, and the version of the service', async () => {
  const installed = join(folder, 'node_modules/tillfront-node');
  const read = (path: string): Promise<string> => readFile(path, 'utf8');
  const own = JSON.parse(await read(join(installed, 'package.json'))) as Record<string, unknown>;
  const root = JSON.parse(await read('package.json')) as Record<string, unknown>;
  expect(own).toMatchObject({ version: root['version'], license: root['license'], private: false });
  expect(own).not.toHaveProperty('dependencies');
  expect(await read(join(installed, 'LICENSE'))).toBe(await read('LICENSE'));
  const lock = JSON.parse(await read(join(folder, 'package-lock.json'))) as { packages: object };
  expect(Object.keys(lock.packages)).toEqual(['', 'node_modules/tillfront-node']);
});

test('the shop of its README takes a payment, as it is printed', async () => {
  const readme = await readFile('packages/tillfront-node/README.md', 'utf8');
  const code = /^```js file=shop\.mjs\n([^]*?)^```$/m.exec(readme)?.[1] ?? '';
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(22);
  await writeFile(join(folder, 'shop.mjs'), code.replace('8080', String(shopPort)));
  const shop = spawn(process.execPath, ['shop.mjs'], {
    cwd: folder,
    env: {
      TILLFRONT_URL: tillfront.url,
      MERCHANT_API_KEY: tillfront.merchantKey,
      MERCHANT_WEBHOOK_SECRET: SECRET,
    },
  });
  try {
    let output = '';
    for (const stream of [shop.stdout, shop.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const buy = () =>
      fetch(`http://127.0.0.1:${shopPort}/buy`, { redirect: 'manual' }).catch(() => undefined);
    let bought: Response | undefined;
    await until(async () => (bought = await buy()) !== undefined);
    const { hash } = new URL(bought?.headers.get('location') ?? '');
    // The payer types on the page what the shop has not said.
    const { payer: person, billing } = sessionRequest();
    const answer = await payer.payCard({ clientToken: hash.slice(1) }, { payer: person, billing });
    expectStatus(answer, 201);
    await until(() => output.includes(`${answer.body.reference} is paid`));
    const forged = await fetch(`http://127.0.0.1:${shopPort}/webhooks`, { method: 'POST', body: '{}' });
    expect(forged.status).toBe(400);
  } finally {
    shop.kill();
  }
});

test('its types tell what an event is about, to a strict compiler', async () => {
  await writeFile(
    join(folder, 'typed.ts'),
    `import { Tillfront, verifyEvent, TillfrontError } from 'tillfront-node';
     const tillfront = new Tillfront({ url: 'http://localhost:3000', apiKey: 'key' });
     export async function take(body: Uint8Array, headers: Headers): Promise<string> {
       const event = verifyEvent(body, headers, 'secret');
       // @ts-expect-error A session has no gateway reference.
       event.data.gatewayReference;
       if (event.type === 'payment.succeeded') return event.data.gatewayReference;
       if (event.type === 'checkout_session.closed') return event.data.closedReason ?? '';
       // @ts-expect-error There is no such type.
       if (event.type === 'payment.eaten') return '';
       const refund = await tillfront.refunds.create('pay_1', { amount: '1.00' }).catch((error: unknown) => {
         if (error instanceof TillfrontError && error.code === 'invalid-state') return undefined;
         throw error;
       });
       // @ts-expect-error Money is never a number.
       await tillfront.sessions.create({ reference: 'A', amount: 1500, currency: 'NGN' });
       for await (const payment of tillfront.payments.all({ limit: 100 })) return payment.nextAction?.type ?? '';
       return refund && 'approval' in refund ? refund.approval.state : (refund?.status ?? '');
     }`,
  );
  await symlink(resolve('node_modules/@types'), join(folder, 'node_modules/@types'));
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext'];
  const words = ['--target', 'ES2022', '--types', 'node', ...options, 'typed.ts'];
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const said = await runIn(folder, [process.execPath, tsc, '--ignoreConfig', ...words]);
  expect(said).toEqual({ code: 0, stdout: '', stderr: '' });
});

describe('a call', () => {
  test('whose answer is lost is repeated with its key, and done once', async () => {
    const order = newSession();
    const before = proxy.calls.length;
    proxy.spoil('lose-answer', { status: 503, body: '<html>no backend</html>' });
    const session = await client.sessions.create(order);
    const [first, ...others] = proxy.calls.slice(before);
    expect(first?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(others).toEqual([first, first]);
    expect((await client.sessions.list({ reference: order.reference })).map(({ id }) => id)).toEqual([
      session.id,
    ]);
    expect(session.clientToken).toMatch(/^cst_/);
  });

  test("with the caller's key gives the first result, also to another client", async () => {
    const order = newSession();
    const options = { idempotencyKey: `${order.reference}-1` };
    const first = await client.sessions.create(order, options);
    const other = new node.Tillfront({ url: tillfront.url, apiKey: tillfront.merchantKey });
    expect((await other.sessions.create(order, options)).id).toBe(first.id);
    expect(proxy.calls.at(-1)?.key).toBe(options.idempotencyKey);
  });

  test('that is refused throws code, status, request id and fields, and nothing that was sent', async () => {
    const before = proxy.calls.length;
    const refused = await client.sessions
      .create({ reference: 'not a reference!', amount: '1500.00', currency: 'NGN' })
      .catch((error: unknown) => error as Package.TillfrontError);
    expect(refused).toBeInstanceOf(node.TillfrontError);
    expect(refused).toMatchObject({
      ...{ name: 'TillfrontError', code: 'validation-failed', status: 400 },
      requestId: expect.stringMatching(/^[\w-]+$/),
      errors: [{ pointer: '/reference', message: expect.any(String) }],
    });
    expect(JSON.stringify(refused) + (refused as Error).message).not.toMatch(/not a reference|mk_test/);
    expect(proxy.calls.length).toBe(before + 1);
  });

  test('waits as long as the service asks, and not longer than a caller would', async () => {
    const problem = { code: 'overloaded', detail: 'Try again.', requestId: 'r1', errors: [] };
    const body = JSON.stringify(problem);
    proxy.spoil({ status: 503, headers: { 'retry-after': '1' }, body });
    const begun = performance.now();
    await client.payments.list();
    expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
    proxy.spoil({ status: 503, headers: { 'retry-after': '60' }, body });
    await expect(client.payments.list()).rejects.toMatchObject({
      ...{ code: 'overloaded', status: 503, requestId: 'r1', retryAfterSeconds: 60 },
    });
  });

  test.each([
    ['a refusal by the gateway', { code: 'gateway-unavailable', detail: 'Nothing was sent.' }, 503],
    ['our own fault', { code: 'internal-error', detail: 'Failed.' }, 500],
  ])('is not repeated after %s', async (_what, problem, status) => {
    const before = proxy.calls.length;
    proxy.spoil({ status, body: JSON.stringify(problem) });
    await expect(client.payments.void('pay_1')).rejects.toMatchObject({ code: problem.code, status });
    expect(proxy.calls.length).toBe(before + 1);
  });

  test('without a key is sent once', async () => {
    const payment = await paid();
    const before = proxy.calls.length;
    proxy.spoil('lose-answer');
    await expect(client.payments.refresh(payment.id)).rejects.toMatchObject({
      code: 'no-answer',
      status: undefined,
    });
    expect(proxy.calls.length).toBe(before + 1);
  });

  test('names its key where no answer came, and says what else answers', async () => {
    const nobody = new node.Tillfront({
      ...{ url: `http://127.0.0.1:${await freePort()}`, apiKey: tillfront.merchantKey, maxRetries: 1 },
    });
    await expect(nobody.payments.void('pay_1', { idempotencyKey: 'k-1' })).rejects.toMatchObject({
      ...{ code: 'no-answer', idempotencyKey: 'k-1' },
    });
    proxy.spoil({ status: 302, headers: { location: 'http://127.0.0.1:9/' }, body: '' });
    await expect(client.payments.get('pay_1')).rejects.toMatchObject({
      code: 'not-the-service',
      status: 302,
    });
  });

  test('shows its key to nobody: not when it is printed, not where it is malformed', async () => {
    const { inspect } = await import('node:util');
    expect(inspect(client, { depth: 9, showHidden: true })).not.toContain(tillfront.merchantKey);
    const wrong = () => new node.Tillfront({ url: tillfront.url, apiKey: `${tillfront.merchantKey}\n` });
    expect(wrong).toThrow(TypeError);
    expect(wrong).not.toThrow(tillfront.merchantKey);
    expect(() => client.payments.get('../audit')).toThrow('not the id');
  });
});

describe('against the service', () => {
  test('payments are read, listed, voided and followed', async () => {
    const payment = await paid();
    expect(await client.payments.get(payment.id, { wait: 0 })).toEqual(payment);
    const { data } = await client.payments.list({ reference: payment.reference, limit: 1 });
    expect(data).toEqual([payment]);
    expect((await client.payments.void(payment.id)).status).toBe('voided');
    expect((await client.payments.timeline(payment.id)).map(({ to }) => to)).toContain('voided');
  });

  test('money is given back, and lists are read to their end', async () => {
    const payments = [await paid(), await paid(), await paid()];
    const [payment] = payments;
    const refund = await client.refunds.create(payment?.id ?? '', { amount: '500.00' });
    expect(refund).toMatchObject({ amount: '500.00', status: 'succeeded' });
    expect(await client.refunds.ofPayment(payment?.id ?? '')).toEqual([refund]);
    const found = await allOf(client.payments.all({ status: 'succeeded', limit: 1 }));
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(payments.map(({ id }) => id)));
  });

  test('events are listed from the first to the newest', async () => {
    const { id } = await paid();
    await until(async () => {
      const events = await allOf(client.events.all({ limit: 2 }));
      return events.some(({ type, data }) => type === 'payment.succeeded' && data.id === id);
    });
  });
});

describe('verifyEvent', () => {
  const body = '{"id":"evt_1","type":"payment.succeeded","data":{"city":"Ìkòyí"}}';
  const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  const headersAt = (at = Date.now(), secrets = [SECRET]) => ({
    ...signatureHeaders({ id: 'evt_1', body }, at, secrets),
  });
  const codeOf = (...given: Parameters<typeof Package.verifyEvent>): string => {
    try {
      return node.verifyEvent(...given).type;
    } catch (error) {
      return error instanceof node.WebhookVerificationError ? error.code : String(error);
    }
  };

  test('takes what the service has signed, however the request is held', () => {
    const headers = headersAt();
    const shouted = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect([
      codeOf(body, headers, SECRET),
      codeOf(Buffer.from(body), new Headers(headers), SECRET),
      codeOf(body, shouted, SECRET),
      codeOf(body, headersAt(Date.now(), [other, SECRET]), SECRET),
      codeOf(body, headers, `${other},${SECRET}`),
      codeOf(body, headersAt(Date.now() - 290_000), SECRET),
    ]).toEqual(Array(6).fill('payment.succeeded'));
  });

  test.each([
    ['another body', () => codeOf(`${body} `, headersAt(), SECRET), 'signature'],
    ['another secret', () => codeOf(body, headersAt(), other), 'signature'],
    ['another id', () => codeOf(body, { ...headersAt(), 'webhook-id': 'evt_2' }, SECRET), 'signature'],
    ['an old request', () => codeOf(body, headersAt(Date.now() - 310_000), SECRET), 'stale'],
    ['one of the future', () => codeOf(body, headersAt(Date.now() + 310_000), SECRET), 'stale'],
    ['no headers', () => codeOf(body, {}, SECRET), 'malformed'],
    ['no time', () => codeOf(body, { ...headersAt(), 'webhook-timestamp': 'NaN' }, SECRET), 'malformed'],
    [
      'two times',
      () => codeOf(body, { ...headersAt(), 'webhook-timestamp': ['1', '2'] }, SECRET),
      'malformed',
    ],
  ])('refuses %s', (_what, said, code) => {
    expect(said()).toBe(code);
  });

  test.each(['', 'whsec_', 'whsec_AAAA', SECRET.slice('whsec_'.length), `${SECRET},`])(
    'refuses the secret %j, with which anybody could sign, or which is none',
    (secret) => {
      const sign = () => node.verifyEvent(body, headersAt(), secret);
      expect(sign).toThrow('MERCHANT_WEBHOOK_SECRET');
    },
  );

  test('says so where a parser has taken the body apart', () => {
    expect(codeOf(JSON.parse(body) as string, headersAt(), SECRET)).toContain('turn off the parser');
  });
});
