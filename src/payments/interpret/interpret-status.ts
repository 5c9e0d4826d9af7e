import { answerExpiry } from '../../gateway/answers/answer-expiry.js';
import type { GatewayAnswer, GatewayResult } from '../../gateway/gateway-result.js';
import { methodOf } from '../../methods/methods.js';
import { redirectAction } from '../../methods/redirect-action.js';
import type { OperationRecord, PaymentRecord, ReferenceRecord, SessionRecord } from '../../store/schema.js';
import { mismatches, namesOwnAmount } from './answer.js';
import { failure, failureFrom } from '../state/failures.js';
import { isClosedUnpaid } from '../state/payment-state.js';
import { dispute, mayWait, proposeTransition } from './proposed-transition.js';
import type { PaymentUpdate } from '../state/payment-update.js';

/** What the answer to a status query is read against. */
export interface StatusInquiry {
  payment: PaymentRecord;
  reference: ReferenceRecord;
  session: SessionRecord;
  /** The payment's operations that are `unknown`. */
  openOperations: readonly OperationRecord[];
  mode: 'test' | 'live';
  now: number;
  /** How long the gateway must deny an operation or a payment before it counts as not received. */
  graceMs: number;
}

/** How a status answer reads, in the words by which callers decide. */
export type Reading = 'paid' | 'held' | 'not-paid' | 'waiting' | 'inconclusive';

/** This many answers "not known" or "unchanged", over the grace, settle that the request did not arrive. */
const ANSWERS_NEEDED = 3;

/** Classifies the result of a status query. Whatever is not a clear answer of the gateway is inconclusive. */
export function readStatus(result: GatewayResult): Reading {
  if (result.kind !== 'answered') return 'inconclusive';
  switch (result.answer.meaning) {
    case 'succeeded':
      return 'paid';
    case 'authorized':
      return 'held';
    case 'failed':
    case 'expired':
    case 'voided':
      return 'not-paid';
    case 'processing':
    case 'otp':
    case 'redirect':
      return 'waiting';
    case 'refused':
    case 'undecided':
    case 'unknownTransaction':
      return 'inconclusive';
  }
}

/** What a status answer means for a payment and its open operations. Pure. */
export function interpretStatus(result: GatewayResult, inquiry: StatusInquiry): PaymentUpdate {
  if (result.kind !== 'answered')
    return inconclusive(result.kind === 'unknown' ? result.reason : result.kind);
  const { answer } = result;
  if (answer.meaning === 'unknownTransaction') return interpretNotKnown(inquiry);
  const update = interpretKnown(answer, inquiry);
  // A stale or empty answer is not used for anything else either.
  if (!update.answered) return update;
  const ownReference = !mismatches(answer, inquiry.payment, []).includes('reference');
  const ownAmount = namesOwnAmount(answer, inquiry.payment, rightAmounts(inquiry));
  return {
    ...(ownReference && answer.transactionRef !== undefined && { transactionRef: answer.transactionRef }),
    ...update,
    ...(ownAmount && !update.attention && { liftAttention: true }),
  };
}

function interpretKnown(answer: GatewayAnswer, inquiry: StatusInquiry): PaymentUpdate {
  switch (readStatus({ kind: 'answered', answer })) {
    case 'paid':
      return interpretPaid(answer, inquiry);
    case 'held':
      return interpretHeld(answer, inquiry);
    case 'not-paid':
      return interpretNotPaid(answer, inquiry);
    case 'waiting':
      return interpretWaiting(answer, inquiry);
    case 'inconclusive':
      return inconclusive(answer.meaning);
  }
}

function interpretPaid(answer: GatewayAnswer, inquiry: StatusInquiry): PaymentUpdate {
  const { payment, reference } = inquiry;
  const differing = mismatches(answer, payment, rightAmounts(inquiry));
  if (differing.length > 0) {
    return {
      answered: true,
      timelineNote: { type: 'mismatch', detail: { differs: differing.join(' ') } },
      ...dispute(payment, 'mismatch', answer),
    };
  }
  const completion = openOperation(inquiry, 'complete');
  const captured = completion?.amount ?? payment.amountAuthorized ?? payment.amount;
  return {
    ...proposeTransition(payment, reference, 'succeeded', answer, { captured }),
    operations: [...settleOthers(inquiry, 'void', 'confirmed'), ...countFormer(inquiry, 'void')],
    answered: true,
    conclusive: openOperation(inquiry, 'void') === undefined,
  };
}

function interpretHeld(answer: GatewayAnswer, inquiry: StatusInquiry): PaymentUpdate {
  const { payment, reference } = inquiry;
  // Stale: the payment is already beyond it. An operation on it stays open.
  if (payment.status === 'succeeded' || payment.status === 'voided') return {};
  if (payment.status !== 'authorized' && mismatches(answer, payment, [payment.amount]).length > 0) {
    return { answered: true, timelineNote: { type: 'mismatch' }, ...dispute(payment, 'mismatch', answer) };
  }
  const pending = openOperation(inquiry, 'complete') ?? openOperation(inquiry, 'void');
  return {
    ...proposeTransition(payment, reference, 'authorized', answer, { authorized: payment.amount }),
    operations: [
      ...countFormer(inquiry, 'complete'),
      ...countFormer(inquiry, 'void'),
      ...settle(inquiry, 'pay', 'confirmed'),
      ...settle(inquiry, 'otp', 'confirmed'),
    ],
    answered: true,
    conclusive: pending === undefined,
  };
}

function interpretNotPaid(answer: GatewayAnswer, inquiry: StatusInquiry): PaymentUpdate {
  const { payment, reference } = inquiry;
  if (answer.meaning === 'voided') {
    return {
      ...proposeTransition(payment, reference, 'voided', answer),
      operations: settleOthers(inquiry, 'complete', 'confirmed').concat(
        settle(inquiry, 'complete', 'refused'),
      ),
      answered: true,
      conclusive: true,
    };
  }
  const target = answer.meaning === 'expired' ? 'expired' : 'failed';
  const why = failureFrom(target === 'expired' ? 'expired' : 'declined', answer);
  const moved = proposeTransition(payment, reference, target, answer, { failure: why });
  return {
    ...moved,
    operations: moved.attention ? [] : settleOthers(inquiry, undefined, 'refused'),
    answered: true,
    conclusive: true,
  };
}

function interpretWaiting(answer: GatewayAnswer, inquiry: StatusInquiry): PaymentUpdate {
  const { payment, mode } = inquiry;
  const expiry = answerExpiry(answer);
  const known: PaymentUpdate = {
    ...(expiry !== undefined && { gatewayExpiresAt: expiry }),
    answered: true,
    waiting: true,
    conclusive: true,
  };
  // Stale: the payment is already beyond it. An operation on it stays open.
  if (!mayWait(payment)) return isClosedUnpaid(payment.status) ? { answered: true } : {};
  if (overdue(inquiry, expiry)) {
    return {
      ...known,
      move: { to: 'expired', by: 'clock', failure: failure('expired') },
      operations: settleOthers(inquiry, undefined, 'refused'),
    };
  }
  if (payment.status === 'requires_action')
    return { ...known, operations: settle(inquiry, 'pay', 'confirmed') };
  if (answer.meaning === 'otp' && methodOf(payment.method).takesOtp) {
    const message = answer.otpMessage;
    return {
      ...known,
      nextAction: { type: 'otp', ...(message && { message }) },
      operations: [...settle(inquiry, 'pay', 'confirmed'), ...settle(inquiry, 'otp', 'refused')],
    };
  }
  const redirect = answer.meaning === 'redirect' ? redirectAction(answer, mode) : undefined;
  return {
    ...known,
    ...(redirect && { nextAction: redirect }),
    operations: [
      ...settle(inquiry, 'pay', 'confirmed'),
      ...(redirect ? settle(inquiry, 'otp', 'confirmed') : []),
    ],
  };
}

/**
 * The gateway says that it does not know the payment. That counts only if the initiating call got no trustworthy
 * answer, and only if the gateway has said so often enough and for long enough: the call may still be on its way.
 */
function interpretNotKnown(inquiry: StatusInquiry): PaymentUpdate {
  const { payment } = inquiry;
  const call = openOperation(inquiry, 'pay');
  if (payment.status !== 'processing' || payment.answered || !call) return inconclusive('not_known');
  if (payment.notKnownCount + 1 < ANSWERS_NEEDED || !isGraceOver(call, inquiry)) {
    const begun = begunAnew(call, inquiry);
    return {
      notKnown: true,
      timelineNote: { type: 'not_known' },
      ...(begun && { operations: [{ id: call.id, status: call.status, ...begun }] }),
    };
  }
  return {
    notKnown: true,
    move: { to: 'failed', by: 'service', failure: failure('gateway_never_received') },
    operations: settleOthers(inquiry, undefined, 'refused'),
    conclusive: true,
  };
}

function inconclusive(reason: string): PaymentUpdate {
  return { timelineNote: { type: 'inconclusive', detail: { reason } } };
}

/** The amounts that a success of this payment may name, in minor units. */
function rightAmounts(inquiry: StatusInquiry): bigint[] {
  const { payment } = inquiry;
  const completion = openOperation(inquiry, 'complete');
  if (completion?.amount != null) return [completion.amount];
  if (payment.status === 'succeeded') return [payment.amountCaptured ?? payment.amount, payment.amount];
  return [payment.amount];
}

/**
 * Whether our clock may expire a payment: the gateway says that it waits, and both the session's end and the gateway's
 * own have passed.
 */
function overdue({ session, payment, now }: StatusInquiry, answered: number | undefined): boolean {
  return now > session.expiresAt && now > (answered ?? payment.gatewayExpiresAt ?? 0);
}

function openOperation(inquiry: StatusInquiry, type: OperationRecord['type']): OperationRecord | undefined {
  return inquiry.openOperations.find((operation) => operation.type === type);
}

type OperationMoves = NonNullable<PaymentUpdate['operations']>;

function settle(
  inquiry: StatusInquiry,
  type: OperationRecord['type'],
  status: 'confirmed' | 'refused',
): OperationMoves {
  return inquiry.openOperations
    .filter((operation) => operation.type === type)
    .map((operation) => ({ id: operation.id, status }));
}

function settleOthers(
  inquiry: StatusInquiry,
  except: OperationRecord['type'] | undefined,
  status: 'confirmed' | 'refused',
): OperationMoves {
  return inquiry.openOperations
    .filter((operation) => operation.type !== except)
    .map((operation) => ({ id: operation.id, status }));
}

/**
 * One more answer that shows the state before the operation. Enough of them, over the grace, mean that it did not
 * arrive.
 */
function countFormer(inquiry: StatusInquiry, type: 'complete' | 'void'): OperationMoves {
  return inquiry.openOperations
    .filter((operation) => operation.type === type)
    .map((operation) => {
      const formerCount = operation.formerCount + 1;
      const over = formerCount >= ANSWERS_NEEDED && isGraceOver(operation, inquiry);
      const status = over ? 'refused' : 'unknown';
      return { id: operation.id, status, formerCount, ...begunAnew(operation, inquiry) };
    });
}

function isGraceOver({ createdAt }: OperationRecord, { now, graceMs }: StatusInquiry): boolean {
  return now - createdAt >= graceMs;
}

/**
 * An operation that seems to begin in the future was begun before the clock was set back, nobody knows how long ago.
 * Its grace starts again now; otherwise it would last longer by as much as the clock was moved.
 */
function begunAnew(
  { createdAt }: OperationRecord,
  { now }: StatusInquiry,
): { createdAt: number } | undefined {
  return createdAt > now ? { createdAt: now } : undefined;
}
