import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { problemOf, type Answer } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';

const BOUND = 20;

let scene: Scene;

beforeAll(async () => {
  scene = await startScene('embedded', { TRUST_PROXY: '1' });
});
afterAll(() => scene?.stop());

const call = (address: string, token: string, path = '/v1/payments'): Promise<Answer<unknown>> =>
  scene.client.get(path, { token, headers: { 'x-forwarded-for': address } });

async function spend(address: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let guess = 0; guess < BOUND; guess++)
    statuses.push((await call(address, `wrong-key-${guess}`)).status);
  return statuses;
}

describe('after 20 wrong keys in a minute', () => {
  const thief = '192.0.2.7';

  test('an address gets 429 for further ones, with the time to wait', async () => {
    expect(await spend(thief)).toEqual(Array.from({ length: BOUND }, () => 401));
    for (const path of ['/v1/payments', '/v1/checkout-session', '/v1/payments/pay_x']) {
      const refused = await call(thief, 'wrong-key-again', path);
      expect([refused.status, problemOf(refused).code]).toEqual([429, 'rate-limited']);
      const seconds = Number(refused.headers.get('retry-after'));
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(60);
    }
  });

  test('a right key of that address passes all the same, and so does a payer', async () => {
    expect((await call(thief, scene.tillfront.merchantKey)).status).toBe(200);
    expect((await call(thief, scene.tillfront.merchantReadKey)).status).toBe(200);
    const session = await scene.client.createSession();
    expect((await call(thief, session.clientToken, '/v1/checkout-session')).status).toBe(200);
  });

  test('another address gets 401 as before, and no key is in the log', async () => {
    expect((await call('192.0.2.8', 'wrong-key')).status).toBe(401);
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
  for (let times = 0; times < BOUND + 5; times++) {
    expect((await call(address, `cst_cs_${times}.wrong`, '/v1/checkout-session')).status).toBe(401);
    const none = await fetch(`${scene.tillfront.url}/v1/payments`, {
      headers: { 'x-forwarded-for': address },
    });
    expect(none.status).toBe(401);
  }
  expect((await call(address, 'wrong-key')).status).toBe(401);
});
