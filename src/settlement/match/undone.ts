import type { KnownMovement } from './known-money.js';

const UNDONE_BY: Readonly<Partial<Record<KnownMovement['kind'], KnownMovement['kind']>>> = {
  payment: 'void',
  refund: 'refund_reversal',
  chargeback: 'chargeback_reversal',
};

/** Movements of which one takes back just as much as the other, each with that other. Pure. */
export function undoneOf(
  movements: readonly KnownMovement[],
  sizeOf = ({ amount }: KnownMovement): bigint => amount,
): ReadonlyMap<KnownMovement, KnownMovement> {
  const undone = new Map<KnownMovement, KnownMovement>();
  for (const movement of movements) {
    const by = movements.find(
      (other) =>
        other.kind === UNDONE_BY[movement.kind] &&
        other.refundId === movement.refundId &&
        sizeOf(other) === sizeOf(movement) &&
        !undone.has(other),
    );
    if (by) undone.set(movement, by).set(by, movement);
  }
  return undone;
}
