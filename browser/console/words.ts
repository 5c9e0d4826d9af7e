import type { ApprovalDto, EventDto, PaymentDto, RefundDto } from '../generated/api.js';
import { money } from './amounts.js';

export type Status = PaymentDto['status'];
export type Method = PaymentDto['method'];

const STATUSES: Record<Status, string> = {
  processing: 'Processing',
  requires_action: 'Waiting for payer',
  authorized: 'Authorized',
  succeeded: 'Succeeded',
  failed: 'Failed',
  canceled: 'Canceled',
  expired: 'Expired',
  voided: 'Voided',
};

export const STATUS_CHOICES = Object.entries(STATUSES);

export function statusWord(status: Status): string {
  return STATUSES[status];
}

const METHODS: Record<Method, string> = {
  card: 'Card',
  wallet: 'Wallet',
  transfer: 'Bank transfer',
  ussd: 'USSD',
  unknown: 'Unknown method',
};

export const METHOD_CHOICES = Object.entries(METHODS);

export function methodWord(method: string): string {
  return wordOf(METHODS, method);
}

const ATTENTION: Record<string, string> = {
  outcome_unknown: 'The gateway has given no clear answer about this payment.',
  operation_unknown: 'The gateway has given no clear answer about an operation.',
  differs: 'The gateway named another amount, currency or reference.',
  contradicted: 'The gateway’s answer contradicts what we know.',
  duplicate: 'The order was paid twice, and this payment still holds money.',
  refund_unexplained: 'The gateway reports a refund that nobody requested here.',
  hold_ending: 'The held money must be taken or released soon.',
};

/** Why a person must look, as a sentence. A newer reason is shown as it is. */
export function attentionSentence(reason: string): string {
  return wordOf(ATTENTION, reason);
}

const DELIVERIES: Record<EventDto['delivery']['status'], string> = {
  pending: 'Waiting to be sent',
  failed: 'Failed, will be sent again',
  delivered: 'Delivered',
  given_up: 'Given up',
};

/** The state of an event's delivery. */
export function deliveryWords({ delivery: { status, lastResult } }: EventDto): string {
  const words = DELIVERIES[status];
  return status === 'failed' && lastResult !== null ? `${words} (${lastResult})` : words;
}

export const ACTION_WORDS = {
  resolve: 'Resolve',
  complete: 'Complete',
  refund: 'Refund',
  void: 'Void',
  cancel: 'Cancel payment',
  refresh: 'Refresh',
};

export const REFUND_WORDS: Record<RefundDto['status'], string> = {
  processing: 'No clear answer yet',
  succeeded: 'Refunded',
  failed: 'Not refunded',
};

export const APPROVAL_WORDS: Record<ApprovalDto['state'], string> = {
  waiting: 'Waiting',
  approved: 'Approved',
  declined: 'Declined',
  expired: 'Expired: nobody decided within 7 days',
};

/** What an approval is for: `Refund of ₦750,000.00`. */
export function approvalWords({ amount, currency }: ApprovalDto): string {
  return `Refund of ${money(amount, currency)}`;
}

/** Who a key belongs to: `anna`. */
export function personOf(actor: string): string {
  return actor.replace(/^merchant:/, '').replace(/^merchant$/, 'the key without a name');
}

const DIFFERENCES: Record<string, string> = {
  unknown_here: 'Settled, but unknown here',
  not_paid_here: 'Settled, but not paid here',
  refund_unknown_here: 'Refund unknown here',
  chargeback_unknown_here: 'Chargeback unknown here',
  currency_differs: 'Another currency in the report',
  settled_twice: 'Settled twice',
  amount_differs: 'Another amount in the report',
  refund_differs: 'Another refund in the report',
  chargeback_differs: 'Another chargeback in the report',
  not_settled: 'In no report',
  payout_differs: 'The payout is not the sum of its rows',
};

export const DIFFERENCE_CHOICES = Object.entries(DIFFERENCES);

/** A kind of difference in a few words. */
export function differenceWords(kind: string): string {
  return wordOf(DIFFERENCES, kind);
}

export const CLOSING_REASONS = [
  ['explained', 'Explained'],
  ['gateway_corrected', 'Corrected by the gateway'],
  ['written_off', 'Written off'],
  ['duplicate', 'Duplicate of another difference'],
] as const;

/** Why a difference was closed. */
export function closingWords(reason: string | null): string {
  if (reason === null) return 'It agrees now';
  return CLOSING_REASONS.find(([word]) => word === reason)?.[1] ?? spaced(reason);
}

const MOVEMENTS: Record<string, string> = {
  payment: 'Payment',
  refund: 'Refund',
  refund_reversal: 'Refund came back',
  void: 'Void',
  void_reversal: 'Void undone',
  chargeback: 'Chargeback',
  chargeback_reversal: 'Chargeback won',
  correction: 'Correction',
};

/** A kind of ledger entry. */
export function movementWords(kind: string): string {
  return wordOf(MOVEMENTS, kind);
}

function wordOf(words: Record<string, string>, name: string): string {
  return words[name] ?? spaced(name);
}

function spaced(name: string): string {
  return name.replaceAll(/[_-]/g, ' ');
}
