import type { Approval } from './api.js';
import { money } from './amounts.js';
import { dateTime } from './words.js';

const KINDS: Record<Approval['kind'], string> = {
  refund: 'Refund',
  resolve: 'Resolve as paid',
  adopt: 'Take over',
  write_off: 'Write off',
  refund_reversal: 'Refund that came back',
};

/** What an approval is for: `Refund ₦750,000.00`. */
export function approvalWords({ kind, amount, currency }: Approval): string {
  return `${KINDS[kind]}: ${money(amount, currency)}`;
}

/** Who a key belongs to: `anna`; a key without a name is the shop’s. */
export function personOf(actor: string): string {
  return actor.replace(/^merchant:/, '').replace(/^merchant$/, 'a key without a name');
}

/** What somebody is told whose wish waits for another person. */
export function waitsWords(approval: Approval): string {
  return `Nothing was done yet. ${approvalWords(approval)} waits until another person approves it, at the latest ${dateTime(approval.expiresAt)}.`;
}
