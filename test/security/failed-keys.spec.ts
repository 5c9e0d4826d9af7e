import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { problemOf, type Answer } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { until } from '../harness/until.js';

const BOUND = 20;

interface Line {
  event?: string;
  address?: string;
  fingerprint?: string;
}

let scene: Scene;

beforeAll(async () => {
  scene = await startScene('embedded', { TRUST_PROXY: '1' });
});
afterAll(() => scene?.stop());

const call = (address: string, token: string, path = '/v1/payments'): Promise<Answer<unknown>> =>
  scene.client.get(path, { token, headers: { 'x-forwarded-for': address } });

async function spend(address: string, token = 'wrong-key'): Promise<number[]> {
  const statuses: number[] = [];
  for (let guess = 0; guess < BOUND; guess++)
    statuses.push((await call(address, `${token}-${guess}`)).status);
  return statuses;
}

const lines = (event: string, address: string): Line[] =>
  scene.tillfront
    .logs()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.event === event && line.address === address);

const metric = async (result: string): Promise<number> => {
  const text = await (await fetch(`${scene.tillfront.url}/metrics`)).text();
  return Number(
    new RegExp(`^tillfront_failed_keys_total\\{result="${result}"\\} (\\d+)$`, 'm').exec(text)?.[1],
  );
};

describe('after 20 wrong keys in a minute', () => {
  const thief = '192.0.2.7';

  test('an address gets 429 for further ones, with the time to wait, and no key tells more', async () => {
    const before = [await metric('refused'), await metric('limited')];
    expect(await spend(thief)).toEqual(Array.from({ length: BOUND }, () => 401));
    for (const path of ['/v1/payments', '/v1/checkout-session', '/v1/payments/pay_x']) {
      const refused = await call(thief, 'wrong-key-again', path);
      expect([refused.status, problemOf(refused).code]).toEqual([429, 'rate-limited']);
      const seconds = Number(refused.headers.get('retry-after'));
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(60);
    }
    // Metrics are rendered at most once a second.
    const [refusedBefore = 0, limitedBefore = 0] = before;
    await until(async () => (await metric('limited')) === limitedBefore + 3);
    expect(await metric('refused')).toBe(refusedBefore + BOUND);
  });

  test('a right key of that address passes all the same', async () => {
    expect((await call(thief, scene.tillfront.merchantKey)).status).toBe(200);
    expect((await call(thief, scene.tillfront.merchantReadKey)).status).toBe(200);
  });

  test('a payer of that address pays on', async () => {
    const session = await scene.client.createSession();
    expect((await call(thief, session.clientToken, '/v1/checkout-session')).status).toBe(200);
  });

  test('another address is told 401 as before', async () => {
    expect((await call('192.0.2.8', 'wrong-key')).status).toBe(401);
  });

  test('each had its line with address and a hash, one spoke for the rest, and no key is in the log', async () => {
    await until(() => lines('merchant_key.limited', thief).length > 0);
    expect(lines('merchant_key.failed', thief)).toHaveLength(BOUND);
    expect(lines('merchant_key.limited', thief)).toHaveLength(1);
    const prints = lines('merchant_key.failed', thief).map(({ fingerprint }) => fingerprint);
    expect(new Set(prints).size).toBe(BOUND);
    for (const print of prints) expect(print).toMatch(/^[\w-]{16}$/);
    expect(scene.tillfront.logs()).not.toContain('wrong-key');
  });
});

test('an IPv6 address is its /64', async () => {
  await spend('2001:db8:0:7::1');
  expect((await call('2001:db8:0:7:ffff::2', 'wrong-key')).status).toBe(429);
  expect((await call('2001:db8:0:8::1', 'wrong-key')).status).toBe(401);
});

test('a payer’s token that is over or cut short is no failed key, nor is a call without any', async () => {
  const address = '192.0.2.9';
  for (let call_ = 0; call_ < BOUND + 5; call_++) {
    expect((await call(address, `cst_cs_${call_}.wrong`, '/v1/checkout-session')).status).toBe(401);
    const none = await fetch(`${scene.tillfront.url}/v1/payments`, {
      headers: { 'x-forwarded-for': address },
    });
    expect(none.status).toBe(401);
  }
  expect((await call(address, 'wrong-key')).status).toBe(401);
  expect(lines('merchant_key.failed', address).length).toBeLessThanOrEqual(1);
});

test('a flood from everywhere does not fill the log', async () => {
  const calls = Array.from({ length: 300 }, (_, index) =>
    call(`198.51.100.${index % 250}`, `flood-${index}`),
  );
  for (const { status } of await Promise.all(calls)) expect(status).toBe(401);
  await until(() => scene.tillfront.logs().includes('merchant_key.not_all_logged'));
  const about = scene.tillfront.logs().match(/"event":"merchant_key\.(?:failed|limited)"/g) ?? [];
  expect(about.length).toBeLessThanOrEqual(200);
});
