import { parsePointer, type Pointer } from './pointer.js';

/** One piece of a text: literal, a word to look up, or a place in what came. */
export type Part =
  | { readonly text: string }
  | {
      readonly word: string;
      /** `{word?}` and `{word|text}`: required of nobody. */
      readonly marked: boolean;
      /** `{word|text}`: written where the word has no value. */
      readonly otherwise?: string;
    }
  | { readonly pointer: Pointer; readonly choice?: { readonly yes: string; readonly no: string } };

/** A text with places to fill in. */
export type Template = readonly Part[];

const TOKEN = /\{\{|\{([^{}]*)\}|[^{]+|\{/g;
const WORD = /^([^|?]+)(\?)?$|^([^|?]+)\|(.*)$/s;
const POINTER = /^(\/[^?]*)(?:\?([^?:]*):([^?:]*))?$/;

/**
 * Reads `{word}`, `{word?}`, `{word|text}`, `{/pointer}` and `{/pointer?yes:no}`; `{{` writes a brace, and a lone `}` is itself. A text
 * in return says why it is no template.
 */
export function parseTemplate(text: string): Template | string {
  const parts: Part[] = [];
  for (const [token, inner] of text.matchAll(TOKEN)) {
    if (token === '{') return 'has a { that nothing closes; {{ writes a brace';
    const part = inner === undefined ? { text: token === '{{' ? '{' : token } : parsePart(inner);
    if (typeof part === 'string') return part;
    const last = parts.at(-1);
    if ('text' in part && last && 'text' in last) parts.splice(-1, 1, { text: last.text + part.text });
    else parts.push(part);
  }
  return parts;
}

function parsePart(inner: string): Part | string {
  if (!inner.startsWith('/')) {
    const [, word, mark, other, otherwise] = WORD.exec(inner) ?? [];
    if (word !== undefined) return { word, marked: mark !== undefined };
    return other === undefined
      ? 'has {} with no word in it'
      : { word: other, marked: true, otherwise: otherwise ?? '' };
  }
  const [, place = '~', yes, no] = POINTER.exec(inner) ?? [];
  const pointer = parsePointer(place);
  if (!pointer) return 'has a bad pointer';
  return yes === undefined || no === undefined ? { pointer } : { pointer, choice: { yes, no } };
}

/** The template of a text that was checked at the start. */
export function templateOf(text: string): Template {
  const template = parseTemplate(text);
  if (typeof template === 'string') throw new TypeError(`a template ${template}`);
  return template;
}

/** The words of a text that can be read. */
export function wordsOf(template: Template): Extract<Part, { word: string }>[] {
  return template.filter((part) => 'word' in part);
}

/** A part of an answer or notification as text: a boolean by its choice. */
export function choose(part: Extract<Part, { pointer: Pointer }>, value: unknown): unknown {
  if (!part.choice) return value;
  if (value === true || value === 'true') return part.choice.yes;
  return value === false || value === 'false' ? part.choice.no : undefined;
}

/** Every text in a value of JSON, with its place below it. */
export function textsIn(
  value: unknown,
  place: readonly string[] = [],
): [place: readonly string[], text: string][] {
  if (typeof value === 'string') return [[place, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...place, key]));
}
