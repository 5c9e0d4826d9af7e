import { readFileSync } from 'node:fs';
import jsonc, { type JSONPath } from 'jsonc-parser';
import { parseAnswer } from '../answers/answer-json.js';
import { findProfileProblems } from './check/check.js';
import { type ProfileProblem, escapeStep } from './pointer.js';
import { defaultProfile } from './default-profile.js';
import type { Profile, OperationProfile, SettlementProfile } from './format.js';
import { takeMalformed } from './schema-faults.js';
import { mergeWords } from '../answers/outcome-reader.js';

export type { Profile } from './format.js';
export type { ProfileProblem } from './pointer.js';

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

/** What a profile file may hold: any part of a profile. */
type ProfileFile = {
  readonly [K in keyof Profile]?: K extends 'operations'
    ? Readonly<Record<string, Partial<OperationProfile> | null>>
    : K extends 'settlement'
      ? Partial<SettlementProfile> | readonly Partial<SettlementProfile>[] | null
      : Profile[K] extends readonly unknown[]
        ? Profile[K]
        : Partial<Profile[K]>;
};

/** Merges a file over the built-in profile, part by part. */
function mergeProfile(file: ProfileFile): Profile {
  const base = defaultProfile;
  const operations: Record<string, OperationProfile | null> = { ...base.operations };
  for (const [key, over] of Object.entries(file.operations ?? {})) {
    operations[key] = over === null ? null : mergeOperation(operations[key] ?? undefined, over);
  }
  const { meanings = {}, ...outcome } = file.outcome ?? {};
  return {
    operations,
    extra: { ...base.extra, ...file.extra } as Profile['extra'],
    credentials: { ...base.credentials, ...file.credentials } as Profile['credentials'],
    ...(file.token && { token: file.token as NonNullable<Profile['token']> }),
    reference: { ...base.reference, ...file.reference },
    card: { ...base.card, ...file.card, pin: { ...base.card.pin, ...file.card?.pin } },
    ussdBanks: { ...base.ussdBanks, ...file.ussdBanks },
    encryption: { ...base.encryption, ...file.encryption },
    outcome: { ...base.outcome, ...outcome, meanings: mergeWords(base.outcome.meanings, meanings) },
    declines: mergeWords(base.declines, file.declines ?? {}),
    notification: {
      ...base.notification,
      ...file.notification,
      signature: { ...base.notification.signature, ...file.notification?.signature },
    },
    settlement: mergeSettlement(base.settlement, file.settlement),
    confirmed: file.confirmed ?? base.confirmed,
  };
}

/** One shape or several: each is merged over the built-in one. */
function mergeSettlement(
  base: Profile['settlement'],
  file: ProfileFile['settlement'],
): Profile['settlement'] {
  const [usual] = base ?? [];
  if (file === null || file === undefined || !usual) return file === null ? null : base;
  return (isList(file) ? file : [file]).map((shape) => mergeShape(usual, shape));
}

/**
 * The columns belong together: a file's replace the built-in ones, and the words of a status go with its column. A word of a type
 * that the file lists is removed from the built-in lists of other types.
 */
function mergeShape(base: SettlementProfile, file: Partial<SettlementProfile>): SettlementProfile {
  const { statuses, ...usual } = base;
  const own = file.columns ?? base.columns;
  const moved = new Set(
    Object.values(file.types ?? {})
      .flat()
      .map((word) => word.toUpperCase()),
  );
  const kept = Object.entries(base.types).map(
    ([type, words]) => [type, words.filter((word) => !moved.has(word.toUpperCase()))] as const,
  );
  return {
    ...usual,
    ...(own.status !== undefined && statuses && { statuses }),
    ...file,
    types: { ...Object.fromEntries(kept), ...file.types },
  };
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
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

/** More faults than a person reads at once. */
const MAX_FAULTS = 20;

/** What is wrong with a text that is no JSON, or that says one thing twice: each with its line and column. */
function jsonFaults(text: string): ProfileProblem[] {
  const names: Set<string>[] = [];
  const twice: ProfileProblem[] = [];
  let broken: number | undefined;
  jsonc.visit(
    text,
    {
      onObjectBegin: () => void names.push(new Set()),
      onObjectEnd: () => void names.pop(),
      onObjectProperty: (name, offset, _length, _line, _column, path) => {
        const seen = names.at(-1);
        if (seen?.has(name) && twice.length < MAX_FAULTS) {
          const at = pointerOf([...path(), name]);
          twice.push({ place: at, message: `stands twice: ${positionOf(text, offset)}` });
        }
        seen?.add(name);
      },
      onError: (_code, offset) => {
        broken ??= offset;
      },
    },
    { disallowComments: true },
  );
  if (broken !== undefined || twice.length === 0) {
    return [{ place: '', message: `is not JSON: ${positionOf(text, broken ?? text.length)}` }];
  }
  return twice;
}

function pointerOf(path: JSONPath): string {
  return path.map((step) => `/${escapeStep(String(step))}`).join('');
}

function positionOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}
