import type { GatewayAnswer, GatewayMeaning, GatewayResult } from '../../gateway/gateway-result.js';
import { methodOf } from '../../methods/methods.js';
import type { OperationRecord } from '../../store/schema.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { isAfterSuccess } from './after-success.js';
import { interpretLateRefund } from './interpret-refund.js';
import { interpretStatus } from './interpret-status.js';
import type { StatusInquiry } from './status-answer.js';

/**
 * What an answer means that arrives for an operation which was settled meanwhile: its process was thought to be gone, and
 * somebody else has found out what became of it. It is judged as the answer to a status query of this moment, on the
 * payment as it now stands, so that no word of the gateway about money is lost. Where the call ended without an answer,
 * the gateway is asked at once. Undefined where nothing was sent or done. Pure.
 *
 * @param operation the settled operation, as it was begun
 */
export function interpretLate(
  result: GatewayResult,
  operation: OperationRecord,
  inquiry: StatusInquiry,
): PaymentUpdate | undefined {
  if (operation.type === 'refund') {
    return interpretLateRefund(result, { payment: inquiry.payment, operation });
  }
  if (result.kind === 'unknown' && !result.said) {
    // It may have been done after whoever settled it was told that it was not.
    return { checkNow: true };
  }
  if (result.kind !== 'answered' && result.kind !== 'unknown') return undefined;
  const read: GatewayResult =
    result.kind === 'answered'
      ? {
          kind: 'answered',
          answer: {
            ...result.answer,
            meaning: meaningAsStatus(result.answer, operation, inquiry),
            // What has just begun was not given back.
            ...(operation.type === 'pay' && { refundedAmount: undefined }),
          },
        }
      : result;
  // A completion may be of a part only: its own amount is a right one.
  const openOperations =
    operation.type === 'complete' ? [...inquiry.openOperations, operation] : inquiry.openOperations;
  const update = interpretStatus(read, { ...inquiry, openOperations });
  const nextAction = operation.type === 'pay' ? actionOf(read, update, inquiry) : undefined;
  return {
    ...update,
    ...(nextAction && { nextAction }),
    operations: update.operations?.filter(({ id }) => id !== operation.id),
    // What it contradicts is asked about at once.
    ...((update.attention !== undefined || !update.conclusive) && { checkNow: true }),
  };
}

/** What the words of this operation's answer would mean if they answered a status query. */
function meaningAsStatus(
  { meaning }: GatewayAnswer,
  { type }: OperationRecord,
  { payment }: StatusInquiry,
): GatewayMeaning {
  switch (type) {
    case 'pay':
      if (isAfterSuccess({ meaning })) {
        return 'undecided';
      }
      // Such a call takes no money: a success says that it has begun.
      if (methodOf(payment.method).finishesAtOnce) return meaning;
      return meaning === 'succeeded' || meaning === 'authorized' ? 'processing' : meaning;
    case 'otp':
    case 'pin':
      return meaning;
    case 'complete':
      // It failed: that says nothing of the payment itself.
      return meaning === 'failed' ? 'undecided' : meaning;
    case 'refund':
      // It has a reader of its own.
      return 'undecided';
    case 'void':
      // Neither that it was accepted nor that it failed says how the payment stands.
      return meaning === 'voided' || meaning === 'expired' ? meaning : 'undecided';
  }
}

/** What the payer must do, where a payment that still waits is only now told it. */
function actionOf(
  result: GatewayResult,
  update: PaymentUpdate,
  { payment, mode }: StatusInquiry,
): PaymentUpdate['nextAction'] {
  if (result.kind !== 'answered' || payment.status !== 'processing') return undefined;
  if (!update.waiting || update.move || update.nextAction) return undefined;
  return methodOf(payment.method).fillAction(result.answer, payment, mode);
}
