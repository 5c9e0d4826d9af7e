import type { REPORT_DIFFERENCES } from '../difference.js';
import type { FileAmount } from '../files/file-amount.js';
import type { RowAmounts } from '../files/report-row.js';
import type { KeptRow } from './kept-row.js';
import type { KnownMovement, Money } from './known-money.js';

/** What the rows of a payment can say otherwise than the ledger. */
export type RowDifference = Exclude<(typeof REPORT_DIFFERENCES)[number], 'fee_differs' | 'payout_differs'>;

/** A row, or a part of one, that settles a movement, or a part of one. */
export interface Match {
  readonly row: KeptRow;
  readonly movementId: string;
  /** Minor units, above zero. The matches of a movement come to its amount. */
  readonly gross: bigint;
  /** Of the whole row; null in the further parts of one. */
  readonly fee: bigint | null;
  readonly net: bigint | null;
}

/** An amount as a file says it, or minor units of a known currency. */
export interface Found extends FileAmount {
  /** Null where neither the report nor a payment names one. */
  readonly currency: string | null;
}

/** Something that a row says otherwise than the ledger. */
export interface Finding {
  readonly kind: RowDifference;
  readonly row: KeptRow;
  /** The movement that it is about, where that is known. */
  readonly movementId: string | null;
  /** What the ledger has; null: nothing. */
  readonly expected: Money | null;
  readonly found: Found;
  /** Of one that is settled twice: the row that has settled it first. */
  readonly first: KeptRow | null;
}

/** A row in the currency of its payment. */
export interface SizedRow extends RowAmounts {
  readonly row: KeptRow;
}

/** Collects what was matched and what was found, for the rows of one payment. */
export class Matching {
  readonly matches: Match[] = [];
  readonly findings: Finding[] = [];
  /** Rows that undo each other, of which nothing is here. */
  readonly canceled: KeptRow[] = [];
  /** Movements that rows settle. */
  readonly #settled = new Set<string>();
  /** Movements that a difference names: they are no other row's. */
  readonly #named = new Set<string>();

  /**
   * @param currency of the payment; null where it is unknown
   * @param undone movements that others have undone, each with that other
   */
  constructor(
    readonly currency: string | null,
    private readonly undone: ReadonlyMap<KnownMovement, KnownMovement>,
  ) {}

  /** Whether no row settles it and no difference is about it. */
  isFree({ id }: KnownMovement): boolean {
    return !this.#settled.has(id) && !this.#named.has(id);
  }

  /** Whether another movement has undone it that no report has: then no report may have either. */
  isUndone(movement: KnownMovement): boolean {
    const by = this.undone.get(movement);
    return by !== undefined && this.isFree(by);
  }

  /** One row that settles one movement. */
  match(row: SizedRow, movement: KnownMovement): void {
    this.allocate([row], [movement]);
  }

  /**
   * Rows that come to what some movements come to. Those of the other direction (what a person took back of an amount) are settled with
   * the last row.
   */
  allocate(rows: readonly SizedRow[], movements: readonly KnownMovement[]): void {
    const [{ direction } = { direction: 'in' }] = movements;
    const back = movements.filter((one) => one.direction !== direction);
    const last = rows.length - 1;
    const surplus = back.reduce((sum, { amount }) => sum + amount, 0n);
    const sizes = rows.map(({ gross }, index) => gross + (index === last ? surplus : 0n));
    const counted = new Set<number>();
    let index = 0;
    for (const movement of movements) {
      if (movement.direction !== direction) continue;
      for (let open = movement.amount; open > 0n && index <= last;) {
        const left = sizes[index] ?? 0n;
        const gross = left < open ? left : open;
        this.#settle(rows[index], movement, gross, !counted.has(index));
        counted.add(index);
        open -= gross;
        sizes[index] = left - gross;
        if (left === gross) index += 1;
      }
    }
    for (const movement of back) this.#settle(rows[last], movement, movement.amount, false);
  }

  /** A row that differs. `sum`: what it comes to together with others. */
  find(
    kind: Finding['kind'],
    row: KeptRow,
    about: { movement?: KnownMovement; expected?: bigint; sum?: bigint; first?: KeptRow } = {},
  ): void {
    const { movement, expected, sum, first } = about;
    const { currency } = this;
    if (movement) this.#named.add(movement.id);
    const { digits, decimals } = sum === undefined ? row.amount : { digits: sum, decimals: null };
    this.findings.push({
      kind,
      row,
      movementId: movement?.id ?? null,
      expected: expected === undefined || currency === null ? null : { amount: expected, currency },
      found: { digits, decimals, currency: row.currency ?? currency },
      first: first ?? this.#settledBy(movement) ?? null,
    });
  }

  /** Takes two findings away, of which one undoes the other. */
  cancel(...findings: readonly [Finding, Finding]): void {
    for (const one of findings) {
      this.findings.splice(this.findings.indexOf(one), 1);
      this.canceled.push(one.row);
    }
  }

  /** The last row that settles a movement. */
  #settledBy(movement: KnownMovement | undefined): KeptRow | undefined {
    return movement && this.matches.findLast(({ movementId }) => movementId === movement.id)?.row;
  }

  #settle(one: SizedRow | undefined, movement: KnownMovement, gross: bigint, isFirst: boolean): void {
    if (!one) return;
    const { row, fee, net } = one;
    this.#settled.add(movement.id);
    this.matches.push({
      row,
      movementId: movement.id,
      gross,
      fee: isFirst ? fee : null,
      net: isFirst ? net : null,
    });
  }
}

/** So many different sums are tried. Real payments are settled in a few parts. */
const MOST_SUMS = 4_096;

/**
 * The rows that together come to a sum: of several such sets the one whose last row comes first. Undefined where none does. Depends on the
 * order of the rows alone. Pure.
 */
export function partsOf<T extends { readonly gross: bigint }>(
  rows: readonly T[],
  sum: bigint,
): readonly T[] | undefined {
  const made = new Map<bigint, readonly T[]>([[0n, []]]);
  for (const row of rows) {
    for (const [before, parts] of [...made]) {
      const next = before + row.gross;
      if (next === sum) return [...parts, row];
      if (next < sum && !made.has(next) && made.size < MOST_SUMS) made.set(next, [...parts, row]);
    }
  }
  return undefined;
}
