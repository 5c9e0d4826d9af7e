import ipaddr from 'ipaddr.js';
import { isIPv4 } from 'node:net';

/** An address with the port that some proxies add: `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

/** The caller's address: the peer's, or what trusted proxies say it is. An IPv4-mapped address becomes IPv4. */
export function clientAddress(request: {
  readonly ip: string;
  readonly socket: { readonly remoteAddress?: string | undefined };
}): string {
  if (isIPv4(request.ip)) return request.ip;
  for (const text of [request.ip, request.socket.remoteAddress ?? '']) {
    const [, inBrackets, beforePort] = WITH_PORT.exec(text) ?? [];
    const [address = ''] = (inBrackets ?? beforePort ?? text).split('%', 1);
    if (ipaddr.isValid(address)) return ipaddr.process(address).toString();
  }
  return 'unknown';
}

/** What limits count: an IPv4 address, or the /64 of an IPv6 address, which one household or server owns. */
export function addressGroup(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}
