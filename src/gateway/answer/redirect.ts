import { listOf, type AnswerProfile } from '../profile/schema.js';
import { parsePointer, readPointer } from '../profile/pointer.js';
import { choose, templateOf, type Template } from '../profile/template.js';
import { asText, readerOf, type Scope } from '../request/words.js';
import { first, scalarText } from './values.js';

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
export function compileRedirect({ redirectUrl, redirectFields: form }: AnswerProfile): ReadRedirect {
  const urls = listOf(redirectUrl).map(templateFor);
  const named = form && 'fields' in form ? Object.entries(form.fields) : undefined;
  const fields = named?.map(([name, texts]) => [name, listOf(texts).map(templateFor)] as const);
  const place = form && 'at' in form ? form.at : undefined;
  return (document, scope, from, mode) => {
    const texts = urls.map((template) => write(template, document, scope, encodeURIComponent));
    const url = texts.map((text) => openable(text, from, mode)).find((address) => address !== undefined);
    if (url === undefined) return undefined;
    const object = first(document, place, (value) => value);
    if (!fields && object === undefined) return { url, method: 'GET' };
    const written =
      fields?.map(([name, templates]) => {
        const values = templates.map((template) => write(template, document, scope));
        return [name, values.find((value) => value !== undefined)] as const;
      }) ?? membersOf(object);
    const isWhole = written?.every(([, value]) => value !== undefined) ?? false;
    return isWhole
      ? { url, method: 'POST', fields: Object.fromEntries(written as [string, string][]) }
      : undefined;
  };
}

function templateFor(text: string): Template {
  const pointer = text.startsWith('/') ? parsePointer(text) : undefined;
  return pointer ? [{ pointer }] : templateOf(text);
}

/** Half of an address leads astray, so each of its parts must be there. What is filled in adds no step and no query. */
function write(
  template: Template,
  document: unknown,
  scope: Scope,
  encode: (value: string) => string = (value) => value,
): string | undefined {
  let text = '';
  for (const part of template) {
    if ('text' in part) text += part.text;
    else {
      const value =
        'word' in part
          ? readerOf(part.word)(scope)
          : scalarText(choose(part, readPointer(document, part.pointer)));
      const found = value === undefined ? undefined : asText(value);
      if (found === undefined || !found.isWellFormed()) return undefined;
      text += text === '' ? found : encode(found);
    }
  }
  return text;
}

function membersOf(value: unknown): (readonly [name: string, text: string | undefined])[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return members.map(([name, member]) => [name, member === '' ? '' : scalarText(member)]);
}

/**
 * An address as a browser would open it: blanks, raw letters and `&amp;` are put right, a relative one begins at the call's. It is
 * https, or in test mode http on this machine, and names nobody: a name in it can make one host look like another.
 */
function openable(text: string | undefined, from: string, mode: 'test' | 'live'): string | undefined {
  const address = text?.trim().replaceAll('&amp;', '&') ?? '';
  const url = address === '' || address.length > MAX_ADDRESS ? null : URL.parse(address, from);
  if (!url || url.username !== '' || url.password !== '' || url.href.length > MAX_ADDRESS) return undefined;
  const isLocal = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  const isOpen = url.protocol === 'https:' || (mode === 'test' && url.protocol === 'http:' && isLocal);
  return isOpen ? url.href : undefined;
}
