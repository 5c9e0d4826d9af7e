import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Whose `X-Forwarded-For` entries are trusted, in the form that the server takes. If the framework got a number of hops, it
 * would trust nobody, so it gets a function: the peer is hop 0, the proxy before it hop 1, and so on.
 */
export function trustedProxies(
  setting: false | number | string[],
): false | string[] | ((address: string, hop: number) => boolean) {
  return typeof setting === 'number' ? (_address, hop) => hop < setting : setting;
}

/**
 * The caller's address in canonical form: the peer's, or what trusted proxies say it is. An IPv4-mapped IPv6 address
 * becomes IPv4, and a port that a proxy added is dropped. Anything that is not an address is replaced by the peer's own.
 */
export function clientAddress(request: {
  readonly ip: string;
  readonly socket: { readonly remoteAddress?: string | undefined };
}): string {
  return canonical(request.ip) ?? canonical(request.socket.remoteAddress) ?? 'unknown';
}

/**
 * The address that limits apply to: an IPv4 address unchanged, or the /64 network of an IPv6 address. One household or
 * server owns at least a whole /64.
 */
export function addressGroup(address: string): string {
  return isIPv6(address) ? leading(address, 4) : address;
}

/** The /48 network of an IPv6 address, which a whole site gets. It holds 65,536 networks of size /64. */
export function addressNetwork(address: string): string | undefined {
  return isIPv6(address) ? leading(address, 3) : undefined;
}

function leading(address: string, parts: number): string {
  const kept = ipaddr.IPv6.parse(address).parts.slice(0, parts);
  return `${kept.map((part) => part.toString(16)).join(':')}::/${parts * 16}`;
}

function canonical(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (isIPv4(text)) return text;
  const address = withoutPort(text);
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  const withoutZone = address.split('%', 1)[0] ?? address;
  return ipaddr.process(withoutZone).toString();
}

/** Some proxies write an address as `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const match = /^(?:([0-9.]+):[0-9]{1,5}|\[([^\]]+)\](?::[0-9]{1,5})?)$/.exec(text);
  return match?.[1] ?? match?.[2] ?? text;
}
