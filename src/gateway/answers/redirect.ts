import { isLoopbackHost } from '../../config/addresses.js';

/**
 * Whether an address that the gateway names may be handed to a payer: https, or in test mode http on this machine. No
 * user name or password in it, which would only make one host look like another, and no blanks or backslashes, which
 * programs read differently.
 */
export function isSafeRedirect(url: string, mode: 'test' | 'live'): boolean {
  const parsed = URL.canParse(url) && !/[\s\\]/.test(url) ? new URL(url) : undefined;
  if (parsed === undefined || parsed.username !== '' || parsed.password !== '') return false;
  if (parsed.protocol === 'https:') return true;
  return mode === 'test' && parsed.protocol === 'http:' && isLoopbackHost(parsed.hostname);
}
