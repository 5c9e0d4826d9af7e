import type { TimelineEntryDto } from '../generated/api.js';
import { money } from './amounts.js';
import { attentionSentence, inWords, operationWord } from './words.js';

const TYPES: Partial<Record<TimelineEntryDto['type'], string>> = {
  sent: 'Sent to the gateway',
  confirmed: 'Accepted by the gateway',
  refused: 'Refused by the gateway',
  unknown: 'No clear answer yet',
  refund_reversed: 'The refund came back',
  disputed: 'Charged back by the payer’s bank',
  corrected: 'A person corrected the amount',
  duplicate: 'A second payment of this order',
  attention: 'Needs attention',
  attention_ended: 'No longer needs attention',
  resolved: 'Resolved by a person',
  adopted: 'Found at the gateway, after our store had lost it',
  erased: 'Personal data erased',
};

/** One entry of the timeline in words. `currency` is the payment's. Pure. */
export function entryWords(entry: TimelineEntryDto, currency: string): string {
  const { type, from, to, late } = entry;
  if (to !== undefined)
    return `${inWords(to)}${late === true && from ? `, after it had ended as “${inWords(from)}”` : ''}`;
  const operation = detail(entry, 'operation');
  const amount = detail(entry, 'amount');
  const more = [
    operation && operationWord(operation),
    amount && money(amount, currency),
    type === 'attention' && attentionSentence(detail(entry, 'reason')),
  ];
  return [TYPES[type] ?? inWords(type), ...more.filter(Boolean)].join(': ');
}

/** A detail of an entry; empty if it has none of that name. Pure. */
export function detail(entry: TimelineEntryDto, name: string): string {
  const value = entry.detail?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
