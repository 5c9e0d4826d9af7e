import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Config } from './config.js';
import { ConfigError, readConfig } from './read-config.js';

let folder: string;
let cardKey: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillfront-config-'));
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  cardKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const enough = {
  GATEWAY_BASE_URL: 'https://gateway.example/api/',
  GATEWAY_API_KEY: 'gk',
  SECRET_KEY: 's'.repeat(32),
};
const read = (env: NodeJS.ProcessEnv): Config =>
  readConfig({ ...enough, DATA_DIR: join(folder, 'data'), ...env }).complete();

function problems(env: NodeJS.ProcessEnv): Record<string, string> {
  const all = readConfig({ ...enough, ...env }).problems;
  expect(() => readConfig({ ...enough, ...env }).draft()).toThrow(
    all.length > 0 ? ConfigError : 'there is no problem',
  );
  return Object.fromEntries(all.map(({ variable, message }) => [variable, message]));
}

test('what nobody sets has a default', () => {
  const config = read({});
  expect(config.http).toMatchObject({ port: 3000, host: '0.0.0.0', publicBaseUrl: 'http://localhost:3000' });
  expect(config.http.allowedOrigins).toEqual(['http://localhost:3000']);
  expect(config.http.shutdownGraceMs).toBe(40_000);
  expect(config.gateway).toMatchObject({ baseUrl: 'https://gateway.example/api', mode: 'test' });
  expect(config.gateway.statusQueriesPerSecond).toBe(20);
  expect(config.store).toEqual({ kind: 'embedded', dataDir: join(folder, 'data') });
  expect(config.productionRules).toBe(false);
});

test.each<[string, string, (config: Config) => unknown, unknown]>([
  ['PORT', '8080', ({ http }) => http.publicBaseUrl, 'http://localhost:8080'],
  ['TRUST_PROXY', '10.0.0.0/8, ::1', ({ http }) => http.trustProxy, ['10.0.0.0/8', '::1']],
  ['TRUST_PROXY', '2', ({ http }) => http.trustProxy, 2],
  ['ALLOWED_ORIGINS', 'https://a.example', (c) => c.http.allowedReturnOrigins[1], 'https://a.example'],
  ['PAYMENT_METHODS', 'ussd, card', ({ payments }) => payments.methods, ['card', 'ussd']],
  ['HOLD_NEW_PAYMENTS', 'true', ({ payments }) => payments.holdNewPayments, true],
  [
    'APPROVAL_ABOVE',
    'NGN:1.50, JPY:7',
    (c) => [...c.payments.approvalAbove],
    [
      ['NGN', 150n],
      ['JPY', 7n],
    ],
  ],
  ['NOTIFICATION_SECRET', 'new, old', (c) => c.notificationSecrets?.unwrap(), ['new', 'old']],
  ['MAX_DECLINES_PER_SESSION', '0', ({ payments }) => payments.maxDeclinesPerSession, 0],
  [
    'EGRESS_PROXY_URL',
    'http://u:p@proxy:3128',
    (c) => c.gateway.egressProxy?.unwrap(),
    'http://u:p@proxy:3128',
  ],
])('%s=%s', (name, value, of, expected) => {
  expect(of(read({ [name]: value }))).toEqual(expected);
});

describe('a malformed value', () => {
  test.each([
    ['PORT', '0'],
    ['PORT', '3e3'],
    ['HOST', 'not a host'],
    ['PUBLIC_BASE_URL', 'https://pay.example?x=1'],
    ['GATEWAY_BASE_URL', 'ftp://gateway.example'],
    ['GATEWAY_MODE', 'Live'],
    ['MIGRATE_ON_START', 'yes'],
    ['DATABASE_URL', 'mysql://host/db'],
    ['ALLOWED_ORIGINS', 'https://shop.example/'],
    ['ALLOWED_ORIGINS', 'https://shop.example,,https://b.example'],
    ['PAYMENT_METHODS', 'card,cash'],
    ['APPROVAL_ABOVE', 'NGN:1.505'],
    ['APPROVAL_ABOVE', 'NGN:1,NGN:2'],
    ['APPROVAL_ABOVE', 'XXQ:1'],
    ['MERCHANT_API_KEY', 'Anna=key'],
    ['MERCHANT_API_KEY', 'anna=one,anna=two'],
    ['MERCHANT_API_KEY', 'anna=one,ben=one'],
    ['SECRET_KEY', 'short'],
    ['CARD_ENCRYPTION_KEY', 'no key'],
    ['MERCHANT_WEBHOOK_SECRET', 'whsec_c2hvcnQ='],
    ['NOTIFICATION_SECRET', 'with blank'],
    ['EGRESS_PROXY_URL', 'socks5://proxy:1080'],
    ['BOOKS_TIME_ZONE', '+01:00'],
    ['MERCHANT_ACCENT_COLOR', 'red'],
    ['GATEWAY_CLIENT_CERT_FILE', '/nowhere.pem'],
    ['GATEWAY_PROFILE', '/nowhere.json'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s is named, and not shown', (name, value) => {
    const found = problems({ [name]: value });
    expect(Object.keys(found)).toContain(name);
    if (value.length > 6) expect(JSON.stringify(found)).not.toContain(value);
  });

  test('all of them are named at once', () => {
    const found = problems({ PORT: 'x', GATEWAY_BASE_URL: '', LOG_LEVEL: 'y', SECRET_KEY: 'z' });
    expect(Object.keys(found)).toEqual(['PORT', 'GATEWAY_BASE_URL', 'SECRET_KEY', 'LOG_LEVEL']);
  });
});

describe('what deployments do wrong is recognized', () => {
  test.each([
    ['GATEWAY_API_KEY', '"gk_1"', /quotes/],
    ['PORT', "'3000'", /quotes/],
    ['MERCHANT_PORT', 'tcp://10.0.0.5:80', /Kubernetes/],
    ['PORT', 'tcp://10.0.0.5:80', /Kubernetes/],
    ['GATEWAY_API_KEY', '…', /placeholder/],
    ['GATEWAY_API_KEY', '<your key>', /placeholder/],
    ['SECRET_KEY', 'change-me-change-me-change-me-change-me', /placeholder/],
    ['MERCHANT_API_KEY', '$MERCHANT_API_KEY', /placeholder/],
  ])('%s=%s', (name, value, message) => {
    expect(problems({ [name]: value })).toEqual({ [name]: expect.stringMatching(message) });
  });
});

describe('variables that must fit together', () => {
  test.each<[string, Record<string, string>]>([
    ['MANAGEMENT_PORT', { MANAGEMENT_PORT: '3000' }],
    ['MERCHANT_PORT', { MANAGEMENT_PORT: '3001', MERCHANT_PORT: '3001' }],
    ['NOT_FOUND_GRACE_SECONDS', { NOT_FOUND_GRACE_SECONDS: '34' }],
    ['MERCHANT_READ_API_KEY', { MERCHANT_API_KEY: 'anna=one', MERCHANT_READ_API_KEY: 'one' }],
    ['MERCHANT_BOOKS_API_KEY', { MERCHANT_API_KEY: 'anna=one', MERCHANT_BOOKS_API_KEY: 'anna=two' }],
    ['MERCHANT_WEBHOOK_SECRET', { MERCHANT_WEBHOOK_URL: 'https://shop.example' }],
    ['SECRET_KEY_FILE', { SECRET_KEY_FILE: '/run/secret' }],
  ])('%s: %j', (name, env) => {
    expect(Object.keys(problems(env))).toEqual([name]);
  });
});

describe('a secret in a file', () => {
  test('is read without its last line break', () => {
    const path = file('key', 'from-a-file\r\n');
    expect(read({ GATEWAY_API_KEY: '', GATEWAY_API_KEY_FILE: path }).gateway.apiKey?.unwrap()).toBe(
      'from-a-file',
    );
  });

  test.each([
    ['that is not there', () => '/nowhere'],
    ['that is empty', () => file('empty', '\n')],
    ['in quotes', () => file('quoted', '"key"')],
    ['that is too large', () => file('large', 'x'.repeat(70_000))],
  ])('%s is a problem of its variable', (_, path) => {
    expect(Object.keys(problems({ GATEWAY_API_KEY: '', GATEWAY_API_KEY_FILE: path() }))).toEqual([
      'GATEWAY_API_KEY_FILE',
    ]);
  });

  test('the address of the database is read for each connection', () => {
    const path = file('database', 'postgres://app:one@localhost/shop');
    const { store } = read({ DATABASE_URL_FILE: path });
    if (store.kind !== 'postgres') throw new Error('not PostgreSQL');
    expect(store.currentUrl()).toBe('postgres://app:one@localhost/shop');
    file('database', 'postgres://app:two@localhost/shop\n');
    expect(store.currentUrl()).toBe('postgres://app:two@localhost/shop');
    file('database', '');
    expect(store.currentUrl()).toBe('postgres://app:one@localhost/shop');
  });
});

describe("production's rules", () => {
  const key = 'abcdefghijklmnopqrstuvwxyz012345';
  const production = (): NodeJS.ProcessEnv => ({
    NODE_ENV: 'production',
    PUBLIC_BASE_URL: 'https://pay.example',
    MERCHANT_API_KEY: `anna=${key}`,
    CARD_ENCRYPTION_KEY: cardKey,
    NOTIFICATION_SECRET: 'n',
  });

  test('are in force by NODE_ENV or GATEWAY_MODE', () => {
    expect(read(production()).productionRules).toBe(true);
    expect(read({ ...production(), NODE_ENV: 'test', GATEWAY_MODE: 'live' }).productionRules).toBe(true);
  });

  test('ask for every key', () => {
    const found = problems({
      NODE_ENV: 'production',
      PUBLIC_BASE_URL: 'https://pay.example',
      SECRET_KEY: '',
    });
    expect(Object.keys(found).sort()).toEqual([
      ...['CARD_ENCRYPTION_KEY', 'MERCHANT_API_KEY', 'NOTIFICATION_SECRET', 'SECRET_KEY'],
    ]);
  });

  test.each<[string, string]>([
    ['PUBLIC_BASE_URL', 'http://pay.example'],
    ['GATEWAY_BASE_URL', 'http://gateway.example'],
    ['ALLOWED_ORIGINS', 'http://shop.example'],
    ['DATABASE_URL', 'postgres://db.example/shop'],
    ['DATABASE_URL', 'postgres://db.example/shop?sslmode=no-verify'],
    ['MERCHANT_API_KEY', key.slice(1)],
    ['MERCHANT_READ_API_KEY', 'ababababababababababababababababababab'],
    ['MERCHANT_API_KEY', 'demo-merchant-key-for-loopback-only'],
  ])('refuse %s=%s', (name, value) => {
    expect(Object.keys(problems({ ...production(), [name]: value }))).toEqual([name]);
  });

  test.each<[string, string]>([
    ['GATEWAY_BASE_URL', 'http://127.0.0.1:4010'],
    ['ALLOWED_ORIGINS', 'http://localhost:8080'],
    ['DATABASE_URL', 'postgres://localhost/shop'],
    ['DATABASE_URL', 'postgres://db.example/shop?sslmode=verify-full'],
  ])('take %s=%s', (name, value) => {
    expect(() => read({ ...production(), [name]: value })).not.toThrow();
  });
});

describe('elsewhere', () => {
  test('missing keys are made once, and kept for their owner alone', () => {
    const env = { SECRET_KEY: '', DATA_DIR: join(folder, 'made') };
    const first = read(env);
    const kept = first.keys.merchantKeyFile ?? '';
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect(first.merchant.apiKeys.match(readFileSync(kept, 'utf8').trim())).toEqual({ name: undefined });
    const second = read(env);
    expect(second.keys.secretKeys.unwrap()).toEqual(first.keys.secretKeys.unwrap());
    expect(second.keys.cardEncryptionKeys.unwrap()).toBe(first.keys.cardEncryptionKeys.unwrap());
  });

  test('a folder that cannot be written is a problem', () => {
    expect(() => read({ DATA_DIR: join(file('taken', ''), 'below') })).toThrow(/DATA_DIR/);
  });
});
