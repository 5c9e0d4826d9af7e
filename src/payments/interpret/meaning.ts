import {
  answerExpiry,
  type GatewayAnswer,
  type GatewayMeaning,
  type GatewayResult,
} from '../../gateway/gateway-result.js';
import { challengeAction, redirectAction } from '../../methods/next-action.js';
import { methodOf } from '../../methods/methods.js';
import type {
  NextAction,
  OperationRecord,
  OperationType,
  PaymentRecord,
  ReferenceRecord,
} from '../../store/schema.js';
import { isSettled, type Attention } from '../state/attention.js';
import { failureFrom } from '../state/failures.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { differences, mismatches, ownAmounts, partialReversal } from './answer.js';
import { foreignRefund, refundConfirmed, settledRefund } from './interpret-refund.js';
import { liftedReasons } from './lifted-attention.js';
import { notDone, REFUSED } from './not-done.js';
import {
  dispute,
  mayWait,
  proposeTransition,
  saidIn,
  type Disputed,
  type Target,
} from './proposed-transition.js';

/** What the answer to an operation is read against. */
export interface OperationCall {
  payment: PaymentRecord;
  reference: ReferenceRecord;
  operation: OperationRecord;
  /** Refunds of the payment whose outcome is known, where the operation is one. */
  settledRefunds?: readonly OperationRecord[];
  mode: 'test' | 'live';
}

/** Who voids duplicates where `DUPLICATE_POLICY=void` is set. */
export const POLICY = 'policy';

/** What one meaning does: a move of the payment, what becomes of the operation, and a note in the timeline. Pure. */
type Meaning = (call: OperationCall, answer: GatewayAnswer) => PaymentUpdate;

type Meanings = Readonly<Partial<Record<GatewayMeaning, Meaning>>>;

/** What the answer to a one-time code or a card PIN means. */
const OF_CODES: Meanings = {
  succeeded: pays('succeeded'),
  authorized: pays('authorized'),
  failed: moves('failed', 'refused'),
  expired: moves('expired', 'refused'),
  voided: moves('voided', 'confirmed'),
  processing: takesCode,
  redirect: asksNext,
  otp: asksNext,
  pin: asksNext,
  unsupported: asksNext,
  refused: isRefused,
};

/**
 * What each meaning of an answer does, for each operation. One that is not here leaves open what became of the operation: it is never
 * taken for a success or a failure.
 */
const MEANINGS: Readonly<Record<OperationType, Meanings>> = {
  pay: {
    succeeded: paysAtOnce('succeeded'),
    authorized: paysAtOnce('authorized'),
    failed: moves('failed', 'refused'),
    refused: moves('failed', 'refused'),
    expired: moves('expired', 'refused'),
    voided: moves('voided', 'confirmed'),
    processing: asksFirst,
    redirect: asksFirst,
    otp: asksFirst,
    pin: asksFirst,
    unsupported: asksFirst,
    // The gateway has the payment, so it can no longer count as never received. Nothing that has just begun was given back.
    undecided: isKnown,
    refunded: isKnown,
    partiallyRefunded: isKnown,
    chargedBack: isKnown,
    disputeWon: isKnown,
    referenceUsed: isKnown,
  },
  otp: OF_CODES,
  pin: OF_CODES,
  complete: {
    succeeded: pays('succeeded'),
    failed: isRefusedInWords,
    refused: isRefused,
    // The payment itself has ended.
    voided: moves('voided', 'refused'),
    expired: moves('expired', 'refused'),
    processing: accepted,
    otp: accepted,
    redirect: accepted,
  },
  // Only an answer that says "voided" confirms it.
  void: {
    voided: voids,
    failed: isRefusedInWords,
    refused: isRefused,
    expired: moves('expired', 'refused'),
    processing: accepted,
    otp: accepted,
    redirect: accepted,
  },
  // Only an answer that says so, about this refund's own money, confirms it.
  refund: {
    succeeded: givesBack,
    refunded: givesBack,
    partiallyRefunded: givesBack,
    failed: refundRefused,
    refused: refundRefused,
    processing: accepted,
  },
};

/** What the gateway's answer to an operation means for the payment. Pure. */
export function mean(result: GatewayResult, call: OperationCall): PaymentUpdate {
  const update = notDone(result, call) ?? foreign(result, call) ?? answered(result, call);
  return call.operation.type === 'void' ? judgedVoid(update, call) : update;
}

function answered(result: GatewayResult, call: OperationCall): PaymentUpdate {
  if (result.kind !== 'answered') return open(call, result.kind === 'unknown' ? result.reason : result.kind);
  const { answer } = result;
  const said = MEANINGS[call.operation.type][answer.meaning];
  const update = said?.(call, answer) ?? open(call, answer.meaning);
  return { ...named(call, answer), ...update, ...lifted(call, answer, update) };
}

/**
 * What follows from an answer that is about another payment, refund or sum, whatever it says; even one that is not understood may name
 * another. Undefined where it is about this one.
 */
function foreign(result: GatewayResult, call: OperationCall): PaymentUpdate | undefined {
  const { payment, operation } = call;
  if (operation.type === 'refund') {
    const refund = foreignRefund(result, call);
    return refund && { ...open(call, 'mismatch'), ...refund };
  }
  const said = saidIn(result);
  if (!said || said.meaning === 'unknownTransaction') return undefined;
  const amounts = operation.type === 'pay' ? [payment.amount] : ownAmounts(payment, [operation]);
  const differing = differences(said, payment, amounts);
  if (differing.length === 0) return undefined;
  const reason = result.kind === 'unknown' ? result.reason : 'mismatch';
  return disbelieved(call, said, differing.join(' '), reason);
}

/** The answer is about another amount or payment. It counts as an answer, moves nothing, and a person must look. */
function disbelieved(
  call: OperationCall,
  answer: Disputed,
  differs: string,
  reason = 'mismatch',
): PaymentUpdate {
  return { ...open(call, reason, differs), answered: true, ...dispute(call.payment, 'mismatch', answer) };
}

/**
 * It may have been done. The payment is neither paid nor failed, and is asked about until that is known. A code may have been accepted:
 * the payer need not enter it again unless the gateway says so.
 */
function open({ payment, operation }: OperationCall, reason: string, differs?: string): PaymentUpdate {
  const { id, type } = operation;
  const begun: Record<string, string> = differs === undefined ? { reason } : { mismatch: differs };
  return {
    operations: [{ id, status: 'unknown' }],
    timelineNote: { type: 'outcome_unknown', detail: type === 'pay' ? begun : { operation: type, reason } },
    ...((type === 'otp' || type === 'pin') && toProcessing(payment)),
  };
}

/** The gateway's own names and times in an answer that is about this payment. */
function named({ operation: { type } }: OperationCall, answer: GatewayAnswer): PaymentUpdate {
  const { meaning, transactionRef, kept } = answer;
  if (type !== 'pay') return meaning !== 'refused' && kept ? { kept } : {};
  if (meaning === 'unknownTransaction') return {};
  const expiry = answerExpiry(answer);
  return {
    ...(transactionRef !== undefined && { transactionRef }),
    ...(kept && { kept }),
    ...(expiry !== undefined && { gatewayExpiresAt: expiry }),
  };
}

/** For what a person need no longer look after an answer, as after a status answer. It may be the last one. */
function lifted(
  { payment, operation }: OperationCall,
  answer: GatewayAnswer,
  update: PaymentUpdate,
): Pick<PaymentUpdate, 'lifts'> {
  if (operation.type === 'pay' || operation.type === 'refund') return {};
  if (!payment.needsAttention || !update.answered || update.attention) return {};
  return { lifts: liftedReasons(payment, { answer, update, amounts: ownAmounts(payment, [operation]) }) };
}

/**
 * A void of the policy that was refused is sent again when the schedule comes to it: checking now would repeat it without end. A person
 * looks at it meanwhile, unless one has settled this before. A person's void that was refused may have been done all the same.
 */
function judgedVoid(update: PaymentUpdate, { payment, operation }: OperationCall): PaymentUpdate {
  const wasRefused = update.problem?.code === REFUSED.code;
  if (operation.actor !== POLICY) return wasRefused ? { ...update, voidDoubtful: true } : update;
  const { duplicateOf: payer } = payment;
  const isNews = wasRefused && payer !== null && !isSettled(payment, payer);
  const attention: Attention | false = isNews && { reason: 'duplicate_not_voided', answer: payer };
  return { ...update, checkNow: false, ...(attention && { attention }) };
}

/** The payment moves there, as far as it may, and the operation is settled. */
function moves(to: Target, status: 'confirmed' | 'refused'): Meaning {
  return (call, answer) => {
    const { payment, reference } = call;
    const words = to === 'failed' ? 'declined' : to === 'expired' ? 'expired' : undefined;
    const moved = proposeTransition(payment, reference, to, answer, {
      ...(to === 'succeeded' && { captured: amountOf(call) }),
      ...(to === 'authorized' && { authorized: payment.amount }),
      ...(words && { failure: failureFrom(words, answer) }),
    });
    return settled(call, status, moved);
  };
}

/** Money was taken or is held: just what was asked for, or the answer is not believed. */
function pays(to: 'succeeded' | 'authorized'): Meaning {
  const done = moves(to, 'confirmed');
  return (call, answer) =>
    mismatches(answer, call.payment, [amountOf(call)]).length > 0
      ? disbelieved(call, answer, 'amount')
      : done(call, answer);
}

/** The same of a first answer. Where an initiating call cannot take money, a success means that it has started. */
function paysAtOnce(to: 'succeeded' | 'authorized'): Meaning {
  const paid = pays(to);
  return (call, answer) =>
    methodOf(call.payment.method).finishesAtOnce ? paid(call, answer) : asksFirst(call, answer);
}

/** How much an operation takes, in minor units. */
function amountOf({ payment, operation }: OperationCall): bigint {
  if (operation.type !== 'complete') return payment.amount;
  return operation.amount ?? payment.amountAuthorized ?? payment.amount;
}

/** What the payer must do after the payment has begun. */
function asksFirst(call: OperationCall, answer: GatewayAnswer): PaymentUpdate {
  const { payment, mode } = call;
  const method = methodOf(payment.method);
  const challenge = challengeAction(answer, method);
  if (challenge) return asks(call, payment.status === 'processing', challenge);
  const isRedirect = answer.meaning === 'redirect';
  const action = isRedirect ? redirectAction(answer, mode) : method.fillAction(answer, payment, mode);
  if (action) return asks(call, payment.status === 'processing', action);
  if (isRedirect) return open(call, 'redirect_address_withheld');
  if (answer.meaning !== 'processing') return open(call, 'no_next_action');
  return { ...asks(call, false), timelineNote: { type: 'gateway_waiting' } };
}

/** What the payer must do after a code. The same once more says that what the gateway got was wrong. */
function asksNext(call: OperationCall, answer: GatewayAnswer): PaymentUpdate {
  const { payment, operation, mode } = call;
  if (answer.meaning === operation.type) {
    return {
      ...settled(call, 'refused', {}),
      waiting: true,
      timelineNote: { type: `${answer.meaning}_asked_again` },
    };
  }
  const isRedirect = answer.meaning === 'redirect';
  const action = isRedirect ? redirectAction(answer, mode) : challengeAction(answer, { takesOtp: true });
  if (isRedirect && !action) return open(call, 'redirect_address_withheld');
  return asks(call, mayWait(payment), action);
}

function asks(call: OperationCall, isNews: boolean, nextAction?: NextAction): PaymentUpdate {
  return {
    ...settled(call, 'confirmed', {}),
    waiting: true,
    ...(isNews && nextAction && { nextAction }),
  };
}

/** The code was taken, and the gateway is at work. */
function takesCode(call: OperationCall): PaymentUpdate {
  return {
    ...settled(call, 'confirmed', toProcessing(call.payment)),
    waiting: true,
    timelineNote: { type: 'gateway_waiting' },
  };
}

function toProcessing(payment: PaymentRecord): Pick<PaymentUpdate, 'move'> {
  return payment.status === 'requires_action' ? { move: { to: 'processing', by: 'service' } } : {};
}

function isKnown(call: OperationCall, { meaning }: GatewayAnswer): PaymentUpdate {
  return { ...open(call, meaning), answered: true };
}

/** A part that was given back is no void, and status answers say what it is. */
function voids(call: OperationCall, answer: GatewayAnswer): PaymentUpdate {
  if (partialReversal(answer, call.payment) !== undefined) return open(call, 'partial_reversal');
  return moves('voided', 'confirmed')(call, answer);
}

function givesBack(call: OperationCall, answer: GatewayAnswer): PaymentUpdate {
  return refundConfirmed(call, answer) ?? open(call, answer.meaning);
}

/** It may have been done all the same: how much was given back is asked at once. */
function refundRefused(call: OperationCall): PaymentUpdate {
  return { ...settledRefund(call, 'refused'), checkNow: true, problem: REFUSED };
}

/** The request was refused, which says nothing of the payment. */
function isRefused({ operation }: OperationCall): PaymentUpdate {
  return { operations: [{ id: operation.id, status: 'refused' }], checkNow: true, problem: REFUSED };
}

/** The gateway says that it has not done it. */
function isRefusedInWords(call: OperationCall, { meaning }: GatewayAnswer): PaymentUpdate {
  return { ...isRefused(call), timelineNote: { type: 'operation_refused', detail: { meaning } } };
}

/**
 * The gateway has taken the completion, the void or the refund on and has not done it yet. Its outcome is open, and no answer that
 * still shows the former state means that it was refused.
 */
function accepted({ operation }: OperationCall): PaymentUpdate {
  return {
    operations: [{ id: operation.id, status: 'unknown', accepted: true }],
    answered: true,
    timelineNote: { type: 'gateway_waiting', detail: { operation: operation.type } },
  };
}

function settled(
  { operation }: OperationCall,
  status: 'confirmed' | 'refused',
  moved: Pick<PaymentUpdate, 'move' | 'attention'>,
): PaymentUpdate {
  return { ...moved, operations: [{ id: operation.id, status }], answered: true, conclusive: true };
}
