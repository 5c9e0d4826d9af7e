import { createHmac } from 'node:crypto';
import type { CredentialSet } from './profile/schema.js';
import { templateOf, type Template } from './profile/template.js';
import { compileText, type Write } from './request/text.js';
import { asText, readerOf, type Scope, type Value } from './request/words.js';

/** A request as it is sent, but for its credentials. */
export interface Unsigned {
  readonly method: string;
  /** As it stands in the request's first line. */
  readonly path: string;
  readonly body: string;
}

/** Writes headers. One without a value is left out. */
export function compileHeaders(
  headers: Readonly<Record<string, string>>,
): (scope: Scope) => Record<string, string> {
  const writers = Object.entries(headers).map(([name, text]): [string, Write<Value>] => [
    name.toLowerCase(),
    compileText(templateOf(text)),
  ]);
  return (scope) => {
    const written: Record<string, string> = {};
    for (const [name, write] of writers) {
      const value = write(scope);
      if (value !== undefined) written[name] = headerValue(asText(value));
    }
    return written;
  };
}

/** A header carries bytes: letters beyond Latin travel as UTF-8, and nothing in it begins another header. */
function headerValue(text: string): string {
  const line = text.replace(/\p{Cc}+/gu, ' ').trim();
  return /[^\0-\xff]/.test(line) ? Buffer.from(line, 'utf8').toString('latin1') : line;
}

/** Writes the headers of a set of credentials, which may sign the request. */
export function compileCredentials(
  set: CredentialSet,
): (scope: Scope, request: Unsigned) => Record<string, string> {
  const { sign, ...headers } = set;
  const write = compileHeaders(headers);
  if (!sign) return write;
  const over = templateOf(sign.over);
  return (scope, request) => {
    const key = scope[sign.key] ?? '';
    const hash = sign.scheme === 'hmac-sha256' ? 'sha256' : 'sha512';
    const text = signedText(over, scope, request);
    return write({
      ...scope,
      signature: createHmac(hash, key)
        .update(text)
        .digest(sign.encoding ?? 'hex'),
    });
  };
}

function signedText(over: Template, scope: Scope, request: Unsigned): string {
  return over
    .map((part) => {
      if ('text' in part) return part.text;
      if ('pointer' in part) return '';
      if (part.word === 'method' || part.word === 'path' || part.word === 'body') return request[part.word];
      const value = readerOf(part.word)(scope);
      return value === undefined ? (part.otherwise ?? '') : asText(value);
    })
    .join('');
}
