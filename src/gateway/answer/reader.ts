import { type DeclineReason, DECLINE_REASONS } from '../fact.js';
import type { Digits } from '../amounts.js';
import { pointerOf, type Pointer } from '../profile/pointer.js';
import {
  listOf,
  MEANING_NAMES,
  STARTS,
  type AnswerProfile,
  type CallProfile,
  type Meaning,
  type OperationName,
  type Profile,
} from '../profile/schema.js';
import { compileRedirect, type ReadRedirect } from './redirect.js';
import { foldCase, type Keep } from './values.js';

const PLACES = [
  ...([
    'status',
    'error',
    'message',
    'code',
    'transactionRef',
    'otpMessage',
    'accountNumber',
    'accountName',
  ] as const),
  ...([
    'bankName',
    'expiresAt',
    'ussdCode',
    'reference',
    'amount',
    'currency',
    'paidAt',
    'refundedAmount',
  ] as const),
  ...(['disputedAmount', 'refundedAt'] as const),
] as const;
type Place = (typeof PLACES)[number];

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
  const places = Object.fromEntries(PLACES.map((place) => [place, listOf(answer[place]).map(pointerOf)]));
  const at = places as Record<Place, Pointer[]>;
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

function kindOf(name: OperationName): Kind {
  switch (name) {
    case 'payCard':
      return 'card';
    case 'initiateWallet':
    case 'initiateTransfer':
    case 'generateUssdCode':
      return 'start';
    case 'validateOtp':
    case 'validatePin':
      return 'code';
    case 'complete':
    case 'void':
    case 'refund':
    case 'refundStatus':
      return name;
    case 'transactionStatus':
    case 'transferUssdStatus':
    case 'listUssdBanks':
      return 'status';
  }
}
