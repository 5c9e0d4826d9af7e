import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ConfigError, readConfig } from './read-config.js';
import { describeRules, rulesInForce } from './production-rules.js';
import { SECRET_VARIABLES, type SecretVariable } from './secret-variables.js';
import { weaknessOf } from './secret-strength.js';

const cardKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const whsec = (bytes: Buffer) => `whsec_${bytes.toString('base64')}`;
const webhookSecret = 'whsec_5TbdCl0vYF0XwJYqoaRh0Jm3s4iSqVnC';

const gateway = {
  GATEWAY_BASE_URL: 'https://gateway.example',
  GATEWAY_API_KEY: 'key',
  GATEWAY_ACCESS_TOKEN: 'token',
};
/** What real money needs, and no more. */
const enough = {
  ...gateway,
  PUBLIC_BASE_URL: 'https://pay.example',
  MERCHANT_API_KEY: 'mk_live_9f3a61c07be2d485',
  SECRET_KEY: '0f6c1b9ad8e34725b60d9c3fa1e7842b',
  CARD_ENCRYPTION_KEY: cardKey,
  NOTIFICATION_SECRET: 'c81f40d7e9b2a365',
};
const withWebhook = { ...enough, MERCHANT_WEBHOOK_SECRET: webhookSecret };

function problemsOf(env: NodeJS.ProcessEnv): string[] {
  return readConfig(env).problems.map(({ variable }) => variable);
}

describe('production’s rules hold', () => {
  test.each([
    [{}, ''],
    [{ NODE_ENV: 'development', GATEWAY_MODE: 'test' }, ''],
    [{ NODE_ENV: 'test' }, ''],
    [{ NODE_ENV: 'production' }, 'NODE_ENV=production'],
    [{ GATEWAY_MODE: 'live' }, 'GATEWAY_MODE=live'],
    [{ NODE_ENV: 'development', GATEWAY_MODE: 'live' }, 'GATEWAY_MODE=live'],
    [{ NODE_ENV: 'production', GATEWAY_MODE: 'live' }, 'NODE_ENV=production and GATEWAY_MODE=live'],
  ])('with %j: %j', (env, because) => {
    expect(rulesInForce(env)).toEqual({ production: because !== '', because });
    const reading = readConfig({ ...enough, ...env });
    expect(reading.rules).toEqual(rulesInForce(env));
    expect(reading.complete()).toMatchObject({
      productionRules: because !== '',
      merchant: { webhookAllowPrivate: because === '' },
    });
  });

  test('and say what called for them', () => {
    expect(describeRules(rulesInForce({ NODE_ENV: 'production', GATEWAY_MODE: 'live' }))).toContain(
      '(NODE_ENV=production and GATEWAY_MODE=live)',
    );
  });
});

describe.each(['NODE_ENV=production', 'GATEWAY_MODE=live'])('with %s', (rule) => {
  const [name = '', word = ''] = rule.split('=');
  const strict = (env: NodeJS.ProcessEnv = {}) => problemsOf({ ...env, [name]: word });

  test('nothing is made up, and all that is missing is named at once', () => {
    const folder = join(tmpdir(), 'tillfront-never-made');
    const env = { ...gateway, DATA_DIR: folder, [name]: word };
    const missing = ['MERCHANT_API_KEY', 'SECRET_KEY', 'CARD_ENCRYPTION_KEY', 'NOTIFICATION_SECRET'];
    expect(problemsOf(env).toSorted()).toEqual(missing.toSorted());
    expect(() => readConfig(env).complete()).toThrow(ConfigError);
    expect(() => readConfig(env).complete()).toThrow(`SECRET_KEY is required with ${rule}`);
    expect(existsSync(folder)).toBe(false);
    expect(strict(enough)).toEqual([]);
  });

  test.each([
    ['PUBLIC_BASE_URL', 'http://pay.example', false],
    ['PUBLIC_BASE_URL', 'http://localhost.evil.example', false],
    ['PUBLIC_BASE_URL', 'http://127.0.0.1:3000', true],
    ['GATEWAY_BASE_URL', 'http://gateway.example', false],
    ['GATEWAY_BASE_URL', 'http://[::1]:4000', true],
    ['MERCHANT_WEBHOOK_URL', 'http://shop.example/hook', false],
    ['MERCHANT_WEBHOOK_URL', 'https://shop.example/hook', true],
  ])('%s=%s is taken: %s', (variable, value, taken) => {
    expect(strict({ ...withWebhook, [variable]: value })).toEqual(taken ? [] : [variable]);
    expect(problemsOf({ ...withWebhook, [variable]: value })).toEqual([]);
  });

  test('a webhook of this machine needs WEBHOOK_ALLOW_PRIVATE, and then no https', () => {
    const env = { ...withWebhook, MERCHANT_WEBHOOK_URL: 'http://127.0.0.1:8080/hook' };
    expect(strict(env)).toEqual(['MERCHANT_WEBHOOK_URL']);
    expect(strict({ ...env, WEBHOOK_ALLOW_PRIVATE: 'true' })).toEqual([]);
    expect(
      strict({ ...env, MERCHANT_WEBHOOK_URL: 'http://10.0.0.7/hook', WEBHOOK_ALLOW_PRIVATE: 'true' }),
    ).toEqual(['MERCHANT_WEBHOOK_URL']);
  });

  test.each([
    ['postgres://u:p@db.example/t', false],
    ['postgres://u:p@db.example/t?sslmode=disable', false],
    ['postgres://u:p@db.example/t?sslmode=allow', false],
    ['postgres://u:p@db.example/t?sslmode=prefer', false],
    ['postgres://u:p@db.example/t?sslmode=no-verify', false],
    ['postgres://u:p@db.example/t?ssl=0', false],
    ['postgres://u:p@db.example/t?ssl=false', false],
    ['postgres://u:p@db.example/t?ssl=no-verify', false],
    ['postgres://u:p@db.example/t?sslmode=require&uselibpqcompat=true', false],
    ['postgres://u:p@db.example/t?sslmode=require&sslmode=disable', false],
    ['postgres://u:p@localhost/t?host=db.example', false],
    ['postgres://u:p@10.0.0.5/t', false],
    ['postgres://u:p@db.example/t?sslmode=require', true],
    ['postgres://u:p@db.example/t?sslmode=verify-ca', true],
    ['postgres://u:p@db.example/t?sslmode=verify-full', true],
    ['postgresql://u:p@db.example/t?sslmode=verify-full&uselibpqcompat=true', true],
    ['postgres://u:p@db.example/t?ssl=true', true],
    ['postgres://u:p@localhost/t', true],
    ['postgres://u:p@127.0.0.1:5432/t', true],
    ['postgres://u:p@[::1]/t', true],
    ['postgres:///t?host=/run/postgresql', true],
    ['postgres://u:p@%2Frun%2Fpostgresql/t', true],
  ])('DATABASE_URL=%s is taken: %s', (url, taken) => {
    expect(strict({ ...enough, DATABASE_URL: url })).toEqual(taken ? [] : ['DATABASE_URL']);
    expect(problemsOf({ ...enough, DATABASE_URL: url })).toEqual([]);
  });

  test.each<[SecretVariable, string, boolean]>([
    ['MERCHANT_API_KEY', 'mk_live_9f3a61c07be2d48', false],
    ['MERCHANT_API_KEY', 'a'.repeat(40), false],
    ['MERCHANT_API_KEY', 'mk_live_9f3a61c07be2d485,short', false],
    // A name makes no key longer, and a repeated one no better.
    ['MERCHANT_API_KEY', 'ops-anna=9f3a61c07be2d485', false],
    ['MERCHANT_API_KEY', `ops-anna=${'z'.repeat(30)}`, false],
    ['MERCHANT_API_KEY', 'ops-anna=9f3a61c07be2d48519c06fb7', true],
    // Base64 with its padding is a key without a name.
    ['MERCHANT_API_KEY', 'mdeyndu2nzg5ywjjzgvmmti=', true],
    ['MERCHANT_API_KEY', 'mdeyndu2nzg5ywjjzgvmmt==', true],
    ['MERCHANT_READ_API_KEY', 'read-9f3a61c07be2d485', false],
    ['MERCHANT_READ_API_KEY', 'read-9f3a61c07be2d48519c0', true],
    ['MERCHANT_BOOKS_API_KEY', 'carol=9f3a61c07be2d485', false],
    ['MERCHANT_BOOKS_API_KEY', 'carol=keys-for-the-books-2026', false],
    ['MERCHANT_BOOKS_API_KEY', 'carol=9f3a61c07be2d48519c0a4f1', true],
    ['NOTIFICATION_SECRET', '9f3a61c07be2d48', false],
    ['NOTIFICATION_SECRET', 'n'.repeat(16), false],
    // Words, sequences and what the documents print are long, and the first that somebody tries.
    ['MERCHANT_API_KEY', 'a-key-that-i-have-chosen', false],
    ['MERCHANT_API_KEY', 'passwordpassword12345678', false],
    ['MERCHANT_API_KEY', 'demo-merchant-key-for-loopback-only', false],
    ['MERCHANT_API_KEY', 'my-shops-own-secret-key-2026', false],
    ['MERCHANT_API_KEY', 'server=correct horse battery staple'.replaceAll(' ', '-'), false],
    ['MERCHANT_API_KEY', '0123456789abcdef01234567', false],
    ['MERCHANT_API_KEY', `${enough.MERCHANT_API_KEY},ops-anna=tillfront-live-merchant-key`, false],
    ['MERCHANT_READ_API_KEY', 'qwertyuiopasdfghjklzxcvbnm', false],
    ['NOTIFICATION_SECRET', 'a-notification-secret', false],
    ['SECRET_KEY', 'secret-key-0123456789-0123456789', false],
    ['MERCHANT_WEBHOOK_SECRET', whsec(Buffer.from('webhook-secret-of-the-shop')), false],
    ['SECRET_KEY', 'k'.repeat(32), false],
    ['SECRET_KEY', `${enough.SECRET_KEY},${'k'.repeat(64)}`, false],
    ['MERCHANT_WEBHOOK_SECRET', whsec(Buffer.alloc(24)), false],
    ['MERCHANT_WEBHOOK_SECRET', whsec(Buffer.alloc(32, 7)), false],
    ['MERCHANT_WEBHOOK_SECRET', `whsec_${'B'.repeat(32)}`, false],
    ['MERCHANT_WEBHOOK_SECRET', `${webhookSecret},${whsec(Buffer.alloc(24, 1))}`, false],
    ['GATEWAY_API_KEY', 'xxxxxxxx', false],
    ['GATEWAY_ACCESS_TOKEN', '********', false],
    ['GATEWAY_ENCRYPTION_KEY', '0'.repeat(32), false],
    ['GATEWAY_ENCRYPTION_KEY', `hex:${'ab'.repeat(32)}`, false],
    ['GATEWAY_ENCRYPTION_KEY', `base64:${Buffer.alloc(32, 9).toString('base64')}`, false],
    ['GATEWAY_ENCRYPTION_KEY', 'base64:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=', true],
  ])('%s=%s is strong enough: %s', (variable, value, taken) => {
    expect(strict({ ...enough, [variable]: value })).toEqual(taken ? [] : [variable]);
    expect(problemsOf({ ...enough, [variable]: value })).toEqual([]);
  });

  test('every fault is named at once, by the name that was given, and no value is shown', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillfront-rules-'));
    try {
      const file = join(folder, 'key');
      writeFileSync(file, 'hunter2-hunter2-hunter2-hunter2\n');
      const env = {
        ...enough,
        MERCHANT_API_KEY: '',
        MERCHANT_API_KEY_FILE: file,
        NOTIFICATION_SECRET: 'hunter2',
        SECRET_KEY: 'Q'.repeat(40),
        PUBLIC_BASE_URL: 'http://hunter2.example',
        GATEWAY_BASE_URL: 'http://hunter2.example',
        MERCHANT_WEBHOOK_URL: 'http://hunter2.example',
        MERCHANT_WEBHOOK_SECRET: whsec(Buffer.alloc(24, 3)),
        DATABASE_URL: 'postgres://hunter2:hunter2@db.example/hunter2',
        [name]: word,
      };
      const { message } = new ConfigError(readConfig(env).problems);
      expect(message).not.toMatch(/hunter2|QQQ/);
      expect(problemsOf(env).toSorted()).toEqual(
        [
          ...['DATABASE_URL', 'GATEWAY_BASE_URL', 'MERCHANT_API_KEY_FILE', 'MERCHANT_WEBHOOK_SECRET'],
          ...['MERCHANT_WEBHOOK_URL', 'NOTIFICATION_SECRET', 'PUBLIC_BASE_URL', 'SECRET_KEY'],
        ].toSorted(),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test('certificate files that DATABASE_URL names and that are not there are a problem everywhere', () => {
  const url = 'postgres://u:p@db.example/t?sslmode=verify-full&sslrootcert=/nowhere/ca.pem';
  expect(problemsOf({ ...enough, DATABASE_URL: url })).toEqual(['DATABASE_URL']);
  expect(problemsOf({ ...enough, GATEWAY_MODE: 'live', DATABASE_URL: url })).toEqual(['DATABASE_URL']);
});

test.each(['ALLOWED_ORIGINS', 'ALLOWED_RETURN_ORIGINS'])(
  '%s holds no open origin with production’s rules',
  (name) => {
    const live = (value: string) => problemsOf({ ...enough, NODE_ENV: 'production', [name]: value });
    expect(live('https://a.example,http://shop.example')).toEqual([name]);
    expect(live('https://a.example,http://localhost:5173,http://127.0.0.1:3001')).toEqual([]);
    expect(problemsOf({ ...enough, [name]: 'http://shop.example' })).toEqual([]);
  },
);

describe('a secret file that changes', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'tillfront-rules-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    [{ GATEWAY_MODE: 'live' }, false],
    [{}, true],
  ])('must stay as strong with %j: a weak one is taken: %s', (rules, taken) => {
    const file = join(folder, 'notification');
    writeFileSync(file, enough.NOTIFICATION_SECRET);
    const env = { ...enough, NOTIFICATION_SECRET: '', NOTIFICATION_SECRET_FILE: file, ...rules };
    const source = readConfig(env).complete().notificationSecret;
    writeFileSync(file, 'secret-notification');
    const now = performance.now();
    const restore = moveClock(now + 6_000);
    try {
      expect(source?.current()).toBe(taken ? 'secret-notification' : enough.NOTIFICATION_SECRET);
    } finally {
      restore();
    }
  });

  /** Moves the monotonic clock on, so that the file is looked at again. */
  function moveClock(now: number): () => void {
    const real = performance.now.bind(performance);
    performance.now = () => now;
    return () => void (performance.now = real);
  }
});

test('whatever is random and long enough is strong enough, whatever is one character over and over is not', () => {
  const names = Object.keys(SECRET_VARIABLES) as SecretVariable[];
  const ours = names.filter((name) => /MERCHANT_(?:READ_)?API_KEY|NOTIFICATION|SECRET_KEY/.test(name));
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), (bytes) => {
      // fast-check likes bytes that repeat, which are rightly refused.
      fc.pre(new Set(bytes).size > bytes.length / 2);
      const text = Buffer.from(bytes).toString('hex');
      for (const name of ours) expect([name, weaknessOf(name, text)]).toEqual([name, undefined]);
    }),
    // Each takes the estimator tens of milliseconds.
    { numRuns: 25 },
  );
  fc.assert(
    fc.property(fc.integer({ min: 0x21, max: 0x7e }), fc.integer({ min: 1, max: 200 }), (code, length) => {
      const text = String.fromCharCode(code).repeat(length);
      fc.pre(!text.includes(','));
      for (const name of ours) expect(weaknessOf(name, text)).toBeDefined();
    }),
  );
});
