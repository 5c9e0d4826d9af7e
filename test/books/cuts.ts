import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { BookRow } from './stories.js';

/** How the gateway's rows come: in some files each, of which one repeats what another has, in any order and some twice. */
export interface Cut {
  readonly filesOf: readonly number[];
  readonly order: readonly number[];
  readonly uploads: readonly number[];
}

const FILES = 4;
export const cut: fc.Arbitrary<Cut> = fc.record({
  filesOf: fc.array(fc.integer({ min: 1, max: 2 ** FILES - 1 }), { minLength: 1, maxLength: 60 }),
  order: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 60 }),
  // Each file once, in any order, and some again.
  uploads: fc
    .tuple(
      fc.shuffledSubarray([0, 1, 2, 3], { minLength: FILES, maxLength: FILES }),
      fc.array(fc.nat(FILES - 1), { maxLength: 3 }),
    )
    .map(([all, again]) => [...all, ...again]),
});

/** Equal for rows that say the same. */
export function sayingOf({ reference, type, transactionRef, amount, currency, settledAt }: BookRow): string {
  const said = [reference, type, transactionRef, amount, currency, settledAt];
  return createHash('sha256').update(said.join(' ')).digest('hex').slice(0, 32);
}

/** The rows of each upload. Rows that are equal stay together: whether a file has two of them is what tells two from one. */
export function uploadsOf(rows: readonly BookRow[], { filesOf, order, uploads }: Cut): BookRow[][] {
  const groups = [...Map.groupBy(rows, sayingOf).values()];
  const files = Array.from({ length: FILES }, (_, file) =>
    groups
      .filter((_group, index) => (((filesOf[index % filesOf.length] ?? 1) >> file) & 1) === 1)
      .flat()
      .map((row, index) => ({ row, place: order[(index + file) % order.length] ?? 0 }))
      .sort((one, other) => one.place - other.place)
      .map(({ row }) => row),
  );
  return uploads.map((file) => files[file] ?? []);
}
