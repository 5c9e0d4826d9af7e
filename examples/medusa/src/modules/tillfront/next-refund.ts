import { MathBN } from '@medusajs/framework/utils';
import type { Entry } from './book';
import type { TillfrontRefund } from './client';
import { asDecimal } from './money';

/** What is to be done about a refund that Medusa has just entered. */
export type NextRefund =
  /** Nothing was given back that Medusa does not know of: this one is to be made. */
  | { step: 'make' }
  /** It was given back already, though Medusa heard of no success: it is only entered. */
  | { step: 'take-over'; refund: TillfrontRefund }
  /** A refund is under way, perhaps this very one. */
  | { step: 'wait'; refund: TillfrontRefund }
  /** Another amount was given back that Medusa does not know of. */
  | { step: 'enter-first'; refund: TillfrontRefund };

const NAME = 'Medusa refund ';

/** A refund at Tillfront carries the id of Medusa's entry as its reason. */
export const reasonOf = ({ id }: Entry): string => NAME + id;

/**
 * Medusa removes its entry of a refund whose outcome is unknown, and makes another one when somebody tries again. So the money of an
 * attempt that was confirmed later is compared with the entries, and given back once. An entry that no refund at Tillfront names has
 * taken over such money, or is about to; of the same amount, only the earlier entries come first.
 */
export function nextRefund(
  own: Entry,
  others: readonly Entry[],
  made: readonly TillfrontRefund[],
  currency: string,
): NextRefund {
  const alive = made.filter(({ status }) => status !== 'failed');
  const byName = (entry: Entry): TillfrontRefund | undefined =>
    alive.find(({ reason }) => reason === reasonOf(entry));
  const underWay = alive.find(({ status }) => status === 'processing');
  if (underWay) return { step: 'wait', refund: underWay };
  const mine = byName(own);
  if (mine) return { step: 'take-over', refund: mine };

  const is = ({ amount }: TillfrontRefund, entry: Entry): boolean =>
    MathBN.eq(amount, asDecimal(entry.amount, currency));
  const named = new Set(others.map(byName));
  const unknownToMedusa = alive.filter((refund) => !named.has(refund));
  for (const entry of others.filter((other) => !byName(other))) {
    const taken = unknownToMedusa.findIndex(
      (refund) => is(refund, entry) && (!is(refund, own) || entry.id < own.id),
    );
    if (taken >= 0) unknownToMedusa.splice(taken, 1);
  }
  const same = unknownToMedusa.find((refund) => is(refund, own));
  if (same) return { step: 'take-over', refund: same };
  const [other] = unknownToMedusa;
  return other ? { step: 'enter-first', refund: other } : { step: 'make' };
}
