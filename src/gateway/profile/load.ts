import { readFileSync } from 'node:fs';
import { parseAnswer } from '../answers/answer-json.js';
import { findProfileProblems } from './check/check.js';
import type { ProfileProblem } from './check/report.js';
import { defaultProfile } from './default-profile.js';
import type { Profile } from './format.js';
import { jsonFaults } from './json-fault.js';
import { mergeProfile, type ProfileFile } from './merge.js';
import { takeMalformed } from './schema-faults.js';

export type { Profile } from './format.js';
export type { ProfileProblem } from './check/report.js';

/** No profile needs to be larger. */
const MAX_PROFILE_BYTES = 128 * 1024;

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

/**
 * Loads a gateway profile: the file merged over the built-in profile. Without a path, the built-in profile alone.
 * Throws {@link ProfileError} with all problems at once.
 */
export function loadProfile(path?: string): Profile {
  return path === undefined ? defaultProfile : parseProfile(readProfile(path));
}

/** Reads a profile from the text of a file. Throws {@link ProfileError} with all problems at once. */
export function parseProfile(text: string): Profile {
  if (text.length > MAX_PROFILE_BYTES) throw problemOfFile(TOO_LONG);
  const file = parseAnswer(text);
  if (!file.ok) {
    throw file.reason === 'unrecognised'
      ? problemOfFile('is nested too deeply')
      : new ProfileError(jsonFaults(text));
  }
  const { faults, unusable } = takeMalformed(file.document);
  if (unusable) throw new ProfileError(faults);
  const profile = mergeProfile(file.document as ProfileFile);
  const problems = [...faults, ...findProfileProblems(profile)];
  if (problems.length > 0) throw new ProfileError(problems);
  return profile;
}

const TOO_LONG = 'is longer than 128 KiB';

function readProfile(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    throw problemOfFile('cannot be read');
  }
  if (bytes.length > MAX_PROFILE_BYTES) throw problemOfFile(TOO_LONG);
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

function problemOfFile(message: string): ProfileError {
  return new ProfileError([{ place: '', message }]);
}
