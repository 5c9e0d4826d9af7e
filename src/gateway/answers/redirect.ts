import { isLoopbackHost } from '../../config/addresses.js';

/**
 * Whether a payer may be sent to an address from the gateway. It must be https, or in test mode http on this machine.
 * It must not hold a user name or password, which can make one host look like another. It must not hold spaces or
 * backslashes, which programs interpret differently.
 */
export function isSafeRedirect(url: string, mode: 'test' | 'live'): boolean {
  const parsed = URL.canParse(url) && !/[\s\\]/.test(url) ? new URL(url) : undefined;
  if (parsed === undefined || parsed.username !== '' || parsed.password !== '') return false;
  if (parsed.protocol === 'https:') return true;
  return mode === 'test' && parsed.protocol === 'http:' && isLoopbackHost(parsed.hostname);
}
