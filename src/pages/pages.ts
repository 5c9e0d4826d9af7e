import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.js';
import { ROOT } from '../config/package-version.js';
import { FOR_EVERY_ORIGIN, serveMerchant } from './merchant.js';

/** Where the build puts the files, each with its compressed forms. */
const BUILT = fileURLToPath(new URL('dist/pages/files', ROOT));

/** A hash of the content in the address: the file never changes. */
const HASHED = /[/.-][0-9a-f]{16}[/.]/;

/** `frame` is the checkout inside a page of the shop's. */
const PAGES = { checkout: '/checkout', frame: '/checkout/frame', console: '/console' } as const;
type Page = keyof typeof PAGES;

/** Serves the browser kit, the checkout and the console. The pages hold no data: what they show needs a token or a key. */
export async function servePages(server: FastifyInstance, config: Config): Promise<void> {
  const merchant = serveMerchant(server, config);
  // Run from source, nothing is built.
  if (!existsSync(BUILT)) return;
  for (const folder of ['kit', 'checkout', 'console']) {
    // Not registered: its routes must be there before the edge has closed its list of them.
    await fastifyStatic(server, {
      ...{ root: join(BUILT, folder), prefix: `/${folder}/`, decorateReply: false },
      ...{ preCompressed: true, cacheControl: false },
      setHeaders: (reply, path) => {
        const hashed = HASHED.test(path.slice(BUILT.length));
        reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, no-cache');
        if (path.endsWith('.d.ts')) reply.header('content-type', 'text/plain; charset=utf-8');
        if (folder === 'kit') reply.headers(FOR_EVERY_ORIGIN);
      },
    });
  }
  for (const [page, path] of Object.entries(PAGES) as [Page, string][]) {
    const html = filled(readFileSync(join(BUILT, `${page}.html`), 'utf8'), page, config, merchant);
    const headers = {
      ...{ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'public, no-cache' },
      'content-security-policy': pageSecurityPolicy(page, config),
      ...(page === 'frame'
        ? { 'cross-origin-resource-policy': 'cross-origin' }
        : { 'cross-origin-opener-policy': 'same-origin', 'x-frame-options': 'DENY' }),
    };
    server.get(path, (_request, reply) => reply.headers(headers).send(html));
  }
}

/**
 * Banks choose where a 3-D Secure form is posted, so the checkout's forms may go to any https address; in test mode to
 * loopback too, where the sandbox's bank is.
 */
export function pageSecurityPolicy(page: Page, { gateway, http }: PolicyConfig): string {
  const banks = gateway.mode === 'live' ? 'https:' : 'https: http://localhost:* http://127.0.0.1:*';
  return [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'",
    `form-action ${page === 'console' ? "'none'" : `'self' ${banks}`}`,
    `frame-ancestors ${page === 'frame' ? http.allowedOrigins.join(' ') : "'none'"}`,
    "require-trusted-types-for 'script'; trusted-types 'none'",
  ].join('; ');
}

interface PolicyConfig {
  gateway: Pick<Config['gateway'], 'mode'>;
  http: Pick<Config['http'], 'allowedOrigins'>;
}

/** With these settings a page that was opened at another address than the payer's one can say so. */
function filled(html: string, page: Page, { http, brand, gateway }: Config, merchant: object): string {
  const settings: Readonly<Record<string, string>> = {
    // No setting names the address of the merchant's own port.
    '%base-url%': page === 'console' && http.merchantPort !== undefined ? '' : http.publicBaseUrl,
    '%mode%': gateway.mode,
    '%title%': brand.name === undefined ? 'Checkout' : `Checkout – ${brand.name}`,
    '%allowed-origins%': http.allowedOrigins.join(' '),
    '%brand%': JSON.stringify(merchant),
  };
  return html.replace(/%[a-z-]+%/g, (name) =>
    (settings[name] ?? name).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  );
}
