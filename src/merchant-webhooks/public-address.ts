import ipaddr from 'ipaddr.js';

/** The block from which every public IPv6 address comes so far (RFC 4291, section 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Where a network without IPv4 shows IPv4 addresses (RFC 6052): the last 32 bits say whose it really is. */
const TRANSLATED = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Whether an IP address is a public one: not this machine, not a neighbour, not a private, carrier, documentation, multicast or
 * otherwise special network, however it is written. What is no address is not public either.
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
