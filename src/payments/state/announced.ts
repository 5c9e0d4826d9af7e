import type { PaymentRecord } from '../../store/schema.js';
import { holdsMoney, type MoneyFacts } from './money-held.js';

/** What a payment's row says of what the shop was told of it. */
type Told = Pick<PaymentRecord, 'announcedPaidAt' | 'paidAt' | 'duplicateOf'>;

/**
 * Whether the shop was told at any time that a payment pays its order. Versions before 0.3.0, which kept no `paidAt`, told it of each paid
 * one that was no duplicate. Pure.
 */
export function isAnnounced({ announcedPaidAt, paidAt, duplicateOf }: Told): boolean {
  return announcedPaidAt !== null || (paidAt === null && duplicateOf === null);
}

/**
 * Whether a payment holds money beside the one that pays its order, and the shop was told that it pays itself, as while the money of the
 * first was charged back. Goods may have been sent for it, so no policy voids it. Pure.
 */
export function isAnnouncedDuplicate(payment: Told & MoneyFacts): boolean {
  return payment.duplicateOf !== null && isAnnounced(payment) && holdsMoney(payment);
}
