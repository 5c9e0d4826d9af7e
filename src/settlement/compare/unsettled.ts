import { Injectable } from '@nestjs/common';
import { readMeta, writeMeta } from '../../store/meta.js';
import { Store } from '../../store/store.js';
import { KnownMoneyRepository, type MovedPlace } from '../store/known-money.repository.js';
import { MatchesRepository } from '../store/matches.repository.js';
import { Matcher } from './matcher.js';
import { MatchingTurn } from './matching-turn.js';
import type { Pace } from './comparison-slot.js';

const PAGE = 400;
/** Where the last look has ended, by currency, and what reports were seen to carry then. */
const PLACES = 'settlement-unsettled';

interface Looked {
  carried: string;
  places: Record<string, MovedPlace>;
}

/**
 * Looks for movements that no report has settled though one should have: each once, when it is old enough. One that is written
 * later than it happened is looked at when it is written.
 */
@Injectable()
export class Unsettled {
  constructor(
    private readonly store: Store,
    private readonly money: KnownMoneyRepository,
    private readonly matches: MatchesRepository,
    private readonly matcher: Matcher,
    private readonly turn: MatchingTurn,
  ) {}

  /** Goes on from where the last look has ended, for a while. Says whether all was looked at. */
  async look(pace: Pick<Pace, 'pause'>, milliseconds: number): Promise<boolean> {
    const until = performance.now() + milliseconds;
    const expectation = await this.matcher.expectation();
    if (!expectation) return true;
    const { kinds, currencies, methods } = await this.matches.carried();
    const { from } = expectation;
    const carried = [kinds, currencies, methods, [from]].map((set) => [...set].sort().join(',')).join(' ');
    const looked = await this.read();
    // Once reports carry more, what was passed over may be missing.
    const places = looked.carried === carried ? looked.places : {};
    for (const currency of currencies) {
      for (let place = places[currency] ?? { at: from, id: '' }; ;) {
        const bounds = { before: expectation.before, limit: PAGE };
        const page = await this.money.movedFrom(currency, place, bounds);
        const last = page.at(-1);
        if (!last) break;
        const settled = new Set(
          (await this.matches.ofMovements(page.map(({ id }) => id))).map(({ movementId }) => movementId),
        );
        const open = page.flatMap(({ id, reference }) => (settled.has(id) ? [] : [reference]));
        if (open.length > 0) await this.turn.use(() => this.matcher.match([...new Set(open)]));
        place = { at: last.at, id: last.id };
        places[currency] = place;
        await writeMeta(this.store, PLACES, JSON.stringify({ carried, places } satisfies Looked));
        await pace.pause();
        if (page.length < PAGE) break;
        if (performance.now() > until) return false;
      }
    }
    return true;
  }

  private async read(): Promise<Looked> {
    const text = await readMeta(this.store, PLACES);
    return text === undefined ? { carried: '', places: {} } : (JSON.parse(text) as Looked);
  }
}
