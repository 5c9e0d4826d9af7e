import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncodings } from '../http/request.js';

/**
 * What Swagger UI lacks for people who see little contrast, or hear the page. Its own texts keep their places: these are colours, names
 * and levels. `test/http/api-docs.spec.ts` looks for what is still wrong.
 */

/** Colours that can be read on theirs, buttons that do not grow from nothing (WCAG 2.2 AA), and tables that fit a phone. */
const ACCESSIBLE_STYLE = `.swagger-ui .info .title small { background: #59606d; }
.swagger-ui .info .title small.version-stamp { background: #3d6b00; }
.swagger-ui a, .swagger-ui .info a, .swagger-ui .info .url, .swagger-ui .link { color: #1b5fae; }
.swagger-ui .btn.authorize, .swagger-ui .btn.authorize span { border-color: #14693d; color: #14693d; }
.swagger-ui .btn.authorize svg { fill: #14693d; }
.swagger-ui .btn.cancel { border-color: #b3261e; color: #b3261e; }
.swagger-ui .btn.execute { border-color: #1b5fae; background: #1b5fae; }
.swagger-ui .opblock .opblock-summary-method { background: #595959; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1b5fae; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #14693d; }
.swagger-ui .opblock .opblock-summary .view-line-link { transition: none; }
.swagger-ui .parameter__in, .swagger-ui .parameter__extension { color: #595959; }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: #4d4d4d; }
@media (max-width: 640px) {
  .swagger-ui .responses-table { table-layout: fixed; }
  .swagger-ui .responses-table .col_header, .swagger-ui .responses-table td { overflow-wrap: anywhere; }
  .swagger-ui .response-col_status { width: 4em; }
  .swagger-ui .response-col_links { display: none; }
}
`;

/** Names what is drawn without a name, again whenever something is drawn. */
const ACCESSIBLE_SCRIPT = `const put = (selector, attributes) => {
  for (const element of document.querySelectorAll(selector))
    for (const [name, value] of Object.entries(attributes))
      if (value === null) element.removeAttribute(name);
      else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
};
const name = () => {
  put('.information-container', { role: 'region', 'aria-label': 'About this API' });
  put('.scheme-container', { role: 'region', 'aria-label': 'Server and credentials' });
  put('#servers', { 'aria-label': 'Server' });
  put('.examples-select-element', { 'aria-label': 'Example' });
  put('textarea.body-param__text', { 'aria-label': 'Request body' });
  put('.modal-ux', { role: 'dialog', 'aria-modal': 'true', 'aria-label': 'Available authorizations' });
  put('.close-modal', { 'aria-label': 'Close' });
  put('.modal-btn', { 'aria-label': null });
  put('.responses-table', { role: null });
  put('pre.microlight', { tabindex: '0' });
  put('h3, .models > h4', { 'aria-level': '2' });
  put('.opblock h4, .modal-ux h4', { 'aria-level': '3' });
  put('h5', { 'aria-level': '4' });
};
new MutationObserver(name).observe(document.getElementById('api'), { childList: true, subtree: true });
`;

/** The page loads nothing from elsewhere and runs nothing that stands in it. Its images are in its style sheet. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Tillfront API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <link rel="stylesheet" href="/docs/accessible.css" />
    <link rel="icon" href="data:," />
    <script src="/docs/swagger-ui-bundle.js" defer></script>
    <script src="/docs/start.js" defer></script>
  </head>
  <body>
    <noscript>The description of the API is at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <div id="api"></div>
  </body>
</html>
`;

/** What an engineer finds at the service's own address. */
const FRONT = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Tillfront</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <main>
      <h1>Tillfront</h1>
      <ul>
        <li><a href="/docs">The API, to read and try</a></li>
        <li><a href="/openapi.json">Its description (OpenAPI)</a></li>
        <li><a href="/console">The merchant’s console</a></li>
      </ul>
      <p>Payers pay at the <code>checkoutUrl</code> of a session that your server creates.</p>
    </main>
  </body>
</html>
`;

/** Nothing is sent to a validator elsewhere, no credential is kept in the browser, and examples have one colour that can be read. */
const START = `SwaggerUIBundle({ url: '/openapi.json', domNode: document.getElementById('api'), validatorUrl: null, persistAuthorization: false, syntaxHighlight: false });
${ACCESSIBLE_SCRIPT}`;

const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/**
 * Serves the description at `/openapi.json`, a page to read and try it at `/docs`, and links to both and the console at `/`. The description
 * is made when it is first asked for, so that it costs the start nothing. Call this before the application listens.
 */
export function serveApiDocs(app: NestFastifyApplication, describe: () => OpenAPIObject): void {
  const server = app.getHttpAdapter().getInstance();
  const assetFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  // Bytes, so that answers that wait for slow readers share them.
  let description: Served | undefined;
  // Whoever reads it programs the merchant's server; payers have no use for it.
  const config = { edge: { openAt: 'merchant' } } as const;
  server.get('/openapi.json', { config }, (request, reply) => {
    description ??= served(Buffer.from(JSON.stringify(describe())));
    return serve(request, reply.header('content-type', 'application/json; charset=utf-8'), description);
  });
  for (const [path, page] of [
    ['/', FRONT],
    ['/docs', PAGE],
  ] as const) {
    server.get(path, { config }, (_request, reply) =>
      reply
        .header('content-security-policy', PAGE_POLICY)
        .header('cross-origin-opener-policy', 'same-origin')
        .header('x-frame-options', 'DENY')
        .header('content-type', 'text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(page),
    );
  }
  server.get('/docs/start.js', { config }, (_request, reply) =>
    asset(reply, 'text/javascript; charset=utf-8').send(START),
  );
  server.get('/docs/accessible.css', { config }, (_request, reply) =>
    asset(reply, 'text/css; charset=utf-8').send(ACCESSIBLE_STYLE),
  );
  for (const [file, type] of Object.entries(ASSETS)) {
    // Kept in memory, so that no request needs a file handle.
    const content = served(readFileSync(join(assetFolder, file)));
    server.get(`/docs/${file}`, { config }, (request, reply) => serve(request, asset(reply, type), content));
  }
}

/** What is served, as it is and packed once in each way, when somebody first asks for that. */
interface Served {
  readonly plain: Buffer;
  readonly packed: Map<string, Promise<Buffer>>;
}

const served = (plain: Buffer): Served => ({ plain, packed: new Map() });

/** The smallest first. More than 7 saves a tenth and takes Brotli many times as long. */
const PACKINGS: readonly (readonly [encoding: string, pack: (plain: Buffer) => Promise<Buffer>])[] = [
  ['br', (plain) => promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } })],
  ['gzip', (plain) => promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION })],
];

async function serve(request: FastifyRequest, reply: FastifyReply, content: Served): Promise<FastifyReply> {
  reply.header('vary', 'Accept-Encoding, Origin');
  const accepted = acceptedEncodings(request.headers['accept-encoding']);
  const [encoding, pack] = PACKINGS.find(([name]) => accepted.has(name)) ?? [];
  if (encoding === undefined || pack === undefined) return reply.send(content.plain);
  const packed = content.packed.get(encoding) ?? pack(content.plain);
  content.packed.set(encoding, packed);
  return reply.header('content-encoding', encoding).send(await packed);
}

function asset(reply: FastifyReply, type: string): FastifyReply {
  return reply.header('content-type', type).header('cache-control', 'public, max-age=3600');
}
