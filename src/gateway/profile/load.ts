import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { parseAnswer } from '../answers/answer-json.js';
import { defaultProfile } from './default-profile.js';
import { mergeMeanings } from '../answers/outcome-reader.js';
import type { OperationProfile, Profile } from './format.js';
import { findProfileProblems, type ProfileProblem } from './check.js';
import { parsePointer, readPointer, type Pointer } from './pointer.js';
import schema from './profile.schema.json' with { type: 'json' };

export type { Profile } from './format.js';
export type { ProfileProblem } from './check.js';

/** No profile needs to be larger. */
const MAX_PROFILE_BYTES = 1024 * 1024;

/** A profile that cannot be used, with everything that is wrong in it. No message repeats a value from the file. */
export class ProfileError extends Error {
  override readonly name = 'ProfileError';

  constructor(readonly problems: readonly ProfileProblem[]) {
    super(
      `The gateway profile cannot be used:\n${problems
        .map(({ place, message }) => `- ${place === '' ? 'the file' : place}: ${message}`)
        .join('\n')}`,
    );
  }
}

/** What a profile file may hold: any part of a profile. */
type ProfileFile = {
  readonly [K in keyof Profile]?: K extends 'operations'
    ? Readonly<Record<string, Partial<OperationProfile>>>
    : Profile[K] extends readonly unknown[]
      ? Profile[K]
      : Partial<Profile[K]>;
};

/**
 * Loads a gateway profile: the file merged over the built-in profile. Without a path, the built-in profile alone.
 * Throws {@link ProfileError} with all problems at once.
 */
export function loadProfile(path?: string): Profile {
  return path === undefined ? defaultProfile : parseProfile(readProfile(path));
}

/** Reads a profile from the text of a file. Throws {@link ProfileError} with all problems at once. */
export function parseProfile(text: string): Profile {
  const file = parseAnswer(text);
  if (!file.ok) {
    throw problemOfFile(file.reason === 'contradiction' ? 'holds the same key twice' : 'is not JSON');
  }
  const validate = new Ajv2020({ allErrors: true, strictRequired: false, allowUnionTypes: true }).compile(
    schema,
  );
  const malformed: ProfileProblem[] = [];
  if (!validate(file.document)) {
    // "None of the forms fits" is enough. Why each of them does not fit would only be noise.
    const errors = (validate.errors ?? []).filter(({ schemaPath }) => !schemaPath.includes('/oneOf/'));
    malformed.push(...errors.map(problemOf));
    // Malformed parts are removed, so that the rest can still be checked.
    for (const { place } of malformed) removeAt(file.document, parsePointer(place) ?? []);
    if (!validate(file.document)) throw new ProfileError(malformed);
  }
  const profile = mergeProfile(file.document as ProfileFile);
  const problems = [...malformed, ...findProfileProblems(profile)];
  if (problems.length > 0) throw new ProfileError(problems);
  return profile;
}

function removeAt(document: unknown, pointer: Pointer): void {
  const parent = readPointer(document, pointer.slice(0, -1));
  const last = pointer.at(-1);
  if (typeof parent !== 'object' || parent === null || last === undefined) return;
  Reflect.deleteProperty(parent, last);
}

function readProfile(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    throw problemOfFile('cannot be read');
  }
  if (bytes.length > MAX_PROFILE_BYTES) throw problemOfFile('is longer than 1 MiB');
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

function problemOfFile(message: string): ProfileError {
  return new ProfileError([{ place: '', message }]);
}

/** Merges a file over the built-in profile, part by part. */
function mergeProfile(file: ProfileFile): Profile {
  const base = defaultProfile;
  const operations: Record<string, OperationProfile> = { ...base.operations };
  for (const [key, over] of Object.entries(file.operations ?? {})) {
    operations[key] = mergeOperation(operations[key], over);
  }
  const { meanings = {}, ...outcome } = file.outcome ?? {};
  return {
    operations: operations as Profile['operations'],
    card: { ...base.card, ...file.card },
    ussdBanks: { ...base.ussdBanks, ...file.ussdBanks },
    encryption: { ...base.encryption, ...file.encryption },
    outcome: { ...base.outcome, ...outcome, meanings: mergeMeanings(base.outcome.meanings, meanings) },
    notification: {
      ...base.notification,
      ...file.notification,
      signature: { ...base.notification.signature, ...file.notification?.signature },
    },
    confirmed: file.confirmed ?? base.confirmed,
  };
}

/** An operation's own outcome is replaced as a whole, because its parts belong together. */
function mergeOperation(
  base: OperationProfile | undefined,
  over: Partial<OperationProfile>,
): OperationProfile {
  return {
    ...base,
    ...over,
    ...(over.headers && { headers: { ...base?.headers, ...over.headers } }),
    ...(over.rename && { rename: { ...base?.rename, ...over.rename } }),
    ...(over.constants && { constants: { ...base?.constants, ...over.constants } }),
  } as OperationProfile;
}

/** Explains a schema error in plain words and without values from the file. */
function problemOf(error: ErrorObject): ProfileProblem {
  const place = error.instancePath;
  const at = (step: unknown): string =>
    `${place}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const params = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case 'additionalProperties':
      return { place: at(params['additionalProperty']), message: 'is an unknown key' };
    case 'required':
      return { place: at(params['missingProperty']), message: 'is missing' };
    case 'enum':
      return { place, message: `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}` };
    case 'const':
      return { place, message: `must be ${JSON.stringify(params['allowedValue'])}` };
    case 'oneOf':
      return { place, message: 'must be exactly one of the forms that are possible here' };
    default:
      return { place, message: error.message ?? 'is not valid' };
  }
}
