import { templateOf, wordsOf, type Template } from '../profile/template.js';
import { compileText, type Write } from './text.js';
import { asText } from './words.js';

/**
 * Writes an address with its query, values percent-encoded. Undefined where a word of the path has no value; a parameter whose words
 * have none is left out.
 */
export function compileAddress(address: string): Write<string> {
  const { path, parameters } = piecesOf(address);
  const [writePath, ...writers] = [path, ...parameters].map((text) =>
    compileText(literal(templateOf(text)), encodeURIComponent),
  );
  const steps = wordsOf(templateOf(path)).map((part) => compileText([part]));
  return (scope) => {
    const values = steps.map((read) => read(scope));
    // A step of dots alone would lead elsewhere.
    if (values.some((value) => value === undefined || value === '.' || value === '..')) return undefined;
    const pairs = writers.map((write) => write(scope)).filter((pair) => pair !== undefined);
    return asText(writePath?.(scope) ?? '') + (pairs.length > 0 ? `?${pairs.map(asText).join('&')}` : '');
  };
}

/** The pieces of an address that are filled in by themselves. The first `?` that is outside of a word begins the query. */
export function piecesOf(address: string): { readonly path: string; readonly parameters: readonly string[] } {
  const at = address.replace(/\{[^{}]*\}/g, (word) => '_'.repeat(word.length)).indexOf('?');
  if (at < 0) return { path: address, parameters: [] };
  return { path: address.slice(0, at), parameters: address.slice(at + 1).split('&') };
}

/** Literal text in the form that a request's first line can carry. */
function literal(template: Template): Template {
  const encode = (text: string): string => text.replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
  return template.map((part) => ('text' in part ? { text: encode(part.text) } : part));
}
