import { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { ConnectionTurns } from './connection-turns.js';
import { Connections, exemptPeers } from './connections.js';

/** A connection from an address that this machine does not have. */
function socketFrom(remoteAddress: string): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
}

function openFrom(addresses: readonly string[], trustProxy: false | number | string[] = false): boolean[] {
  const connections = new Connections({ all: 0, perAddress: 2, exempt: exemptPeers(trustProxy) }, 1_000);
  const sockets = addresses.map((address) => {
    const socket = socketFrom(address);
    connections.add(socket, new ConnectionTurns(socket, () => undefined));
    return socket;
  });
  const open = sockets.map(({ destroyed }) => !destroyed);
  for (const socket of sockets) socket.destroy();
  return open;
}

describe('connections are counted', () => {
  test('by the /64 of an IPv6 address', () => {
    expect(openFrom(['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1', '2001:db8::3'])).toEqual([
      ...[false, true, true, true],
    ]);
  });

  test('by an IPv4 address in either form', () => {
    expect(openFrom(['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.2', '192.0.2.1'])).toEqual([
      ...[false, true, true, true],
    ]);
  });

  test('not where the peer is a trusted proxy', () => {
    const proxies = ['10.0.0.0/8', '2001:db8::/32', '192.0.2.9'];
    for (const proxy of ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8:7::1', '192.0.2.9']) {
      expect(openFrom([proxy, proxy, proxy], proxies)).toEqual([true, true, true]);
    }
    expect(openFrom(['192.0.2.8', '192.0.2.8', '192.0.2.8'], proxies)).toEqual([false, true, true]);
    expect(openFrom(['192.0.2.8', '192.0.2.8', '192.0.2.8'], 1)).toEqual([true, true, true]);
  });
});
