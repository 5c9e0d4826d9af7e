import { createHmac } from 'node:crypto';
import type { CredentialSet } from './profile/schema.js';
import { templateOf } from './profile/template.js';
import { compileText } from './request/text.js';
import { asText, type Scope } from './request/words.js';

type Headers = Readonly<Record<string, string>>;

/** Writes headers. One without a value is left out. */
export function compileHeaders(headers: Headers): (scope: Scope) => Headers {
  const writers = Object.entries(headers).map(([name, text]) => ({
    name: name.toLowerCase(),
    write: compileText(templateOf(text)),
  }));
  return (scope) => {
    const written: Record<string, string> = {};
    for (const { name, write } of writers) {
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
export function compileCredentials({ sign, ...headers }: CredentialSet): (scope: Scope) => Headers {
  const write = compileHeaders(headers);
  if (!sign) return write;
  const { scheme, key, encoding = 'hex' } = sign;
  const over = compileText(templateOf(sign.over));
  return (scope) => {
    const hmac = createHmac(scheme === 'hmac-sha256' ? 'sha256' : 'sha512', scope[key] ?? '');
    const signature = hmac.update(asText(over(scope) ?? '')).digest(encoding);
    return write({ ...scope, signature });
  };
}
