import type { TimelineEntry } from './api.js';
import { money } from './amounts.js';
import { attentionWords } from './attention-words.js';
import { statusWord } from './words.js';

const ASKED: Record<string, string> = {
  pay: 'Sent to the gateway',
  otp: 'The one-time code was sent to the gateway',
  pin: 'The card PIN was sent to the gateway',
  complete: 'Asked the gateway to take the held money',
  void: 'Asked the gateway to reverse the payment',
  refund: 'Asked the gateway to refund',
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
      return `The gateway received ${operation}`;
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
      return `Refunded${amount === '' ? '' : `: ${amount}`}`;
    case 'disputed':
      return `The payer’s bank has taken the money back${amount === '' ? '' : `: ${amount}`}`;
    case 'dispute_won':
      return 'The dispute was won: the money is there again';
    case 'needs_attention':
      return `Needs attention: ${attentionWords(detail['reason'] ?? 'something does not fit')}`;
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

const RESOLVED: Record<string, string> = { succeeded: 'paid', failed: 'not paid', voided: 'reversed' };
const REFUND_RESOLVED: Record<string, string> = { succeeded: 'refunded', failed: 'not refunded' };

function resolution(detail: Readonly<Record<string, string>>): string {
  const isRefund = detail['refund'] !== undefined;
  const what = isRefund ? 'A refund was resolved by a person' : 'Resolved by a person';
  const as = detail['as'];
  if (as === undefined) return what;
  return `${what}: ${(isRefund ? REFUND_RESOLVED : RESOLVED)[as] ?? meaningWords(as)}`;
}

function spaced(word: string): string {
  return word.replaceAll(/[_-]/g, ' ').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
