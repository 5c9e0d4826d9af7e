import type { Template } from '../profile/template.js';
import { asText, readerOf, type Scope, type Value } from './words.js';

/** Writes a part of a request. Undefined: nothing in it has a value, so it is left out. */
export type Write<T> = (scope: Scope) => T | undefined;

/** Writes a text of a profile. One that is a single word keeps the word's type. `encode` is for addresses. */
export function compileText(template: Template, encode?: (value: string) => string): Write<Value> {
  const [only] = template;
  if (template.length === 1 && only && 'word' in only && only.otherwise === undefined && !encode)
    return readerOf(only.word);
  const write = encode ?? ((value: string): string => value);
  const pieces = template.map((part) => {
    if ('text' in part) return { literal: part.text };
    if (!('word' in part)) throw new TypeError('a request looks into no answer');
    return { read: readerOf(part.word), otherwise: part.otherwise };
  });
  const hasWords = pieces.some((piece) => 'read' in piece);
  return (scope) => {
    let text = '';
    let found = !hasWords;
    for (const piece of pieces) {
      if (piece.read === undefined) text += piece.literal;
      else {
        const value = piece.read(scope);
        const written = value === undefined ? piece.otherwise : asText(value);
        if (written === undefined) continue;
        found = true;
        text += write(written);
      }
    }
    return found ? text : undefined;
  };
}
