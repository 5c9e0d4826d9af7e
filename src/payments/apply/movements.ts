import type { PaymentRecord } from '../../store/schema.js';

/** Money that a payment brought or took away again. */
export interface Movement {
  /**
   * `correction`: a person has said that another amount arrived. `refund_returned`: what was given back came back.
   */
  kind: 'charge' | 'correction' | 'refund' | 'refund_returned' | 'chargeback' | 'dispute_won' | 'void';
  /** Minor units, above zero. */
  amount: bigint;
  /** `in`: to the merchant. */
  direction: 'in' | 'out';
}

type Kinds = Readonly<Record<'in' | 'out', Movement['kind']>>;

/**
 * How money moved by a write, so that what was taken, given back and charged back of a payment are always the sums of its movements. A
 * void takes back all that is left. Pure.
 */
export function movementsOf(before: PaymentRecord, after: PaymentRecord): Movement[] {
  const isNew = before.amountCaptured === null;
  const voided = before.status === 'succeeded' && after.status === 'voided';
  return [
    moved(taken(after) - taken(before), { in: isNew ? 'charge' : 'correction', out: 'correction' }),
    moved(givenBack(before) - givenBack(after), { in: 'refund_returned', out: 'refund' }),
    moved(chargedBack(before) - chargedBack(after), { in: 'dispute_won', out: 'chargeback' }),
    voided && left(after) > 0n && ({ kind: 'void', amount: left(after), direction: 'out' } as const),
  ].filter((movement) => movement !== undefined && movement !== false);
}

/** `sum`: minor units, above zero where the merchant has more than before. */
function moved(sum: bigint, kinds: Kinds): Movement | undefined {
  if (sum === 0n) return undefined;
  const direction = sum > 0n ? 'in' : 'out';
  return { kind: kinds[direction], amount: sum > 0n ? sum : -sum, direction };
}

function taken({ amountCaptured }: PaymentRecord): bigint {
  return amountCaptured ?? 0n;
}

function givenBack({ amountRefunded }: PaymentRecord): bigint {
  return amountRefunded ?? 0n;
}

function chargedBack({ disputed, amountDisputed }: PaymentRecord): bigint {
  return disputed ? (amountDisputed ?? 0n) : 0n;
}

/** What the merchant still has of a payment. */
function left(payment: PaymentRecord): bigint {
  return taken(payment) - givenBack(payment) - chargedBack(payment);
}
