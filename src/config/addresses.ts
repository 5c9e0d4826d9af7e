import ipaddr from 'ipaddr.js';

/**
 * Reads an http or https base address and returns it without a trailing slash.
 * Undefined for anything else: other schemes, user names, a query, a fragment, blanks.
 */
export function parseBaseUrl(text: string): string | undefined {
  const url = parseHttpUrl(text);
  if (!url || text.includes('?') || text.includes('#')) return undefined;
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** Reads an absolute http or https address that carries no credentials; undefined for anything else. */
export function parseHttpUrl(text: string): URL | undefined {
  // The URL parser forgives blanks, line breaks, backslashes and missing slashes; an address that needs that is a mistake.
  if (!/^https?:\/\/[^/\\\s][^\\\s]*$/i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.username || url.password ? undefined : url;
}

/**
 * Reads an origin, `https://host` or `https://host:port` (http too), and returns its canonical spelling.
 * Undefined where anything follows the host or port, a slash too: what is compared later is exactly an origin.
 */
export function parseOrigin(text: string): string | undefined {
  const url = parseHttpUrl(text);
  if (!url || /[/?#]/.test(text.slice(text.indexOf('://') + 3))) return undefined;
  return url.hostname.includes('*') ? undefined : url.origin;
}

/** Whether a URL's host is this machine itself: `localhost`, a name below it, or a loopback address. */
export function isLoopbackHost(hostname: string): boolean {
  if (isLocalName(hostname)) return true;
  const address = literalAddress(hostname);
  return address !== undefined && address.range() === 'loopback';
}

/**
 * Whether a URL's host is, as it stands, no public one: `localhost` or an address that is not globally reachable
 * (private, loopback, link-local, carrier, documentation, multicast and the like; mapped IPv4 addresses too).
 * A name that resolves to such an address is not seen here.
 */
export function isPrivateHost(hostname: string): boolean {
  if (isLocalName(hostname)) return true;
  const address = literalAddress(hostname);
  return address !== undefined && address.range() !== 'unicast';
}

/** Whether the text is an address or a CIDR range of IPv4 or IPv6. */
export function isAddressRange(text: string): boolean {
  if (!text.includes('/')) return isAddress(text);
  return ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
}

/** Whether the text is an IPv4 address in its usual four parts, or an IPv6 address. */
export function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

function isLocalName(hostname: string): boolean {
  return /^(?:.+\.)?localhost\.?$/i.test(hostname);
}

function literalAddress(hostname: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const text = hostname.replace(/^\[|\]$/g, '');
  return isAddress(text) ? ipaddr.process(text) : undefined;
}
