import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { problemOf, type SessionBody, type TillfrontClient } from '../harness/client.js';
import { answer, notFoundAnswer, otpRequired } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { createTestStore, type TestStore } from '../harness/test-store.js';

/** Who may call what: every call with every kind of credential. */

let store: TestStore;
let scene: Scene;
let own: SessionBody;
let other: SessionBody;
let paymentId: string;
let returnToken: string;
let readerToken: string;

/** What the calls that take a code are sent, by their last segment. */
const CODES: Readonly<Record<string, object>> = { otp: { otp: '123456' }, pin: { pin: '1111' } };

let guesses = 0;
const fromAnywhere = (): Record<string, string> => ({
  'x-forwarded-for': `2001:db8:${(++guesses).toString(16)}::1`,
});

const first = {
  merchant: 'first-merchant-key-0123456789abcdef',
  books: 'first-books-key-0123456789abcdef',
  signing: 'first-secret-key-0123456789abcdef0123456789',
  notification: 'first-notification-secret',
};
beforeAll(async () => {
  store = await createTestStore('embedded');
  scene = await startScene(store, {
    MERCHANT_API_KEY: first.merchant,
    MERCHANT_BOOKS_API_KEY: `carol=${first.books}`,
    SECRET_KEY: first.signing,
    NOTIFICATION_SECRET: first.notification,
    TRUST_PROXY: '1',
  });
  const { gateway } = scene;
  gateway.script('GET /transaction/*', answer(notFoundAnswer));
  gateway.script('GET /ussd/banks', answer({ error: false, data: [] }));
  gateway.script('POST /payment/card', answer(otpRequired));
  own = (await merchant('POST', '/v1/checkout-sessions', {
    reference: 'OWN-1',
    amount: '1500.00',
    currency: 'NGN',
    payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' },
    billing: {
      street: '1 Marina',
      city: 'Lagos',
      stateProvince: 'Lagos',
      postCode: '101001',
      country: 'NGA',
    },
  })) as SessionBody;
  other = (await merchant('POST', '/v1/checkout-sessions', {
    reference: 'OTHER-1',
    amount: '1.00',
    currency: 'NGN',
  })) as SessionBody;
  paymentId = (await scene.client.payCard(own)).body.id;
  returnToken = /\/return\/([\w-]+)/.exec(gateway.requests.map(({ text }) => text).join())?.[1] ?? '';
  const back = await fetch(`${scene.tillfront.url}/v1/payments/${paymentId}/return/${returnToken}`, {
    redirect: 'manual',
  });
  readerToken = new URL(back.headers.get('location') ?? '').hash.slice(1);
});
afterAll(async () => {
  await scene.stop();
  await store.dispose();
});

async function merchant(
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  token = first.merchant,
): Promise<unknown> {
  return (await call(scene.client, method, path, body, token)).body;
}

const call = (client: TillfrontClient, method: 'GET' | 'POST', path: string, body: unknown, token: string) =>
  client.call(method, path, body, {
    token,
    headers: { ...fromAnywhere(), ...(typeof body === 'string' && { 'content-type': 'text/csv' }) },
  });

type Access =
  | 'merchant'
  | 'merchant or books'
  | 'merchant reads'
  | 'merchant reads, books apart'
  | 'client'
  | 'client or merchant'
  | 'client or merchant reads';

/** Each call of the API and who may make it; bodies that are refused only after who asks was checked. */
const calls: readonly (readonly [method: 'GET' | 'POST', path: string, access: Access, body: unknown])[] = (
  [
    ['POST', '/v1/checkout-sessions', 'merchant', { reference: '!' }],
    ['GET', '/v1/checkout-sessions?reference=NONE-1', 'merchant reads, books apart'],
    ['GET', '/v1/checkout-sessions/{session}', 'merchant reads, books apart'],
    ['POST', '/v1/checkout-sessions/{session}/close', 'merchant', { x: 1 }],
    ['POST', '/v1/checkout-sessions/{session}/redact', 'merchant', { x: 1 }],
    ['GET', '/v1/checkout-session', 'client'],
    ['POST', '/v1/payments/card', 'client', {}],
    ['POST', '/v1/payments/wallet', 'client', { x: 1 }],
    ['POST', '/v1/payments/transfer', 'client', { x: 1 }],
    ['GET', '/v1/ussd/banks', 'client'],
    ['POST', '/v1/payments/ussd', 'client', {}],
    ['POST', '/v1/payments/{payment}/otp', 'client', {}],
    ['POST', '/v1/payments/{payment}/pin', 'client', {}],
    ['POST', '/v1/payments/{payment}/cancel', 'client or merchant', { x: 1 }],
    ['GET', '/v1/payments/{payment}', 'client or merchant reads'],
    ['GET', '/v1/payments', 'merchant reads'],
    ['GET', '/v1/payments/{payment}/events', 'merchant reads'],
    ['POST', '/v1/payments/{payment}/complete', 'merchant', { x: 1 }],
    ['POST', '/v1/payments/{payment}/void', 'merchant', { x: 1 }],
    ['POST', '/v1/payments/{payment}/refunds', 'merchant', { x: 1 }],
    ['GET', '/v1/payments/{payment}/refunds', 'merchant reads'],
    ['POST', '/v1/payments/{payment}/resolve', 'merchant', {}],
    ['POST', '/v1/payments/{payment}/refresh', 'merchant', { x: 1 }],
    ['GET', '/v1/events', 'merchant reads, books apart'],
    ['POST', '/v1/events/evt_none/redeliver', 'merchant', { x: 1 }],
    ['GET', '/v1/approvals', 'merchant reads, books apart'],
    ['POST', '/v1/approvals/apr_none/approve', 'merchant', { x: 1 }],
    ['POST', '/v1/approvals/apr_none/decline', 'merchant', { x: 1 }],
    ['GET', '/v1/audit', 'merchant reads, books apart'],
    ['POST', '/v1/payments/search', 'merchant reads, books apart', { x: 1 }],
    ['POST', '/v1/console/sign-ins', 'merchant reads', { x: 1 }],
  ] as [method: 'GET' | 'POST', path: string, access: Access, body?: unknown][]
).map(([method, path, access, body]) => [method, path, access, body] as const);

/** The refusal that each kind of credential gets, by access; 0 where it is let in. */
function expected(kind: string, access: Access): number {
  if (kind === 'merchant key') return access === 'client' ? 403 : 0;
  if (kind === 'read key') return access.includes('reads') ? 0 : 403;
  if (kind === 'books key') return /(?:reads|books)$/.test(access) ? 0 : 403;
  if (kind === 'what its payer comes back with') return access === 'client or merchant reads' ? 0 : 403;
  if (kind === 'its client token') return access.startsWith('client') ? 0 : 403;
  return 401;
}

const filled = (path: string): string => path.replace('{session}', own.id).replace('{payment}', paymentId);

const [id, mac] = ['', ''].map((_, part) => () => own.clientToken.slice(4).split('.')[part] ?? '');
const credentials: readonly [kind: string, value: () => string][] = [
  ['merchant key', () => first.merchant],
  ['read key', () => scene.tillfront.merchantReadKey],
  ['books key', () => first.books],
  ['its client token', () => own.clientToken],
  ['a token with another session’s id', () => `cst_${other.id}.${mac?.() ?? ''}`],
  ['a token that is cut', () => own.clientToken.slice(0, -1)],
  ['a token with a sign more', () => `${own.clientToken}A`],
  ['a token in other letters', () => own.clientToken.toUpperCase()],
  ['a token without its mac', () => `cst_${id?.() ?? ''}.`],
  ['what its payer comes back with', () => readerToken],
  ['a payment’s return token', () => returnToken],
  ['the gateway’s key', () => 'test-gateway-api-key'],
  ['the notification secret', () => first.notification],
  ['the signing key', () => first.signing],
  ['a merchant key that is cut', () => first.merchant.slice(0, -1)],
  ['nothing', () => ''],
];

describe.each(credentials)('with %s', (kind, value) => {
  test.each(calls)('%s %s is for %s', async (method, path, access, body) => {
    const answered = await call(scene.client, method, filled(path), body, value());
    const refusal = expected(kind, access);
    if (refusal === 0)
      expect([401, 403, 404, 500]).not.toContain(
        /(?:evt|stl|ref|apr|dif)_none/.test(path) ? 0 : answered.status,
      );
    else
      expect([answered.status, problemOf(answered).code]).toEqual([
        refusal,
        refusal === 401 ? 'unauthorized' : 'forbidden',
      ]);
  });
});

test('the table has every call that the API describes with a credential', async () => {
  const description = (await (await fetch(`${scene.tillfront.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { security?: unknown[] }>>;
  };
  // The accounting brings its own.
  const accounting = /^.v1.(?:settlements|differences|movements|refunds|reports)/;
  const described = Object.entries(description.paths)
    .filter(([path]) => !accounting.test(path))
    .flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, { security }]) => (security ?? []).length > 0)
        .map(([method]) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`),
    );
  const tried = calls.map(
    ([method, path]) =>
      `${method} ${(path.split('?')[0] ?? '').replace(/\{\w+\}|(?:evt|stl|ref|apr|dif)_none/g, '{}')}`,
  );
  expect([...new Set(tried)].sort()).toEqual([...new Set(described)].sort());
});

describe('another session’s token', () => {
  test.each(calls.filter(([, path, access]) => access.startsWith('client') && path.includes('{payment}')))(
    '%s %s finds nothing',
    async (method, path, _access, _body) => {
      const body = method === 'GET' ? undefined : (CODES[path.slice(path.lastIndexOf('/') + 1)] ?? {});
      const answered = await call(scene.client, method, filled(path), body, other.clientToken);
      expect([answered.status, problemOf(answered).code]).toEqual([404, 'not-found']);
    },
  );

  test('shows its own session', async () => {
    const answered = await scene.client.get<{ id: string; payments: unknown[] }>('/v1/checkout-session', {
      token: other.clientToken,
    });
    expect([answered.body.id, answered.body.payments]).toEqual([other.id, []]);
  });
});

describe('guessing', () => {
  test('a wrong return token asks nobody anything', async () => {
    const guesses = [
      returnToken.slice(0, -1),
      `${returnToken}A`,
      'x'.repeat(43),
      returnToken.toLowerCase(),
      '%00',
    ];
    const asked: number[] = [];
    // The schedule may ask about the payment meanwhile, but not in each of three rounds.
    for (let round = 0; round < 3; round++) {
      scene.gateway.forget();
      for (const guess of guesses) {
        const answered = await fetch(`${scene.tillfront.url}/v1/payments/${paymentId}/return/${guess}`, {
          redirect: 'manual',
        });
        expect(answered.status).toBe(404);
      }
      asked.push(scene.gateway.requests.length);
    }
    expect(Math.min(...asked)).toBe(0);
    // 256 bits of a MAC, in 43 signs: nothing to guess, so nothing to count
    expect(returnToken).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  test('a one-time code can be guessed five times', async () => {
    scene.gateway.script('POST /payment/validate-otp', answer(otpRequired));
    scene.gateway.script('GET /transaction/*', answer(otpRequired));
    const statuses = [];
    for (let guess = 0; guess < 7; guess++) {
      statuses.push((await scene.client.submitOtp(own, paymentId, `12345${guess}`)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 409, 409]);
    expect(scene.gateway.requestsTo('POST /payment/validate-otp')).toHaveLength(5);
  });

  test('ids hold 96 bits of chance', () => {
    for (const made of [own.id, other.id, paymentId])
      expect(made).toMatch(/^(?:cs|pay)_[0-9a-z]{8}[A-Za-z0-9]{16}$/);
  });
});
