import ipaddr from 'ipaddr.js';

/** The block from which every public IPv6 address comes so far (RFC 4291, section 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** How a network without IPv4 writes IPv4 addresses (RFC 6052): the last 32 bits are the real one. */
const TRANSLATED = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Whether an IP address is public: not of this machine, and of no private, carrier, documentation, multicast or other
 * special network, in whatever notation. Anything that is no IP address is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() === 'unicast') return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
  return address.kind() === 'ipv6' && address.match(TRANSLATED) && isPublicAddress(lastFour(address));
}

function lastFour(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  return address.toByteArray().slice(-4).join('.');
}
