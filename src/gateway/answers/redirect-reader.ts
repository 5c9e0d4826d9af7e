import type { GatewayAnswer } from '../gateway-result.js';
import type { OutcomeProfile } from '../profile/format.js';
import { parsePointer, readPointer, type Pointer } from '../profile/pointer.js';
import { compileTemplate, fillWhole, type Template, type TemplateValues } from '../templates/template.js';
import { readFields, readText } from './answer-values.js';
import { isLoopbackHost } from '../../config/addresses.js';

/** A value that an answer has at a place, or that is made of several. */
type Source = { readonly pointer: Pointer } | { readonly template: Template };

/** How the address that a payer is sent to is read. */
export interface RedirectReader {
  readonly url: readonly Source[];
  readonly method: readonly Source[];
  /** Pointers to whole forms, or each field by itself. */
  readonly fields: readonly Pointer[] | ReadonlyMap<string, Source>;
}

/** Compiles the profile's `redirectUrl`, `redirectMethod` and `redirectFields`. The profile must have been checked. */
export function compileRedirect(
  outcome: Pick<OutcomeProfile, 'redirectUrl' | 'redirectMethod' | 'redirectFields'>,
): RedirectReader {
  const { redirectUrl, redirectMethod, redirectFields } = outcome;
  return {
    url: listOf(redirectUrl).map(sourceOf),
    method: listOf(redirectMethod).map(sourceOf),
    fields: isList(redirectFields)
      ? redirectFields.map(pointerOf)
      : new Map(Object.entries(redirectFields).map(([name, text]) => [name, sourceOf(text)])),
  };
}

/** The redirect in an answer. An address that a browser cannot open is not a next action. */
export function readRedirect(
  reader: RedirectReader,
  document: unknown,
  word: TemplateValues['word'],
): Pick<GatewayAnswer, 'redirectUrl' | 'redirectMethod' | 'redirectFields'> {
  const values: TemplateValues = { word, pointer: (pointer) => readPointer(document, pointer) };
  const url = firstOf(reader.url, values, asAddress);
  if (url === undefined) return {};
  const method = firstOf(reader.method, values)?.toUpperCase() ?? 'GET';
  if (method !== 'GET' && method !== 'POST') return {};
  const fields = readForm(reader.fields, document, values);
  if (fields === 'incomplete') return {};
  return { redirectUrl: url, redirectMethod: method, ...(fields && { redirectFields: fields }) };
}

function readForm(
  fields: RedirectReader['fields'],
  document: unknown,
  values: TemplateValues,
): Readonly<Record<string, string>> | 'incomplete' | undefined {
  if (fields instanceof Map) {
    const form: Record<string, string> = {};
    for (const [name, source] of fields as ReadonlyMap<string, Source>) {
      const value = firstOf([source], values);
      // A bank's page that gets half of its form shows the payer an error.
      if (value === undefined) return 'incomplete';
      form[name] = value;
    }
    return form;
  }
  for (const pointer of fields as readonly Pointer[]) {
    const form = readFields(readPointer(document, pointer));
    if (form !== undefined) return form;
  }
  return undefined;
}

/** The value at the first source that has a readable one. */
function firstOf(
  sources: readonly Source[],
  values: TemplateValues,
  write?: (value: string, before: string) => string,
): string | undefined {
  for (const source of sources) {
    const found =
      'pointer' in source
        ? readText(values.pointer?.(source.pointer))
        : readText(fillSafely(source.template, values, write));
    if (found !== undefined) return found;
  }
  return undefined;
}

function fillSafely(
  template: Template,
  values: TemplateValues,
  write: ((value: string, before: string) => string) | undefined,
): string | undefined {
  try {
    return fillWhole(template, values, write);
  } catch {
    // A lone surrogate cannot be percent-encoded.
    return undefined;
  }
}

/** What is filled into an address can add no step and no query to it. At its beginning it is an address itself. */
function asAddress(value: string, before: string): string {
  return before === '' ? value : encodeURIComponent(value);
}

function sourceOf(text: string): Source {
  return text === '' || text.startsWith('/')
    ? { pointer: pointerOf(text) }
    : { template: compileTemplate(text) };
}

function listOf(texts: string | readonly string[]): readonly string[] {
  return typeof texts === 'string' ? [texts] : texts;
}

function isList(fields: OutcomeProfile['redirectFields']): fields is readonly string[] {
  return Array.isArray(fields);
}

function pointerOf(text: string): Pointer {
  const pointer = parsePointer(text);
  if (pointer === undefined) throw new TypeError(`not a JSON pointer: ${text}`);
  return pointer;
}

/**
 * Whether a payer may be sent to an address from the gateway. It must be https, or in test mode http on this machine.
 * It must not hold a user name or password, which can make one host look like another. It must not hold spaces or
 * backslashes, which programs interpret differently.
 */
export function isSafeRedirect(url: string, mode: 'test' | 'live'): boolean {
  const parsed = URL.canParse(url) && !/[\s\\]/.test(url) ? new URL(url) : undefined;
  if (parsed === undefined || parsed.username !== '' || parsed.password !== '') return false;
  if (parsed.protocol === 'https:') return true;
  return mode === 'test' && parsed.protocol === 'http:' && isLoopbackHost(parsed.hostname);
}
