import type { ExpectedFee } from '../../gateway/profile/format.js';
import { parseMajor } from '../../money/money.js';

/** What a fee depends on. */
export interface FeeSubject {
  /** ISO 4217. */
  readonly currency: string;
  /** The payment's method. */
  readonly method: string;
  /** Of a card, in any case; null where it is none or not known. */
  readonly brand: string | null;
  /** Minor units. */
  readonly amount: bigint;
}

/**
 * The fee that a profile expects of a payment, and by how much it may differ, in minor units: that of the first entry that fits. Undefined where none
 * does: then nothing is expected. A half minor unit is rounded up. Pure.
 */
export function expectedFee(
  fees: readonly ExpectedFee[],
  { currency, method, brand, amount }: FeeSubject,
): { fee: bigint; tolerance: bigint } | undefined {
  const found = fees.find(
    (entry) =>
      entry.currency === currency &&
      (entry.method === undefined || entry.method === method) &&
      (entry.brand === undefined || entry.brand.toLowerCase() === brand?.toLowerCase()),
  );
  if (!found) return undefined;
  const minor = (text: string): bigint => parseMajor(text, currency) ?? 0n;
  const fee = percentOf(amount, found.percent) + minor(found.fixed);
  const cap = found.cap === undefined ? fee : minor(found.cap);
  return { fee: fee < cap ? fee : cap, tolerance: minor(found.tolerance ?? '0') };
}

/** A percentage with up to four decimals. */
function percentOf(amount: bigint, percent: string): bigint {
  const [whole = '', fraction = ''] = percent.split('.');
  const millionths = amount * BigInt(whole + fraction.padEnd(4, '0'));
  return (millionths * 2n + 1_000_000n) / 2_000_000n;
}
