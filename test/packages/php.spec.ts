import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Sandbox } from '../../sandbox/server.ts';
import { signatureHeaders } from '../../src/webhooks/sender.js';
import { expectStatus, sessionRequest, TillfrontClient, type PaymentBody } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { freePort } from '../setup/free-port.js';
import { needProgram, type Program } from '../setup/program.js';
import { startLosingProxy, type LosingProxy } from './losing-proxy.js';
import { runIn } from './packed.js';

/** packages/tillfront-php from its packed form, against the running service. */

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

interface Language {
  name: string;
  programs: readonly Program[];
  /** Packs the package, unpacks it in the folder, and returns what a program names to load it. */
  unpack: (folder: string) => Promise<string>;
  exercise: (loaded: string, call: string) => [string, ...string[]];
  /** The printed version. */
  version: (folder: string) => Promise<string>;
  /** The shop of the README, as a process. */
  shop: (loaded: string, port: number) => { file: string; command: [string, ...string[]]; env: object };
}

const LANGUAGES: Language[] = [
  {
    name: 'php',
    programs: ['php'],
    // Composer installs a library as the files of its repository, and loads what `autoload` names.
    unpack: async (folder) => {
      const { autoload } = JSON.parse(await readFile('packages/tillfront-php/composer.json', 'utf8')) as {
        autoload: { files: [string] };
      };
      await cp('packages/tillfront-php', folder, { recursive: true });
      return join(folder, autoload.files[0]);
    },
    exercise: (loaded, call) => ['php', resolve('test/packages/exercise.php'), loaded, call],
    version: async (folder) =>
      (JSON.parse(await readFile(join(folder, 'composer.json'), 'utf8')) as { version: string }).version,
    shop: (_loaded, port) => ({
      ...{ file: 'shop.php', command: ['php', '-S', `127.0.0.1:${port}`, 'shop.php'], env: {} },
    }),
  },
];

let shopPort: number;
let sandbox: Sandbox;
let tillfront: Tillfront;
let proxy: LosingProxy;
let payer: TillfrontClient;

beforeAll(async () => {
  [sandbox, shopPort] = await Promise.all([startTestSandbox(), freePort()]);
  tillfront = await startTillfront({
    store: 'embedded',
    gatewayUrl: sandbox.url,
    env: {
      GATEWAY_PROFILE: resolve('sandbox/refunds.profile.json'),
      MERCHANT_WEBHOOK_URL: `http://localhost:${shopPort}/webhooks`,
      MERCHANT_WEBHOOK_SECRET: SECRET,
    },
  });
  proxy = await startLosingProxy(tillfront.url);
  payer = new TillfrontClient(tillfront.url, tillfront.merchantKey);
});
afterAll(async () => {
  await proxy?.close();
  await tillfront?.stop();
  await sandbox?.close();
});

const paid = async (): Promise<PaymentBody> =>
  expectStatus(await payer.payCard(await payer.createSession({ metadata: { cart: '42' } })), 201).body;

describe.each(LANGUAGES)('the package in $name', (language) => {
  let folder: string;
  let loaded: string;

  beforeAll(async () => {
    for (const program of language.programs) needProgram(program);
    folder = await mkdtemp(join(tmpdir(), 'tillfront-test-package-'));
    loaded = await language.unpack(folder);
  });
  afterAll(async () => {
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  interface Said {
    result?: unknown;
    failure?: { code: string; text: string };
  }

  async function say(env: Record<string, string>, name: string, args: readonly unknown[]): Promise<Said> {
    const command = language.exercise(loaded, JSON.stringify({ name, args }));
    const { stdout, stderr } = await runIn(folder, command, env);
    expect(stderr).toBe('');
    return JSON.parse(stdout) as Said;
  }

  const environment = () => ({ TILLFRONT_URL: proxy.url, MERCHANT_API_KEY: tillfront.merchantKey });
  const attempt = (name: string, ...args: unknown[]) => say(environment(), name, args);

  async function call<T>(name: string, ...args: unknown[]): Promise<T> {
    const { result, failure } = await attempt(name, ...args);
    if (failure) throw new Error(`${name}: ${failure.text}`);
    return result as T;
  }

  test('has the licence and the version of the service', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await language.version(folder)).toBe(version);
    expect(await readFile(join(folder, 'LICENSE'), 'utf8')).toBe(await readFile('LICENSE', 'utf8'));
  });

  test('makes the shop of its README, which takes a payment as it is printed', async () => {
    const readme = await readFile(join(folder, 'README.md'), 'utf8');
    const { file, command, env } = language.shop(loaded, shopPort);
    const [, code = ''] = new RegExp(`^\`\`\`\\w+ file=${file}\\n([^]*?)^\`\`\`$`, 'm').exec(readme) ?? [];
    await writeFile(join(folder, file), code.replace('8080', String(shopPort)));
    const [program, ...words] = command;
    const shop = spawn(program, words, {
      cwd: folder,
      env: {
        ...{ PATH: process.env['PATH'], ...env },
        ...{ TILLFRONT_URL: tillfront.url, MERCHANT_API_KEY: tillfront.merchantKey },
        MERCHANT_WEBHOOK_SECRET: SECRET,
      },
    });
    try {
      let output = '';
      for (const stream of [shop.stdout, shop.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => (output += text));
      }
      const shopUrl = `http://localhost:${shopPort}`;
      let bought: Response | undefined;
      await until(async () => {
        bought = await fetch(`${shopUrl}/buy`, { redirect: 'manual' }).catch(() => undefined);
        return bought !== undefined;
      });
      const { hash } = new URL(bought?.headers.get('location') ?? '');
      // The payer types on the page what the shop has not said.
      const { payer: person, billing } = sessionRequest();
      const answer = await payer.payCard({ clientToken: hash.slice(1) }, { payer: person, billing });
      expectStatus(answer, 201);
      await until(() => output.includes(`${answer.body.reference} is paid`));
      expect((await fetch(`${shopUrl}/webhooks`, { method: 'POST', body: '{}' })).status).toBe(400);
    } finally {
      shop.kill();
    }
  });

  test('repeats a call whose answer is lost with its key, and it is done once', async () => {
    const order = sessionRequest();
    const before = proxy.calls.length;
    proxy.spoil('lose-answer', { status: 503, body: '<html>no backend</html>' });
    const session = await call<{ id: string; clientToken: string }>('createSession', order);
    const [first, ...others] = proxy.calls.slice(before);
    expect(first?.key).toMatch(/^[0-9a-f-]{32,36}$/);
    expect(others).toEqual([first, first]);
    const all = await call<{ id: string }[]>('listSessions', order['reference']);
    expect(all.map(({ id }) => id)).toEqual([session.id]);
    expect(session.clientToken).toMatch(/^cst_/);
  });

  test('takes the key of the caller', async () => {
    const order = sessionRequest();
    const key = `${String(order['reference'])}-1`;
    const [first, second] = [
      await call<{ id: string }>('createSession', order, key),
      await call<{ id: string }>('createSession', order, key),
    ];
    expect(second.id).toBe(first.id);
    expect(proxy.calls.at(-1)?.key).toBe(key);
  });

  test('says what was refused, and nothing that was sent', async () => {
    const before = proxy.calls.length;
    const { failure } = await attempt('createSession', sessionRequest({ reference: 'not a reference!' }));
    expect(failure).toMatchObject({
      ...{ code: 'validation-failed', status: 400, requestId: expect.stringMatching(/^[\w-]+$/) },
      errors: [{ pointer: '/reference', message: expect.any(String) }],
    });
    expect(failure?.text).not.toMatch(/not a reference|mk_test|ada@example/);
    expect(proxy.calls.length).toBe(before + 1);
  });

  test('waits as long as the service asks, and not longer than a caller would', async () => {
    const body = JSON.stringify({ code: 'overloaded', detail: 'Try again.', requestId: 'r1' });
    proxy.spoil({ status: 503, headers: { 'retry-after': '1' }, body });
    const begun = performance.now();
    await call('listPayments');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
    proxy.spoil({ status: 503, headers: { 'retry-after': '60' }, body });
    expect((await attempt('listPayments')).failure).toMatchObject({
      ...{ code: 'overloaded', status: 503, requestId: 'r1', retryAfterSeconds: 60 },
    });
  });

  test('repeats nothing that may be done twice, or that a repeat does not help', async () => {
    const payment = await paid();
    const before = proxy.calls.length;
    proxy.spoil({ status: 503, body: JSON.stringify({ code: 'gateway-unavailable', detail: 'Not sent.' }) });
    expect((await attempt('voidPayment', payment.id)).failure?.code).toBe('gateway-unavailable');
    proxy.spoil('lose-answer');
    expect((await attempt('refreshPayment', payment.id)).failure).toMatchObject({
      ...{ code: 'no-answer', status: null },
    });
    proxy.spoil({ status: 302, headers: { location: `${tillfront.url}/v1/payments` }, body: '' });
    expect((await attempt('getPayment', payment.id)).failure).toMatchObject({
      ...{ code: 'not-the-service', status: 302 },
    });
    expect(proxy.calls.length).toBe(before + 3);
  });

  test('names its key where no answer came, and shows the merchant key to nobody', async () => {
    const nobody = { ...environment(), TILLFRONT_URL: `http://127.0.0.1:${await freePort()}` };
    const { failure } = await say(nobody, 'voidPayment', ['pay_1', 'k-1']);
    expect(failure).toMatchObject({ code: 'no-answer', idempotencyKey: 'k-1' });
    const malformed = { ...environment(), MERCHANT_API_KEY: `${tillfront.merchantKey}\n` };
    const wrong = await say(malformed, 'listPayments', []);
    expect(wrong.failure?.code).toBe('argument');
    for (const said of [failure, wrong, await attempt('show')]) {
      expect(JSON.stringify(said)).not.toContain(tillfront.merchantKey);
    }
    expect((await attempt('getPayment', '../audit')).failure?.code).toBe('argument');
  });

  test('reads, lists, voids and refunds payments', async () => {
    const [payment, other] = [await paid(), await paid()];
    expect(await call('getPayment', payment.id, { wait: 0 })).toEqual(await payer.getPayment(payment.id));
    const page = await call<{ data: object[] }>('listPayments', {
      ...{ reference: payment.reference, needsAttention: false, limit: 1 },
    });
    expect(page.data).toMatchObject([{ id: payment.id }]);
    expect(await call('voidPayment', payment.id)).toMatchObject({ status: 'voided' });
    expect((await call<{ to?: string }[]>('getTimeline', payment.id)).map(({ to }) => to)).toContain(
      'voided',
    );
    const refund = await call<object>('createRefund', other.id, { amount: '500.00' });
    expect(refund).toMatchObject({ amount: '500.00', status: 'succeeded' });
    expect(await call('refundsOfPayment', other.id)).toEqual([refund]);
    const found = await call<{ id: string }[]>('allPayments', { limit: 1 });
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining([payment.id, other.id]));
    await until(async () => {
      const events = await call<{ type: string; data: { id: string } }[]>('allEvents', { limit: 5 });
      return events.some(({ type, data }) => type === 'payment.voided' && data.id === payment.id);
    });
  });

  describe('verifies events:', () => {
    const body = '{"id":"evt_1","type":"payment.succeeded","data":{"city":"Ìkòyí"}}';
    const headersAt = (at = Date.now(), secrets = [SECRET]) => ({
      ...signatureHeaders({ id: 'evt_1', body }, at, secrets),
    });
    const shouted = (headers: object) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value as string]),
      );

    test.each([
      ['its own', () => [body, headersAt(), SECRET]],
      ['with headers in capitals', () => [body, shouted(headersAt()), SECRET]],
      ['while the secret is changed', () => [body, headersAt(Date.now(), [OTHER_SECRET, SECRET]), SECRET]],
      ['with two secrets', () => [body, headersAt(), `${OTHER_SECRET},${SECRET}`]],
      ['of four minutes ago', () => [body, headersAt(Date.now() - 240_000), SECRET]],
    ])('%s', async (_what, args) => {
      expect((await attempt('verifyEvent', ...args())).result).toEqual(JSON.parse(body));
    });

    test.each([
      ['another body', () => [`${body} `, headersAt(), SECRET], 'signature'],
      ['another secret', () => [body, headersAt(), OTHER_SECRET], 'signature'],
      ['another id', () => [body, { ...headersAt(), 'webhook-id': 'evt_2' }, SECRET], 'signature'],
      ['an old one', () => [body, headersAt(Date.now() - 310_000), SECRET], 'stale'],
      ['one of the future', () => [body, headersAt(Date.now() + 310_000), SECRET], 'stale'],
      ['no headers', () => [body, { accept: '*/*' }, SECRET], 'malformed'],
      ['no time', () => [body, { ...headersAt(), 'webhook-timestamp': '1e9' }, SECRET], 'malformed'],
      [
        'a signature of letters',
        () => [body, { ...headersAt(), 'webhook-signature': 'v1,é' }, SECRET],
        'signature',
      ],
      ['an empty secret', () => [body, headersAt(), ''], 'argument'],
      ['a secret without bytes', () => [body, headersAt(), 'whsec_'], 'argument'],
      ['a short secret', () => [body, headersAt(), 'whsec_AAAA'], 'argument'],
      ['a second secret that is empty', () => [body, headersAt(), `${SECRET},`], 'argument'],
    ])('not %s', async (_what, args, code) => {
      expect((await attempt('verifyEvent', ...args())).failure?.code).toBe(code);
    });
  });
});
