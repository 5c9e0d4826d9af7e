import type { JsonValue } from '../profile/format.js';
import { compileTemplate, constantText, fillTemplate, wordsIn, type TemplateValues } from './template.js';

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
