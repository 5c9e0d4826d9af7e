import ipaddr from 'ipaddr.js';

/**
 * Reads an http or https base address and returns it without a trailing slash. Undefined for anything else: other schemes,
 * user names, a query, a fragment, spaces.
 */
export function parseBaseUrl(text: string): string | undefined {
  const url = parseHttpUrl(text);
  if (!url || text.includes('?') || text.includes('#')) return undefined;
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** Reads an absolute http or https address without credentials. Undefined for anything else. */
export function parseHttpUrl(text: string): URL | undefined {
  // The URL parser accepts spaces, line breaks, backslashes and missing slashes. An address that needs that is a mistake.
  if (!/^https?:\/\/[^/\\\s][^\\\s]*$/i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.username || url.password ? undefined : url;
}

/**
 * Reads an origin, `https://host` or `https://host:port` (http too), and returns its canonical spelling. Undefined where
 * anything follows the host or port, even a slash, because only exact origins are compared later.
 */
export function parseOrigin(text: string): string | undefined {
  const url = parseHttpUrl(text);
  if (!url || /[/?#]/.test(text.slice(text.indexOf('://') + 3))) return undefined;
  // The origins are also written into a security policy, where these characters mean something.
  return /[*;,'"]/.test(url.hostname) ? undefined : url.origin;
}

/** Whether a URL's host is this machine: `localhost`, a name below it, or a loopback address. */
export function isLoopbackHost(hostname: string): boolean {
  if (/^(?:.+\.)?localhost\.?$/i.test(hostname)) return true;
  const text = hostname.replace(/^\[|\]$/g, '');
  return isAddress(text) && ipaddr.process(text).range() === 'loopback';
}

/** Whether the text is an IPv4 or IPv6 address or CIDR range. */
export function isAddressRange(text: string): boolean {
  if (!text.includes('/')) return isAddress(text);
  return ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
}

/** Whether the text is an IPv6 address, or an IPv4 address in the usual four parts. */
export function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}
