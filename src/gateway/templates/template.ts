import { parsePointer, type Pointer } from '../profile/pointer.js';
import type { JsonValue } from '../profile/format.js';

/** One piece of a template: literal text, a word to look up, or a place in an answer. */
export type TemplatePart =
  | { readonly text: string }
  | { readonly word: string }
  | { readonly pointer: Pointer; readonly ofBoolean?: { readonly yes: string; readonly no: string } };

/** Text with places to fill in, parsed once. */
export interface Template {
  readonly parts: readonly TemplatePart[];
}

/** Why a text is no template. Never repeats the text. */
export type TemplateFault =
  'has a { that nothing closes: {{ writes a brace' | 'has {} with no word in it' | 'has an invalid pointer';

const BOOLEAN_CHOICE = /^(.*)\?([^?:{}]*):([^?:{}]*)$/s;

/**
 * Parses a template: `{word}`, `{/pointer}`, `{/pointer?yes:no}`; `{{` stands for a brace, and a `}` that closes nothing for
 * itself. Whether its words exist is for the caller to check.
 */
export function parseTemplate(text: string): Template | TemplateFault {
  const parts: TemplatePart[] = [];
  let literal = '';
  for (let at = 0; at < text.length;) {
    const open = text.indexOf('{', at);
    if (open < 0) {
      literal += text.slice(at);
      break;
    }
    literal += text.slice(at, open);
    if (text[open + 1] === '{') {
      literal += '{';
      at = open + 2;
      continue;
    }
    const close = text.indexOf('}', open);
    const inner = close < 0 ? undefined : text.slice(open + 1, close);
    if (inner === undefined || inner.includes('{')) return 'has a { that nothing closes: {{ writes a brace';
    if (inner === '') return 'has {} with no word in it';
    if (literal !== '') parts.push({ text: literal });
    literal = '';
    const part = inner.startsWith('/') ? pointerPart(inner) : { word: inner };
    if (part === undefined) return 'has an invalid pointer';
    parts.push(part);
    at = close + 1;
  }
  if (literal !== '' || parts.length === 0) parts.push({ text: literal });
  return { parts };
}

function pointerPart(inner: string): TemplatePart | undefined {
  const [, place, yes, no] = BOOLEAN_CHOICE.exec(inner) ?? [];
  const pointer = parsePointer(place ?? inner);
  if (pointer === undefined) return undefined;
  return yes === undefined || no === undefined ? { pointer } : { pointer, ofBoolean: { yes, no } };
}

/** The template of a text that was checked at the start. */
export function compileTemplate(text: string): Template {
  const template = parseTemplate(text);
  if (typeof template === 'string') throw new TypeError(`a template ${template}`);
  return template;
}

/** The text of a template that has nothing to fill in. */
function constantText({ parts }: Template): string | undefined {
  const [only] = parts;
  return parts.length === 1 && only && 'text' in only ? only.text : undefined;
}

/** The words of a template, in order. */
export function wordsIn({ parts }: Template): string[] {
  return parts.flatMap((part) => ('word' in part ? [part.word] : []));
}

/** Whether a template looks into an answer. */
export function looksIntoAnswer({ parts }: Template): boolean {
  return parts.some((part) => 'pointer' in part);
}

/** The literal text of a template, with nothing filled in. */
export function literalText({ parts }: Template): string {
  return parts.map((part) => ('text' in part ? part.text : '')).join('');
}

/** How the pieces of a template are looked up. Undefined stands for a value that is not there. */
export interface TemplateValues {
  readonly word: (name: string) => string | undefined;
  readonly pointer?: (pointer: Pointer) => unknown;
}

/** Fills a template in. What is not there is left empty. */
export function fillTemplate(template: Template, values: TemplateValues): string {
  let text = '';
  for (const part of template.parts) text += fillPart(part, values) ?? '';
  return text;
}

/**
 * Fills a template in and passes each value through `write`. Undefined where any value is not there: half an address leads
 * astray.
 */
export function fillWhole(
  template: Template,
  values: TemplateValues,
  write: (value: string, before: string) => string = (value) => value,
): string | undefined {
  let text = '';
  for (const part of template.parts) {
    if ('text' in part) text += part.text;
    else {
      const value = fillPart(part, values);
      if (value === undefined || value === '') return undefined;
      text += write(value, text);
    }
  }
  return text;
}

function fillPart(part: TemplatePart, values: TemplateValues): string | undefined {
  if ('text' in part) return part.text;
  if ('word' in part) return values.word(part.word);
  const value = values.pointer?.(part.pointer);
  if (part.ofBoolean) {
    return typeof value === 'boolean' ? (value ? part.ofBoolean.yes : part.ofBoolean.no) : undefined;
  }
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** A JSON value whose texts are templates. Names of members are none. */
export interface JsonTemplate {
  readonly words: readonly string[];
  readonly fill: (values: TemplateValues) => unknown;
}

/** Compiles a JSON value that was checked at the start. */
export function compileJson(value: JsonValue): JsonTemplate {
  if (typeof value === 'string') {
    const template = compileTemplate(value);
    const constant = constantText(template);
    return {
      words: wordsIn(template),
      fill: constant === undefined ? (values) => fillTemplate(template, values) : () => constant,
    };
  }
  if (typeof value !== 'object' || value === null) return { words: [], fill: () => value };
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map(compileJson);
    return {
      words: items.flatMap(({ words }) => words),
      fill: (values) => items.map(({ fill }) => fill(values)),
    };
  }
  const members = Object.entries(value).map(([name, member]) => [name, compileJson(member)] as const);
  return {
    words: members.flatMap(([, { words }]) => words),
    fill: (values) => Object.fromEntries(members.map(([name, { fill }]) => [name, fill(values)])),
  };
}
