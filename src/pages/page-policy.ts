import type { Config } from '../config/config.js';

/** The ready-made pages. `frame` is the checkout inside a page of the shop's. */
export const PAGES = ['checkout', 'frame', 'console'] as const;
export type Page = (typeof PAGES)[number];

/** What a page's policy depends on. */
export interface PolicyConfig {
  gateway: Pick<Config['gateway'], 'mode'>;
  http: Pick<Config['http'], 'allowedOrigins'>;
}

/**
 * The pages may load scripts and styles only from this service, call only this service, and never turn text into markup.
 * Nobody may frame them, but for the frame's page, which allowed origins may. The checkout page's forms may go to any https
 * address, because banks choose where a 3-D Secure form is posted. In test mode they may also go to loopback addresses,
 * where the sandbox's bank is. The frame hands the way to a bank to the page around it, and the console's forms are handled
 * by its script, so neither submits any.
 */
export function pageSecurityPolicy(page: Page, { gateway, http }: PolicyConfig): string {
  const banks = gateway.mode === 'live' ? 'https:' : 'https: http://localhost:* http://127.0.0.1:*';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    page === 'checkout' ? `form-action 'self' ${banks}` : "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${page === 'frame' ? http.allowedOrigins.join(' ') : "'none'"}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
