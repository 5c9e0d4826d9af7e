import type { GatewayAnswer, GatewayResult } from '../../gateway/gateway-result.js';
import { challengeAction } from '../../methods/challenge-action.js';
import { redirectAction } from '../../methods/redirect-action.js';
import type { CodeType, OperationRecord, PaymentRecord, ReferenceRecord } from '../../store/schema.js';
import { differences, mismatches, ownAmounts, partialReversal } from './answer.js';
import { foreignAnswer } from './foreign-answer.js';
import { liftsReason } from './lifted-attention.js';
import { failureFrom } from '../state/failures.js';
import { dispute, mayWait, proposeTransition, type Disputed } from './proposed-transition.js';
import type { PaymentUpdate } from '../state/payment-update.js';

/** What the answer to an operation (one-time code, completion, void) is read against. */
export interface OperationCall {
  payment: PaymentRecord;
  reference: ReferenceRecord;
  operation: OperationRecord;
  mode: 'test' | 'live';
}

/** What the gateway's answer to a one-time code or a card PIN means. Pure. */
export function interpretCode(result: GatewayResult, call: OperationCall): PaymentUpdate {
  return interpretResult(result, call, codeUnknown, interpretCodeAnswer);
}

function interpretCodeAnswer(call: OperationCall, answer: GatewayAnswer): PaymentUpdate {
  const { payment, reference, operation } = call;
  switch (answer.meaning) {
    case 'succeeded':
    case 'authorized': {
      const differing = mismatches(answer, payment, [payment.amount]);
      if (differing.length > 0) {
        return { ...codeUnknown(call, 'mismatch'), answered: true, ...dispute(payment, 'mismatch', answer) };
      }
      const amounts =
        answer.meaning === 'succeeded' ? { captured: payment.amount } : { authorized: payment.amount };
      return settled(
        call,
        'confirmed',
        proposeTransition(payment, reference, answer.meaning, answer, amounts),
      );
    }
    case 'failed':
      return settled(
        call,
        'refused',
        proposeTransition(payment, reference, 'failed', answer, { failure: failureFrom('declined', answer) }),
      );
    case 'expired':
      return settled(
        call,
        'refused',
        proposeTransition(payment, reference, 'expired', answer, { failure: failureFrom('expired', answer) }),
      );
    case 'voided':
      return settled(call, 'confirmed', proposeTransition(payment, reference, 'voided', answer));
    case 'redirect': {
      const nextAction = redirectAction(answer, call.mode);
      if (!nextAction) return codeUnknown(call, 'redirect_address_withheld');
      return { ...settled(call, 'confirmed', {}), waiting: true, ...(mayWait(payment) && { nextAction }) };
    }
    case 'otp':
    case 'pin':
    case 'unsupported': {
      if (answer.meaning === operation.type) return askedAgain(operation.id, operation.type);
      const nextAction = challengeAction(answer, { takesOtp: true });
      return {
        ...settled(call, 'confirmed', {}),
        waiting: true,
        ...(nextAction && mayWait(payment) && { nextAction }),
      };
    }
    case 'processing':
      return {
        ...settled(call, 'confirmed', toProcessing(payment)),
        waiting: true,
        timelineNote: { type: 'gateway_waiting' },
      };
    default:
      return codeUnknown(call, answer.meaning);
  }
}

/** The gateway asks for the same once more: what it got was wrong. */
function askedAgain(id: string, type: CodeType): PaymentUpdate {
  return {
    operations: [{ id, status: 'refused' }],
    answered: true,
    waiting: true,
    conclusive: true,
    timelineNote: { type: `${type}_asked_again` },
  };
}

/** What the gateway's answer to a completion means. Pure. */
export function interpretCompletion(result: GatewayResult, call: OperationCall): PaymentUpdate {
  return interpretResult(result, call, unknown, interpretCompletionAnswer);
}

function interpretCompletionAnswer(call: OperationCall, answer: GatewayAnswer): PaymentUpdate {
  const { payment, reference, operation } = call;
  const amount = operation.amount ?? payment.amountAuthorized ?? payment.amount;
  if (answer.meaning === 'succeeded') {
    if (mismatches(answer, payment, [amount]).length > 0) {
      return { ...unknown(call, 'mismatch'), answered: true, ...dispute(payment, 'mismatch', answer) };
    }
    return settled(
      call,
      'confirmed',
      proposeTransition(payment, reference, 'succeeded', answer, { captured: amount }),
    );
  }
  if (answer.meaning === 'failed') return refusedByGateway(call, answer);
  if (answer.meaning === 'voided' || answer.meaning === 'expired') return ended(call, answer, answer.meaning);
  return isWaiting(answer) ? accepted(call) : unknown(call, answer.meaning);
}

/** What the gateway's answer to a void means. Only an answer that says "voided" confirms it. Pure. */
export function interpretVoid(result: GatewayResult, call: OperationCall): PaymentUpdate {
  return interpretResult(result, call, unknown, interpretVoidAnswer);
}

function interpretVoidAnswer(call: OperationCall, answer: GatewayAnswer): PaymentUpdate {
  if (answer.meaning === 'voided') {
    // A part was given back: that is no void, and status answers say what it is.
    if (partialReversal(answer, call.payment) !== undefined) return unknown(call, 'partial_reversal');
    return settled(call, 'confirmed', proposeTransition(call.payment, call.reference, 'voided', answer));
  }
  if (answer.meaning === 'failed') return refusedByGateway(call, answer);
  if (answer.meaning === 'expired') return ended(call, answer, 'expired');
  return isWaiting(answer) ? accepted(call) : unknown(call, answer.meaning);
}

/** Handles the results that mean the same for every operation: it was not done, and the payment stays as it is. */
function interpretResult(
  result: GatewayResult,
  call: OperationCall,
  whenUnknown: (call: OperationCall, reason: string) => PaymentUpdate,
  whenAnswered: (call: OperationCall, answer: GatewayAnswer) => PaymentUpdate,
): PaymentUpdate {
  const refused = notDone(result, call.operation);
  if (refused) return refused;
  const operations = [{ id: call.operation.id, status: 'refused' as const }];
  switch (result.kind) {
    case 'unknown':
      return {
        ...whenUnknown(call, result.reason),
        ...(result.said && foreign(call, { meaning: result.reason, ...result.said })),
      };
    case 'answered': {
      const aboutAnother = foreign(call, result.answer);
      if (aboutAnother) return { ...whenUnknown(call, 'mismatch'), ...aboutAnother };
      if (result.answer.meaning === 'refused') return { operations, checkNow: true, problem: REFUSED };
      const update = whenAnswered(call, result.answer);
      return {
        ...(result.answer.kept && { kept: result.answer.kept }),
        ...update,
        ...(liftsAttention(call, result.answer, update) && { liftAttention: true }),
      };
    }
    default:
      return whenUnknown(call, result.kind);
  }
}

/** What follows where an operation was certainly not done: nothing was sent, or the request was rejected. Undefined otherwise. */
export function notDone(result: GatewayResult, { id }: OperationRecord): PaymentUpdate | undefined {
  const operations = [{ id, status: 'refused' as const }];
  switch (result.kind) {
    case 'not-sent':
      return {
        operations,
        problem: {
          code: 'gateway-unavailable',
          detail: 'The gateway could not be reached; nothing was sent.',
        },
      };
    case 'credentials-rejected':
      return {
        operations,
        problem: {
          code: 'gateway-credentials-rejected',
          detail: 'The gateway rejected the merchant’s credentials.',
        },
      };
    case 'busy':
      return {
        operations,
        problem: {
          code: 'gateway-busy',
          detail: 'The gateway is busy. Try again later.',
          retryAfterSeconds: result.retryAfterSeconds ?? 5,
        },
      };
    case 'rejected':
      return { operations, checkNow: true, problem: REFUSED };
    case 'unknown':
    case 'answered':
      return undefined;
  }
}

/** Whether an answer removes the reason for which a person must look, as a status answer may. It may be the last one. */
function liftsAttention(
  { payment, operation }: OperationCall,
  answer: GatewayAnswer,
  update: PaymentUpdate,
): boolean {
  if (!update.answered || update.attention) return false;
  return liftsReason(payment, { answer, update, amounts: ownAmounts(payment, [operation]) });
}

/** What follows from an answer about another payment; undefined where it is about this one. */
function foreign({ payment, operation }: OperationCall, answer: Disputed): PaymentUpdate | undefined {
  if (answer.meaning === 'unknownTransaction') return undefined;
  const differing = differences(answer, payment, ownAmounts(payment, [operation]));
  if (differing.length === 0) return undefined;
  const { answered, attention } = foreignAnswer(payment, answer, differing);
  return { answered, attention };
}

export const REFUSED = {
  code: 'gateway-refused',
  detail: 'The gateway refused this; the payment stays as it was.',
} as const;

function refusedByGateway({ operation }: OperationCall, answer: GatewayAnswer): PaymentUpdate {
  return {
    operations: [{ id: operation.id, status: 'refused' }],
    checkNow: true,
    problem: REFUSED,
    timelineNote: { type: 'operation_refused', detail: { meaning: answer.meaning } },
  };
}

/** The gateway says that the payment itself has ended. */
function ended(call: OperationCall, answer: GatewayAnswer, target: 'voided' | 'expired'): PaymentUpdate {
  const { payment, reference } = call;
  const why = target === 'expired' ? { failure: failureFrom('expired', answer) } : {};
  return settled(call, 'refused', proposeTransition(payment, reference, target, answer, why));
}

function settled(
  { operation }: OperationCall,
  status: 'confirmed' | 'refused',
  moved: Pick<PaymentUpdate, 'move' | 'attention'>,
): PaymentUpdate {
  return { ...moved, operations: [{ id: operation.id, status }], answered: true, conclusive: true };
}

function unknown({ operation }: OperationCall, reason: string): PaymentUpdate {
  return {
    operations: [{ id: operation.id, status: 'unknown' }],
    timelineNote: { type: 'outcome_unknown', detail: { operation: operation.type, reason } },
  };
}

/**
 * The gateway has taken the completion or the void on and has not done it yet. Its outcome is open, and no answer that
 * still shows the former state means that it was refused.
 */
function accepted({ operation }: OperationCall): PaymentUpdate {
  return {
    operations: [{ id: operation.id, status: 'unknown', accepted: true }],
    answered: true,
    timelineNote: { type: 'gateway_waiting', detail: { operation: operation.type } },
  };
}

function isWaiting({ meaning }: GatewayAnswer): boolean {
  return meaning === 'processing' || meaning === 'otp' || meaning === 'redirect';
}

/** The code may have been accepted. The payer need not enter it again unless the gateway says so. */
function codeUnknown(call: OperationCall, reason: string): PaymentUpdate {
  return { ...unknown(call, reason), ...toProcessing(call.payment) };
}

function toProcessing(payment: PaymentRecord): Pick<PaymentUpdate, 'move'> {
  return payment.status === 'requires_action' ? { move: { to: 'processing', by: 'service' } } : {};
}
