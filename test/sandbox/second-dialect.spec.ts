import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createCipheriv, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { FIELDS } from '../../sandbox/dialects/fields.ts';
import { type DescribedOperation as Operation, OPERATIONS } from '../../sandbox/dialects/operations.ts';
import { readPointer, writePointer } from '../../sandbox/dialects/pointer.ts';
import { cardBody, type Json, SandboxClient } from './sandbox-client.js';

interface ProfileOperation {
  method: string;
  path: string;
  credentials: boolean;
  headers: Record<string, string>;
  rename?: Record<string, string>;
  constants?: Json;
}

const PROFILE = JSON.parse(
  readFileSync(new URL('../dialects/second.profile.json', import.meta.url), 'utf8'),
) as {
  operations: Record<Operation, ProfileOperation>;
  encryption: { envelope: string; ivBytes: number; siblings: Json };
  outcome: Record<string, string[]> & { meanings: Record<string, string[]> };
};
const KEY = randomBytes(32);
const VALUES: Json = {
  ...cardBody(),
  amount: 150000,
  expiryYear: '30',
  txnType: 'PARTNER_PAY',
  bankCode: '058',
  otp: '123456',
};

let client: SandboxClient;
beforeAll(async () => {
  client = await SandboxClient.start({ dialect: 'second', encryptionKey: `hex:${KEY.toString('hex')}` });
});
afterAll(() => client.close());

/** Asks as the profile file says, and nothing else. */
const ask = async (operation: Operation, values: Json) => {
  const described = PROFILE.operations[operation];
  if (!described) throw new Error(`the profile has no ${operation}`);
  const { method, path, credentials, headers, rename = {}, constants = {} } = described;
  const body: Json = {};
  for (const field of Object.keys(FIELDS[operation])) {
    const name = rename[field] ?? field;
    if (values[field] !== undefined)
      writePointer(body, name.startsWith('/') ? name : `/${name}`, values[field]);
  }
  for (const [name, value] of Object.entries(constants))
    writePointer(body, name.startsWith('/') ? name : `/${name}`, value);
  const filled = path.replace('{client_ref}', encodeURIComponent(String(values.client_ref)));
  const sent = operation === 'payCard' ? seal(body) : body;
  const without: Record<string, string> = credentials ? {} : { 'x-api-key': '', 'access-token': '' };
  return client.call(method, filled, method === 'GET' ? undefined : sent, { ...headers, ...without });
};

const seal = (body: Json): Json => {
  const iv = randomBytes(PROFILE.encryption.ivBytes);
  const cipher = createCipheriv('aes-256-gcm', KEY, iv);
  const sealed = Buffer.concat([
    iv,
    cipher.update(JSON.stringify(body)),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return { [PROFILE.encryption.envelope]: sealed.toString('base64url'), ...PROFILE.encryption.siblings };
};

const read = (json: Json, name: string): unknown => {
  for (const pointer of PROFILE.outcome[name] ?? []) {
    const value = readPointer(json, pointer);
    if (value !== undefined) return value;
  }
  return undefined;
};
const meaning = (json: Json): string | undefined =>
  Object.entries(PROFILE.outcome.meanings).find(([, words]) =>
    words.includes(String(read(json, 'status'))),
  )?.[0];

const payCard = async (cardNumber: string, ref: string) =>
  (await ask('payCard', { ...VALUES, cardNumber, client_ref: ref })).json;

test('the profile file alone leads to every operation', async () => {
  const statuses: Record<string, unknown> = {};
  for (const operation of OPERATIONS)
    statuses[operation] = (
      await ask(operation, { ...VALUES, client_ref: `${operation}_1`, transactionRef: 'SBX' })
    ).status;
  expect(statuses).toEqual(Object.fromEntries(OPERATIONS.map((operation) => [operation, 200])));
  expect(client.sandbox.recorder.list().flatMap(({ unexpected }) => unexpected)).toEqual([]);
});

test.each([
  ['4111111111111111', 'succeeded'],
  ['4000000000000309', 'failed'],
  ['4000000000000705', 'otp'],
  ['4000000000000804', 'redirect'],
  ['4000000000000903', 'authorized'],
  ['4000000000001125', 'processing'],
  ['4000000000001208', 'expired'],
  ['4000000000002503', 'undecided'],
])('card %s means %s', async (cardNumber, expected) => {
  expect(meaning(await payCard(cardNumber, `CARD-${cardNumber}_1`))).toBe(expected);
});

test('amounts are whole minor units both ways, and none of its words is one of the other dialect', async () => {
  const json = await payCard('4111111111111111', 'AMOUNT_1');
  expect(read(json, 'amount')).toBe(150000);
  expect(read(json, 'currency')).toBe('NGN');
  const words = Object.values(PROFILE.outcome.meanings).flat();
  for (const word of ['SUCCESS', 'FAILED', 'PENDING', 'AUTHORIZED', 'NOT_FOUND', '00'])
    expect(words).not.toContain(word);
  expect(await ask('initiateWallet', { ...VALUES, amount: '1500.00' })).toMatchObject({ status: 400 });
});

test('the challenge is a form POST with fields, and asks before it decides', async () => {
  const json = await payCard('4000000000000804', 'FORM_1');
  expect(read(json, 'redirectMethod')).toBe('POST');
  const fields = read(json, 'redirectFields') as Record<string, string>;
  const path = new URL(String(read(json, 'redirectUrl'))).pathname;
  expect(await (await client.form(path, fields)).text()).toContain('>Approve</button>');
  await client.form(path, { ...fields, decision: 'approve' });
  expect(meaning((await ask('transactionStatus', { client_ref: 'FORM_1' })).json)).toBe('succeeded');
});

test('complete and void follow by reference', async () => {
  const json = await payCard('4000000000000903', 'HOLD_1');
  const follow = { client_ref: 'HOLD_1', transactionRef: read(json, 'transactionRef'), amount: 40000 };
  const completed = (await ask('complete', follow)).json;
  expect([meaning(completed), read(completed, 'amount')]).toEqual(['succeeded', 40000]);
  expect(meaning((await ask('void', follow)).json)).toBe('voided');
  expect(meaning((await ask('transactionStatus', { client_ref: 'NOBODY_1' })).json)).toBe(
    'unknownTransaction',
  );
});

describe('what the built-in profile would send is refused', () => {
  test.each([
    ['/payment/card', 404],
    ['/v2/charges', 400],
  ])('%s', async (path, status) => {
    expect((await client.post(path, cardBody(), { 'x-api-version': '2' })).status).toBe(status);
  });

  test('so is a call without the constant header, constant or sibling', async () => {
    expect((await client.get('/v2/institutions')).status).toBe(400);
    expect((await client.post('/v2/virtual-accounts', {}, { 'x-api-version': '2' })).json.note).toContain(
      '/validity/unit',
    );
    const { format: _format, ...bare } = seal({});
    expect((await client.post('/v2/charges', bare, { 'x-api-version': '2' })).json.note).toContain('format');
  });
});
