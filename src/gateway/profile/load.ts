import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { findFaults } from './check.js';
import { type Fault, ProfileError } from './fault.js';
import { readPointer, writePointer } from './pointer.js';
import { profileSchema, type Profile } from './schema.js';

/** No profile needs to be larger, or nested deeper. */
const MAX_BYTES = 128 * 1024;
const MAX_DEPTH = 64;

/** The built-in profile: the seed's gateway, a file like any other. */
export const BUILT_IN = new URL('../../../profiles/built-in.json', import.meta.url);

/** Loads a profile; without a path the built-in one. Throws {@link ProfileError} with all faults at once. */
export function loadProfile(path: string | URL = BUILT_IN): Profile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new ProfileError([{ place: '', why: 'cannot be read' }]);
  }
  return parseProfile(text);
}

/** Reads the text of a profile. Throws {@link ProfileError} with all faults at once. */
export function parseProfile(text: string): Profile {
  const { profile, faults } = readProfile(text);
  if (!profile || faults.length > 0) throw new ProfileError(faults);
  return profile;
}

/** A profile, or everything that is wrong with it. */
export function readProfile(text: string): { readonly profile?: Profile; readonly faults: readonly Fault[] } {
  const document = parse(text);
  if (typeof document === 'string') return { faults: [{ place: '', why: document }] };
  const faults: Fault[] = [];
  const refused: string[] = [];
  // What is malformed is taken out and the rest looked at again, so that all faults are told at once.
  for (let rest: unknown = withoutNotes(document); ;) {
    const parsed = profileSchema.safeParse(rest, { error: describe });
    if (parsed.success) {
      const isOwn = ({ place, why }: Fault): boolean =>
        !refused.some((other) => other.startsWith(place)) &&
        !(faults.length > 0 && why.startsWith('is missing'));
      const found = findFaults(parsed.data).filter(isOwn);
      return { ...(faults.length === 0 && { profile: parsed.data }), faults: [...faults, ...found] };
    }
    const wrong = parsed.error.issues.flatMap((issue) => wrongPlaces(issue, []));
    const fresh = wrong.filter(({ at }) => !faults.some(({ place }) => place === writePointer(at)));
    faults.push(...fresh.map(({ at, why }) => ({ place: writePointer(at), why })));
    refused.push(...wrong.flatMap(({ at, isUnknown }) => (isUnknown ? [] : [writePointer(at)])));
    if (
      fresh.length === 0 ||
      !take(
        rest,
        wrong.map(({ at }) => at),
      )
    )
      return { faults };
  }
}

/** The document of a text, or why it is none. */
function parse(text: string): object | string {
  if (Buffer.byteLength(text) > MAX_BYTES) return 'is longer than 128 KiB';
  try {
    const document: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (depthOf(document) > MAX_DEPTH) return 'is nested too deeply';
    return typeof document === 'object' && document !== null ? document : 'is no object';
  } catch (error) {
    // The engine's message quotes the file, which may hold a secret by mistake.
    const at = /line \d+ column \d+/.exec(String(error))?.[0];
    return at === undefined ? 'is not JSON' : `is not JSON: ${at}`;
  }
}

function depthOf(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return depth;
  return Object.values(value).reduce<number>(
    (deepest, one) => Math.max(deepest, depthOf(one, depth + 1)),
    depth + 1,
  );
}

/** A copy without any `note`. Bodies are the gateway's own, in which it may be a field. */
function withoutNotes(value: unknown, key = ''): unknown {
  if (typeof value !== 'object' || value === null || ['body', 'form', 'encrypt'].includes(key))
    return structuredClone(value);
  if (Array.isArray(value)) return value.map((one) => withoutNotes(one));
  const members = Object.entries(value).filter(([name]) => name !== 'note');
  return Object.fromEntries(members.map(([name, inner]) => [name, withoutNotes(inner, name)]));
}

/** Of an unknown key, the possible ones are told; zod says which schema refused it. */
function describe(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') {
    const { shape } = issue.inst?._zod.def as unknown as { shape?: object };
    return `is no key here; possible are ${Object.keys(shape ?? {}).join(', ')}`;
  }
  if (issue.code === 'invalid_type')
    return issue.input === undefined ? 'is missing' : `must be ${AS_WORDS[issue.expected] ?? issue.expected}`;
  return issue.code === 'invalid_value' ? `must be one of ${issue.values.map(String).join(', ')}` : undefined;
}

const AS_WORDS: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false' },
  ...{ array: 'a list', object: 'an object', record: 'an object' },
};

interface Wrong {
  readonly at: readonly string[];
  readonly why: string;
  readonly isUnknown: boolean;
}

/** Where a fault is. Of a value that has one of several forms: the faults of the form that it has. */
function wrongPlaces(issue: z.core.$ZodIssue, above: readonly string[]): Wrong[] {
  const at = [...above, ...issue.path.map(String)];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ at: [...at, key], why: issue.message, isUnknown: true }));
  const isForm = (inner: readonly z.core.$ZodIssue[]): boolean =>
    !inner.some(({ code, path }) => code === 'invalid_type' && path.length === 0);
  const [form, ...others] = issue.code === 'invalid_union' ? issue.errors.filter(isForm) : [];
  if (form && others.length === 0) return form.flatMap((inner) => wrongPlaces(inner, at));
  return [{ at, why: issue.message, isUnknown: false }];
}

/** Takes what is wrong out of a document. False where there is nothing to take it from. */
function take(document: unknown, places: readonly (readonly string[])[]): boolean {
  return places.every((place) => {
    const owner = readPointer(document, place.slice(0, -1));
    const key = place.at(-1);
    if (key === undefined || typeof owner !== 'object' || owner === null) return false;
    return Array.isArray(owner) ? owner.splice(0).length >= 0 : Reflect.deleteProperty(owner, key);
  });
}
