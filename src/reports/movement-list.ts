import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { TimeZone } from '../calendar/time-zone.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import type { TimeRange } from '../payments/api/payment-filter.js';
import type { MovementRecord } from '../store/schema.js';
import { WrittenTexts } from '../store/written-texts.js';
import { MovementSumsRepository } from './movement-sums.repository.js';
import {
  MovementsRepository,
  type MovementFilter,
  type MovementPlace,
  type Settled,
} from './movements.repository.js';

/** Movements of which it is not known whether they are settled are looked at so many at a time. */
const AT_ONCE = 500;

/** A movement with what belongs to it. */
export interface ListedMovement {
  movement: MovementRecord;
  /** What a person wrote about it; null: nothing. */
  reason: string | null;
  /** Null until it is settled in whole. */
  settled: Settled | null;
}

/** Reads movements with what was written about them, and what has settled them. */
@Injectable()
export class MovementList {
  private readonly zone: TimeZone;

  constructor(
    private readonly movements: MovementsRepository,
    private readonly sums: MovementSumsRepository,
    private readonly texts: WrittenTexts,
    @Inject(CONFIG) config: Pick<Config, 'booksTimeZone'>,
  ) {
    this.zone = config.booksTimeZone;
  }

  /** At most `limit` movements after a place, by when money moved, the oldest first. */
  async page(
    { settled, ...filter }: MovementFilter & { settled?: boolean | undefined },
    limit: number,
    after?: MovementPlace,
  ): Promise<ListedMovement[]> {
    if (settled === undefined) return this.complete(await this.movements.list(filter, limit, after));
    const found: MovementRecord[] = [];
    for (const range of await this.rangesWith(settled, filter, after)) {
      for (let place = after; ;) {
        const rows = await this.movements.list({ ...filter, ...range }, AT_ONCE, place);
        const whole = await this.movements.settledOf(rows);
        found.push(...rows.filter(({ id }) => whole.has(id) === settled));
        if (found.length >= limit) return this.complete(found.slice(0, limit));
        place = rows.at(-1);
        if (rows.length < AT_ONCE) break;
        // Payers go first.
        await nextTurn();
      }
    }
    return this.complete(found);
  }

  /** With their texts and what has settled them. */
  async complete(movements: readonly MovementRecord[]): Promise<ListedMovement[]> {
    const settled = await this.movements.settledOf(movements);
    const texts = await this.texts.read(movements.flatMap(({ textId }) => textId ?? []));
    return movements.map((movement) => ({
      movement,
      reason: movement.textId === null ? null : (texts.get(movement.textId) ?? null),
      settled: settled.get(movement.id) ?? null,
    }));
  }

  /** When anything lies that is settled or not, by the kept sums: the rest need not be looked at. */
  private async rangesWith(
    settled: boolean,
    { from, to, currency, paymentId, reference }: MovementFilter,
    after?: MovementPlace,
  ): Promise<TimeRange[]> {
    const begins = after && (from === undefined || after.at > from) ? after.at : from;
    const whole = [{ from: begins, to }];
    if (paymentId !== undefined || reference !== undefined) return whole;
    const days = await this.sums.daysWith(settled, { from: begins, to, currency });
    if (!days) return whole;
    const ranges: { from: number; to: number }[] = [];
    for (const day of days) {
      const [start, end] = [this.zone.startOf(day), this.zone.startOf(day + 1)];
      const last = ranges.at(-1);
      if (last?.to === start) last.to = end;
      else ranges.push({ from: start, to: end });
    }
    return ranges.map((range) => ({
      from: Math.max(range.from, begins ?? -Infinity),
      to: Math.min(range.to, to ?? Infinity),
    }));
  }
}
