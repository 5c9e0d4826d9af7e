import { describe, expect, test } from '@jest/globals';
import { addressGroup, clientAddress } from './address.js';
import { RateLimit } from './rate-limit.js';

const allowed = (limit: RateLimit, address: string, calls: number): boolean[] =>
  Array.from({ length: calls }, () => limit.check(address, 0).allowed);

describe('the rate limit', () => {
  test('counts calls of an address and minute', () => {
    const limit = new RateLimit(2);
    expect(allowed(limit, '192.0.2.1', 3)).toEqual([true, true, false]);
    expect(allowed(limit, '192.0.2.2', 1)).toEqual([true]);
    expect(limit.check('192.0.2.1', 20_000)).toEqual({ allowed: false, retryAfterSeconds: 40 });
    expect(limit.check('192.0.2.1', 60_000)).toEqual({ allowed: true, retryAfterSeconds: 60 });
  });

  test('counts IPv6 by its /64', () => {
    const limit = new RateLimit(1);
    expect(allowed(limit, '2001:db8::1', 1)).toEqual([true]);
    expect(allowed(limit, '2001:db8::ffff:1', 1)).toEqual([false]);
    expect(allowed(limit, '2001:db8:0:1::1', 1)).toEqual([true]);
  });

  test('0 is no limit, and callers beyond the bound share a counter', () => {
    expect(allowed(new RateLimit(0), '192.0.2.1', 3)).toEqual([true, true, true]);
    const limit = new RateLimit(1, 1);
    expect(['a', 'b', 'c', 'a'].map((address) => limit.check(address, 0).allowed)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['[2001:DB8::1]:4711', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['2001:0db8::0001', '2001:db8::1'],
  ['evil', '198.51.100.1'],
  ['', '198.51.100.1'],
])('%s is the address %s', (ip, address) => {
  expect(clientAddress({ ip, socket: { remoteAddress: '::ffff:198.51.100.1' } })).toBe(address);
});

test('an address of nothing is unknown, and a group is an address or a /64', () => {
  expect(clientAddress({ ip: 'x', socket: {} })).toBe('unknown');
  expect([addressGroup('192.0.2.1'), addressGroup('2001:db8:1:2:3::4')]).toEqual([
    '192.0.2.1',
    '2001:db8:1:2::/64',
  ]);
});
