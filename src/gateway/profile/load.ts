import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { ROOT } from '../../config/package-version.js';
import { findFaults } from './check.js';
import { type Fault, ProfileError } from './fault.js';
import { parsePointer, readPointer, writePointer } from './pointer.js';
import { profileSchema, type Profile } from './schema.js';

/** The built-in profile: the seed's gateway, a file like any other. */
export const BUILT_IN = new URL('profiles/built-in.json', ROOT);

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
  if (!profile) throw new ProfileError(faults);
  return profile;
}

/** No required key stands deeper: each round takes out what lacks one, and then what lacks that. */
const DEEPEST = 10;

/** A profile, or everything that is wrong with it. */
export function readProfile(text: string): { readonly profile?: Profile; readonly faults: readonly Fault[] } {
  const document = parse(text);
  if (typeof document === 'string') return { faults: [{ place: '', why: document }] };
  const { data, error } = profileSchema.safeParse(document, { error: describe });
  if (data) {
    const faults = findFaults(data);
    return faults.length > 0 ? { faults } : { profile: data, faults };
  }
  const malformed = error.issues.flatMap((issue) => faultsOf(issue, ''));
  // What is malformed is taken out and the rest checked too, so that all faults are told at once.
  const gone: string[] = [];
  let rest: Profile | undefined;
  let failing = malformed;
  for (let depth = 0; failing.length > 0 && depth < DEEPEST; depth++) {
    gone.push(...failing.map(({ place }) => takeOut(document, place)));
    const parsed = profileSchema.safeParse(document);
    rest = parsed.data;
    failing = parsed.error?.issues.flatMap((issue) => faultsOf(issue, '')) ?? [];
  }
  const isOwn = ({ place, why }: Fault): boolean =>
    !why.startsWith('is missing') &&
    !gone.some((other) => ownerOf(other) === place || (other !== '' && why.endsWith(lackOf(other))));
  return { faults: [...malformed, ...(rest ? findFaults(rest).filter(isOwn) : [])] };
}

/** The document of a text, or why it is none. */
function parse(text: string): object | string {
  try {
    const document: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof document !== 'object' || document === null) return 'is no object';
    return withoutNotes(document) as object;
  } catch (error) {
    // The engine's message quotes the file, which may hold a secret by mistake.
    const at = /line \d+ column \d+/.exec(String(error))?.[0];
    return at === undefined ? 'is not JSON' : `is not JSON: ${at}`;
  }
}

/** A copy without any `note`. Bodies are the gateway's own, in which it may be a field. */
function withoutNotes(value: unknown, key = ''): unknown {
  if (typeof value !== 'object' || value === null || ['body', 'form', 'encrypt'].includes(key)) return value;
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
  if (issue.code === 'invalid_union' && issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_type')
    return issue.input === undefined ? 'is missing' : `must be of type ${issue.expected}`;
  return issue.code === 'invalid_value' ? `must be one of ${issue.values.map(String).join(', ')}` : undefined;
}

/** Of a value that has one of several forms: the faults of the form that it has. */
function faultsOf(issue: z.core.$ZodIssue, above: string): Fault[] {
  const place = above + writePointer(issue.path.map(String));
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ place: place + writePointer([key]), why: issue.message }));
  const isForm = (inner: readonly z.core.$ZodIssue[]): boolean =>
    !inner.some(({ code, path }) => code === 'invalid_type' && path.length === 0);
  const [form, ...others] = issue.code === 'invalid_union' ? issue.errors.filter(isForm) : [];
  if (form && others.length === 0) return form.flatMap((inner) => faultsOf(inner, place));
  return [{ place, why: issue.message }];
}

function ownerOf(place: string): string {
  return place.replace(/\/[^/]*$/, '');
}

/** How `check.ts` says that the profile lacks a section. */
function lackOf(place: string): string {
  return `${place.slice(1)}, which the profile lacks`;
}

/** Returns what went: what lacks a key as a whole, but for what no profile can lack, and a list with a wrong entry. */
function takeOut(document: object, place: string): string {
  const steps = parsePointer(place) ?? [];
  const [key = ''] = steps.slice(-1);
  const owner = readPointer(document, steps.slice(0, -1));
  if (typeof owner !== 'object' || owner === null || place === '') return '';
  if (Array.isArray(owner)) owner.length = 0;
  else if (Reflect.has(owner, key)) Reflect.deleteProperty(owner, key);
  else if (steps.length > 1) return takeOut(document, ownerOf(place));
  else Reflect.set(owner, key, {});
  return place;
}
