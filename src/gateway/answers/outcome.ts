import {
  foldCase,
  readAmount,
  readCurrency,
  readFields,
  readMessage,
  readText,
  readTime,
  scalarText,
} from './answer-values.js';
import type { GatewayAnswer, GatewayMeaning, GatewayResult, UnknownReason } from '../gateway-result.js';
import { linearPattern } from './linear-pattern.js';
import { parsePointer, readPointer, type Pointer } from '../profile/pointer.js';
import {
  MEANING_NAMES,
  OUTCOME_POINTER_KEYS,
  type AnswerAmountUnit,
  type MeaningName,
  type OutcomePointerKey,
  type OutcomeProfile,
  type OwnOutcomeProfile,
  type RequireCondition,
} from '../profile/format.js';

/** Longer texts are not matched against the profile's regular expressions. */
const MAX_MATCHED_TEXT = 2048;

/**
 * How the answers of one operation are read: the profile's outcome, with its pointers parsed and its meanings
 * indexed.
 */
export interface OutcomeReader {
  readonly pointers: Readonly<Record<OutcomePointerKey, readonly Pointer[]>>;
  readonly amountUnit: AnswerAmountUnit;
  readonly amountRequired: boolean;
  /** Keyed by the lower-cased value. */
  readonly meanings: ReadonlyMap<string, MeaningName>;
  readonly require: readonly Requirement[];
}

interface Requirement {
  readonly pointer: Pointer;
  /** Whether a value is in a list of exact words. */
  readonly listed: boolean;
  readonly met: (text: string) => boolean;
}

/** The meaning that the status pointers gave. */
interface StatusReading {
  readonly meaning?: MeaningName;
  readonly status?: string;
  /** A value before the deciding one that no meaning lists. */
  readonly unlistedBefore: boolean;
  readonly contradicts: boolean;
}

/** Compiles the common outcome with the operation's own overrides. The profile must have been checked. */
export function compileOutcome(common: OutcomeProfile, own: OwnOutcomeProfile = {}): OutcomeReader {
  const { meanings: ownMeanings = {}, ...rest } = own;
  const merged = { ...common, ...rest, meanings: mergeMeanings(common.meanings, ownMeanings) };
  const pointers = {} as Record<OutcomePointerKey, readonly Pointer[]>;
  for (const key of OUTCOME_POINTER_KEYS) pointers[key] = merged[key].map(compilePointer);
  const meanings = new Map<string, MeaningName>();
  for (const name of MEANING_NAMES)
    for (const value of merged.meanings[name]) meanings.set(foldCase(value), name);
  return {
    pointers,
    amountUnit: merged.amountUnit,
    amountRequired: !merged.amountOptional,
    meanings,
    require: merged.require.map(compileRequirement),
  };
}

/**
 * Replaces the lists that `over` names. A value that `over` lists under one meaning is removed from the other
 * meanings of `base`, so one line of a profile can move a word from one meaning to another.
 */
export function mergeMeanings(
  base: OutcomeProfile['meanings'],
  over: Partial<OutcomeProfile['meanings']>,
): OutcomeProfile['meanings'] {
  const moved = new Set(Object.values(over).flat().map(foldCase));
  const merged = {} as Record<MeaningName, readonly string[]>;
  for (const name of MEANING_NAMES) {
    merged[name] = over[name] ?? base[name].filter((value) => !moved.has(foldCase(value)));
  }
  return merged;
}

/**
 * Says what an answer means. Pure, and never throws, whatever the document is. Only a word that the profile lists
 * explicitly makes a success. An answer that is not understood, or that contradicts itself, is unknown.
 *
 * @param currency ISO 4217 code of the payment, which decides how amounts are read.
 */
export function readOutcome(reader: OutcomeReader, document: unknown, currency: string): GatewayResult {
  const error = readError(reader, document);
  if (error === 'untrustworthy') return unknown('contradiction');
  const { meaning, status, unlistedBefore, contradicts } = readStatus(reader, document);
  const moneyMoved = meaning === 'succeeded' || meaning === 'authorized';
  if (contradicts || (moneyMoved && error === true)) return unknown('contradiction');
  if (moneyMoved && unlistedBefore) return unknown('unrecognised');
  if (meaning === undefined) {
    if (error !== true) return unknown('unrecognised');
    return answered(reader, document, currency, undecidedByCode(reader, document) ?? 'refused', status);
  }
  const missed = reader.require.filter((requirement) => !isMet(requirement, document));
  if (missed.length === 0) return answered(reader, document, currency, meaning, status);
  const refused = error === true && missed.some((requirement) => requirement.listed);
  return refused && (meaning === 'processing' || meaning === 'failed')
    ? answered(reader, document, currency, 'refused', status)
    : unknown('requirement');
}

/** Message and code of an answer whose HTTP status alone decides the meaning. */
export function readRefusal(reader: OutcomeReader, document: unknown): { message?: string; code?: string } {
  const { message, code } = reader.pointers;
  return withoutUndefined({
    message: first(document, message, readMessage),
    code: first(document, code, readText),
  });
}

/**
 * `error` as a boolean, undefined where it is absent. Any other value, or both values at once, makes the answer
 * untrustworthy.
 */
function readError(reader: OutcomeReader, document: unknown): boolean | undefined | 'untrustworthy' {
  let found: boolean | undefined;
  for (const pointer of reader.pointers.error) {
    const value = readPointer(document, pointer);
    if (value === undefined) continue;
    if (typeof value !== 'boolean' || (found !== undefined && found !== value)) return 'untrustworthy';
    found = value;
  }
  return found;
}

/** The first listed value decides. A failure and a success together, wherever they stand, are a contradiction. */
function readStatus(reader: OutcomeReader, document: unknown): StatusReading {
  let meaning: MeaningName | undefined;
  let status: string | undefined;
  let unlistedBefore = false;
  let moneyMoved = false;
  let failed = false;
  for (const pointer of reader.pointers.status) {
    const value = readPointer(document, pointer);
    if (value === undefined || value === null || value === '') continue;
    const text = scalarText(value);
    const listed = text === undefined ? undefined : reader.meanings.get(foldCase(text));
    if (listed === undefined) {
      unlistedBefore ||= meaning === undefined;
      continue;
    }
    moneyMoved ||= listed === 'succeeded' || listed === 'authorized';
    failed ||= listed === 'failed';
    if (meaning === undefined) {
      meaning = listed;
      status = text;
    }
  }
  return { meaning, status, unlistedBefore, contradicts: moneyMoved && failed };
}

/**
 * An error code can say "not decided" although it is at none of the status pointers. Such an error is not a decline.
 */
function undecidedByCode(reader: OutcomeReader, document: unknown): GatewayMeaning | undefined {
  for (const pointer of reader.pointers.code) {
    const text = scalarText(readPointer(document, pointer));
    const meaning = text === undefined ? undefined : reader.meanings.get(foldCase(text));
    if (meaning === 'undecided' || meaning === 'unknownTransaction') return meaning;
  }
  return undefined;
}

function answered(
  reader: OutcomeReader,
  document: unknown,
  currency: string,
  meaning: GatewayMeaning,
  status: string | undefined,
): GatewayResult {
  const at = reader.pointers;
  const answer: GatewayAnswer = withoutUndefined({
    meaning,
    amountRequired: reader.amountRequired,
    status,
    message: first(document, at.message, readMessage),
    code: first(document, at.code, readText),
    transactionRef: first(document, at.transactionRef, readText),
    ...readRedirect(reader, document),
    accountNumber: first(document, at.accountNumber, readText),
    accountName: first(document, at.accountName, readText),
    bankName: first(document, at.bankName, readText),
    expiresAt: first(document, at.expiresAt, readTime),
    ussdCode: first(document, at.ussdCode, readText),
    otpMessage: meaning === 'otp' ? first(document, at.otpMessage, readMessage) : undefined,
    reference: first(document, at.reference, readText),
    amount: first(document, at.amount, (value) => readAmount(value, reader.amountUnit, currency)),
    currency: first(document, at.currency, readCurrency),
  });
  return { kind: 'answered', answer };
}

/** An address that a browser cannot open is not a next action. */
function readRedirect(
  reader: OutcomeReader,
  document: unknown,
): Pick<GatewayAnswer, 'redirectUrl' | 'redirectMethod' | 'redirectFields'> {
  const { redirectUrl, redirectMethod, redirectFields } = reader.pointers;
  const url = first(document, redirectUrl, readText);
  if (url === undefined) return {};
  const method = first(document, redirectMethod, readText)?.toUpperCase() ?? 'GET';
  if (method !== 'GET' && method !== 'POST') return {};
  const fields = first(document, redirectFields, readFields);
  return { redirectUrl: url, redirectMethod: method, ...(fields && { redirectFields: fields }) };
}

/** The value at the first pointer that has a readable one. */
function first<T>(
  document: unknown,
  pointers: readonly Pointer[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const pointer of pointers) {
    const value = readPointer(document, pointer);
    const found = value === undefined ? undefined : read(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isMet(requirement: Requirement, document: unknown): boolean {
  const text = scalarText(readPointer(document, requirement.pointer));
  return text !== undefined && text.length <= MAX_MATCHED_TEXT && requirement.met(text);
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

function unknown(reason: UnknownReason): GatewayResult {
  return { kind: 'unknown', reason };
}

function withoutUndefined<T extends object>(value: T): T {
  const kept: Partial<T> = {};
  for (const key of Object.keys(value) as (keyof T)[]) if (value[key] !== undefined) kept[key] = value[key];
  return kept as T;
}
