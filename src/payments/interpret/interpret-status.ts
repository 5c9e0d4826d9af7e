import { answerExpiry, type GatewayAnswer, type GatewayResult } from '../../gateway/gateway-result.js';
import { methodOf } from '../../methods/methods.js';
import { challengeAction, redirectAction } from '../../methods/next-action.js';
import { CODE_TYPES, type NextAction, type OperationRecord } from '../../store/schema.js';
import {
  givenBackBefore,
  interpretAfterSuccess,
  interpretPartialReversal,
  isAfterSuccess,
  refundBesideSuccess,
  successBesideDispute,
  type Refunding,
} from './after-success.js';
import { differences, ownAmounts, partialReversal } from './answer.js';
import {
  foreignAnswer,
  inconclusive,
  unlistedWord,
  dispute,
  mayWait,
  proposeTransition,
} from './proposed-transition.js';
import { liftedReasons } from './lifted-attention.js';
import type { AttentionReason } from '../state/attention.js';
import { isStillCharged, isClosedUnpaid } from '../state/payment-state.js';
import { failure, failureFrom } from '../state/failures.js';
import { seenSinceCall, unseenUntil } from '../state/seen-time.js';
import { differing, readMeaning, rightAmounts, type StatusInquiry } from './status-answer.js';
import { refundTime } from './interpret-refund.js';
import { asRefund, mayBeWhole, withDoubtfulVoid, withOpenRefund, withSettledRefunds } from './own-refunds.js';
import type { PaymentUpdate } from '../state/payment-update.js';

/** This many answers "not known" or "unchanged", over the grace, settle that the request did not arrive. */
const ANSWERS_NEEDED = 3;

/** What a status answer means for a payment and its open operations. Pure. */
export function interpretStatus(result: GatewayResult, inquiry: StatusInquiry): PaymentUpdate {
  const { payment, openOperations, settledRefunds: settled = [], asksRefunds, now } = inquiry;
  if (result.kind !== 'answered') return interpretUnread(result, inquiry);
  const refund = openOperations.find(({ type }) => type === 'refund');
  const answer = asRefund(result.answer, payment, refund);
  const others = openOperations.filter(({ type }) => type !== 'refund');
  const rows = { ...inquiry, openOperations: others };
  const whole = mayBeWhole(result.answer, payment, refund);
  const update = interpretAnswered(answer, rows, { open: refund !== undefined, mayBeWhole: whole });
  const doubted = withDoubtfulVoid(update, result.answer, { answer, payment });
  return refund
    ? withOpenRefund(doubted, { answer, payment, refund, settled, asksRefunds })
    : withSettledRefunds(doubted, { answer, payment, settled, asksRefunds, now });
}

/** The same of an answer, as if no refund were open; `refunding` says what is known of one. */
function interpretAnswered(
  answer: GatewayAnswer,
  inquiry: StatusInquiry,
  refunding: Refunding,
): PaymentUpdate {
  const { payment } = inquiry;
  if (answer.meaning === 'unknownTransaction') return interpretNotKnown(inquiry);
  const differs = differing(answer, inquiry);
  if (differs.length > 0) return foreignAnswer(payment, answer, differs);
  const update = isAfterSuccess(answer)
    ? denyingVoid(answer, interpretAfterSuccess(answer, inquiry, refunding), inquiry)
    : interpretKnown(answer, inquiry);
  // A stale or empty answer is not used for anything else either.
  if (!update.answered) return update;
  return {
    ...(answer.transactionRef !== undefined && { transactionRef: answer.transactionRef }),
    ...(answer.kept && { kept: answer.kept }),
    ...update,
    ...(update.refunded !== undefined && refundTime(answer)),
    ...(payment.needsAttention && !update.attention && { lifts: liftedBy(answer, update, inquiry) }),
  };
}

/** For what a person need no longer look after an answer. */
function liftedBy(answer: GatewayAnswer, update: PaymentUpdate, inquiry: StatusInquiry): AttentionReason[] {
  const { payment, openOperations } = inquiry;
  const amounts =
    answer.meaning === 'succeeded' ? rightAmounts(inquiry) : ownAmounts(payment, openOperations);
  return liftedReasons(payment, { answer, update, amounts });
}

function interpretKnown(answer: GatewayAnswer, inquiry: StatusInquiry): PaymentUpdate {
  switch (readMeaning(answer.meaning)) {
    case 'paid':
      return interpretPaid(answer, inquiry);
    case 'held':
      return interpretHeld(answer, inquiry);
    case 'not-paid':
      return interpretNotPaid(answer, inquiry);
    case 'waiting':
      return interpretWaiting(answer, inquiry);
    case 'inconclusive':
      return answer.unlisted === undefined
        ? inconclusive(answer.meaning)
        : unlistedWord({ ...answer, word: answer.unlisted }, inquiry.payment);
  }
}

/** No answer, or one that is not understood. Even that may name another payment. */
function interpretUnread(
  result: Exclude<GatewayResult, { kind: 'answered' }>,
  { payment, openOperations }: StatusInquiry,
): PaymentUpdate {
  if (result.kind !== 'unknown') return inconclusive(result.kind);
  const { reason, said } = result;
  const differs = said ? differences(said, payment, ownAmounts(payment, openOperations)) : [];
  if (!said) return inconclusive(reason);
  return differs.length > 0
    ? foreignAnswer(payment, { meaning: reason, ...said }, differs)
    : unlistedWord(said, payment);
}

/** A won dispute leaves the money with the merchant: so an answer that knows of nothing given back denies an open void, as a success does. */
function denyingVoid(answer: GatewayAnswer, update: PaymentUpdate, inquiry: StatusInquiry): PaymentUpdate {
  const denies = answer.meaning === 'disputeWon' && update.refunded === undefined;
  if (!denies || inquiry.payment.status !== 'succeeded' || !openOperation(inquiry, 'void')) return update;
  const { attention: _, ...facts } = update;
  return { ...facts, operations: countFormer(inquiry, 'void') };
}

function interpretPaid(answer: GatewayAnswer, inquiry: StatusInquiry): PaymentUpdate {
  const { payment, reference } = inquiry;
  const completion = openOperation(inquiry, 'complete');
  const captured = completion?.amount ?? payment.amountAuthorized ?? payment.amount;
  const whole = payment.amountCaptured ?? captured;
  const given = refundBesideSuccess(answer, payment, whole, inquiry.settledRefunds);
  const voidOpen = openOperation(inquiry, 'void') !== undefined;
  // Money was given back while a void is open. That is not the state before the void.
  const beside = voidOpen && given.refunded !== undefined;
  return {
    ...given,
    ...successBesideDispute(answer, payment),
    ...(beside && dispute(payment, 'refund_beside_operation', answer)),
    ...proposeTransition(payment, reference, 'succeeded', answer, { captured }),
    operations: [
      ...settleOthers(inquiry, 'void', 'confirmed'),
      ...(beside ? [] : countFormer(inquiry, 'void')),
    ],
    answered: true,
    conclusive: !voidOpen,
  };
}

function interpretHeld(answer: GatewayAnswer, inquiry: StatusInquiry): PaymentUpdate {
  const { payment, reference } = inquiry;
  // Stale: the payment is already beyond it. An operation on it stays open.
  if (payment.status === 'succeeded' || payment.status === 'voided') return {};
  const pending = openOperation(inquiry, 'complete') ?? openOperation(inquiry, 'void');
  return {
    ...proposeTransition(payment, reference, 'authorized', answer, { authorized: payment.amount }),
    operations: [
      ...countFormer(inquiry, 'complete'),
      ...countFormer(inquiry, 'void'),
      ...settle(inquiry, 'pay', 'confirmed'),
      ...settleCodes(inquiry, undefined),
    ],
    answered: true,
    conclusive: pending === undefined,
  };
}

function interpretNotPaid(answer: GatewayAnswer, inquiry: StatusInquiry): PaymentUpdate {
  const { payment, reference } = inquiry;
  const part = partialReversal(answer, payment);
  if (part !== undefined) return interpretPartialReversal(answer, part, inquiry);
  if (answer.meaning === 'voided') {
    const twice = givenBackBefore(payment);
    return {
      ...proposeTransition(payment, reference, 'voided', answer),
      ...(twice && dispute(payment, twice, answer)),
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
  const { payment } = inquiry;
  const expiry = answerExpiry(answer);
  const charged = isStillCharged(payment, answer.meaning);
  const known: PaymentUpdate = {
    ...(expiry !== undefined && { gatewayExpiresAt: expiry }),
    answered: true,
    waiting: true,
    conclusive: !charged,
  };
  // Stale: the payment is already beyond it. An operation on it stays open.
  if (!mayWait(payment)) return isClosedUnpaid(payment.status) ? { answered: true } : {};
  if (!charged && overdue(inquiry, expiry)) {
    return {
      ...known,
      move: { to: 'expired', by: 'clock', failure: failure('expired') },
      operations: settleOthers(inquiry, undefined, 'refused'),
    };
  }
  const asked = actionAsked(answer, inquiry);
  return {
    ...known,
    ...(asked && { nextAction: asked }),
    ...(asked && payment.nextAction && asksForAnother(payment.nextAction, asked)),
    operations: [...settle(inquiry, 'pay', 'confirmed'), ...(asked ? settleCodes(inquiry, asked.type) : [])],
  };
}

/**
 * What the payer must do now, where that is news. What already waits for its payer has its action, and is given another one only
 * for something else that a payment of its method may ask for: a code after a redirect, a PIN after a code.
 */
function actionAsked(answer: GatewayAnswer, { payment, mode }: StatusInquiry): NextAction | undefined {
  const method = methodOf(payment.method);
  const redirect = answer.meaning === 'redirect' ? redirectAction(answer, mode) : undefined;
  const asked = challengeAction(answer, method) ?? redirect;
  if (!asked || payment.status !== 'requires_action') return asked;
  const isOther = asked.type !== payment.nextAction?.type;
  return isOther && method.nextActions.some(({ type }) => type === asked.type) ? asked : undefined;
}

function asksForAnother(from: NextAction, to: NextAction): Pick<PaymentUpdate, 'timelineNote'> {
  return { timelineNote: { type: 'action_changed', detail: { from: from.type, to: to.type } } };
}

/** What became of codes of unknown outcome: one that is asked for again was wrong, any other was taken. */
function settleCodes(inquiry: StatusInquiry, asked: string | undefined): OperationMoves {
  return CODE_TYPES.flatMap((type) =>
    settle(inquiry, type, type === asked || asked === 'unsupported' ? 'refused' : 'confirmed').map(
      (move) => ({
        ...move,
        inferred: true as const,
      }),
    ),
  );
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
    return { notKnown: true, timelineNote: { type: 'not_known' } };
  }
  return {
    notKnown: true,
    move: { to: 'failed', by: 'service', failure: failure('gateway_never_received') },
    operations: settleOthers(inquiry, undefined, 'refused'),
    conclusive: true,
  };
}

/**
 * Whether our clock may expire a payment: the gateway says that it waits, both the session's end and the gateway's own
 * have passed, and as much time was seen to pass as the payment was given. A clock that was set ends none.
 */
function overdue({ session, payment, now }: StatusInquiry, answered: number | undefined): boolean {
  const end = Math.max(session.expiresAt, answered ?? payment.gatewayExpiresAt ?? 0);
  return now > end && unseenUntil(end, payment) <= 0;
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
 * arrive, unless the gateway has accepted it: then it is only not done yet.
 */
function countFormer(inquiry: StatusInquiry, type: 'complete' | 'void'): OperationMoves {
  return inquiry.openOperations
    .filter((operation) => operation.type === type)
    .map((operation) => {
      const formerCount = operation.formerCount + 1;
      const denied = formerCount >= ANSWERS_NEEDED && isGraceOver(operation, inquiry);
      const over = denied && operation.acceptedAt === null;
      const status = over ? 'refused' : 'unknown';
      return { id: operation.id, status, formerCount };
    });
}

/** Only time counts that was seen to pass between answers: a grace is no shorter for a clock that was set. */
function isGraceOver(operation: OperationRecord, { payment, graceMs }: StatusInquiry): boolean {
  return seenSinceCall(payment, operation) >= graceMs;
}
