import type { FastifyInstance } from 'fastify';
import secureJson from 'secure-json-parse';
import { Problem } from './problems/problem.js';
import { edgeRule } from './route.js';

/** `charset=utf8` and whatever else clients add. The body is read as UTF-8, as RFC 8259 has it. */
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;.*)?$/;

const CSV_TYPE = /^text\/csv\s*(?:;|$)/i;
/** What a table is called once it may come in, so that no other parser waits for all of it. */
const STREAMED = 'application/x-tillfront-stream';

/** Parses JSON. A BOM is skipped, `__proto__` is refused. Throws `malformed-json`, which never repeats the body. */
export function parseJson(body: Buffer): unknown {
  try {
    return secureJson.parse(body.toString('utf8'), {
      protoAction: 'error',
      constructorAction: 'error',
    }) as unknown;
  } catch {
    throw new Problem('malformed-json', 'The body is not valid JSON.');
  }
}

/**
 * The only parser of bodies: JSON, or bytes of any media type where the route wants them. Text and forms, which any page can
 * send without a preflight, are refused.
 */
export function installBodyParser(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    // The framework refuses what is no media type at all, even where any is taken.
    if (edgeRule(request).body === 'raw' && !MEDIA_TYPE.test(headers['content-type'] ?? ''))
      headers['content-type'] = 'application/octet-stream';
    if (edgeRule(request).body !== 'csv') done();
    else if (!CSV_TYPE.test(headers['content-type'] ?? ''))
      done(new Problem('unsupported-media-type', 'Send text/csv, as it is or packed with gzip.'));
    else {
      headers['content-type'] = STREAMED;
      done();
    }
  });
  server.addContentTypeParser(STREAMED, (request, stream, done) => {
    if (edgeRule(request).body === 'csv') done(null, stream);
    else done(new Problem('unsupported-media-type', 'Send application/json.'));
  });
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (edgeRule(request).body === 'raw') {
      done(null, body);
      return;
    }
    const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = request.headers;
    if (body.length === 0) done(null, undefined);
    else if (!JSON_TYPE.test(type) || coding !== 'identity')
      throw new Problem('unsupported-media-type', 'Send application/json, not compressed.');
    else done(null, parseJson(body));
  });
}
