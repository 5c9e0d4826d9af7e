import { templateOf, wordsOf } from '../profile/template.js';
import { compileText, type Write } from './text.js';
import { asText, isRawNumber } from './words.js';

/**
 * Compiles a sample of JSON with words in it. What has words, none of them with a value, is left out with its constants; what has no
 * words stays as it is.
 */
export function compileSample(
  sample: unknown,
): { readonly constant: unknown } | { readonly write: Write<unknown> } {
  if (typeof sample === 'string') {
    const template = templateOf(sample);
    if (wordsOf(template).length > 0) return { write: compileText(template) };
    return { constant: template.map((part) => ('text' in part ? part.text : '')).join('') };
  }
  if (typeof sample !== 'object' || sample === null) return { constant: sample };
  const members = Object.entries(sample).map(([name, member]) => ({ name, ...compileSample(member) }));
  const isList = Array.isArray(sample);
  if (members.every((member) => 'constant' in member))
    return {
      constant: isList
        ? members.map(({ constant }) => constant)
        : Object.fromEntries(members.map(({ name, constant }) => [name, constant])),
    };
  return {
    write: (scope) => {
      const list: unknown[] = [];
      const object = Object.create(null) as Record<string, unknown>;
      let found = false;
      for (const member of members) {
        const value = 'write' in member ? member.write(scope) : member.constant;
        if ('write' in member && value === undefined) continue;
        found ||= 'write' in member;
        if (isList) list.push(value);
        else object[member.name] = value;
      }
      if (!found) return undefined;
      return isList ? list : object;
    },
  };
}

/** Writes the body of a call, as JSON or a form; undefined where it has none, or nothing in it has a value. */
export function compileBody({
  body,
  form,
}: {
  readonly body?: object | undefined;
  readonly form?: object | undefined;
}): Write<{ readonly text: string; readonly type: string }> {
  const sample = body ?? form;
  const compiled = compileSample(sample);
  const write: Write<unknown> = 'write' in compiled ? compiled.write : () => compiled.constant;
  return (scope) => {
    const value = write(scope);
    if (value === undefined) return undefined;
    if (body) return { text: JSON.stringify(value), type: 'application/json' };
    return { text: encodeForm(value), type: 'application/x-www-form-urlencoded' };
  };
}

/** A form, with nested members as `outer[inner]`, in the order written. */
export function encodeForm(body: unknown): string {
  return new URLSearchParams(flatten('', body)).toString();
}

function flatten(name: string, value: unknown): [name: string, value: string][] {
  if (value === undefined) return [];
  if (typeof value === 'object' && value !== null && !isRawNumber(value)) {
    return Object.entries(value).flatMap(([inner, member]) =>
      flatten(name === '' ? inner : `${name}[${inner}]`, member),
    );
  }
  return [[name, value === null ? '' : asText(value)]];
}
