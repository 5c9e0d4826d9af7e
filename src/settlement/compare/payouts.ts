import { Injectable } from '@nestjs/common';
import { Store } from '../../store/store.js';
import { CountedTexts } from '../match/counted-texts.js';
import { PayoutSums, unnamedSubject } from '../match/payouts.js';
import { reconcile, type FoundDifference } from '../match/reconcile.js';
import { DifferencesRepository } from '../store/differences.repository.js';
import { SettlementRowsRepository } from '../store/settlement-rows.repository.js';

const PAGE = 1_000;
const nothing = (): undefined => undefined;

/** Holds payouts against the rows that they are said to be the sum of. Use it within the `MatchingTurn`. */
@Injectable()
export class Payouts {
  constructor(
    private readonly store: Store,
    private readonly rows: SettlementRowsRepository,
    private readonly differences: DifferencesRepository,
  ) {}

  /** Checks the payouts of a name, by all reports. */
  async check(name: string): Promise<void> {
    const sums = new PayoutSums();
    const seen = new CountedTexts();
    for (let after = { rowsId: '', line: -1 }; ;) {
      const page = await this.rows.ofPayout(name, after, PAGE);
      for (const part of page) if (seen.add(`${part.identity} ${part.nth}`) === 1) sums.add(part);
      const last = page.at(-1);
      if (!last || page.length < PAGE) break;
      after = last;
    }
    const stored = await this.differences.ofPayout(name);
    await this.write(stored, sums.differences(name));
  }

  /** Checks those of a report that have no name. */
  async checkUnnamed(sums: PayoutSums): Promise<void> {
    for (const { row, difference } of sums.unnamed()) {
      const stored = await this.differences.bySubject(unnamedSubject(row));
      await this.write(stored ? [stored] : [], difference ? [difference] : []);
    }
  }

  private async write(
    stored: Parameters<typeof reconcile>[0],
    found: readonly FoundDifference[],
  ): Promise<void> {
    await this.differences.apply(reconcile(stored, found), this.store.clock.now(), nothing);
  }
}
