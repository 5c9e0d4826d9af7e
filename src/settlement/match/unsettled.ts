import type { KnownMoney, KnownMovement, Money } from './known-money.js';
import type { Matched } from './match-rows.js';
import { undoneOf } from './undone.js';

/** What a movement must be for its absence from all reports to mean something. */
export interface Expectation {
  /** Movements before this time were compared by a version before 0.3.0, which has not kept what reports said of them. */
  readonly from: number;
  /** Movements before this time are old enough, and a report came that is newer than they are. */
  readonly before: number;
  /** Whether reports have been seen to carry such movements. */
  readonly carries: (movement: Pick<KnownMovement, 'kind'>, payment: KnownMoney['payment']) => boolean;
}

/** A movement that no report has settled. */
export interface Unsettled {
  readonly movement: KnownMovement;
  readonly expected: Money;
}

/**
 * The movements that a report should have settled by now. `expectation`: undefined where none is looked for anew. `told`: the movements of which it was
 * found before that no report has them, which is so until one comes. One that a difference names already is none, nor are two that undo each other of
 * which no report has any. Corrections are settled with their payment. Pure.
 */
export function unsettledOf(
  { payment, movements }: KnownMoney,
  { matches, findings }: Matched,
  expectation: Expectation | undefined,
  told: ReadonlySet<string> = new Set(),
): Unsettled[] {
  const known = new Set([...matches, ...findings].map(({ movementId }) => movementId));
  const absent = movements.filter(({ id }) => !known.has(id));
  if (absent.length === 0) return [];
  const corrected = movements.reduce(
    (sum, { kind, direction, amount }) =>
      kind !== 'correction' ? sum : direction === 'in' ? sum + amount : sum - amount,
    0n,
  );
  const sizeOf = ({ kind, amount }: KnownMovement): bigint =>
    kind === 'payment' ? amount + corrected : amount;
  const undone = undoneOf(absent, sizeOf);
  return absent.flatMap((movement) => {
    const amount = sizeOf(movement);
    if (movement.kind === 'correction' || amount === 0n || undone.has(movement)) return [];
    if (!told.has(movement.id) && !isExpected(movement, payment, expectation)) return [];
    return [{ movement, expected: { amount, currency: payment.currency } }];
  });
}

function isExpected(
  movement: KnownMovement,
  payment: KnownMoney['payment'],
  expectation: Expectation | undefined,
): boolean {
  if (!expectation) return false;
  const { from, before, carries } = expectation;
  return movement.at >= from && movement.at < before && carries(movement, payment);
}
