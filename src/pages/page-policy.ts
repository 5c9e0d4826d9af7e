import type { Config } from '../config/config.js';

/**
 * What the pages may do: load scripts and styles from this service only, talk to it only, stand in no frame, and make no
 * markup out of text. The checkout page's forms go to any https address, because banks choose where a 3-D Secure form is posted; in
 * test mode to loopback addresses too, where the sandbox's bank is. The console's forms are read by its script and go nowhere.
 */
export function pageSecurityPolicy(page: 'checkout' | 'console', mode: Config['gateway']['mode']): string {
  const banks = mode === 'live' ? 'https:' : 'https: http://localhost:* http://127.0.0.1:*';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    page === 'console' ? "form-action 'none'" : `form-action 'self' ${banks}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
