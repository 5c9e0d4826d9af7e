import { POLICY } from '../interpret/meaning.js';
import { assertSupported, type OnPayment, type OperationKind } from './command.js';
import { Problem } from '../../http/problems/problem.js';
import type { PaymentRecord } from '../../store/schema.js';
import { isSettled, needsFor, reasonsOf, type AttentionReason } from '../state/attention.js';
import { isAnnouncedDuplicate } from '../state/payment-state.js';
import { isVoidDoubtful, isOnItsWay } from '../state/operation-state.js';
import { holdsMoney } from '../state/money-held.js';
import type { PaymentSnapshot } from '../apply/apply.js';

/**
 * Gives the money back, or releases the hold. Refused with `invalid-state` where nothing is held or taken, with
 * `operation-in-progress` while the policy voids the payment's duplicate, and with `outcome-unknown` where a void of its order may have
 * been done and the gateway does not say. The policy voids a duplicate: whether it may is decided by the write that records the intent.
 */
export interface Void extends OnPayment {
  readonly type: 'void';
}

export const voiding: OperationKind<Void> = {
  allow({ actor }, rows, { gateway }) {
    if (actor === POLICY) {
      assertVoidableByPolicy(rows);
    } else {
      assertSupported(gateway, 'void');
      assertVoidable(rows);
    }
    return null;
  },
  // The policy has asked before it came to this.
  asksFirst: ({ actor }, rows, { answers }) => actor !== POLICY && answers.areNeeded(rows),
  send: async (_, { payment }, gate, { gateway, facts }) =>
    gateway.void(await facts.of(payment, 'void'), gate),
};

/**
 * Throws where a person may not void the payment now: `invalid-state` where nothing is held or taken, or some of it was
 * given back, and
 * `operation-in-progress` while the policy voids a duplicate of it. Otherwise both would be reversed, and the order,
 * which the policy's void was to keep paid, would not be. Pure.
 */
export function assertVoidable(rows: PaymentSnapshot): void {
  const { payment } = rows;
  if (isGivenBack(payment)) {
    throw new Problem('invalid-state', 'A payment that was refunded or is disputed cannot be voided.');
  }
  if (payment.status !== 'authorized' && payment.status !== 'succeeded') {
    throw new Problem('invalid-state', 'Only an authorized or succeeded payment can be voided.');
  }
  assertDuplicateNotBeingVoided(rows);
}

/** Throws `operation-in-progress` while the policy voids a duplicate of the payment, which is to keep the order paid. Pure. */
export function assertDuplicateNotBeingVoided({
  payment,
  paidBeside,
}: Pick<PaymentSnapshot, 'payment' | 'paidBeside'>): void {
  const voiding = paidBeside.find(
    ({ payment: other, openOperations }) =>
      other.duplicateOf === payment.id &&
      openOperations.some(({ type, actor }) => type === 'void' && actor === POLICY),
  );
  if (!voiding) return;
  throw new Problem(
    'operation-in-progress',
    'A duplicate of this payment is being voided. Try again when that has finished.',
    {
      paymentId: voiding.payment.id,
    },
  );
}

/** Why the policy does not void a payment now. */
export interface Obstacle {
  /** Why a person must look, where it is none that passes by itself. Undefined too where a person must look for another reason. */
  attention?: Extract<AttentionReason, 'void_denied' | 'duplicate_not_voided'>;
  /** The payment that a person must look at. */
  of: PaymentRecord;
}

/**
 * What keeps the policy from voiding a payment: it must be a duplicate of the one that pays, under another transaction, that was never
 * announced as paying itself, and both must hold money, whatever was given back of the one that pays. No operation may be on its way on either, nor may a void of either be
 * doubtful: both could be reversed. Undefined where nothing does. Fresh answers that both are paid are the caller's business. Pure.
 */
export function policyObstacle({
  payment,
  openOperations,
  paidBeside,
}: PaymentSnapshot): Obstacle | undefined {
  const payer = paidBeside.find(({ payment: { id } }) => id === payment.duplicateOf);
  if (!payer || payer.payment.duplicateOf !== null || !holdsMoney(payment) || !holdsMoney(payer.payment)) {
    return { of: payment };
  }
  const doubtful = [payer.payment, payment].find(isVoidDoubtful);
  if (doubtful) return { of: doubtful, ...(!doubtful.needsAttention && { attention: 'void_denied' }) };
  const isLookedAt = payment.needsAttention && !isNotVoided(payment);
  if (isLookedAt || payer.payment.needsAttention) return { of: payment };
  const unknown = [...openOperations, ...payer.openOperations].filter(isOnItsWay);
  const keepsIt =
    isAnnouncedDuplicate(payment) ||
    isGivenBack(payment) ||
    isSameTransaction(payment, payer.payment) ||
    unknown.some(({ status }) => status === 'unknown');
  const isKnown = payment.needsAttention || isSettled(payment, payer.payment.id);
  if (keepsIt) return { of: payment, ...(!isKnown && { attention: 'duplicate_not_voided' }) };
  // What the gateway has not named yet may be one transaction. Its answers name it sooner or later.
  const isNamed = payment.transactionRef !== null && payer.payment.transactionRef !== null;
  return unknown.length > 0 || !isNamed ? { of: payment } : undefined;
}

/** Whether a person must look only because the policy could not void the payment. That is no reason not to try again. */
function isNotVoided(payment: PaymentRecord): boolean {
  return reasonsOf(payment).every((reason) => reason === 'duplicate_not_voided');
}

/** Throws `invalid-state` where anything keeps the policy from voiding the payment. Pure. */
export function assertVoidableByPolicy(rows: PaymentSnapshot): void {
  if (policyObstacle(rows)) {
    throw new Problem('invalid-state', 'This payment is not a duplicate that the policy may void now.');
  }
}

/** If the gateway shows one transaction under two references, it was paid once: voiding it would leave nothing paid. */
function isSameTransaction(one: PaymentRecord, other: PaymentRecord): boolean {
  return one.transactionRef !== null && one.transactionRef === other.transactionRef;
}

/**
 * Whether anything of a payment was given back or charged back, as far as the gateway has said: how much may be unclear.
 * Such a payment is not voided, for its whole amount can no longer be reversed.
 */
function isGivenBack(
  payment: Pick<PaymentRecord, 'amountRefunded' | 'disputed' | 'attentionReason'>,
): boolean {
  return payment.disputed || (payment.amountRefunded ?? 0n) > 0n || needsFor(payment, 'refund_unclear');
}
