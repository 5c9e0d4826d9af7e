import { templateOf, wordsOf } from '../profile/template.js';
import { compileText, type Write } from './text.js';

/**
 * Writes an address with its query, values percent-encoded. Undefined where a word of the path has no value; a parameter whose words
 * have none is left out.
 */
export function compileAddress(address: string): Write<string> {
  const { steps: texts, parameters: pairs } = piecesOf(address);
  const steps = texts.map((step) => {
    const template = templateOf(step);
    const words = wordsOf(template).map((part) => compileText([part]));
    return { write: compileText(literal(template), encodeURIComponent), words };
  });
  const parameters = pairs.map((text) => compileText(literal(templateOf(text)), encodeURIComponent));
  return (scope) => {
    const written: string[] = [];
    for (const { write, words } of steps) {
      const step = write(scope);
      // A step of dots alone would lead elsewhere.
      if (
        words.some((word) => word(scope) === undefined) ||
        (words.length > 0 && /^\.{1,2}$/.test(String(step)))
      )
        return undefined;
      written.push(String(step ?? ''));
    }
    const known = parameters.map((write) => write(scope)).filter((pair) => pair !== undefined);
    return written.join('/') + (known.length > 0 ? `?${known.join('&')}` : '');
  };
}

/** The pieces of an address that are filled in by themselves. The first `?` that is outside of a word begins the query. */
export function piecesOf(address: string): { readonly steps: string[]; readonly parameters: string[] } {
  const at = address.replace(/\{[^{}]*\}/g, (word) => '_'.repeat(word.length)).indexOf('?');
  const [path, query] = at < 0 ? [address] : [address.slice(0, at), address.slice(at + 1)];
  return { steps: path.split('/'), parameters: query?.split('&') ?? [] };
}

/** Literal text in the form that a request's first line can carry. */
function literal(template: ReturnType<typeof templateOf>): ReturnType<typeof templateOf> {
  return template.map((part) =>
    'text' in part
      ? { text: part.text.replace(/[^\x21-\x7e]+/gu, (signs) => encodeURIComponent(signs)) }
      : part,
  );
}
