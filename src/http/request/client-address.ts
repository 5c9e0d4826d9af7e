import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Whose `X-Forwarded-For` entries count, in the form that the server takes. Given a number of hops, the framework would
 * trust nobody, so it gets a function: the peer is hop 0, the proxy before it hop 1, and so on.
 */
export function trustedProxies(
  setting: false | number | string[],
): false | string[] | ((address: string, hop: number) => boolean) {
  return typeof setting === 'number' ? (_address, hop) => hop < setting : setting;
}

/**
 * The address of the caller in canonical form: the peer's, or what trusted proxies say it is. An IPv4 address in IPv6 clothes
 * becomes IPv4; a port that a proxy added is dropped. What is no address at all is replaced by the peer's own.
 */
export function clientAddress(request: {
  readonly ip: string;
  readonly socket: { readonly remoteAddress?: string | undefined };
}): string {
  return canonical(request.ip) ?? canonical(request.socket.remoteAddress) ?? 'unknown';
}

/**
 * What one caller can be held to: an IPv4 address as it is, of an IPv6 address its /64 network,
 * because one household or server owns at least that many addresses.
 */
export function addressGroup(address: string): string {
  return isIPv6(address) ? leading(address, 4) : address;
}

/** The /48 network of an IPv6 address, which is what a site gets: it holds 65,536 of the /64 that a household or server has. */
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

/** `192.0.2.1:4711` and `[2001:db8::1]:4711` are how some proxies write an address. */
function withoutPort(text: string): string {
  const match = /^(?:([0-9.]+):[0-9]{1,5}|\[([^\]]+)\](?::[0-9]{1,5})?)$/.exec(text);
  return match?.[1] ?? match?.[2] ?? text;
}
