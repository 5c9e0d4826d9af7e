import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TimeZone } from '../calendar/time-zone.js';
import { ConfigError, readConfig, type Config } from './read-config.js';

function loadConfig(env: NodeJS.ProcessEnv): Config {
  return readConfig(env).complete();
}

const cardKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const webhookSecret = 'whsec_5TbdCl0vYF0XwJYqoaRh0Jm3s4iSqVnC';
const gateway = {
  GATEWAY_BASE_URL: 'https://gateway.example/',
  GATEWAY_API_KEY: 'key',
  GATEWAY_ACCESS_TOKEN: 'token',
};
/** Every key is given, so nothing is written. */
const complete = {
  ...gateway,
  MERCHANT_API_KEY: 'mk_live_a',
  SECRET_KEY: 'k'.repeat(32),
  CARD_ENCRYPTION_KEY: cardKey,
};
const production = {
  ...complete,
  NODE_ENV: 'production',
  PUBLIC_BASE_URL: 'https://pay.example',
  MERCHANT_API_KEY: 'mk_live_9f3a61c07be2d485',
  SECRET_KEY: '0f6c1b9ad8e34725b60d9c3fa1e7842b',
  NOTIFICATION_SECRET: 'c81f40d7e9b2a365',
};

let root: string;
let folder: string;
beforeAll(() => void (root = mkdtempSync(join(tmpdir(), 'config-'))));
beforeEach(() => void (folder = mkdtempSync(join(root, 'x-'))));
afterAll(() => rmSync(root, { recursive: true }));

function problemsOf(env: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ variable }) => variable);
  }
}

describe('defaults', () => {
  test('are those of the documentation', () => {
    const config = loadConfig(complete);
    expect(config).toMatchObject({
      productionRules: false,
      http: {
        port: 3000,
        host: '0.0.0.0',
        publicBaseUrl: 'http://localhost:3000',
        trustProxy: false,
        allowedOrigins: ['http://localhost:3000'],
        allowedReturnOrigins: ['http://localhost:3000'],
        rateLimitPerMinute: 60,
        maxConnections: 10_000,
        maxConnectionsPerAddress: 256,
        shutdownGraceMs: 30_000,
        shutdownDrainMs: 0,
      },
      gateway: {
        baseUrl: 'https://gateway.example',
        mode: 'test',
        timeoutMs: 30_000,
        tls: {},
        notFoundGraceSeconds: 900,
        statusQueriesPerSecond: 10,
      },
      store: { kind: 'embedded', dataDir: resolve('data') },
      migrateOnStart: true,
      keys: { generated: [] },
      merchant: { webhookAllowPrivate: true },
      notificationRetentionDays: 90,
      eventRetentionDays: 0,
      booksTimeZone: TimeZone.of('UTC'),
      settlementExpectedDays: 5,
      payments: {
        methods: ['card', 'wallet', 'transfer', 'ussd'],
        maxDeclinesPerSession: 5,
        maxPaymentsPerSession: 20,
        holdNewPayments: false,
        duplicatePolicy: 'announce',
        cardTesting: { limit: 10, mode: 'enforce' },
        payerRetentionDays: 0,
      },
      telemetry: { logLevel: 'info', otel: {} },
    });
    expect(config.gateway.apiKey.current()).toBe('key');
    expect(config.gateway.accessToken.current()).toBe('token');
    expect(config.gateway.encryptionKey).toBeUndefined();
    expect(config.notificationSecret).toBeUndefined();
    expect(config.http).not.toHaveProperty('managementPort');
    expect(config.http).not.toHaveProperty('merchantPort');
    expect(config.merchant.apiKeys.current()).toEqual(['mk_live_a']);
    expect(config.merchant.readApiKeys.current()).toEqual([]);
    expect(config.merchant.webhookSecrets.current()).toEqual([]);
    expect(config.keys.secretKeys.current()).toEqual(['k'.repeat(32)]);
    expect(config.keys.cardEncryptionKeys.current()).toBe(cardKey);
  });

  test('hold for variables that are set to nothing', () => {
    const empty = {
      PORT: '',
      HOST: '',
      PAYMENT_METHODS: '',
      TRUST_PROXY: '',
      MERCHANT_READ_API_KEY: '',
      SECRET_KEY_FILE: '',
    };
    expect(loadConfig({ ...complete, ...empty })).toEqual(loadConfig(complete));
  });
});

describe('values', () => {
  test.each<[NodeJS.ProcessEnv, object]>([
    [{ PORT: '8080' }, { http: { port: 8080, publicBaseUrl: 'http://localhost:8080' } }],
    [
      {
        PUBLIC_BASE_URL: 'https://Pay.example:443/tillfront/',
        ALLOWED_ORIGINS: 'https://shop.example, https://SHOP2.example:443',
      },
      {
        http: {
          publicBaseUrl: 'https://pay.example/tillfront',
          allowedOrigins: ['https://pay.example', 'https://shop.example', 'https://shop2.example'],
          allowedReturnOrigins: ['https://pay.example', 'https://shop.example', 'https://shop2.example'],
        },
      },
    ],
    [
      { ALLOWED_ORIGINS: 'https://shop.example', ALLOWED_RETURN_ORIGINS: 'https://app.example' },
      { http: { allowedReturnOrigins: ['http://localhost:3000', 'https://app.example'] } },
    ],
    [{ TRUST_PROXY: '0' }, { http: { trustProxy: false } }],
    [{ TRUST_PROXY: '2' }, { http: { trustProxy: 2 } }],
    [{ TRUST_PROXY: '10.0.0.0/8, ::1' }, { http: { trustProxy: ['10.0.0.0/8', '::1'] } }],
    [{ PAYMENT_METHODS: 'ussd,card' }, { payments: { methods: ['card', 'ussd'] } }],
    [{ MANAGEMENT_PORT: '9090' }, { http: { managementPort: 9090 } }],
    [{ MERCHANT_PORT: '3001' }, { http: { merchantPort: 3001 } }],
    [{ MIGRATE_ON_START: 'false' }, { migrateOnStart: false }],
    [{}, { payments: { requireEncryptedCard: false } }],
    [{ REQUIRE_ENCRYPTED_CARD: 'true' }, { payments: { requireEncryptedCard: true } }],
    [
      { CARD_TESTING_LIMIT: '0', CARD_TESTING_MODE: 'shadow' },
      { payments: { cardTesting: { limit: 0, mode: 'shadow' } } },
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' },
      { telemetry: { otel: { endpoint: 'http://collector:4318' } } },
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_SDK_DISABLED: 'true' },
      { telemetry: { otel: {} } },
    ],
    [{ LOG_LEVEL: 'silent' }, { telemetry: { logLevel: 'silent' } }],
    [{ MERCHANT_WEBHOOK_SECRET: webhookSecret }, {}],
    [
      { MERCHANT_WEBHOOK_URL: 'http://10.0.0.1/hook?x=1', MERCHANT_WEBHOOK_SECRET: webhookSecret },
      { merchant: { webhookUrl: 'http://10.0.0.1/hook?x=1', webhookAllowPrivate: true } },
    ],
  ])('%j', (env, expected) => {
    expect(loadConfig({ ...complete, ...env })).toMatchObject(expected);
  });

  test('a database address is kept from sight', () => {
    const url = 'postgres://user:hunter2@db:5432/tillfront';
    const { store } = loadConfig({ ...complete, DATABASE_URL: url });
    expect(store.kind).toBe('postgres');
    expect(JSON.stringify(store)).not.toContain('hunter2');
    if (store.kind === 'postgres')
      expect([store.url.unwrap(), store.currentUrl.current()]).toEqual([url, url]);
  });

  test.each<[keyof NodeJS.ProcessEnv & string, string[]]>([
    ['NODE_ENV', ['prod', 'Production']],
    [
      'PORT',
      [
        '0',
        '65536',
        '3000.0',
        '3e3',
        '0x10',
        ' 3000',
        '+3000',
        '-1',
        '03000',
        'http',
        '99999999999999999999',
      ],
    ],
    ['HOST', ['a b', 'http://x', '-x', 'x/']],
    [
      'PUBLIC_BASE_URL',
      ['pay.example', 'https://pay.example?x=1', 'https://u:p@pay.example', 'ftp://pay.example'],
    ],
    ['GATEWAY_BASE_URL', ['gateway.example', 'https://gateway.example#x']],
    ['GATEWAY_MODE', ['Live', 'production']],
    ['GATEWAY_API_KEY', ['a b', 'schlüssel', 'a\nb', 'a\r\nx-evil: 1', '\u0000']],
    ['GATEWAY_ACCESS_TOKEN', ['a b', '\t']],
    ['GATEWAY_TIMEOUT_MS', ['0', '-5', '30s']],
    ['GATEWAY_PROFILE', ['/nowhere/profile.json', '/']],
    ['GATEWAY_ENCRYPTION_KEY', ['  ']],
    ['GATEWAY_CA_FILE', ['/nowhere/ca.pem', '/dev/null']],
    ['NOT_FOUND_GRACE_SECONDS', ['-1', '1.5']],
    ['DATABASE_URL', ['mysql://db/x', 'postgres://', 'db', 'postgres://user:pass word@db/x']],
    [
      'MERCHANT_API_KEY',
      [
        ...['a,,b', ',a', 'a,', 'a b', 'a,a'],
        ...[
          'Anna=a',
          'ops_anna=a',
          `${'n'.repeat(33)}=a`,
          '=a',
          '=',
          'anna=a=b',
          'anna=abob=b',
          'abc===',
          'anna===',
        ],
        ...['anna=a,anna=b', 'anna=a,bob=a', 'anna=a,a', 'anna=a,'],
      ],
    ],
    ['MERCHANT_READ_API_KEY', ['mk_live_a', 'x,mk_live_a', 'ä', 'anna=mk_live_a', 'anna=a,anna=b']],
    [
      'MERCHANT_BOOKS_API_KEY',
      ['mk_live_a', 'x,mk_live_a', 'ä', 'carol=mk_live_a', 'carol=a,carol=b', 'a b'],
    ],
    ['APPROVAL_ABOVE', ['NGN', 'NGN:1.001', 'ngn:1', 'NGN:1,NGN:2', 'NGN:1 000']],
    ['SECRET_KEY', ['k'.repeat(31), `${'k'.repeat(32)},short`, `${'k'.repeat(40)},${'k'.repeat(40)}`]],
    ['CARD_ENCRYPTION_KEY', ['hunter2', cardKey.replace('PRIVATE', 'PUBLIC')]],
    [
      'ALLOWED_ORIGINS',
      ['*', 'https://shop.example/', 'https://a.example,', 'https://a.example,https://a.example', 'null'],
    ],
    ['ALLOWED_RETURN_ORIGINS', ['shop.example']],
    ['PAYMENT_METHODS', ['cash', 'card,card', 'card,', 'CARD']],
    ['MERCHANT_WEBHOOK_URL', ['shop.example/hook', 'ftp://shop.example', 'https://u:p@shop.example']],
    [
      'MERCHANT_WEBHOOK_SECRET',
      [
        'secret',
        'whsec_',
        'whsec_####',
        'whsec_c2hvcnQ=',
        `whsec_${'A'.repeat(100)}`,
        `${webhookSecret},x`,
        webhookSecret.slice(6),
      ],
    ],
    ['NOTIFICATION_SECRET', ['a b', 'ä']],
    ['DUPLICATE_POLICY', ['refund']],
    ['TRUST_PROXY', ['true', 'yes', '-1', '33', '10.0.0.0/33', 'loopback', '10.0.0.1,,']],
    ['RATE_LIMIT_PER_MINUTE', ['-1', 'off']],
    ['MAX_CONNECTIONS', ['-1', 'many']],
    ['MAX_CONNECTIONS_PER_ADDRESS', ['-1', 'off']],
    ['MAX_DECLINES_PER_SESSION', ['0', 'x']],
    ['MAX_PAYMENTS_PER_SESSION', ['-1', 'x']],
    ['CARD_TESTING_LIMIT', ['-1']],
    ['CARD_TESTING_MODE', ['off']],
    ['WEBHOOK_ALLOW_PRIVATE', ['1', 'TRUE', 'yes', 'true ']],
    ['REQUIRE_ENCRYPTED_CARD', ['yes', '1']],
    ['MIGRATE_ON_START', ['0', 'False']],
    ['PAYER_RETENTION_DAYS', ['-1', '1d']],
    ['NOTIFICATION_RETENTION_DAYS', ['-1', '90d', '36501']],
    ['EVENT_RETENTION_DAYS', ['-1', '90d', '36501']],
    ['SHUTDOWN_GRACE_MS', ['-1', '30s']],
    ['SHUTDOWN_DRAIN_MS', ['-1', '5s', '3600001']],
    ['MANAGEMENT_PORT', ['0', '3000', 'x']],
    ['MERCHANT_PORT', ['0', '3000', 'x']],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', ['collector:4318']],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['collector']],
    ['OTEL_SDK_DISABLED', ['yes']],
    ['LOG_LEVEL', ['verbose', 'INFO']],
  ])('%s refuses %j', (name, values) => {
    for (const value of values) {
      expect({
        value,
        problems: problemsOf({ ...complete, MERCHANT_WEBHOOK_SECRET: webhookSecret, [name]: value }),
      }).toEqual({
        value,
        problems: [name],
      });
    }
  });
});

describe('a refusal', () => {
  test('names every problem at once and shows no value', () => {
    const env = {
      ...complete,
      PORT: 'hunter2-port',
      GATEWAY_API_KEY: 'hunter2 key',
      SECRET_KEY: 'hunter2',
      TRUST_PROXY: 'hunter2',
      ALLOWED_ORIGINS: 'https://hunter2/path',
      CARD_ENCRYPTION_KEY: 'hunter2',
      GATEWAY_PROFILE: '/hunter2',
      MERCHANT_WEBHOOK_SECRET: 'hunter2',
      LOG_LEVEL: 'hunter2',
    };
    let thrown: unknown;
    try {
      loadConfig(env);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ConfigError);
    const message =
      thrown instanceof Error ? `${thrown.message} ${JSON.stringify(thrown)} ${thrown.stack}` : '';
    expect(message).not.toContain('hunter2');
    for (const name of Object.keys(env).filter((key) => /hunter2/.test(env[key as keyof typeof env]))) {
      expect(message).toContain(`  ${name} `);
    }
  });

  test('writes nothing', () => {
    const dataDir = join(folder, 'data');
    expect(problemsOf({ ...gateway, DATA_DIR: dataDir, PORT: 'x' })).toEqual(['PORT']);
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe('what is needed', () => {
  test('everywhere', () => {
    expect(problemsOf({})).toEqual(['GATEWAY_BASE_URL']);
  });

  test('in production too', () => {
    expect(problemsOf({ ...gateway, NODE_ENV: 'production' })).toEqual([
      'MERCHANT_API_KEY',
      'SECRET_KEY',
      'CARD_ENCRYPTION_KEY',
      'NOTIFICATION_SECRET',
    ]);
    expect(loadConfig(production)).toMatchObject({
      productionRules: true,
      merchant: { webhookAllowPrivate: false },
    });
  });

  test.each([
    ['PUBLIC_BASE_URL', 'http://pay.example', false],
    ['PUBLIC_BASE_URL', 'http://localhost.evil.example', false],
    ['PUBLIC_BASE_URL', 'http://10.0.0.1', false],
    ['PUBLIC_BASE_URL', 'http://localhost:3000', true],
    ['PUBLIC_BASE_URL', 'http://127.0.0.1:3000', true],
    ['PUBLIC_BASE_URL', 'http://[::1]:3000', true],
    ['PUBLIC_BASE_URL', '', true],
    ['GATEWAY_BASE_URL', 'http://gateway.example', false],
    ['GATEWAY_BASE_URL', 'http://127.0.0.1:4000', true],
  ])('production takes %s=%s: %s', (name, value, taken) => {
    expect(problemsOf({ ...production, [name]: value })).toEqual(taken ? [] : [name]);
    expect(problemsOf({ ...complete, [name]: value })).toEqual([]);
  });

  test.each([
    [{ MERCHANT_WEBHOOK_URL: 'https://shop.example/hook' }, ['MERCHANT_WEBHOOK_SECRET']],
    [{ MERCHANT_WEBHOOK_SECRET: webhookSecret }, []],
    [
      { MERCHANT_WEBHOOK_URL: 'https://10.0.0.1', MERCHANT_WEBHOOK_SECRET: webhookSecret },
      ['MERCHANT_WEBHOOK_URL'],
    ],
    [
      { MERCHANT_WEBHOOK_URL: 'https://localhost', MERCHANT_WEBHOOK_SECRET: webhookSecret },
      ['MERCHANT_WEBHOOK_URL'],
    ],
    [
      {
        MERCHANT_WEBHOOK_URL: 'https://localhost',
        MERCHANT_WEBHOOK_SECRET: `${webhookSecret},whsec_rJx2V0Pq7m1Zt9Yk4LdWc8Hs3Bn6Gf5Aw0Ee2Uu7Ii1Oo9RrTtYyPpLl`,
        WEBHOOK_ALLOW_PRIVATE: 'true',
      },
      [],
    ],
  ])('of the webhook in production: %j', (env, expected) => {
    expect(problemsOf({ ...production, ...env })).toEqual(expected);
  });

  test('a client certificate needs its own key', () => {
    const key = join(folder, 'key.pem');
    writeFileSync(key, cardKey);
    expect(problemsOf({ ...complete, GATEWAY_CLIENT_KEY_FILE: key })).toEqual(['GATEWAY_CLIENT_CERT_FILE']);
    expect(problemsOf({ ...complete, GATEWAY_CLIENT_CERT_FILE: key })).toEqual([
      'GATEWAY_CLIENT_CERT_FILE',
      'GATEWAY_CLIENT_KEY_FILE',
    ]);
  });
});

describe('secrets by file', () => {
  const write = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  test('count like those by text', () => {
    const config = loadConfig({
      ...complete,
      SECRET_KEY: '',
      SECRET_KEY_FILE: write('secret', `${'a'.repeat(32)},${'b'.repeat(32)}\n`),
      NOTIFICATION_SECRET_FILE: write('notification', 'tell-me\n'),
    });
    expect(config.keys.secretKeys.current()).toEqual(['a'.repeat(32), 'b'.repeat(32)]);
    expect(config.notificationSecret?.current()).toBe('tell-me');
    expect(config.keys.generated).toEqual([]);
  });

  test.each([
    ['unreadable', '/nowhere/secret'],
    ['empty', ''],
    ['malformed', 'short'],
  ])('one that is %s is a problem of the variable that names it', (_name, content) => {
    const path = content.startsWith('/') ? content : write('secret', content);
    expect(problemsOf({ ...production, SECRET_KEY: '', SECRET_KEY_FILE: path })).toEqual(['SECRET_KEY_FILE']);
  });

  test('text and file at once are a problem', () => {
    expect(problemsOf({ ...complete, SECRET_KEY_FILE: write('secret', 'k'.repeat(32)) })).toEqual([
      'SECRET_KEY_FILE',
    ]);
  });

  test('only secrets are read from files', () => {
    expect(loadConfig({ ...complete, PORT_FILE: write('port', '8080') }).http.port).toBe(3000);
  });
});

describe('keys that nobody gave', () => {
  const start = (env: NodeJS.ProcessEnv = {}) =>
    loadConfig({ ...gateway, DATA_DIR: join(folder, 'a/data'), ...env });

  test('are made once, kept for their owner alone, and used again', () => {
    const one = start();
    expect(one.keys.generated).toEqual(['SECRET_KEY', 'CARD_ENCRYPTION_KEY', 'MERCHANT_API_KEY']);
    expect(Buffer.byteLength(one.keys.secretKeys.current()[0] ?? '')).toBeGreaterThanOrEqual(32);
    expect(
      createPrivateKey(one.keys.cardEncryptionKeys.current() ?? '').asymmetricKeyDetails?.modulusLength,
    ).toBe(2048);
    expect(one.merchant.apiKeys.current()[0]).toMatch(/^mk_test_[A-Za-z0-9_-]{32}$/);

    const dataDir = join(folder, 'a/data');
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(readdirSync(dataDir).sort()).toEqual(['card-encryption-key.pem', 'secret.key']);
    for (const name of readdirSync(dataDir)) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);

    const two = start();
    expect(two.keys.generated).toEqual(['MERCHANT_API_KEY']);
    expect(two.keys.secretKeys.current()).toEqual(one.keys.secretKeys.current());
    expect(two.keys.cardEncryptionKeys.current()).toBe(one.keys.cardEncryptionKeys.current());
    expect(two.merchant.apiKeys.current()).not.toEqual(one.merchant.apiKeys.current());
  });

  test('are tightened where others may read them', () => {
    start();
    const dataDir = join(folder, 'a/data');
    for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), 0o644);
    start();
    expect(readdirSync(dataDir)).toHaveLength(2);
    for (const name of readdirSync(dataDir)) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
  });

  test('give way to those that are given', () => {
    start();
    expect(start({ SECRET_KEY: 'k'.repeat(32) }).keys.secretKeys.current()).toEqual(['k'.repeat(32)]);
  });

  test('are not made anew over a spoilt file, which may hold what old tokens need', () => {
    start();
    writeFileSync(join(folder, 'a/data/secret.key'), 'short');
    expect(() => start()).toThrow(/DATA_DIR has a secret.key that must have at least 32 bytes/);
    expect(readFileSync(join(folder, 'a/data/secret.key'), 'utf8')).toBe('short');
  });

  test('need a folder that can be written', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(problemsOf({ ...gateway, DATA_DIR: join(folder, 'file') })).toEqual(['DATA_DIR']);
  });
});
