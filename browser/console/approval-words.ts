import type { Approval } from './api.js';
import { money } from './amounts.js';
import { dateTime } from './words.js';

/** What an approval is for: `Refund: ₦750,000.00`. */
export function approvalWords({ amount, currency }: Approval): string {
  return `Refund: ${money(amount, currency)}`;
}

/** Who a key belongs to: `anna`; a key without a name is the shop’s. */
export function personOf(actor: string): string {
  return actor.replace(/^merchant:/, '').replace(/^merchant$/, 'a key without a name');
}

/** What somebody is told whose wish waits for another person. */
export function waitsWords(approval: Approval): string {
  return `Nothing was done yet. ${approvalWords(approval)} waits until another person approves it, at the latest ${dateTime(approval.expiresAt)}.`;
}
