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
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    throw new ProfileError([{ place: '', why: 'cannot be read' }]);
  }
  return parseProfile(bytes.toString('utf8'));
}

/** Reads the text of a profile. Throws {@link ProfileError} with all faults at once. */
export function parseProfile(text: string): Profile {
  const read = readProfile(text);
  if (read.faults.length > 0 || !read.profile) throw new ProfileError(read.faults);
  return read.profile;
}

/** A profile, or what is wrong with it; both where it has faults that its form does not show. */
export function readProfile(text: string): { readonly profile?: Profile; readonly faults: readonly Fault[] } {
  if (Buffer.byteLength(text) > MAX_BYTES) return { faults: [{ place: '', why: 'is longer than 128 KiB' }] };
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    // The engine's message quotes the file, which may hold a secret by mistake.
    const at = /line \d+ column \d+/.exec(String(error))?.[0];
    return { faults: [{ place: '', why: at === undefined ? 'is not JSON' : `is not JSON: ${at}` }] };
  }
  if (depthOf(document) > MAX_DEPTH) return { faults: [{ place: '', why: 'is nested too deeply' }] };
  const faults: Fault[] = [];
  const refused: string[] = [];
  // What is malformed is taken out and the rest looked at again, so that all faults are told at once.
  for (let rest = withoutNotes(document); ;) {
    const parsed = profileSchema.safeParse(rest, { error: describe });
    if (parsed.success) {
      const isOwn = ({ place, why }: Fault): boolean =>
        !refused.some((other) => other.startsWith(place)) &&
        !(faults.length > 0 && why.startsWith('is missing'));
      const found = findFaults(parsed.data).filter(isOwn);
      return { ...(faults.length === 0 && { profile: parsed.data }), faults: [...faults, ...found] };
    }
    const issues = parsed.error.issues.flatMap((issue) => innermost(issue, []));
    const fresh = issues
      .flatMap(faultsOf)
      .filter(({ place }) => !faults.some((known) => known.place === place));
    faults.push(...fresh);
    refused.push(
      ...issues
        .filter(({ code }) => code !== 'unrecognized_keys')
        .map(({ path }) => writePointer(path.map(String))),
    );
    rest = without(rest, issues);
    if (rest === undefined || fresh.length === 0) return { faults };
  }
}

function depthOf(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return depth;
  return Object.values(value).reduce<number>(
    (deepest, one) => Math.max(deepest, depthOf(one, depth + 1)),
    depth + 1,
  );
}

/** Bodies are the gateway's own, in which `note` may be a field. */
const BODIES = new Set(['body', 'form', 'encrypt']);

/** A `note` beside any key is ignored. */
function withoutNotes(value: unknown, key = ''): unknown {
  if (typeof value !== 'object' || value === null || BODIES.has(key)) return value;
  if (Array.isArray(value)) return value.map((one) => withoutNotes(one));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'note')
      .map(([name, inner]) => [name, withoutNotes(inner, name)]),
  );
}

/** Of an unknown key, the possible ones are told; zod says which schema refused it. */
function describe(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') {
    const { shape } = issue.inst?._zod.def as unknown as { shape?: object };
    return `is no key here; possible are ${Object.keys(shape ?? {}).join(', ')}`;
  }
  if (issue.code === 'invalid_type')
    return issue.input === undefined ? 'is missing' : `must be ${AS_WORDS[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'invalid_key') return 'is no name that can stand here';
  return undefined;
}

const AS_WORDS: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false' },
  ...{ array: 'a list', object: 'an object', record: 'an object' },
};

type Issue = z.core.$ZodIssue;

/** Of a value that has one of several forms: the faults of the form that it has. */
function innermost(issue: Issue, above: readonly PropertyKey[]): Issue[] {
  const path = [...above, ...issue.path];
  const forms =
    issue.code === 'invalid_union'
      ? issue.errors.filter(
          (inner) => !inner.some(({ code, path: at }) => code === 'invalid_type' && at.length === 0),
        )
      : [];
  const [form] = forms;
  return forms.length === 1 && form ? form.flatMap((inner) => innermost(inner, path)) : [{ ...issue, path }];
}

function faultsOf(issue: Issue): Fault[] {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') return [{ place: writePointer(path), why: issue.message }];
  return issue.keys.map((key) => ({ place: writePointer([...path, key]), why: issue.message }));
}

/** A document without the values that have faults. Undefined where that leaves nothing. */
function without(document: unknown, issues: readonly Issue[]): unknown {
  const copy: unknown = structuredClone(document);
  for (const issue of issues) {
    const path = issue.path.map(String);
    for (const [...at] of issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [...path, key])
      : [path]) {
      const key = at.pop();
      const owner = readPointer(copy, at);
      if (key === undefined || typeof owner !== 'object' || owner === null) return undefined;
      if (Array.isArray(owner)) owner.splice(0);
      else delete (owner as Record<string, unknown>)[key];
    }
  }
  return copy;
}
