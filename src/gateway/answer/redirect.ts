import { listOf, type AnswerProfile } from '../profile/schema.js';
import { parsePointer, pointerOf, readPointer, type Pointer } from '../profile/pointer.js';
import { choose, templateOf, type Template } from '../profile/template.js';
import { asText, readerOf, type Scope } from '../request/words.js';
import { scalarText } from './values.js';

/** No address is longer. */
const MAX_ADDRESS = 8 * 1024;

/** Where a payer is sent. */
export interface Redirect {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly fields?: Record<string, string>;
}

/** Reads the address that a payer is sent to. `from`: the address that was called, which a relative one begins at. */
export type ReadRedirect = (
  document: unknown,
  scope: Scope,
  from: string,
  mode: 'test' | 'live',
) => Redirect | undefined;

/** Compiles `redirectUrl` and `redirectFields`. An address that a browser cannot open is no redirect, nor is half a form. */
export function compileRedirect({ redirectUrl, redirectFields }: AnswerProfile): ReadRedirect {
  const urls = listOf(redirectUrl).map(sourceOf);
  const fields =
    typeof redirectFields === 'string' ? pointerOf(redirectFields) : compileFields(redirectFields);
  return (document, scope, from, mode) => {
    for (const source of urls) {
      const text = readSource(source, document, scope, encodeURIComponent);
      const url = text === undefined ? undefined : openable(text, from, mode);
      if (url === undefined) continue;
      const place = typeof fields === 'function' ? undefined : fields;
      const object = place && readPointer(document, place);
      if (fields === undefined || (place && object === undefined)) return { url, method: 'GET' };
      const form = typeof fields === 'function' ? fields(document, scope) : formOf(object);
      return form && { url, method: 'POST', fields: form };
    }
    return undefined;
  };
}

type Source = { readonly pointer: Pointer } | { readonly template: Template };

function sourceOf(text: string): Source {
  const pointer = text.startsWith('/') ? parsePointer(text) : undefined;
  return pointer ? { pointer } : { template: templateOf(text) };
}

/** Half of an address leads astray, so each of its parts must be there. What is filled in adds no step and no query. */
function readSource(
  source: Source,
  document: unknown,
  scope: Scope,
  encode: (value: string) => string = (value) => value,
): string | undefined {
  if ('pointer' in source) return scalarText(readPointer(document, source.pointer));
  let text = '';
  for (const part of source.template) {
    if ('text' in part) text += part.text;
    else {
      const value =
        'word' in part
          ? wordText(part.word, scope)
          : scalarText(choose(part, readPointer(document, part.pointer)));
      if (value === undefined || !value.isWellFormed()) return undefined;
      text += text === '' ? value : encode(value);
    }
  }
  return text;
}

function wordText(word: string, scope: Scope): string | undefined {
  const value = readerOf(word)(scope);
  return value === undefined ? undefined : asText(value);
}

type ReadForm = (document: unknown, scope: Scope) => Record<string, string> | undefined;

function compileFields(fields: Readonly<Record<string, string>> | undefined): ReadForm | undefined {
  if (!fields) return undefined;
  const sources = Object.entries(fields).map(([name, text]) => [name, sourceOf(text)] as const);
  return (document, scope) => {
    const form: Record<string, string> = {};
    for (const [name, source] of sources) {
      const value = readSource(source, document, scope);
      if (value === undefined) return undefined;
      form[name] = value;
    }
    return form;
  };
}

function formOf(value: unknown): Record<string, string> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = Object.entries(value).map(([name, member]) => [
    name,
    member === '' ? '' : scalarText(member),
  ]);
  return fields.some(([, text]) => text === undefined)
    ? undefined
    : (Object.fromEntries(fields) as Record<string, string>);
}

/**
 * An address as a browser would open it: blanks, raw letters and `&amp;` are put right, a relative one begins at the call's. It is
 * https, or in test mode http on this machine, and names nobody: a name in it can make one host look like another.
 */
function openable(text: string, from: string, mode: 'test' | 'live'): string | undefined {
  const address = text.trim().replaceAll('&amp;', '&');
  if (address === '' || address.length > MAX_ADDRESS || !URL.canParse(address, from)) return undefined;
  const { href, protocol, hostname, username, password } = new URL(address, from);
  if (username !== '' || password !== '' || href.length > MAX_ADDRESS) return undefined;
  const isLocal = mode === 'test' && protocol === 'http:' && isLoopback(hostname);
  return protocol === 'https:' || isLocal ? href : undefined;
}

function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
