import type { MovementRecord, PaymentStatus, RecordedMethod } from '../../store/schema.js';

/** A payment as reports are held against it. */
export interface KnownPayment {
  readonly id: string;
  /** The merchant's. */
  readonly reference: string;
  readonly gatewayReference: string;
  readonly status: PaymentStatus;
  readonly currency: string;
  readonly method: RecordedMethod;
  readonly cardBrand: string | null;
}

/** A movement as reports are held against it. */
export type KnownMovement = Pick<
  MovementRecord,
  'id' | 'kind' | 'direction' | 'amount' | 'at' | 'transactionRef' | 'refundId'
> & {
  /** What the gateway knows its refund by; null where it belongs to none of ours. */
  readonly refundRef: string | null;
};

/** A refund that was asked for here, whatever became of it. */
export interface KnownRefund {
  readonly refundRef: string;
  readonly amount: bigint;
}

/** What is known of a payment's money. */
export interface KnownMoney {
  readonly payment: KnownPayment;
  /** In the order in which they were learned. */
  readonly movements: readonly KnownMovement[];
  readonly refunds: readonly KnownRefund[];
}

/** An amount in minor units of a currency. */
export interface Money {
  readonly amount: bigint;
  readonly currency: string;
}

/** What was taken, by the word of people too. Pure. */
export function capturedOf({ movements }: Pick<KnownMoney, 'movements'>): bigint {
  return sumOf(movements.filter(({ kind }) => kind === 'payment' || kind === 'correction'));
}

/** What the merchant still has of it. Pure. */
export function heldOf({ movements }: Pick<KnownMoney, 'movements'>): bigint {
  return sumOf(movements);
}

function sumOf(movements: KnownMoney['movements']): bigint {
  return movements.reduce(
    (sum, { direction, amount }) => (direction === 'in' ? sum + amount : sum - amount),
    0n,
  );
}

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
