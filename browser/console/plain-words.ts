import type { PaymentDto, RefundDto } from '../generated/api.js';
import { isPositive, minus, money } from './amounts.js';
import { dateTime } from './times.js';
import { methodWord } from './words.js';

/** One payment in plain words: what happened, and what happens next. Pure but for the reader's format. */
export function inPlainWords(payment: PaymentDto, refunds: readonly RefundDto[]): string[] {
  return [
    statusSentence(payment),
    pendingSentence(payment),
    ...moneySentences(payment, refunds),
    payment.duplicateOf === null ? undefined : 'This order was paid twice: this payment is the duplicate.',
  ].filter((sentence) => sentence !== undefined);
}

/** `by card (Verve ending in 7499)`. */
export function howPaid({ method, card }: PaymentDto): string {
  if (card === null) return `by ${methodWord(method).replace(/^[BCW]/, (letter) => letter.toLowerCase())}`;
  return `by card (${brandWord(card.brand)} ending in ${card.last4})`;
}

function brandWord(brand: string): string {
  return `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`;
}

function statusSentence(payment: PaymentDto): string {
  const { status, amount, amountCaptured, amountAuthorized, currency, failure, paidAt } = payment;
  switch (status) {
    case 'processing':
      return 'The gateway has given no clear answer yet. We keep asking it: you don’t have to do anything.';
    case 'requires_action':
      return waitingSentence(payment);
    case 'authorized':
      return `${money(amountAuthorized ?? amount, currency)} is held ${howPaid(payment)}. Complete the payment to take the money, or void it to let it go.`;
    case 'succeeded':
      return `${money(amountCaptured ?? amount, currency)} was paid ${howPaid(payment)}${paidAt === null ? '' : ` on ${dateTime(paidAt)}`}.`;
    case 'failed':
      return `Not paid: ${sentence(failure?.message ?? 'the payment failed')}${failure?.retryable === true ? ' The payer can try again.' : ''}`;
    case 'canceled':
      return 'Not paid: the payment was canceled.';
    case 'expired':
      return 'Not paid: the payer did not pay in time.';
    case 'voided':
      return 'Reversed: the payer gets all of the money back.';
  }
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
      return `Waiting for the payer. ${sentence(nextAction.message ?? 'The gateway asks for a step that this page does not know')}`;
    case undefined:
      return 'What the payer entered is with the gateway, which has given no clear answer yet.';
  }
}

const PENDING: Record<string, string> = {
  complete: 'We asked the gateway to take',
  void: 'We asked the gateway to reverse',
  refund: 'We asked the gateway to refund',
};

function pendingSentence({ pendingOperation, amount, currency }: PaymentDto): string | undefined {
  const asked = pendingOperation && PENDING[pendingOperation.type];
  if (!asked) return undefined;
  return `${asked} ${money(pendingOperation.amount ?? amount, currency)} on ${dateTime(pendingOperation.since)} and have no clear answer yet. We keep asking.`;
}

function moneySentences(payment: PaymentDto, refunds: readonly RefundDto[]): (string | undefined)[] {
  const { amount, amountCaptured, amountRefunded, amountDisputed, disputed, currency } = payment;
  const isOther = amountCaptured !== null && isUnequal(amountCaptured, amount);
  const bounced = refunds.filter(({ late }) => late === true);
  return [
    isOther ? `${money(amount, currency)} was asked for.` : undefined,
    amountRefunded === null ? undefined : `${money(amountRefunded, currency)} was given back.`,
    ...bounced.map(
      (refund) => `A refund of ${money(refund.amount, currency)} came back: the payer did not get it.`,
    ),
    disputed
      ? `The payer’s bank took ${amountDisputed === null ? 'the money' : money(amountDisputed, currency)} back.`
      : undefined,
  ];
}

function isUnequal(one: string, other: string): boolean {
  const rest = minus(one, other);
  return isPositive(rest) || rest.startsWith('-');
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** `Refunded`, `Partly refunded`, or undefined. Pure. */
export function refundedWord({
  amountCaptured,
  amountRefunded,
}: Pick<PaymentDto, 'amountCaptured' | 'amountRefunded'>): string | undefined {
  if (amountRefunded === null || !isPositive(amountRefunded)) return undefined;
  return isPositive(minus(amountCaptured ?? '0', amountRefunded)) ? 'Partly refunded' : 'Refunded';
}

export type ActionName = 'resolve' | 'complete' | 'refund' | 'void' | 'cancel' | 'refresh';

/** Reasons that block the order until a person resolves them. */
const BLOCKING = ['differs', 'contradicted', 'refund_unexplained'];

/** What may be done with a payment now. The service decides again. Pure. */
export function mayBeDone(payment: PaymentDto, refunds: readonly RefundDto[]): ActionName[] {
  const { status, disputed, amountRefunded, attentionReasons } = payment;
  const isBlocked = attentionReasons.some((reason) => BLOCKING.includes(reason));
  const isBusy =
    payment.pendingOperation !== null || refunds.some((refund) => refund.status === 'processing');
  const isFree = !isBlocked && !isBusy && !disputed;
  const isPaid = status === 'succeeded';
  const may: Record<ActionName, boolean> = {
    resolve: payment.needsAttention,
    complete: isFree && status === 'authorized',
    refund: isFree && isPaid && isPositive(refundable(payment)),
    void: isFree && (status === 'authorized' || (isPaid && amountRefunded === null)),
    cancel: status === 'requires_action',
    refresh: true,
  };
  return (Object.keys(may) as ActionName[]).filter((name) => may[name]);
}

/** What is left to refund. Pure. */
export function refundable({ amountCaptured, amountRefunded }: PaymentDto): string {
  return minus(amountCaptured ?? '0', amountRefunded ?? '0');
}

/** Whether a person may say what became of a refund. Pure. */
export function mayResolve({ needsAttention, attentionReasons }: PaymentDto, { status }: RefundDto): boolean {
  const isOdd = status === 'succeeded' && attentionReasons.includes('refund_unexplained');
  return needsAttention && (status === 'processing' || isOdd);
}

/** What an action does, in a sentence. */
export function explained(name: ActionName, payment: PaymentDto): string {
  const of = (amount: string): string => money(amount, payment.currency);
  const isHeld = payment.status === 'authorized';
  const words: Record<ActionName, string> = {
    resolve: 'Record what you found out elsewhere.',
    complete: `Take the ${of(payment.amountAuthorized ?? payment.amount)} that is held, or less.`,
    refund: `Give back up to ${of(refundable(payment))}.`,
    void: isHeld ? 'Let the held money go.' : 'Give back all of the money.',
    cancel: 'Stop waiting for the payer.',
    refresh: 'Ask the gateway now.',
  };
  return words[name];
}
