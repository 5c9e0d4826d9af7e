import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Sandbox } from '../../sandbox/server.ts';
import { startTestSandbox } from '../harness/sandbox.js';
import { anyStore, createEmptyStore, type TestStore } from '../harness/test-store.js';
import { startTillfront, testKeys } from '../harness/tillfront.js';
import { freePort } from '../setup/free-port.js';
import { Webhook } from 'standardwebhooks';
import { startWebhookReceiver, type Received, type WebhookReceiver } from '../harness/webhook-receiver.js';
import { runCli } from './run-cli.js';

interface Finding {
  check: string;
  level: 'ok' | 'warning' | 'problem';
  message: string;
  remedy?: string;
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const cardKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** All that the built-in profile assumes. */
const EVERYTHING = [
  ...['validateOtp', 'transactionStatus', 'complete', 'void', 'initiateTransfer', 'transferUssdStatus'],
  ...['listUssdBanks', 'generateUssdCode', 'outcome', 'encryption', 'notification'],
];

let sandbox: Sandbox;
let shop: WebhookReceiver;

/** Where nobody listens: something else may run on the usual port. */
let port: number;

beforeAll(async () => {
  port = await freePort();
  [sandbox, shop] = await Promise.all([startTestSandbox(), startWebhookReceiver()]);
  shop.answerWith(verify);
});
afterAll(() => Promise.all([sandbox?.close(), shop?.close()]));

const WEBHOOK_SECRET = 'whsec_5TbdCl0vYF0XwJYqoaRh0Jm3s4iSqVnC';

/** As a shop does: events that are not genuine are refused. */
function verify({ text, headers }: Received): { status: number } {
  try {
    new Webhook(WEBHOOK_SECRET).verify(text, headers);
    return { status: 204 };
  } catch {
    return { status: 401 };
  }
}

type Env = Record<string, string | undefined>;

/** A configuration that nothing is wrong with, for a service that does not run. */
function good(store: Pick<TestStore, 'dataDir' | 'databaseUrl'>): Env {
  return {
    PORT: String(port),
    GATEWAY_BASE_URL: sandbox.url,
    GATEWAY_API_KEY: testKeys.apiKey,
    GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
    DATA_DIR: store.dataDir,
    DATABASE_URL: store.databaseUrl,
    MERCHANT_API_KEY: testKeys.merchant,
    SECRET_KEY: testKeys.secretKey,
    CARD_ENCRYPTION_KEY: cardKey,
    NOTIFICATION_SECRET: 'b5f0c1d7e9a2436f8c1b',
    ALLOWED_ORIGINS: 'https://shop.example',
    MERCHANT_WEBHOOK_URL: shop.url,
    MERCHANT_WEBHOOK_SECRET: WEBHOOK_SECRET,
  };
}

/** A webhook receiver of this machine is only good for trying. */
const live: Env = { GATEWAY_MODE: 'live', WEBHOOK_ALLOW_PRIVATE: 'true' };

async function examine(
  env: Env,
  ...options: string[]
): Promise<{ code: number | null; findings: Finding[] }> {
  const finished = await runCli(['doctor', '--json', ...options], env);
  const { findings } = finished.json<{ findings: Finding[] }>();
  for (const secret of Object.values(testKeys)) expect(finished.stdout).not.toContain(secret);
  expect(finished.stdout).not.toMatch(/whsec_|BEGIN|b5f0c1d7|of=tillfront/);
  for (const { level, remedy } of findings) expect(level === 'ok').toBe(remedy === undefined);
  return { code: finished.code, findings };
}

const of = (findings: Finding[], check: string) => findings.filter((finding) => finding.check === check);

describe.each(anyStore)('with the %s store', (kind) => {
  let store: TestStore;

  beforeAll(async () => {
    store = await createEmptyStore(kind);
  });
  afterAll(() => store?.dispose());

  test('a good configuration has no problem before the first start, and nothing is written', async () => {
    const before = shop.received.length;
    const { code, findings } = await examine(good(store));
    expect(findings.filter(({ level }) => level === 'problem')).toEqual([]);
    expect(findings.filter(({ level }) => level === 'warning').map(({ check }) => check)).toEqual([
      'profile.confirmed',
      'service',
    ]);
    expect(of(findings, 'profile').map(({ message }) => message)).toEqual([
      expect.stringContaining('/outcome/reference: is empty'),
    ]);
    expect(code).toBe(0);
    expect(of(findings, 'gateway')[0]?.message).toContain('accepts our credentials');
    expect(of(findings, 'store.schema')[0]?.message).toContain('It is new');
    expect(of(findings, 'webhook')).toEqual([
      expect.objectContaining({ level: 'ok', message: expect.stringContaining('(HTTP 204)') }),
    ]);
    expect(of(findings, 'clock').map(({ level }) => level)).not.toContain('problem');
    expect(shop.received.slice(before).map(({ json }) => json.type)).toEqual(['tillfront.test']);
    expect((await examine(good(store), '--strict')).code).toBe(1);
    expect(of((await examine(good(store))).findings, 'store.schema')[0]?.message).toContain('It is new');
  });

  test('beside the running service it sees the service and its store, and another gateway is a problem', async () => {
    const tillfront = await startTillfront({ store, gatewayUrl: sandbox.url });
    try {
      const env = { ...good(store), TILLFRONT_URL: tillfront.url };
      const { code, findings } = await examine(env);
      expect(code).toBe(0);
      expect(of(findings, 'service')).toEqual([expect.objectContaining({ level: 'ok' })]);
      expect(of(findings, 'store.schema')[0]?.message).toBe('Its schema is up to date.');
      // What is only noted of the built-in profile is nothing that anybody must mend before real money.
      const confirmed = join(await mkdtemp(join(tmpdir(), 'doctor-')), 'profile.json');
      await writeFile(confirmed, JSON.stringify({ confirmed: EVERYTHING }));
      const strict = await examine({ ...env, GATEWAY_PROFILE: confirmed }, '--strict');
      expect(strict.findings.filter(({ level }) => level !== 'ok')).toEqual([]);
      expect(strict.code).toBe(0);
      const foreign = await examine({ ...env, GATEWAY_BASE_URL: 'https://other.example' }, '--offline');
      expect(foreign.code).toBe(1);
      expect(of(foreign.findings, 'store.gateway')).toEqual([expect.objectContaining({ level: 'problem' })]);
    } finally {
      await tillfront.stop();
    }
  });
});

describe('what is wrong is named with its remedy:', () => {
  let store: TestStore;
  let strange: Server;
  let strangeUrl: string;

  beforeAll(async () => {
    store = await createEmptyStore('embedded');
    strange = createServer((_request, response) => response.end('<html>'));
    await new Promise<void>((resolve) => strange.listen(0, '127.0.0.1', resolve));
    strangeUrl = `http://127.0.0.1:${(strange.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await store?.dispose();
    await new Promise((resolve) => strange.close(resolve));
  });

  test.each<[string, () => Env | Promise<Env>, string, RegExp]>([
    ['a malformed value', () => ({ PORT: 'x' }), 'configuration', /^PORT /],
    [
      'a missing one',
      () => ({ GATEWAY_API_KEY: undefined }),
      'configuration',
      /^GATEWAY_API_KEY is required/,
    ],
    [
      'credentials of nobody',
      () => ({ GATEWAY_API_KEY: 'other' }),
      'gateway',
      /rejects our credentials \(HTTP 401\)/,
    ],
    [
      'a template left as it was',
      () => ({ GATEWAY_API_KEY: 'changeme' }),
      'credentials.GATEWAY_API_KEY',
      /placeholder/,
    ],
    [
      'a scheme before it',
      () => ({ GATEWAY_ACCESS_TOKEN: 'Bearer:abc' }),
      'credentials.GATEWAY_ACCESS_TOKEN',
      /scheme/,
    ],
    ['quotation marks', () => ({ GATEWAY_API_KEY: '"abc"' }), 'credentials.GATEWAY_API_KEY', /quotation/],
    [
      'live credentials in test mode',
      () => ({ GATEWAY_API_KEY: 'pk_live_1' }),
      'credentials.GATEWAY_API_KEY',
      /live/,
    ],
    [
      'a merchant key of few characters',
      () => ({ MERCHANT_API_KEY: 'a'.repeat(40) }),
      'credentials.merchant',
      /MERCHANT_API_KEY must not be one character/,
    ],
    [
      'a merchant key of words',
      () => ({ MERCHANT_API_KEY: 'passwordpassword12345678' }),
      'credentials.merchant',
      /MERCHANT_API_KEY can be guessed/,
    ],
    [
      'the key of the quick start',
      () => ({ MERCHANT_READ_API_KEY: 'a-key-that-i-have-chosen' }),
      'credentials.merchant',
      /MERCHANT_READ_API_KEY must not be a key that the documents/,
    ],
    [
      'a secret of few characters',
      () => ({ SECRET_KEY: 'ab'.repeat(30) }),
      'credentials.SECRET_KEY',
      /guessed/,
    ],
    [
      'nobody there',
      async () => ({ GATEWAY_BASE_URL: `http://127.0.0.1:${await freePort()}` }),
      'gateway',
      /refuses/,
    ],
    ['no such name', () => ({ GATEWAY_BASE_URL: 'https://no.such.name.invalid' }), 'gateway', /resolved/],
    [
      'somebody else there',
      () => ({ GATEWAY_BASE_URL: strangeUrl }),
      'gateway',
      /cannot be understood \(not-json/,
    ],
    ['a path that is not there', () => ({ GATEWAY_BASE_URL: `${sandbox.url}/v9` }), 'gateway', /HTTP 404/],
    [
      'a webhook nobody takes',
      async () => ({ MERCHANT_WEBHOOK_URL: `http://127.0.0.1:${await freePort()}/` }),
      'webhook',
      /ECONNREFUSED/,
    ],
    [
      'a webhook that does not know the secret',
      () => ({ MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}` }),
      'webhook',
      /did not accept .* \(HTTP 401\)/,
    ],
    ['no webhook', () => ({ MERCHANT_WEBHOOK_URL: undefined }), 'webhook', /no event is sent/],
    [
      'no return origin',
      () => ({ ALLOWED_ORIGINS: undefined }),
      'return-origins',
      /only be sent back to this service/,
    ],
    [
      'no notification secret',
      () => ({ NOTIFICATION_SECRET: undefined }),
      'credentials.notification',
      /not set/,
    ],
    [
      'a proxy nobody trusts',
      () => ({ PUBLIC_BASE_URL: 'https://pay.example' }),
      'http.proxy',
      /TRUST_PROXY/,
    ],
    [
      'no database',
      async () => ({ DATABASE_URL: `postgres://a:b@127.0.0.1:${await freePort()}/c` }),
      'store',
      /refuses the connection/,
    ],
    ['a folder that cannot be', () => ({ DATA_DIR: '/etc/hostname/data' }), 'store', /cannot be written/],
    ['a profile with a mistake', () => ({ GATEWAY_PROFILE: 'package.json' }), 'profile', /\/scripts /],
    ['live mode with nothing confirmed', () => live, 'profile.confirmed', /validateOtp, transactionStatus/],
    [
      'a return origin of this machine in live mode',
      () => ({ ...live, ALLOWED_ORIGINS: 'http://localhost:5173' }),
      'return-origins',
      /http:\/\/localhost:5173/,
    ],
  ])('%s', async (_what, change, check, message) => {
    const { findings } = await examine({ ...good(store), ...(await change()) });
    const found = of(findings, check).filter(({ level }) => level !== 'ok');
    expect(found.map((finding) => finding.message).join('\n')).toMatch(message);
  });

  test.each([
    [302, /final address/],
    [404, /by POST/],
    [410, /never sent again/],
    [422, /types that you do not know/],
    [500, /log/],
  ])('a shop that answers a test event with %i, once', async (status, remedy) => {
    const before = shop.received.length;
    shop.answerWith({ status, headers: { location: shop.url } });
    try {
      const { code, findings } = await examine(good(store));
      expect(code).toBe(1);
      const [found] = of(findings, 'webhook');
      expect(found).toMatchObject({ level: 'problem', message: expect.stringContaining(`(HTTP ${status})`) });
      expect(found?.remedy).toMatch(remedy);
      expect(shop.received.length - before).toBe(1);
      expect(shop.received.at(-1)?.json).toMatchObject({ type: 'tillfront.test', livemode: false, data: {} });
    } finally {
      shop.answerWith(verify);
    }
  });

  test('with --offline nothing is sent to the shop', async () => {
    const before = shop.received.length;
    const { findings } = await examine(good(store), '--offline');
    expect(of(findings, 'webhook')).toEqual([]);
    expect(shop.received.length).toBe(before);
  });

  test('an old configuration: all that now stops the start, the profile’s faults too', async () => {
    const { code, findings } = await examine(
      {
        ...good(store),
        GATEWAY_MODE: 'live',
        MERCHANT_API_KEY: 'key-of-0.1.0',
        SECRET_KEY: undefined,
        NOTIFICATION_SECRET: undefined,
        DATABASE_URL: 'postgres://u:p@db.example/tillfront',
        MERCHANT_WEBHOOK_URL: 'http://shop.example/hook',
        GATEWAY_PROFILE: 'package.json',
      },
      '--offline',
    );
    expect(code).toBe(1);
    expect(of(findings, 'configuration.rules')).toEqual([
      expect.objectContaining({
        level: 'ok',
        message: "Production's rules are in force (GATEWAY_MODE=live).",
      }),
    ]);
    const named = of(findings, 'configuration').map(({ message }) => message.split(' ')[0]);
    expect(named.toSorted()).toEqual(
      [
        ...['DATABASE_URL', 'MERCHANT_API_KEY', 'MERCHANT_WEBHOOK_URL'],
        ...['NOTIFICATION_SECRET', 'SECRET_KEY'],
      ].toSorted(),
    );
    expect(of(findings, 'profile').map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^\/scripts /),
    );
  });

  test('names that are almost variables are pointed out, without their values', async () => {
    const store = await createEmptyStore('embedded');
    const env = { ...good(store), GATEWAY_TIMEOUTMS: 'Zq7Zq7' };
    for (const [given, code] of [
      [env, 0],
      [{ ...env, GATEWAY_BASE_URL: undefined }, 1],
    ] as const) {
      const examined = await examine(given, '--offline');
      expect({ code: examined.code, found: of(examined.findings, 'configuration.names') }).toEqual({
        code,
        found: [
          {
            check: 'configuration.names',
            level: 'warning',
            message:
              'GATEWAY_TIMEOUTMS is not a variable of Tillfront and is ignored; perhaps GATEWAY_TIMEOUT_MS is meant.',
            remedy: expect.stringContaining('Rename it to GATEWAY_TIMEOUT_MS'),
          },
        ],
      });
      expect(JSON.stringify(examined.findings)).not.toContain('Zq7Zq7');
    }
    await store.dispose();
  });

  test('an embedded store that is damaged, and one in memory', async () => {
    const { writeFile } = await import('node:fs/promises');
    const damaged = await createEmptyStore('embedded');
    await writeFile(`${damaged.dataDir}/tillfront.db`, 'no database, whatever its name says', {
      mode: 0o644,
    });
    const { findings } = await examine(good(damaged), '--offline');
    expect(of(findings, 'store.file')).toEqual([expect.objectContaining({ level: 'problem' })]);
    expect(of(findings, 'store.modes')).toEqual([
      expect.objectContaining({
        level: 'warning',
        message: expect.stringContaining('may read tillfront.db.'),
      }),
    ]);
    await damaged.dispose();
    const volatile = await examine({ ...good(store), DATA_DIR: '/dev/shm/tillfront-doctor' }, '--offline');
    expect(of(volatile.findings, 'store.file-system')[0]?.message).toMatch(/in memory/);
  });

  test('a database that may lose what it has committed, or that this role may not change', async () => {
    const postgres = await createEmptyStore('postgres');
    const admin = new Client({ connectionString: postgres.databaseUrl });
    await admin.connect();
    const name = new URL(postgres.databaseUrl ?? '').pathname.slice(1);
    await admin.query(`alter database "${name}" set synchronous_commit = off`);
    await admin.query(`create role doctor_test login password 'doctor-test'`);
    await admin.query('revoke create on schema public from public');
    const asRole = new URL(postgres.databaseUrl ?? '');
    asRole.username = 'doctor_test';
    asRole.password = 'doctor-test';
    try {
      const { findings } = await examine({ ...good(postgres), DATABASE_URL: asRole.href }, '--offline');
      expect(of(findings, 'store.durability')[0]?.message).toMatch(/synchronous_commit is off/);
      expect(of(findings, 'store.role')[0]?.message).toMatch(/cannot migrate/);
      asRole.password = 'wrong';
      const refused = await examine({ ...good(postgres), DATABASE_URL: asRole.href }, '--offline');
      expect(of(refused.findings, 'store')[0]?.message).toMatch(/rejects the password/);
    } finally {
      await admin.query(`drop role doctor_test`);
      await admin.end();
      await postgres.dispose();
    }
  });

  test('for people, too', async () => {
    const { code, stdout } = await runCli(['doctor', '--offline'], {
      ...good(store),
      SECRET_KEY: 'ab'.repeat(30),
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^PROBLEM +credentials\.SECRET_KEY +.*\n +-> Make one with: openssl/m);
    expect(stdout).toMatch(/\n1 problems, \d+ warnings, \d+ ok\.\n$/);
  });
});
