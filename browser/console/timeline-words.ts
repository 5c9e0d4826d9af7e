import type { TimelineEntry } from './api.js';
import { money } from './amounts.js';
import { statusWord } from './words.js';

const ASKED: Record<string, string> = {
  pay: 'Sent to the gateway',
  otp: 'The one-time code was sent to the gateway',
  pin: 'The card PIN was sent to the gateway',
  complete: 'Asked the gateway to take the held money',
  void: 'Asked the gateway to reverse the payment',
  refund: 'Asked the gateway to give money back',
};

const OPERATIONS: Record<string, string> = {
  pay: 'the payment',
  otp: 'the one-time code',
  pin: 'the card PIN',
  complete: 'the completion',
  void: 'the void',
  refund: 'the refund',
};

const MOVES: Record<NonNullable<TimelineEntry['to']>, string> = {
  processing: 'The gateway is working on it',
  requires_action: 'Waiting for the payer',
  authorized: 'The money is held',
  succeeded: 'Paid',
  failed: 'Failed: not paid',
  canceled: 'Canceled: not paid',
  expired: 'Expired: not paid',
  voided: 'Reversed: the payer gets everything back',
};

const ATTENTION: Record<string, string> = {
  mismatch: 'the gateway named another amount, currency or reference',
  contradicting_answer: 'the gateway’s answer contradicts what is known',
  hold_beside_another_payment: 'money is held although another payment has paid this order',
  no_conclusive_answer: 'the gateway has given no clear answer for 72 hours',
  being_charged: 'the card has been charged for 2 hours, and nothing is known of it',
  hold_left_alone: 'the held money was neither taken nor released for 6 days',
  money_after_resolve: 'money moved after a person had settled the payment',
  unlisted_word: 'the gateway used a word that the profile does not list',
  refund_unclear: 'nobody could find out what became of a refund',
  refund_of_unpaid: 'the gateway says that money was given back, but the payment is not paid',
  refund_beside_operation: 'money was given back while something else was under way',
  refund_doubtful: 'the gateway’s answer about a refund does not fit',
  refund_contradicted: 'a late answer contradicts what was recorded of a refund',
  void_denied: 'the void may have been done after all',
  duplicate_not_voided: 'the order was paid twice, and this payment could not be voided',
  charged_back_after_refund: 'more was charged back than was left after refunds',
  dispute_contradicted: 'the gateway calls a charged-back payment paid',
  report_unconfirmed: 'the gateway does not confirm what a settlement report claims',
  adopted_other_amount: 'it was taken over with another amount or currency than its order’s',
  adopted_on_word: 'it was taken over from a settlement report without the gateway’s confirmation',
};

const SAID: Record<string, string> = {
  succeeded: 'paid',
  authorized: 'held',
  failed: 'failed',
  expired: 'expired',
  voided: 'reversed',
  refunded: 'refunded',
  partiallyRefunded: 'refunded in part',
  chargedBack: 'charged back',
};

/** What the gateway said, in a word or two. */
export function meaningWords(meaning: string): string {
  return SAID[meaning] ?? spaced(meaning);
}

/** One entry of the timeline as a sentence. `currency` is the payment’s. */
export function entrySentence(entry: TimelineEntry, currency: string): string {
  const detail = entry.detail ?? {};
  const operation = OPERATIONS[detail['operation'] ?? ''] ?? 'the payment';
  const amount =
    detail['amount'] === undefined ? '' : money(detail['amount'], detail['currency'] ?? currency);
  const because = detail['reason'] === undefined ? '' : `: ${spaced(detail['reason'])}`;
  switch (entry.type) {
    case 'created':
      return 'Created';
    case 'operation_intended':
      return `${ASKED[detail['operation'] ?? ''] ?? 'Asked the gateway'}${amount === '' ? '' : `: ${amount}`}`;
    case 'operation_confirmed':
      return `The gateway confirmed ${operation}`;
    case 'operation_refused':
      return `The gateway refused ${operation}`;
    case 'operation_unknown':
      return detail['operation'] === 'pay'
        ? 'Sent to the gateway, no clear answer yet'
        : `Sent to the gateway, no clear answer yet: ${operation}`;
    case 'outcome_unknown':
      return `No clear answer came back${because}`;
    case 'gateway_waiting':
      return 'The gateway is still working on it';
    case 'otp_asked_again':
      return 'The gateway asked for the one-time code again';
    case 'pin_asked_again':
      return 'The gateway asked for the card PIN again';
    case 'action_changed':
      return `The gateway asked the payer for something else: ${spaced(detail['to'] ?? 'unknown')}`;
    case 'not_known':
      return 'The gateway does not know this payment';
    case 'inconclusive':
      return `The gateway’s answer is inconclusive${because}`;
    case 'mismatch':
      return mismatch(detail, amount);
    case 'duplicate':
      return 'A second payment of this order';
    case 'duplicate_ended':
      return 'Now pays the order: the earlier payment no longer holds money';
    case 'refunded':
      return `Given back${amount === '' ? '' : `: ${amount}`}`;
    case 'disputed':
      return `The payer’s bank has taken the money back${amount === '' ? '' : `: ${amount}`}`;
    case 'dispute_won':
      return 'The dispute was won: the money is there again';
    case 'needs_attention':
      return `Needs attention: ${ATTENTION[detail['reason'] ?? ''] ?? spaced(detail['reason'] ?? 'something does not fit')}`;
    case 'attention_lifted':
      return 'No longer needs attention';
    case 'owner_lost':
      return 'Taken over after a crash';
    case 'resolved':
      return resolution(detail);
    case 'report_unconfirmed':
      return 'A settlement report claims what the gateway does not confirm';
    case 'adopted':
      return 'Taken over from a settlement report';
    default:
      return entry.to === undefined ? spaced(entry.type) : move(entry, entry.to);
  }
}

/** What a person wrote, to be shown below the sentence. */
export function entryNote({ detail }: TimelineEntry): string {
  return [detail?.['note'], detail?.['report'] && `Report ${detail['report']}, row ${detail['row'] ?? '?'}`]
    .filter((text) => text !== undefined && text !== '')
    .join(' · ');
}

function move({ late, from }: TimelineEntry, to: NonNullable<TimelineEntry['to']>): string {
  return `${MOVES[to]}${late === true && from !== undefined ? `, after it had been closed as ${statusWord(from).toLowerCase()}` : ''}`;
}

function mismatch(detail: Readonly<Record<string, string>>, amount: string): string {
  const differs = (detail['differs'] ?? 'amount').split(' ').join(' and ');
  const meaning = detail['meaning'] === undefined ? '' : ` (${meaningWords(detail['meaning'])})`;
  return `The gateway named another ${differs}${amount === '' ? '' : `: ${amount}`}${meaning}`;
}

function resolution(detail: Readonly<Record<string, string>>): string {
  const what = detail['refund'] === undefined ? 'Settled by a person' : 'A refund was settled by a person';
  return detail['as'] === undefined ? what : `${what}: ${meaningWords(detail['as'])}`;
}

function spaced(word: string): string {
  return word.replaceAll(/[_-]/g, ' ').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
