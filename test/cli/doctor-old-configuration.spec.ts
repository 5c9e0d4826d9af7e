import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from './run-cli.js';

/**
 * Configurations that 0.1.0 started with and this version refuses: docs/upgrade.md promises that the doctor names each, run
 * before the upgrade. The service reads its variables and its profile with the same code, so what the doctor finds is what
 * would stop the start.
 */

interface Finding {
  check: string;
  level: 'ok' | 'warning' | 'problem';
  message: string;
}

type Env = Record<string, string | undefined>;

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = '8d1f0ae37c5b4962af10c3e5';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'old-configuration-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What an operator of 0.1.0 has who did nothing wrong by today's rules. */
const sound = (): Env => ({
  NODE_ENV: 'production',
  PUBLIC_BASE_URL: 'https://pay.example',
  GATEWAY_BASE_URL: 'https://gateway.example',
  GATEWAY_API_KEY: 'a1b2c3d4e5f6a7b8c9',
  GATEWAY_ACCESS_TOKEN: 'f9e8d7c6b5a4f3e2d1',
  DATA_DIR: folder,
  MERCHANT_API_KEY: key,
  SECRET_KEY: 'Qm9vdHN0cmFwcGVkIGJ5IG5vYm9keSBhdCBhbGwuLi4',
  CARD_ENCRYPTION_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  NOTIFICATION_SECRET: 'b5f0c1d7e9a2436f8c1b',
  MERCHANT_WEBHOOK_URL: 'https://shop.example/hook',
  MERCHANT_WEBHOOK_SECRET: 'whsec_5TbdCl0vYF0XwJYqoaRh0Jm3s4iSqVnC',
});

async function examine(env: Env): Promise<{ code: number | null; findings: Finding[] }> {
  const finished = await runCli(['doctor', '--offline', '--json'], env);
  for (const secret of [key, 'b5f0c1d7', 'sk_live_1', 'Qm9vd', 'whsec_', 'BEGIN'])
    expect(finished.stdout).not.toContain(secret);
  return { code: finished.code, findings: finished.json<{ findings: Finding[] }>().findings };
}

const problemsIn = (findings: readonly Finding[]): string[] =>
  findings
    .filter(({ level }) => level === 'problem')
    .map(({ check, message }) => `${check}: ${message}`)
    .toSorted();

test('a configuration of 0.1.0 that keeps the rules has no problem', async () => {
  const { code, findings } = await examine(sound());
  expect(problemsIn(findings)).toEqual([]);
  expect(code).toBe(0);
});

const live = { NODE_ENV: undefined, GATEWAY_MODE: 'live' };
const production = { NODE_ENV: 'production' };

describe.each([
  ['NODE_ENV=production', production],
  ['GATEWAY_MODE=live alone', live],
])('with %s', (because, rules) => {
  test.each<[string, Env, string]>([
    ['no notification secret', { NOTIFICATION_SECRET: undefined }, 'NOTIFICATION_SECRET is required'],
    ['no merchant key', { MERCHANT_API_KEY: undefined }, 'MERCHANT_API_KEY is required'],
    ['a generated SECRET_KEY', { SECRET_KEY: undefined }, 'SECRET_KEY is required'],
    ['a generated card key', { CARD_ENCRYPTION_KEY: undefined }, 'CARD_ENCRYPTION_KEY is required'],
    ['a short merchant key', { MERCHANT_API_KEY: 'key-of-0.1.0' }, 'MERCHANT_API_KEY must have at least 24'],
    [
      'a long name before a short key',
      { MERCHANT_API_KEY: 'a-name-that-is-no-secret=short' },
      'MERCHANT_API_KEY must have at least 24',
    ],
    [
      'a merchant key of one character',
      { MERCHANT_API_KEY: 'x'.repeat(40) },
      'MERCHANT_API_KEY must not be one character',
    ],
    [
      'a short notification secret',
      { NOTIFICATION_SECRET: 'notify' },
      'NOTIFICATION_SECRET must have at least 16',
    ],
    ['a SECRET_KEY of one character', { SECRET_KEY: '0'.repeat(64) }, 'SECRET_KEY must not be one character'],
    [
      'a merchant key of words',
      { MERCHANT_API_KEY: 'a-key-of-our-own-shop-01' },
      'MERCHANT_API_KEY can be guessed',
    ],
    [
      'an open origin',
      { ALLOWED_ORIGINS: 'http://shop.example' },
      'ALLOWED_ORIGINS may hold only https origins',
    ],
    ['http to payers', { PUBLIC_BASE_URL: 'http://pay.example' }, 'PUBLIC_BASE_URL must be https'],
    ['http to the gateway', { GATEWAY_BASE_URL: 'http://gateway.example' }, 'GATEWAY_BASE_URL must be https'],
    [
      'events over http',
      { MERCHANT_WEBHOOK_URL: 'http://shop.example/hook' },
      'MERCHANT_WEBHOOK_URL must be https',
    ],
    [
      'events to a private address',
      { MERCHANT_WEBHOOK_URL: 'https://10.0.0.8/hook' },
      'MERCHANT_WEBHOOK_URL is a private or loopback address',
    ],
    ...['', '?sslmode=disable', '?sslmode=prefer', '?sslmode=no-verify'].map(
      (query): [string, Env, string] => [
        `a database without checked TLS (${query})`,
        { DATABASE_URL: `postgres://tillfront:p@db.example/tillfront${query}` },
        'DATABASE_URL must ask for TLS',
      ],
    ),
  ])('%s', async (_what, old, message) => {
    const { code, findings } = await examine({ ...sound(), ...rules, ...old });
    expect(problemsIn(findings)).toContainEqual(expect.stringContaining(`configuration: ${message}`));
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'configuration.rules',
        message: expect.stringContaining(because.split(' ')[0] ?? ''),
      }),
    );
    expect(code).toBe(1);
  });
});

test.each<[string, string]>([
  ['in the middle, twice', `${key}=${key}x=y`],
  ['behind a name that is none', `Shop=${key}`],
  ['more than base64 has at its end', `${key}===`],
  ['beside a good one', `shop=${key}x,Other=${key}`],
])('a merchant key with an "=" %s', async (_where, value) => {
  const { code, findings } = await examine({ ...sound(), MERCHANT_API_KEY: value });
  expect(problemsIn(findings)).toEqual([
    expect.stringContaining('configuration: MERCHANT_API_KEY has an entry with "="'),
  ]);
  expect(code).toBe(1);
});

test('a merchant key that is now a name and a key starts, so it is pointed out without either', async () => {
  const { code, findings } = await examine({
    ...sound(),
    MERCHANT_API_KEY: `zq7-shop=${key},${key}8`,
    MERCHANT_READ_API_KEY: `zq7-books=${key}9`,
  });
  const named = findings.filter(({ check }) => check === 'credentials.names');
  expect(named).toEqual([
    {
      check: 'credentials.names',
      level: 'ok',
      message:
        'MERCHANT_API_KEY and MERCHANT_READ_API_KEY: 2 of 3 keys have a name before "="; callers send what comes after it.',
    },
  ]);
  expect(code).toBe(0);
  expect(JSON.stringify(findings)).not.toContain('zq7');
});

test.each<[string, unknown, string]>([
  [
    'a header that is a credential',
    { operations: { payCard: { headers: { Authorization: 'Bearer sk_live_1' } } } },
    '/operations/payCard/headers/Authorization looks like a credential',
  ],
  [
    'a constant that is one',
    { operations: { payCard: { constants: { apiKey: 'sk_live_1' } } } },
    '/operations/payCard/constants/apiKey looks like a credential',
  ],
  [
    'one in the query of a path',
    { operations: { void: { path: '/void?api_key=sk_live_1' } } },
    '/operations/void/path has a query that looks like a credential',
  ],
  [
    'look-around',
    { outcome: { require: [{ pointer: '/code', matches: '^(?!99)' }] } },
    '/outcome/require/0/matches ',
  ],
  [
    'a back-reference',
    { outcome: { require: [{ pointer: '/code', matches: '^(.)\\1$' }] } },
    '/outcome/require/0/matches ',
  ],
  [
    'a status query that names no payment',
    { operations: { transactionStatus: { path: '/transactions/latest' } } },
    '/operations/transactionStatus carries neither client_ref nor transactionRef',
  ],
])('a profile with %s', async (_what, profile, message) => {
  const path = join(folder, 'profile.json');
  await writeFile(path, JSON.stringify(profile));
  const { code, findings } = await examine({ ...sound(), GATEWAY_PROFILE: path });
  expect(problemsIn(findings)).toEqual([expect.stringContaining(`profile: ${message}`)]);
  expect(code).toBe(1);
});

test('all of it at once, the profile’s faults beside the variables’', async () => {
  const path = join(folder, 'profile.json');
  await writeFile(path, JSON.stringify({ operations: { transactionStatus: { path: '/latest' } } }));
  const { findings } = await examine({
    ...sound(),
    ...live,
    NOTIFICATION_SECRET: undefined,
    MERCHANT_API_KEY: `Shop=${key}`,
    DATABASE_URL: 'postgres://tillfront:p@db.example/tillfront',
    GATEWAY_PROFILE: path,
  });
  expect(problemsIn(findings)).toEqual([
    expect.stringMatching(/^configuration: DATABASE_URL /),
    expect.stringMatching(/^configuration: MERCHANT_API_KEY /),
    expect.stringMatching(/^configuration: NOTIFICATION_SECRET /),
    expect.stringMatching(/^profile: \/operations\/transactionStatus /),
  ]);
});
