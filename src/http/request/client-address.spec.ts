import { expect, test } from '@jest/globals';
import { addressGroup, clientAddress } from './client-address.js';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['unknown', '203.0.113.9'],
  ['', '203.0.113.9'],
  ['1', '203.0.113.9'],
  ['0300.0.2.1', '203.0.113.9'],
  ['192.0.2.1, 192.0.2.2', '203.0.113.9'],
  ['_hidden', '203.0.113.9'],
])('%s is %s', (ip, address) => {
  expect(clientAddress({ ip, socket: { remoteAddress: '203.0.113.9' } })).toBe(address);
});

test('a peer without an address is one caller', () => {
  expect(clientAddress({ ip: '', socket: {} })).toBe('unknown');
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['unknown', 'unknown'],
])('%s belongs to %s', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});
