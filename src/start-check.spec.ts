import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkStart, StartRefused } from './start-check.js';

/** A start that is wrong says everything that is wrong with it, variables and profile at once. test/e2e/start.spec.ts shows the process. */

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillfront-test-start-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const enough = () => ({
  GATEWAY_BASE_URL: 'http://127.0.0.1:9',
  GATEWAY_API_KEY: 'test-gateway-api-key',
  GATEWAY_ACCESS_TOKEN: 'test-gateway-access-token',
  DATA_DIR: join(folder, 'data'),
});

function refusal(env: NodeJS.ProcessEnv): string {
  try {
    checkStart(env);
  } catch (error) {
    if (error instanceof StartRefused) return error.message;
    throw error;
  }
  throw new Error('it was accepted');
}

/** A profile by which cards can be paid. */
const plain = {
  operations: {
    payCard: { post: '/pay', body: { ref: '{client_ref}', amount: '{amount}', number: '{cardNumber}' } },
    transactionStatus: { get: '/pay/{client_ref}' },
  },
  answer: { status: '/status', words: { succeeded: ['paid'] } },
};

/** One that needs a key for what is sent, and one for what comes. */
const sealedAndSigned = {
  ...plain,
  operations: {
    ...plain.operations,
    payCard: { post: '/pay', encrypt: '{cardNumber}', body: { ref: '{client_ref}', sealed: '{sealed}' } },
  },
  encryption: { scheme: 'aes-256-gcm' },
  notification: { reference: '/ref', signature: { scheme: 'hmac-sha256', header: 'x-signature' } },
};

test('production asks for its own keys and for https', () => {
  const output = refusal({
    ...enough(),
    NODE_ENV: 'production',
    PUBLIC_BASE_URL: 'http://till.example',
    GATEWAY_BASE_URL: 'http://gateway.example',
  });
  for (const name of [
    'MERCHANT_API_KEY',
    'SECRET_KEY',
    'CARD_ENCRYPTION_KEY',
    'PUBLIC_BASE_URL',
    'GATEWAY_BASE_URL',
  ]) {
    expect(output).toContain(name);
  }
});

test('by default all methods of the profile are offered, and one without a method is refused', async () => {
  const path = join(folder, 'profile.json');
  await writeFile(path, JSON.stringify(plain));
  expect(checkStart({ ...enough(), GATEWAY_PROFILE: path }).config.payments.methods).toEqual(['card']);
  const { transactionStatus } = plain.operations;
  await writeFile(path, JSON.stringify({ ...plain, operations: { transactionStatus } }));
  expect(refusal({ ...enough(), GATEWAY_PROFILE: path })).toContain('/operations: has no payment method');
});

test('live mode asks for every assumption to be confirmed', () => {
  const output = refusal({ ...enough(), GATEWAY_MODE: 'live', PAYMENT_METHODS: 'card' });
  for (const name of ['transactionStatus', 'validateOtp', 'complete', 'void', 'answer'])
    expect(output).toContain(name);
});

test.each([
  ['an unknown key', { colour: 1 }, ['/colour']],
  [
    'paths and pointers',
    { operations: { payCard: { path: 'no-slash' }, teleport: {} }, answer: { status: ['data'] } },
    ['/operations/payCard/path', '/operations/teleport', '/answer/status'],
  ],
])('a profile with wrong parts: %s', async (_name, profile, places) => {
  const path = join(folder, 'profile.json');
  await writeFile(path, JSON.stringify(profile));
  const output = refusal({ ...enough(), GATEWAY_PROFILE: path });
  for (const place of places) expect(output).toContain(place);
});

test('variables and profile at once', async () => {
  const path = join(folder, 'profile.json');
  const profile = { colour: 1, operations: { payCard: { path: 'no-slash' }, void: { method: 'FETCH' } } };
  await writeFile(path, JSON.stringify(profile));
  const output = refusal({ ...enough(), PAYMENT_METHODS: 'cash', GATEWAY_PROFILE: path });
  for (const place of ['PAYMENT_METHODS', '/colour', '/operations/payCard/path', '/operations/void/method'])
    expect(output).toContain(place);
});

test('of a malformed variable nothing more is said', async () => {
  const path = join(folder, 'profile.json');
  await writeFile(path, JSON.stringify(sealedAndSigned));
  const output = refusal({
    ...enough(),
    GATEWAY_MODE: 'live',
    GATEWAY_PROFILE: path,
    PAYMENT_METHODS: 'cash',
    NOTIFICATION_SECRET_FILE: join(folder, 'no-such-secret'),
    GATEWAY_ENCRYPTION_KEY_FILE: join(folder, 'no-such-key'),
  });
  for (const name of ['NOTIFICATION_SECRET_FILE', 'GATEWAY_ENCRYPTION_KEY_FILE', 'PAYMENT_METHODS'])
    expect(output.split(name)).toHaveLength(2);
  for (const word of ['is needed as the key', 'must be a key', 'is an assumption'])
    expect(output).not.toContain(word);
});

test('what the variables lack for the profile', async () => {
  const path = join(folder, 'profile.json');
  await writeFile(path, JSON.stringify(sealedAndSigned));
  const output = refusal({ ...enough(), GATEWAY_MODE: 'live', GATEWAY_PROFILE: path });
  for (const name of ['NOTIFICATION_SECRET', 'GATEWAY_ENCRYPTION_KEY', 'transactionStatus'])
    expect(output).toContain(name);
});

/** Profiles, and the credentials that their gateways get. */
test.each<[string, object | undefined, string[]]>([
  ['the built-in one', undefined, ['GATEWAY_API_KEY', 'GATEWAY_ACCESS_TOKEN']],
  [
    'one with a bearer key',
    { credentials: { default: { authorization: 'Bearer {apiKey}' } } },
    ['GATEWAY_API_KEY'],
  ],
  [
    'one that signs',
    {
      credentials: {
        default: {
          'x-sign': '{signature}',
          sign: { scheme: 'hmac-sha256', key: 'accessToken', over: '{body}' },
        },
      },
    },
    ['GATEWAY_ACCESS_TOKEN'],
  ],
  [
    'one whose set nothing uses',
    { credentials: { default: { 'x-key': '{apiKey}' }, other: { 'x-token': '{accessToken}' } } },
    ['GATEWAY_API_KEY'],
  ],
  [
    'one that fetches a token',
    {
      credentials: { default: { authorization: 'Bearer {token}' } },
      token: {
        ...{ post: '/token', value: '/access_token', expiresIn: 60 },
        headers: { authorization: 'Basic {basic:apiKey:accessToken}' },
      },
    },
    ['GATEWAY_API_KEY', 'GATEWAY_ACCESS_TOKEN'],
  ],
])('only the credentials that the profile sends are needed: %s', async (_name, profile, needed) => {
  const { GATEWAY_BASE_URL, DATA_DIR } = enough();
  const env: NodeJS.ProcessEnv = { GATEWAY_BASE_URL, DATA_DIR };
  if (profile) {
    env['GATEWAY_PROFILE'] = join(folder, 'credentials.json');
    await writeFile(env['GATEWAY_PROFILE'], JSON.stringify({ ...plain, ...profile }));
    env['PAYMENT_METHODS'] = 'card';
  }
  const output = refusal(env);
  for (const name of ['GATEWAY_API_KEY', 'GATEWAY_ACCESS_TOKEN'])
    expect({ name, asked: output.includes(`${name} is missing`) }).toEqual({
      name,
      asked: needed.includes(name),
    });
  const given = Object.fromEntries(needed.map((name) => [name, 'given']));
  expect(checkStart({ ...env, ...given }).config.gateway.baseUrl).toBe(GATEWAY_BASE_URL);
});

test('a profile that is not there', () => {
  const output = refusal({ ...enough(), GATEWAY_PROFILE: join(folder, 'missing.json') });
  expect(output).toContain('GATEWAY_PROFILE');
});
