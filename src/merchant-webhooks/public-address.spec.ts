import { describe, expect, test } from '@jest/globals';
import { isPublicAddress } from './guarded-connector.js';

describe('public', () => {
  test.each([
    ['8.8.8.8'],
    ['172.15.255.255'],
    ['172.32.0.1'],
    ['2606:4700::1111'],
    ['::ffff:8.8.8.8'],
    ['64:ff9b::8.8.8.8'],
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('not public', () => {
  test.each([
    ['this machine', '127.0.0.1'],
    ['this machine, another spelling', '127.1.2.3'],
    ['this machine over IPv6', '::1'],
    ['this machine, IPv4 in IPv6', '::ffff:127.0.0.1'],
    ['this machine, IPv4 in IPv6 by hexadecimal digits', '::ffff:7f00:1'],
    ['this machine, the old IPv4 in IPv6', '::7f00:1'],
    ['this machine behind a translator', '64:ff9b::7f00:1'],
    ['this machine behind a relay', '2002:7f00:1::'],
    ['any address', '0.0.0.0'],
    ['any address over IPv6', '::'],
    ['a private network', '10.0.0.1'],
    ['a private network', '172.16.0.1'],
    ['a private network', '192.168.1.1'],
    ['a private network behind a translator', '64:ff9b::10.0.0.1'],
    ['a private network over IPv6', 'fd00::1'],
    ['a cloud’s metadata', '169.254.169.254'],
    ['a cloud’s metadata over IPv6', 'fd00:ec2::254'],
    ['a link', 'fe80::1'],
    ['a link with its interface', 'fe80::1%eth0'],
    ['a carrier’s network', '100.64.0.1'],
    ['a benchmark', '198.18.0.1'],
    ['documentation', '203.0.113.1'],
    ['documentation over IPv6', '2001:db8::1'],
    ['many at once', '224.0.0.1'],
    ['all at once', '255.255.255.255'],
    ['a range that nobody has yet', '4000::1'],
    ['no address', 'localhost'],
    ['nothing', ''],
  ])('%s: %s', (_what, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
