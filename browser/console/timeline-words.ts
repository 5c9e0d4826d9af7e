import type { TimelineEntry } from './api.js';
import { money } from './amounts.js';
import { attentionWords } from './attention-words.js';
import { entryWords, statusWord } from './words.js';

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

/** One entry of the timeline as a sentence. `currency` is the payment’s. */
export function entrySentence(entry: TimelineEntry, currency: string): string {
  const operation = OPERATIONS[detailText(entry, 'operation')] ?? 'the payment';
  const given = detailText(entry, 'amount');
  const amount = given === '' ? '' : `: ${money(given, currency)}`;
  switch (entry.type) {
    case 'created':
      return 'Created';
    case 'sent':
      return ASKED[detailText(entry, 'operation')] ?? 'Asked the gateway';
    case 'confirmed':
      return `The gateway accepted ${operation}`;
    case 'refused':
      return `The gateway refused ${operation}`;
    case 'unknown':
      return `Sent to the gateway, no clear answer yet: ${operation}`;
    case 'attention':
      return `Needs attention: ${attentionWords(detailText(entry, 'reason'))}`;
    case 'adopted':
      return 'Found at the gateway, after the store had lost it';
    case 'moved':
      return entry.to === undefined ? entryWords(entry) : move(entry, entry.to);
    default:
      return `${entryWords(entry)}${amount}`;
  }
}

/** What a person wrote, to be shown below the sentence. */
export function entryNote(entry: TimelineEntry): string {
  return detailText(entry, 'note');
}

/** A detail of an entry; empty where it has none of that name. */
export function detailText({ detail }: TimelineEntry, name: string): string {
  const value = detail?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function move({ late, from }: TimelineEntry, to: NonNullable<TimelineEntry['to']>): string {
  return `${MOVES[to]}${late === true && from !== undefined ? `, after it had been closed as ${statusWord(from).toLowerCase()}` : ''}`;
}
