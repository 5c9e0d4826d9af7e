import type { TimelineEntryDto } from '../generated/api.js';
import { money } from './amounts.js';
import { attentionSentence, statusWord, type Status } from './words.js';

const OPERATIONS: Record<string, string> = {
  pay: 'the payment',
  otp: 'the one-time code',
  pin: 'the card PIN',
  complete: 'the completion',
  void: 'the void',
  refund: 'the refund',
};

const MOVES: Record<Status, string> = {
  processing: 'The gateway is working on it',
  requires_action: 'Waiting for the payer',
  authorized: 'The money is held',
  succeeded: 'Paid',
  failed: 'Failed: not paid',
  canceled: 'Canceled: not paid',
  expired: 'Expired: not paid',
  voided: 'Reversed: the payer gets everything back',
};

const OTHERS: Record<TimelineEntryDto['type'], string> = {
  created: 'Created',
  moved: 'Status changed',
  sent: 'Sent to the gateway:',
  confirmed: 'The gateway accepted',
  refused: 'The gateway refused',
  unknown: 'No clear answer yet about',
  refunded: 'Refunded',
  refund_failed: 'The refund failed',
  refund_reversed: 'The refund came back',
  disputed: 'Charged back by the payer’s bank',
  dispute_won: 'The dispute was won',
  corrected: 'A person corrected the amount',
  duplicate: 'A second payment of this order',
  attention: 'Needs attention',
  attention_ended: 'No longer needs attention',
  resolved: 'Resolved by a person',
  adopted: 'Found at the gateway, after our store had lost it',
  approval_asked: 'Waits for approval',
  erased: 'Personal data erased',
};

/** One entry of the timeline as a sentence without its full stop. `currency` is the payment's. Pure. */
export function entrySentence(entry: TimelineEntryDto, currency: string): string {
  const { type, from, to, late } = entry;
  const operation = OPERATIONS[detail(entry, 'operation')] ?? 'the payment';
  const amount = detail(entry, 'amount');
  switch (type) {
    case 'sent':
    case 'confirmed':
    case 'refused':
    case 'unknown':
      return `${OTHERS[type]} ${operation}`;
    case 'attention':
      return `${OTHERS.attention}: ${attentionSentence(detail(entry, 'reason')).replace(/\.$/, '')}`;
    case 'moved':
      if (to === undefined) return OTHERS.moved;
      return `${MOVES[to]}${late === true && from !== undefined ? `, after it had ended as “${statusWord(from)}”` : ''}`;
    default:
      return `${OTHERS[type] ?? type}${amount === '' ? '' : `: ${money(amount, currency)}`}`;
  }
}

/** A detail of an entry; empty if it has none of that name. Pure. */
export function detail(entry: TimelineEntryDto, name: string): string {
  const value = entry.detail?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
