import {
  foldCase,
  readAmount,
  readCurrency,
  readMessage,
  readMoment,
  readText,
  readTime,
  scalarText,
} from './answer-values.js';
import type {
  GatewayAnswer,
  GatewayMeaning,
  GatewayResult,
  UnknownReason,
  UnlistedAnswer,
} from '../gateway-result.js';
import type { OutcomeReader, Requirement } from './outcome-reader.js';
import { readRedirect } from './redirect-reader.js';
import type { TemplateValues } from '../templates/template.js';
import { readPointer, type Pointer } from '../profile/pointer.js';
import type { DeclineReason, MeaningName } from '../profile/format.js';

/** The meanings that claim that money was taken or held. */
const MONEY_MOVED: ReadonlySet<MeaningName> = new Set([
  'succeeded',
  'authorized',
  'refunded',
  'partiallyRefunded',
  'chargedBack',
  'disputeWon',
] as const);

/** Longer texts are not matched against the profile's regular expressions. */
const MAX_MATCHED_TEXT = 2048;

/** A value at a status pointer that no meaning lists. `isCode`: it stands where error codes stand. */
interface Unlisted {
  readonly word: string;
  readonly isCode: boolean;
}

/** The meaning that the status pointers gave. */
interface StatusReading {
  readonly meaning?: MeaningName;
  readonly status?: string;
  /** The first value before the deciding one that no meaning lists. */
  readonly unlisted?: Unlisted;
  readonly contradicts: boolean;
}

/**
 * Says what an answer means. Pure, and never throws, whatever the document is. Only a word that the profile lists
 * explicitly makes a success. An answer that is not understood, or that contradicts itself, is unknown.
 *
 * @param currency ISO 4217 code of the payment, which decides how amounts are read.
 * @param word the payment's fields, for templates that name them.
 */
export function readOutcome(
  reader: OutcomeReader,
  document: unknown,
  currency: string,
  word: TemplateValues['word'] = () => undefined,
): GatewayResult {
  const result = judge(reader, document, currency);
  if (result.kind !== 'answered') return result;
  return { kind: 'answered', answer: { ...result.answer, ...readRedirect(reader.redirect, document, word) } };
}

function judge(reader: OutcomeReader, document: unknown, currency: string): GatewayResult {
  const error = readError(reader, document);
  if (error === 'untrustworthy') return unknown('contradiction');
  const { meaning, status, unlisted, contradicts } = readStatus(reader, document);
  // Whatever stands beside it is said of the refused call, or of the payment that had the reference first.
  if (saysReferenceUsed(reader, document))
    return answered(reader, document, currency, { meaning: 'referenceUsed' });
  const moneyMoved = meaning !== undefined && MONEY_MOVED.has(meaning);
  if (contradicts || (moneyMoved && error === true)) return unknown('contradiction');
  if (moneyMoved && unlisted) return unrecognised(reader, document, currency, unlisted);
  if (meaning === undefined) {
    if (error !== true) return unrecognised(reader, document, currency, unlisted);
    const undecided = undecidedByCode(reader, document);
    if (undecided) return answered(reader, document, currency, { meaning: undecided });
    // A code beside an error says why it is one, but a status there is a word about the payment.
    const word = unlisted && !unlisted.isCode ? unlisted.word : undefined;
    return answered(reader, document, currency, { meaning: 'refused', unlisted: word });
  }
  const missed = reader.require.filter((requirement) => !isMet(requirement, document));
  if (missed.length === 0) return answered(reader, document, currency, { meaning, status });
  const refused = error === true && missed.some((requirement) => requirement.listed);
  return refused && (meaning === 'processing' || meaning === 'failed')
    ? answered(reader, document, currency, { meaning: 'refused', status })
    : unknown('requirement');
}

/** Whether an answer says that it is an error, or says so in a way that nobody can trust. */
export function saysError(reader: OutcomeReader, document: unknown): boolean {
  const error = readError(reader, document);
  return error === true || error === 'untrustworthy';
}

/** Whether an answer to a call that starts a payment refuses its reference as used before. */
export function saysReferenceUsed(reader: OutcomeReader, document: unknown): boolean {
  if (!reader.readsReferenceUsed) return false;
  const { status, code } = reader.pointers;
  const saysSo = (pointer: Pointer): boolean => {
    const text = scalarText(readPointer(document, pointer));
    return text !== undefined && reader.meanings.get(foldCase(text)) === 'referenceUsed';
  };
  return status.some(saysSo) || code.some(saysSo);
}

/** Whether an answer meets all conditions of the profile's `require`. */
export function meetsRequirements(reader: OutcomeReader, document: unknown): boolean {
  return reader.require.every((requirement) => isMet(requirement, document));
}

/** The meanings whose message is for the payer. */
function asksPayer(meaning: GatewayMeaning): boolean {
  return meaning === 'otp' || meaning === 'pin' || meaning === 'unsupported';
}

/** Message, code and reason of an answer that refuses something. They are all that counts where its HTTP status decides the meaning. */
export function readRefusal(reader: OutcomeReader, document: unknown): Refusal {
  const message = first(document, reader.pointers.message, readMessage);
  const code = first(document, reader.pointers.code, readText);
  return withoutUndefined({ message, code, reason: reasonOf(reader, code) ?? reasonOf(reader, message) });
}

/** What a refusal says for itself. */
type Refusal = Pick<GatewayAnswer, 'message' | 'code' | 'reason'>;

function reasonOf({ declines }: OutcomeReader, text: string | undefined): DeclineReason | undefined {
  return text === undefined ? undefined : declines.get(text.trim().toLowerCase());
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
  let unlisted: Unlisted | undefined;
  let moneyMoved = false;
  let failed = false;
  for (const pointer of reader.pointers.status) {
    const value = readPointer(document, pointer);
    if (value === undefined || value === null || value === '') continue;
    const text = scalarText(value);
    const listed = text === undefined ? undefined : reader.meanings.get(foldCase(text));
    if (listed === undefined) {
      if (meaning === undefined)
        unlisted ??= { word: readText(value) ?? '', isCode: isCodePointer(reader, pointer) };
      continue;
    }
    moneyMoved ||= MONEY_MOVED.has(listed);
    failed ||= listed === 'failed';
    if (meaning === undefined) {
      meaning = listed;
      status = text;
    }
  }
  return { meaning, status, ...(unlisted && { unlisted }), contradicts: moneyMoved && failed };
}

function isCodePointer(reader: OutcomeReader, pointer: Pointer): boolean {
  const path = JSON.stringify(pointer);
  return reader.pointers.code.some((code) => JSON.stringify(code) === path);
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
  said: Pick<GatewayAnswer, 'meaning'> & { status?: string | undefined; unlisted?: string | undefined },
): GatewayResult {
  const at = reader.pointers;
  const { meaning, status, unlisted } = said;
  const amountIn = (value: unknown): GatewayAnswer['amount'] =>
    readAmount(value, reader.amountUnit, currency);
  const answer: GatewayAnswer = withoutUndefined({
    meaning,
    amountRequired: reader.amountRequired,
    status,
    unlisted,
    ...readRefusal(reader, document),
    transactionRef: first(document, at.transactionRef, readText),
    accountNumber: first(document, at.accountNumber, readText),
    accountName: first(document, at.accountName, readText),
    bankName: first(document, at.bankName, readText),
    expiresAt: first(document, at.expiresAt, readTime),
    ussdCode: first(document, at.ussdCode, readText),
    otpMessage: asksPayer(meaning) ? first(document, at.otpMessage, readMessage) : undefined,
    ...readMoney(reader, document, currency),
    refundedAmount: first(document, at.refundedAmount, amountIn),
    disputedAmount: first(document, at.disputedAmount, amountIn),
    paidAt: first(document, at.paidAt, readMoment),
    refundedAt: first(document, at.refundedAt, readMoment),
    ...(meaning === 'succeeded' && reader.successEndsDispute && { endsDispute: true as const }),
  });
  return { kind: 'answered', answer };
}

/** What an answer names of the payment that it is about. */
function readMoney(
  { pointers: at, amountUnit }: OutcomeReader,
  document: unknown,
  currency: string,
): Pick<GatewayAnswer, 'reference' | 'amount' | 'currency'> {
  return withoutUndefined({
    reference: first(document, at.reference, readText),
    amount: first(document, at.amount, (value) => readAmount(value, amountUnit, currency)),
    currency: first(document, at.currency, readCurrency),
  });
}

/** An answer that was read, but for its status word, which the profile does not list. */
function unrecognised(
  reader: OutcomeReader,
  document: unknown,
  currency: string,
  unlisted: Unlisted | undefined,
): GatewayResult {
  if (!unlisted) return unknown('unrecognised');
  const said: UnlistedAnswer = { word: unlisted.word, ...readMoney(reader, document, currency) };
  return { kind: 'unknown', reason: 'unrecognised', said };
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

function unknown(reason: UnknownReason): GatewayResult {
  return { kind: 'unknown', reason };
}

function withoutUndefined<T extends object>(value: T): T {
  const kept: Partial<T> = {};
  for (const key of Object.keys(value) as (keyof T)[]) if (value[key] !== undefined) kept[key] = value[key];
  return kept as T;
}
