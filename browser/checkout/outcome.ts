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
const REASONS =
  'insufficientFunds wrongCode wrongPin expiredCard cardBlocked limitExceeded notPermitted authenticationFailed askBank tryAgain';

/**
 * Whether money may still come for a payment that the service has given up: our clock or the payer ended it, not the
 * gateway's word. Such a payer is never told that they have not been charged.
 */
export function mayStillArrive({ status }: Payment): boolean {
  return status === 'expired' || status === 'canceled';
}

/** Whether the gateway named another amount, currency or reference. It pays nothing: a person has to look. */
export function hasOtherAmount({ status, attentionReasons }: Payment): boolean {
  return status !== 'succeeded' && attentionReasons.includes('differs');
}

/** How a payment ended. Without its session nobody knows whether other payments are on their way. */
export function outcomeOf(payment: Payment, session: CheckoutSession | undefined): Outcome {
  const { status, method, amount, amountAuthorized, amountCaptured } = payment;
  if (hasOtherAmount(payment))
    return outcome('waiting', 'confirming.title', 'toPay', { text: 'partial.shop' });
  const ifSent: Sentence = { text: method === 'unknown' ? 'ifSent.any' : `ifSent.${method}` };
  const held = { amount: amountAuthorized ?? amount };
  switch (status) {
    case 'succeeded':
      return paid(payment);
    case 'authorized':
      return outcome('good', 'authorized.title', 'held', { text: 'authorized.text', amounts: held });
    case 'voided':
      return amountCaptured === null
        ? outcome(
            'neutral',
            'canceled.title',
            'toPay',
            { text: 'voided.hold' },
            ...chargeBeside(payment, session),
          )
        : givenBack({ text: 'voided.text', amounts: { amount: amountCaptured } });
    case 'canceled':
      return outcome('neutral', 'canceled.title', 'toPay', ifSent);
    case 'expired':
      return outcome('bad', 'failed.title', 'toPay', { text: 'expired.text' }, ifSent);
    default: {
      const last: Sentence[] = session?.status === 'closed' ? [{ text: 'failed.last' }] : [];
      return outcome('bad', 'failed.title', 'toPay', ...whyFailed(payment, session), ...last);
    }
  }
}

function outcome(
  icon: Outcome['icon'],
  title: MessageKey,
  caption: MessageKey,
  ...sentences: Sentence[]
): Outcome {
  return { icon, title, caption, sentences };
}

/** The same beside a payment that took nothing itself. */
function chargeBeside({ id }: Payment, session: CheckoutSession | undefined): Sentence[] {
  return session ? chargeOf({ payments: session.payments.filter((other) => other.id !== id) }) : [];
}

/** What a payer is told of their money when the session takes no more payments. */
export function chargeOf({ payments }: Pick<CheckoutSession, 'payments'>): Sentence[] {
  if (payments.some(mayStillArrive)) return [{ text: 'ifSent.any' }];
  const isUntouched = payments.every(
    (payment) => payment.status === 'failed' && !isDoubtful(payment) && !hasOtherAmount(payment),
  );
  return isUntouched ? [{ text: 'notCharged' }] : [];
}

function paid({ amount, amountCaptured, amountRefunded, disputed, duplicateOf }: Payment): Outcome {
  const taken = amountCaptured ?? amount;
  const back = amountRefunded ?? '0';
  if (disputed) return givenBack({ text: 'refunded.disputed' });
  if (minor(back) > 0n && minor(back) >= minor(taken))
    return givenBack({ text: 'refunded.text', amounts: { amount: back } });
  const part: Sentence[] = minor(back) > 0n ? [{ text: 'refunded.part', amounts: { amount: back } }] : [];
  const twice: Sentence[] = duplicateOf === null ? [] : [{ text: 'success.duplicate' }];
  const thanks: Sentence = { text: 'success.text', amounts: { amount: taken } };
  return outcome('good', 'success.title', 'paid', thanks, ...part, ...twice);
}

function givenBack(sentence: Sentence): Outcome {
  return outcome('neutral', 'refunded.title', 'refunded', sentence);
}

/**
 * The gateway says that a transfer or a USSD payment failed, and only the payer's bank knows where the money is; or a
 * person has said so.
 */
function isDoubtful({ method, failure }: Payment): boolean {
  const isElsewhere = method === 'transfer' || method === 'ussd';
  return failure?.code === 'resolved' || (isElsewhere && failure?.code === 'declined');
}

function whyFailed(payment: Payment, session: CheckoutSession | undefined): Sentence[] {
  const { failure, method } = payment;
  const charge: Sentence[] = isDoubtful(payment)
    ? [{ text: 'failed.elsewhere' }]
    : chargeBeside(payment, session);
  switch (failure?.code) {
    case 'declined': {
      const isKnown = REASONS.split(' ').includes(failure.reason ?? '');
      const reason = isKnown ? failure.reason : method === 'card' ? 'none' : 'other';
      return [{ text: `reason.${reason}` as MessageKey }, ...charge];
    }
    case 'gateway_unavailable':
    case 'gateway_busy':
      return [{ text: 'failed.unavailable' }, ...charge];
    case 'gateway_rejected':
      return [{ text: 'failed.notAccepted' }, ...charge];
    case 'gateway_credentials_rejected':
      return [{ text: 'failed.shop' }, ...charge];
    case 'resolved':
      return [{ text: 'failed.resolved' }];
    default:
      return charge;
  }
}

/** Amounts of one currency have the same number of digits, so that their digits can be compared. */
function minor(amount: string): bigint {
  return BigInt(amount.replace('.', '') || '0');
}
