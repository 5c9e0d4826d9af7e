import { type DeclineReason, DECLINE_REASONS } from '../fact.js';
import type { Digits } from '../amounts.js';
import { pointerOf, type Pointer } from '../profile/pointer.js';
import {
  listOf,
  MEANING_NAMES,
  PLACES,
  STARTS,
  type AnswerProfile,
  type CallProfile,
  type Meaning,
  type OperationName,
  type Profile,
} from '../profile/schema.js';
import { compileRedirect, type ReadRedirect } from './redirect.js';
import { foldCase, type Keep } from './values.js';

type Place = keyof typeof PLACES;

/** What decides how an operation's word is meant. */
export type Kind = 'card' | 'start' | 'code' | 'status' | 'complete' | 'void' | 'refund' | 'refundStatus';

/** How the answers of one operation are read: the profile, compiled. */
export interface AnswerReader {
  readonly kind: Kind;
  readonly at: Readonly<Record<Place, readonly Pointer[]>>;
  readonly words: ReadonlyMap<string, Meaning>;
  readonly require: readonly { readonly pointer: Pointer; readonly values: ReadonlySet<string> }[];
  readonly unit: 'major' | 'minor';
  readonly needsAmount: boolean;
  readonly readStatuses: ReadonlySet<number>;
  readonly redirect: ReadRedirect;
  readonly keep: readonly Keep[];
  readonly declines: ReadonlyMap<string, DeclineReason>;
  readonly digits: Digits;
  /** Codes that can be sent: without their operation the payer is asked for something that this service cannot ask for. */
  readonly asks: { readonly otp: boolean; readonly pin: boolean };
}

/** Compiles how an operation's answers are read: its own keys replace the common ones, its words are looked up first. */
export function compileReader(profile: Profile, name: OperationName, call: CallProfile): AnswerReader {
  const own: AnswerProfile = call.answer ?? {};
  const answer: AnswerProfile = { ...profile.answer, ...own };
  const names = Object.keys(PLACES) as Place[];
  const places = names.map((place) => [place, listOf(answer[place]).map(pointerOf)]);
  const at = Object.fromEntries(places) as Record<Place, Pointer[]>;
  return {
    kind: kindOf(name),
    at: { ...at, otpMessage: answer.otpMessage === undefined ? at.message : at.otpMessage },
    words: new Map([...wordsIn(profile.answer), ...wordsIn(own)]),
    require: Object.entries(answer.require ?? {}).map(([pointer, values]) => ({
      pointer: pointerOf(pointer),
      values: new Set(values.map(String)),
    })),
    unit: answer.amountUnit ?? 'major',
    needsAmount: at.amount.length > 0 && answer.amountOptional !== true,
    readStatuses: new Set(answer.readStatuses),
    redirect: compileRedirect(answer),
    keep: Object.entries(call.keep ?? {}).map(([kept, pointer]) => ({
      name: kept,
      pointer: pointerOf(pointer),
    })),
    declines: new Map(
      DECLINE_REASONS.flatMap((reason) =>
        (profile.declines?.[reason] ?? []).map(
          (word) => [String(word).trim().toLowerCase(), reason] as const,
        ),
      ),
    ),
    digits: profile.digits ?? {},
    asks: {
      otp: profile.operations.validateOtp !== undefined,
      pin: profile.operations.validatePin !== undefined,
    },
  };
}

/** Words as they are compared, each with its meaning. */
export function wordsIn({ words }: AnswerProfile): [word: string, meaning: Meaning][] {
  return MEANING_NAMES.flatMap((meaning) =>
    (words?.[meaning] ?? []).map((word): [string, Meaning] => [foldCase(String(word)), meaning]),
  );
}

export function isStart(name: string): boolean {
  return (STARTS as readonly string[]).includes(name);
}

/** Whether a call starts a payment. */
export function isStartKind(kind: Kind): boolean {
  return kind === 'card' || kind === 'start';
}

function kindOf(name: OperationName): Kind {
  if (name === 'payCard') return 'card';
  if (name === 'validateOtp' || name === 'validatePin') return 'code';
  if (name === 'complete' || name === 'void' || name === 'refund' || name === 'refundStatus') return name;
  return isStart(name) ? 'start' : 'status';
}
