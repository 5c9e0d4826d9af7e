import type { PaymentDto, RefundDto } from '../generated/api.js';
import { isPositive, minus, money } from './amounts.js';
import { dateTime } from './times.js';
import { methodWords, operationWord } from './words.js';

/** One payment in plain words: what happened, and what happens next. Pure but for the reader's format. */
export function inPlainWords(payment: PaymentDto): string[] {
  const { pendingOperation: pending, amount, currency, amountRefunded, disputed, duplicateOf } = payment;
  return [
    statusSentence(payment),
    pending &&
      !isForPerson(payment) &&
      `We asked the gateway for the ${operationWord(pending.type)} of ${money(pending.amount ?? amount, currency)} on ${dateTime(pending.since)} and have no clear answer yet. We keep asking.`,
    amountRefunded !== null && `${money(amountRefunded, currency)} was given back.`,
    disputed && `The payer’s bank took ${money(payment.amountDisputed ?? amount, currency)} back.`,
    duplicateOf !== null && 'This order was paid twice: this payment is the duplicate.',
  ].filter((sentence) => typeof sentence === 'string');
}

/** Whether the gateway has answered, and a person has to judge what it said. */
function isForPerson({ attentionReasons }: PaymentDto): boolean {
  return attentionReasons.some((reason) => reason === 'differs' || reason === 'contradicted');
}

function statusSentence(payment: PaymentDto): string {
  const { status, amount, amountCaptured, amountAuthorized, currency, failure, paidAt } = payment;
  switch (status) {
    case 'processing':
      if (isForPerson(payment))
        return 'What the gateway says cannot be this payment’s end: find out at the gateway, then resolve it.';
      return 'The gateway has given no clear answer yet. We keep asking it: you don’t have to do anything.';
    case 'requires_action':
      return waitingSentence(payment);
    case 'authorized':
      return `${money(amountAuthorized ?? amount, currency)} is held ${by(payment)}. Complete the payment to take the money, or void it to let it go.`;
    case 'succeeded':
      return `${money(amountCaptured ?? amount, currency)} was paid ${by(payment)}${paidAt === null ? '' : ` on ${dateTime(paidAt)}`}.`;
    case 'failed':
      return `Not paid: ${failure?.message ?? 'the payment failed.'}`;
    case 'canceled':
      return 'Not paid: the payment was canceled.';
    case 'expired':
      return 'Not paid: the payer did not pay in time.';
    case 'voided':
      return 'Reversed: the payer gets all of the money back.';
  }
}

/** `by card (verve ···· 7499)`. */
function by(payment: PaymentDto): string {
  return `by ${methodWords(payment).replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`;
}

function waitingSentence({ nextAction }: PaymentDto): string {
  switch (nextAction?.type) {
    case 'redirect':
      return 'Waiting for the payer, who was sent to the bank’s page.';
    case 'otp':
      return 'Waiting for the payer to enter the one-time code from their bank.';
    case 'pin':
      return 'Waiting for the payer to enter the card PIN.';
    case 'transfer':
      return `Waiting for the payer to transfer the money to ${nextAction.accountName}, account ${nextAction.accountNumber}, ${nextAction.bankName}.`;
    case 'ussd':
      return `Waiting for the payer to dial ${nextAction.code}.`;
    case 'unsupported':
      return 'Waiting for the payer: the gateway asks for a step that our page does not know.';
    case undefined:
      return 'What the payer entered is with the gateway, which has given no clear answer yet.';
  }
}

/** `Refunded`, `Partly refunded`, or undefined. Pure. */
export function refundedWord(
  payment: Pick<PaymentDto, 'amountCaptured' | 'amountRefunded'>,
): string | undefined {
  if (!isPositive(payment.amountRefunded ?? '0')) return undefined;
  return isPositive(refundable(payment)) ? 'Partly refunded' : 'Refunded';
}

/** What is left to refund. Pure. */
export function refundable({
  amountCaptured,
  amountRefunded,
}: Pick<PaymentDto, 'amountCaptured' | 'amountRefunded'>): string {
  return minus(amountCaptured ?? '0', amountRefunded ?? '0');
}

export type ActionName = 'resolve' | 'complete' | 'refund' | 'void' | 'cancel';

/** Reasons that block the order until a person resolves them. */
const BLOCKING = ['differs', 'contradicted', 'refund_unexplained'];

/** What may be done with a payment now. The service decides again. Pure. */
export function mayBeDone(payment: PaymentDto, refunds: readonly RefundDto[]): ActionName[] {
  const { status, disputed, amountRefunded, attentionReasons, pendingOperation } = payment;
  const isBlocked = attentionReasons.some((reason) => BLOCKING.includes(reason));
  const isBusy = pendingOperation !== null || refunds.some((refund) => refund.status === 'processing');
  const isFree = !isBlocked && !isBusy && !disputed;
  const isPaid = status === 'succeeded';
  const may: Record<ActionName, boolean> = {
    resolve: payment.needsAttention,
    complete: isFree && status === 'authorized',
    refund: isFree && isPaid && isPositive(refundable(payment)),
    void: isFree && (status === 'authorized' || (isPaid && amountRefunded === null)),
    cancel: status === 'requires_action',
  };
  return (Object.keys(may) as ActionName[]).filter((name) => may[name]);
}

/** Whether a person may say what became of a refund. Pure. */
export function mayResolve({ needsAttention, attentionReasons }: PaymentDto, { status }: RefundDto): boolean {
  const isOdd = status === 'succeeded' && attentionReasons.includes('refund_unexplained');
  return needsAttention && (status === 'processing' || isOdd);
}
