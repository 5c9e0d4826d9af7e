import type { Config } from '../config/config.js';

/**
 * The pages may load scripts and styles only from this service, call only this service, be framed by nobody, and never turn
 * text into markup. The checkout page's forms may go to any https address, because banks choose where a 3-D Secure form is
 * posted. In test mode they may also go to loopback addresses, where the sandbox's bank is. The console's forms are handled
 * by its script and are never submitted.
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
