import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { RateLimit } from './rate-limit.js';

afterEach(() => {
  jest.useRealTimers();
});

async function areAllowed(limiter: RateLimit, address: string, calls: number): Promise<boolean[]> {
  const all: boolean[] = [];
  for (let call = 0; call < calls; call++) all.push((await limiter.check(address)).allowed);
  return all;
}

describe('RateLimit', () => {
  test('allows as many calls a minute as the limit says, to each address', async () => {
    const limiter = new RateLimit(2);
    expect(await areAllowed(limiter, '192.0.2.1', 4)).toEqual([true, true, false, false]);
    expect(await areAllowed(limiter, '192.0.2.2', 3)).toEqual([true, true, false]);
  });

  test('says when to come back, and then allows again', async () => {
    jest.useFakeTimers();
    const limiter = new RateLimit(1);
    await limiter.check('192.0.2.1');
    jest.advanceTimersByTime(20_000);
    const { allowed, retryAfterSeconds } = await limiter.check('192.0.2.1');
    expect(allowed).toBe(false);
    expect(retryAfterSeconds).toBe(40);
    jest.advanceTimersByTime(40_001);
    expect((await limiter.check('192.0.2.1')).allowed).toBe(true);
  });

  test('refused calls do not make the wait longer', async () => {
    jest.useFakeTimers();
    const limiter = new RateLimit(1);
    await areAllowed(limiter, '192.0.2.1', 50);
    jest.advanceTimersByTime(60_001);
    expect((await limiter.check('192.0.2.1')).allowed).toBe(true);
  });

  test('counts a /64 network as one caller', async () => {
    const limiter = new RateLimit(1);
    expect(await areAllowed(limiter, '2001:db8:0:1::1', 1)).toEqual([true]);
    expect(await areAllowed(limiter, '2001:db8:0:1:ffff::2', 1)).toEqual([false]);
    expect(await areAllowed(limiter, '2001:db8:0:2::1', 1)).toEqual([true]);
  });

  test('a /48 may make three times as many calls as one of its /64', async () => {
    const limiter = new RateLimit(2);
    const sites = Array.from({ length: 4 }, (_, site) => `2001:db8:7:${site.toString(16)}::1`);
    for (const site of sites.slice(0, 3)) expect(await areAllowed(limiter, site, 2)).toEqual([true, true]);
    expect(await areAllowed(limiter, sites[3] ?? '', 1)).toEqual([false]);
    expect(await areAllowed(limiter, '2001:db8:8::1', 1)).toEqual([true]);
  });

  test('one /64 uses up no more than its own part of the /48', async () => {
    const limiter = new RateLimit(2);
    await areAllowed(limiter, '2001:db8:7:1::1', 100);
    expect(await areAllowed(limiter, '2001:db8:7:2::1', 2)).toEqual([true, true]);
  });

  test('0 turns it off', async () => {
    expect(await areAllowed(new RateLimit(0), '192.0.2.1', 100)).not.toContain(false);
  });

  test('of very many addresses, the first keep their own counters and the rest share some', async () => {
    jest.useFakeTimers();
    const limiter = new RateLimit(1, 10);
    for (let caller = 0; caller < 10; caller++) await limiter.check(`192.0.2.${caller}`);
    let allowed = 0;
    for (let caller = 0; caller < 5_000; caller++) {
      if ((await limiter.check(`10.0.${caller >> 8}.${caller & 255}`)).allowed) allowed++;
    }
    expect(allowed).toBeGreaterThan(0);
    expect(allowed).toBeLessThanOrEqual(1_024);
    expect((await limiter.check('192.0.2.3')).allowed).toBe(false);
    jest.advanceTimersByTime(60_001);
    expect((await limiter.check('10.1.1.1')).allowed).toBe(true);
    expect((await limiter.check('10.1.1.2')).allowed).toBe(true);
  });
});
