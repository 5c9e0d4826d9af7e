import { foldCase } from './answer-values.js';
import { linearPattern } from './linear-pattern.js';
import { compileRedirect, type RedirectReader } from './redirect-reader.js';
import { parsePointer, type Pointer } from '../profile/pointer.js';
import {
  DECLINE_REASONS,
  MEANING_NAMES,
  OUTCOME_POINTER_KEYS,
  type AnswerAmountUnit,
  type DeclineReason,
  type DeclinesProfile,
  type MeaningName,
  type OutcomePointerKey,
  type OutcomeProfile,
  type OwnOutcomeProfile,
  type RequireCondition,
} from '../profile/format.js';

/**
 * How the answers of one operation are read: the profile's outcome, with its pointers parsed and its meanings
 * indexed.
 */
export interface OutcomeReader {
  readonly pointers: Readonly<Record<OutcomePointerKey, readonly Pointer[]>>;
  readonly redirect: RedirectReader;
  readonly amountUnit: AnswerAmountUnit;
  readonly amountRequired: boolean;
  readonly successEndsDispute: boolean;
  /** Keyed by the lower-cased value. */
  readonly meanings: ReadonlyMap<string, MeaningName>;
  readonly require: readonly Requirement[];
  /** Reasons of declines, keyed by the gateway's code or message in lower case. */
  readonly declines: ReadonlyMap<string, DeclineReason>;
  /** Whether the answers are to a call that starts a payment, in which alone `referenceUsed` is read. */
  readonly readsReferenceUsed: boolean;
}

/** One condition of `require`, compiled. */
export interface Requirement {
  readonly pointer: Pointer;
  /** Whether a value is in a list of exact words. */
  readonly listed: boolean;
  readonly met: (text: string) => boolean;
}

/** What a reader depends on besides the outcome. */
interface ReaderOptions {
  readonly startsPayment?: boolean;
  readonly declines?: Partial<DeclinesProfile>;
}

/** Compiles the common outcome with the operation's own overrides. The profile must have been checked. */
export function compileOutcome(
  common: OutcomeProfile,
  own: OwnOutcomeProfile = {},
  { startsPayment = false, declines = {} }: ReaderOptions = {},
): OutcomeReader {
  const { meanings: ownMeanings = {}, ...rest } = own;
  const merged = { ...common, ...rest, meanings: mergeWords(common.meanings, ownMeanings) };
  const pointers = {} as Record<OutcomePointerKey, readonly Pointer[]>;
  for (const key of OUTCOME_POINTER_KEYS) pointers[key] = merged[key].map(compilePointer);
  const meanings = new Map<string, MeaningName>();
  const names = MEANING_NAMES.filter((name) => startsPayment || name !== 'referenceUsed');
  for (const name of names) for (const value of merged.meanings[name]) meanings.set(foldCase(value), name);
  return {
    pointers,
    redirect: compileRedirect(merged),
    amountUnit: merged.amountUnit,
    amountRequired: !merged.amountOptional,
    successEndsDispute: merged.successEndsDispute,
    meanings,
    require: merged.require.map(compileRequirement),
    declines: compileDeclines(declines),
    readsReferenceUsed: startsPayment && merged.meanings.referenceUsed.length > 0,
  };
}

/** The gateway's words by what they mean. */
type Words<Name extends string> = Readonly<Record<Name, readonly string[]>>;

/**
 * Replaces the lists that `over` names. A value that `over` lists under one name is removed from the other lists of `base`, so one line of
 * a profile can move a word from one meaning to another.
 */
export function mergeWords<Name extends string>(base: Words<Name>, over: Partial<Words<Name>>): Words<Name> {
  const moved = new Set(
    Object.values<readonly string[] | undefined>(over).flatMap((list = []) => list.map(foldCase)),
  );
  const merged = {} as Record<Name, readonly string[]>;
  for (const name of Object.keys(base) as Name[]) {
    merged[name] = over[name] ?? base[name].filter((value) => !moved.has(foldCase(value)));
  }
  return merged;
}

/** How the reason of a decline is found: by what the gateway calls it, in lower case. */
function compileDeclines(declines: Partial<DeclinesProfile>): ReadonlyMap<string, DeclineReason> {
  return new Map(
    DECLINE_REASONS.flatMap((reason) =>
      (declines[reason] ?? []).map((word) => [word.toLowerCase(), reason] as const),
    ),
  );
}

function compileRequirement(condition: RequireCondition): Requirement {
  const pointer = compilePointer(condition.pointer);
  if ('in' in condition) {
    const accepted = new Set(condition.in.map((value) => foldCase(String(value))));
    return { pointer, listed: true, met: (text) => accepted.has(foldCase(text)) };
  }
  const met = linearPattern(condition.matches);
  if (typeof met === 'string') throw new TypeError(`the pattern of ${condition.pointer} ${met}`);
  return { pointer, listed: false, met };
}

function compilePointer(text: string): Pointer {
  const pointer = parsePointer(text);
  if (pointer === undefined) throw new TypeError(`not a JSON pointer: ${text}`);
  return pointer;
}
