import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startScene, type Scene } from '../harness/scene.js';

/** What every answer carries, whoever asks for whatever: the baseline that scanners look for. */
const ALWAYS = {
  'strict-transport-security': /^max-age=31536000$/,
  'x-content-type-options': /^nosniff$/,
  'referrer-policy': /^no-referrer$/,
  'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
  'x-request-id': /./,
};

const NEVER = ['server', 'x-powered-by', 'set-cookie', 'x-aspnet-version', 'via'];

const API = { 'cache-control': /^no-store$/ };

const PAGE = {
  'cache-control': /no-cache/,
  'cross-origin-opener-policy': /^same-origin$/,
  'x-frame-options': /^DENY$/,
};

type Headers_ = Record<string, RegExp>;

/** One request of each kind of route, what it must be answered with, and what its headers say besides. */
const KINDS: readonly [kind: string, method: string, path: string, status: number, headers: Headers_][] = [
  ['a call', 'GET', '/v1/payments', 200, API],
  ['a call without a body', 'POST', '/v1/payments/pay_x/void', 400, API],
  ['a call about nothing', 'GET', '/v1/payments/pay_x', 404, API],
  ['a public call', 'GET', '/v1/card-encryption-key', 200, API],
  ['a notification', 'POST', '/v1/gateway/notifications', 200, API],
  ['a wrong return', 'GET', '/v1/payments/pay_x/return/wrong', 404, API],
  ['an unknown address', 'GET', '/nothing', 404, API],
  ['an undecodable address', 'GET', '/v1/payments/%zz', 400, API],
  ['an unknown method', 'DELETE', '/v1/payments', 405, API],
  ['a long address', 'GET', `/${'a'.repeat(17_000)}`, 431, API],
  ['health', 'GET', '/health/live', 200, API],
  ['metrics', 'GET', '/metrics', 200, API],
  ['the description', 'GET', '/openapi.json', 200, API],
  ['the checkout page', 'GET', '/checkout', 200, PAGE],
  ['the console', 'GET', '/console', 200, PAGE],
  ['the documentation', 'GET', '/docs', 200, API],
  [
    'the kit',
    'GET',
    '/kit/tillfront.js',
    200,
    { 'cache-control': /^public, no-cache$/, 'cross-origin-resource-policy': /^cross-origin$/ },
  ],
  ['the kit’s types', 'GET', '/kit/tillfront.d.ts', 200, { 'content-type': /^text\/plain/ }],
  ['no file of the kit', 'GET', '/kit/nothing.js', 404, {}],
  ['a path out of the kit', 'GET', '/kit//nothing.js', 404, {}],
  ['a name that no file can have', 'GET', `/kit/${'a'.repeat(5_000)}`, 404, {}],
];

let scene: Scene;

beforeAll(async () => {
  scene = await startScene('embedded', { PUBLIC_BASE_URL: 'https://pay.shop.example' });
});
afterAll(() => scene?.stop());

const ask = (method: string, path: string): Promise<Response> =>
  fetch(scene.tillfront.url + path, {
    method,
    redirect: 'manual',
    headers: { authorization: `Bearer ${scene.tillfront.merchantKey}` },
  });

describe('the headers of', () => {
  test.each(KINDS)('%s', async (_kind, method, path, status, more) => {
    const answered = await ask(method, path);
    expect(answered.status).toBe(status);
    for (const [name, value] of Object.entries({ ...ALWAYS, ...more })) {
      expect([name, answered.headers.get(name)]).toEqual([name, expect.stringMatching(value)]);
    }
    expect(NEVER.filter((name) => answered.headers.has(name))).toEqual([]);
    // The documentation's page styles itself.
    const policy = (answered.headers.get('content-security-policy') ?? '').replace(
      path === '/docs' ? "style-src 'self' 'unsafe-inline'" : '',
      '',
    );
    expect(policy).not.toMatch(/unsafe-|\*(?!;| |$)|data: .*script/);
    // Any page may load the kit, so that it can say what is wrong there.
    expect(answered.headers.get('access-control-allow-origin')).toBe(
      path.startsWith('/kit/tillfront.') ? '*' : null,
    );
  });
});

test('forms go from the checkout page to https alone, and from no other page anywhere', async () => {
  const formAction = async (path: string): Promise<string | undefined> =>
    /form-action ([^;]*)/.exec((await ask('GET', path)).headers.get('content-security-policy') ?? '')?.[1];
  expect(await formAction('/checkout')).toMatch(/^'self' https:/);
  expect(await formAction('/console')).toBe("'none'");
  expect(await formAction('/docs')).toBe("'none'");
});
