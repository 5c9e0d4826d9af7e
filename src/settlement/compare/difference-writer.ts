import type { SettlementDifferenceRecord } from '../../store/schema.js';
import { noneOf, type DifferenceKind } from '../difference.js';
import type { SettlementsRepository } from '../store/settlements.repository.js';

/** How many differences are written with one statement. */
const AT_ONCE = 250;

export type FoundDifference = Pick<SettlementDifferenceRecord, 'line' | 'reference'> & {
  kind: DifferenceKind;
} & Partial<Omit<SettlementDifferenceRecord, 'settlementId' | 'number' | 'kind'>>;

/** Counts the differences of a comparison, and writes them down in pieces. */
export class DifferenceWriter {
  readonly counts: Record<string, number>;
  #waiting: SettlementDifferenceRecord[] = [];
  #number: number;

  constructor(
    private readonly repository: Pick<SettlementsRepository, 'addDifferences'>,
    private readonly settlementId: string,
    kinds: readonly DifferenceKind[],
    /** The number of the last difference that was there before. */
    after: number,
    /** Called before the first one is written. */
    private readonly begin: () => Promise<void> = () => Promise.resolve(),
  ) {
    this.counts = noneOf(kinds);
    this.#number = after;
  }

  /** The number of the last difference. */
  get last(): number {
    return this.#number;
  }

  async add(found: FoundDifference): Promise<void> {
    this.#number += 1;
    this.counts[found.kind] = (this.counts[found.kind] ?? 0) + 1;
    this.#waiting.push({
      settlementId: this.settlementId,
      number: this.#number,
      paymentId: null,
      amount: null,
      decimals: null,
      currency: null,
      transactionRef: null,
      settledAt: null,
      claimed: null,
      state: null,
      dueAt: null,
      actor: null,
      ...found,
    });
    if (this.#waiting.length >= AT_ONCE) await this.flush();
  }

  /** Writes what waits. */
  async flush(): Promise<void> {
    const differences = this.#waiting;
    this.#waiting = [];
    await this.begin();
    await this.repository.addDifferences(differences);
  }
}
