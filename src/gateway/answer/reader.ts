import type { DeclineReason } from '../fact.js';
import type { Digits } from '../amounts.js';
import type { Pointer } from '../profile/pointer.js';
import {
  isStart,
  type AnswerProfile,
  type CallProfile,
  type Meaning,
  type OperationName,
  type Profile,
} from '../profile/schema.js';
import { compileRedirect, type ReadRedirect } from './redirect.js';

/** What decides how an operation's word is meant. */
export type Kind = 'card' | 'start' | 'code' | 'status' | 'complete' | 'void' | 'refund' | 'refundStatus';

/** How the answers of one operation are read: the profile, compiled. */
export interface AnswerReader {
  readonly kind: Kind;
  /** Where an answer has what: the operation's own keys in the place of the common ones. */
  readonly at: AnswerProfile;
  readonly words: ReadonlyMap<string, Meaning>;
  readonly redirect: ReadRedirect;
  readonly keep: Readonly<Record<string, readonly Pointer[]>>;
  readonly declines: ReadonlyMap<string, DeclineReason>;
  readonly digits: Digits;
  /** Codes that can be sent: without their operation the payer is asked for something that this service cannot ask for. */
  readonly asks: { readonly otp: boolean; readonly pin: boolean };
}

/** Compiles how an operation's answers are read: its own keys replace the common ones, its words are looked up first. */
export function compileReader(profile: Profile, name: OperationName, call: CallProfile): AnswerReader {
  const { answer, declines = new Map(), digits = {}, operations } = profile;
  const at = { ...answer, ...call.answer };
  return {
    kind: kindOf(name),
    at,
    words: new Map([...(answer.words ?? []), ...(call.answer?.words ?? [])]),
    redirect: compileRedirect(at),
    keep: call.keep ?? {},
    declines,
    digits,
    asks: { otp: operations.validateOtp !== undefined, pin: operations.validatePin !== undefined },
  };
}

/** Whether a call starts a payment. */
export function isStartKind(kind: Kind): boolean {
  return kind === 'card' || kind === 'start';
}

/** Whether a call only asks. */
export function isQuery(kind: Kind): boolean {
  return kind === 'status' || kind === 'refundStatus';
}

function kindOf(name: OperationName): Kind {
  if (name === 'payCard') return 'card';
  if (name === 'validateOtp' || name === 'validatePin') return 'code';
  if (name === 'complete' || name === 'void' || name === 'refund' || name === 'refundStatus') return name;
  return isStart(name) ? 'start' : 'status';
}
