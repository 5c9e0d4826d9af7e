import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expectStatus, TillfrontClient } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { testKeys } from '../harness/tillfront.js';
import { freePort } from '../setup/free-port.js';

/** Each call with a merchant's or books key that would change something has a row, whatever came of it, and no other call has. */

interface Row {
  actor: string;
  action: string;
  object: string | null;
  outcome: string;
  requestId: string;
}

const [store = 'embedded'] = anyStore;
const BOOKS = 'key-of-books-0123456789abcdef';
let scene: Scene;
let merchantUrl: string;
/** At the merchant's port. */
let client: TillfrontClient;

beforeAll(async () => {
  const port = await freePort();
  merchantUrl = `http://127.0.0.1:${port}`;
  client = new TillfrontClient(merchantUrl, testKeys.merchant);
  scene = await startScene(store, { MERCHANT_PORT: String(port), MERCHANT_BOOKS_API_KEY: `books=${BOOKS}` });
});
afterAll(() => scene.stop());

const KEY: string = testKeys.merchant;
const JSON_TYPE = 'application/json';
const make = (): object => ({
  reference: `AUDIT-${randomUUID().slice(0, 8)}`,
  amount: '1.00',
  currency: 'NGN',
});

/** Sends raw text, and returns the answer with its row. */
async function send(
  path: string,
  body: string,
  { base = merchantUrl, key = KEY, type = JSON_TYPE, headers = {} } = {},
): Promise<{ status: number; id: string | undefined; row: Omit<Row, 'requestId'> | undefined }> {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${key}`, 'content-type': type, 'idempotency-key': randomUUID() },
      ...headers,
    },
    body,
  });
  const requestId = response.headers.get('x-request-id');
  const { id } = (await response.json()) as { id?: string };
  const { data } = expectStatus(await client.get<{ data: Row[] }>('/v1/audit'), 200).body;
  const rows = data.filter((row) => row.requestId === requestId);
  expect(rows.length).toBeLessThan(2);
  const [row] = rows.map(({ actor, action, object, outcome }) => ({ actor, action, object, outcome }));
  return { status: response.status, id, row };
}

test('what was done, with what it made', async () => {
  const { status, id, row } = await send('/v1/checkout-sessions', JSON.stringify(make()));
  expect(status).toBe(201);
  expect(row).toEqual({ actor: 'merchant', action: 'create-session', object: id, outcome: 'ok' });
});

test.each([
  ['by its rules', '/v1/checkout-sessions', '{}', {}, 'validation-failed'],
  ['for a query', '/v1/checkout-sessions?x=1', '{}', {}, 'validation-failed'],
  ['as no JSON', '/v1/checkout-sessions', '{bad', {}, 'malformed-json'],
  ['as another type', '/v1/checkout-sessions', 'x', { type: 'text/plain' }, 'unsupported-media-type'],
  ['as too large', '/v1/checkout-sessions', ' '.repeat(40_000), {}, 'body-too-large'],
  [
    'from an origin',
    '/v1/checkout-sessions',
    '{}',
    { headers: { origin: 'https://else.example' } },
    'origin-not-allowed',
  ],
  ['to its key', '/v1/checkout-sessions', '{}', { key: BOOKS }, 'forbidden'],
  ['as a report of no CSV', '/v1/settlements', '{}', { key: BOOKS }, 'unsupported-media-type'],
])('what was refused %s', async (_name, path, body, options, outcome) => {
  const { row } = await send(path, body, options);
  expect(row).toMatchObject({
    object: null,
    outcome,
    actor: 'key' in options ? 'merchant:books' : 'merchant',
  });
});

test('an object of an id of ours only', async () => {
  const ours = `pay_${'a'.repeat(24)}`;
  expect((await send(`/v1/payments/${ours}/void`, '{bad')).row).toMatchObject({
    action: 'void',
    object: ours,
  });
  expect((await send('/v1/payments/4111111111111111/void', '{}')).row).toMatchObject({ object: null });
});

test('nothing of a payer, of a key that is none, or where no key is taken', async () => {
  const { clientToken } = await client.createSession();
  const cancel = `/v1/payments/pay_${'a'.repeat(24)}/cancel`;
  expect((await send(cancel, '{}', { base: scene.tillfront.url, key: clientToken })).row).toBeUndefined();
  expect((await send(cancel, '{}', { key: 'no-key' })).row).toBeUndefined();
  const elsewhere = await send(cancel, '{}', { base: scene.tillfront.url });
  expect([elsewhere.status, elsewhere.row]).toEqual([404, undefined]);
});
