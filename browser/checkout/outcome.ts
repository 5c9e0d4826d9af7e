import type { CheckoutSession, Payment } from '../kit/types.js';
import type { MessageKey } from './messages.js';

/** A text, and the amounts that it names, in the payment's currency. */
export interface Sentence {
  text: MessageKey;
  amounts?: Readonly<Record<string, string>>;
}

/** How a payment went, in the payer's words. Nothing of it is the gateway's or the bank's own text. */
export interface Outcome {
  icon: 'good' | 'neutral' | 'bad' | 'waiting';
  title: MessageKey;
  sentences: readonly Sentence[];
  /** What stands above the order's amount. */
  caption: MessageKey;
}

/** The service's words for a decline (`failure.reason`). */
const REASONS = [
  'insufficientFunds',
  'wrongCode',
  'wrongPin',
  'expiredCard',
  'cardBlocked',
  'limitExceeded',
  'notPermitted',
  'authenticationFailed',
  'askBank',
  'tryAgain',
] as const;

/**
 * Whether money may still come for a payment that the service has given up: our clock or the payer ended it, not the
 * gateway's word, and the payer's part of it was done elsewhere. Such a payer is never told that they have not been charged.
 * `hasLeft`: the payer went to their bank's or wallet's page, as far as this tab knows.
 */
export function mayStillArrive({ status, method }: Payment, hasLeft: boolean): boolean {
  return (status === 'expired' || status === 'canceled') && (method !== 'card' || hasLeft);
}

/** Whether the gateway named another amount, currency or reference. It pays nothing: a person has to look. */
export function hasOtherAmount({ status, attentionReasons }: Payment): boolean {
  return status !== 'succeeded' && attentionReasons.includes('differs');
}

/** How a payment ended. `isLast`: the session takes no other payment after it. */
export function outcomeOf(payment: Payment, hasLeft: boolean, isLast: boolean): Outcome {
  const { status, amount, amountAuthorized, amountCaptured } = payment;
  if (hasOtherAmount(payment)) return otherAmount();
  switch (status) {
    case 'succeeded':
      return paid(payment);
    case 'authorized':
      return {
        icon: 'good',
        title: 'authorized.title',
        sentences: [{ text: 'authorized.text', amounts: { amount: amountAuthorized ?? amount } }],
        caption: 'held',
      };
    case 'voided':
      return amountCaptured === null
        ? unpaid('neutral', 'canceled.title', [{ text: 'voided.hold' }, { text: 'notCharged' }])
        : {
            icon: 'neutral',
            title: 'refunded.title',
            sentences: [{ text: 'voided.text', amounts: { amount: amountCaptured } }],
            caption: 'refunded',
          };
    case 'canceled':
      return unpaid('neutral', 'canceled.title', [ofCharge(payment, hasLeft)]);
    case 'expired':
      return unpaid('bad', 'failed.title', [{ text: 'expired.text' }, ofCharge(payment, hasLeft)]);
    default:
      return unpaid('bad', 'failed.title', [
        ...whyFailed(payment),
        ...(isLast ? [{ text: 'failed.last' } as const] : []),
      ]);
  }
}

/** A sum other than the one owed has come, whether the payment still waits or is over. */
export function otherAmount(): Outcome {
  return {
    icon: 'waiting',
    title: 'confirming.title',
    sentences: [{ text: 'partial.shop' }],
    caption: 'toPay',
  };
}

/** What a payer is told of their money when the session takes no more payments. */
export function chargeOf(session: CheckoutSession, hasLeft: (id: string) => boolean): Sentence[] {
  const { payments } = session;
  if (payments.some((payment) => mayStillArrive(payment, hasLeft(payment.id))))
    return [{ text: 'ifSent.any' }];
  const isUntouched = payments.every(
    (payment) =>
      ['failed', 'expired', 'canceled'].includes(payment.status) &&
      !isDoubtful(payment) &&
      !hasOtherAmount(payment),
  );
  return isUntouched ? [{ text: 'notCharged' }] : [];
}

function paid({ amount, amountCaptured, amountRefunded, disputed, duplicateOf }: Payment): Outcome {
  const taken = amountCaptured ?? amount;
  const back = amountRefunded ?? '0';
  if (disputed) return givenBack([{ text: 'refunded.disputed' }]);
  if (minor(back) > 0n && minor(back) >= minor(taken))
    return givenBack([{ text: 'refunded.text', amounts: { amount: back } }]);
  return {
    icon: 'good',
    title: 'success.title',
    sentences: [
      { text: 'success.text', amounts: { amount: taken } },
      ...(minor(back) > 0n ? [{ text: 'refunded.part', amounts: { amount: back } } as const] : []),
      ...(duplicateOf === null ? [] : [{ text: 'success.duplicate' } as const]),
    ],
    caption: 'paid',
  };
}

function givenBack(sentences: Sentence[]): Outcome {
  return { icon: 'neutral', title: 'refunded.title', sentences, caption: 'refunded' };
}

function unpaid(icon: Outcome['icon'], title: MessageKey, sentences: Sentence[]): Outcome {
  return { icon, title, sentences, caption: 'toPay' };
}

/** Whether the payer has been charged, for a payment that ended without the gateway's word. */
function ofCharge(payment: Payment, hasLeft: boolean): Sentence {
  if (!mayStillArrive(payment, hasLeft)) return { text: 'notCharged' };
  const { method } = payment;
  return { text: method === 'unknown' ? 'ifSent.any' : `ifSent.${method}` };
}

/**
 * The gateway says that a transfer or a USSD payment failed, and only the payer's bank knows where the money is; or a
 * person has said so.
 */
function isDoubtful({ method, failure }: Payment): boolean {
  const isElsewhere = method === 'transfer' || method === 'ussd';
  return failure?.code === 'resolved' || (isElsewhere && failure?.code === 'declined');
}

function whyFailed(payment: Payment): Sentence[] {
  const { failure } = payment;
  const charge: Sentence = { text: isDoubtful(payment) ? 'failed.elsewhere' : 'notCharged' };
  switch (failure?.code) {
    case 'declined':
      return [{ text: reasonOf(payment, failure) }, charge];
    case 'gateway_unavailable':
    case 'gateway_busy':
      return [{ text: 'failed.unavailable' }, charge];
    case 'gateway_rejected':
      return [{ text: 'failed.notAccepted' }, charge];
    case 'gateway_credentials_rejected':
      return [{ text: 'failed.shop' }, charge];
    case 'resolved':
      return [{ text: 'failed.resolved' }];
    default:
      return [charge];
  }
}

function reasonOf({ method }: Payment, failure: NonNullable<Payment['failure']>): MessageKey {
  const reason = REASONS.find((known) => known === failure.reason);
  if (reason !== undefined) return `reason.${reason}`;
  return method === 'card' ? 'reason.none' : 'reason.other';
}

/** Amounts of one currency have the same number of digits, so that their digits can be compared. */
function minor(amount: string): bigint {
  return BigInt(amount.replace('.', '') || '0');
}
