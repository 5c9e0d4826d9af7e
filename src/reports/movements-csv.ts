import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { TimeZone } from '../calendar/time-zone.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { formatMajor, formatSigned } from '../money/money.js';
import type { TimeRange } from '../payments/api/payment-filter.js';
import type { MovementRecord } from '../store/schema.js';
import { Store } from '../store/store.js';
import { csvOf, harmless, type CsvOptions } from '../http/tables/csv.js';
import { MovementList, type ListedMovement } from './movement-list.js';
import { MovementsRepository, type MovementPlace } from './movements.repository.js';
import { signedAmount } from './movement-totals.js';

/** So many are read at once: few on the embedded store, which serves nobody else meanwhile. Between two readings nothing of the store is held. */
const AT_ONCE = { embedded: 200, postgres: 1_000 } as const;
/**
 * So many names of metadata get a column, the first in their order. A shop has few; where each payment has one of its own, they are no table:
 * what stands under the others is in one more column.
 */
const MOST_NAMES = 200;
/** So many are remembered before the last ones in their order are dropped. */
const MOST_REMEMBERED = 10 * MOST_NAMES;
const OTHERS = 'meta.*';

type Metadata = ReadonlyMap<string, string>;

/** The names of metadata that have columns, and whether there are more. */
interface Names {
  readonly columns: readonly string[];
  readonly hasOthers: boolean;
}

/** The columns in their order; those of the metadata follow. */
const COLUMNS = {
  id: ({ movement }) => movement.id,
  date: ({ movement }, zone) => zone.localTime(movement.at).slice(0, 10),
  time: ({ movement }, zone) => zone.localTime(movement.at).slice(11, 19),
  kind: ({ movement }) => movement.kind,
  amount: ({ movement }) => formatSigned(signedAmount(movement), movement.currency),
  currency: ({ movement }) => movement.currency,
  reference: ({ movement }) => harmless(movement.reference),
  gatewayReference: ({ movement }) => harmless(movement.gatewayReference),
  transaction: ({ movement }) => harmless(movement.transactionRef ?? ''),
  method: ({ movement }) => movement.method,
  refund: ({ movement }) => movement.refundId ?? '',
  reason: ({ reason }) => harmless(reason ?? ''),
  actor: ({ movement }) => harmless(movement.actor),
  source: ({ movement }) => movement.source,
  settledAt: ({ settled }) => (settled?.at === null || !settled ? '' : new Date(settled.at).toISOString()),
  fee: ({ movement, settled }) => minor(settled?.fee, movement),
  net: ({ movement, settled }) => minor(settled?.net, movement),
} satisfies Record<string, (one: ListedMovement, zone: TimeZone) => string>;

function minor(amount: bigint | null | undefined, { currency }: MovementRecord): string {
  return amount === null || amount === undefined ? '' : formatMajor(amount, currency);
}

/** The ledger as a table for spreadsheets and accounting programs (RFC 4180). */
@Injectable()
export class MovementsCsv {
  private readonly zone: TimeZone;

  constructor(
    private readonly store: Store,
    private readonly movements: MovementsRepository,
    private readonly list: MovementList,
    @Inject(CONFIG) config: Pick<Config, 'booksTimeZone'>,
  ) {
    this.zone = config.booksTimeZone;
  }

  /**
   * The movements of a range of time, the oldest first. Reads all of them before, for the names of their metadata, and throws
   * `store-unavailable` before anything is sent.
   */
  async stream(range: TimeRange, options: CsvOptions): Promise<Readable> {
    const names = await this.names(range);
    const header = [
      ...Object.keys(COLUMNS),
      ...names.columns.map((name) => `meta.${name}`),
      ...(names.hasOthers ? [OTHERS] : []),
    ];
    return csvOf(header, this.rows(range, names), options);
  }

  private async *rows(range: TimeRange, { columns, hasOthers }: Names): AsyncGenerator<string[]> {
    const named = new Set(columns);
    for await (const movements of this.each(range)) {
      const metadata = await this.metadataOf(movements);
      for (const one of await this.list.complete(movements)) {
        const own = metadata.get(one.movement.paymentId);
        yield [
          ...Object.values(COLUMNS).map((cell) => cell(one, this.zone)),
          ...columns.map((name) => harmless(own?.get(name) ?? '')),
          ...(hasOthers ? [othersOf(own, named)] : []),
        ];
      }
    }
  }

  private async names(range: TimeRange): Promise<Names> {
    let names = new Set<string>();
    let hasOthers = false;
    const first = (): string[] => [...names].sort().slice(0, MOST_NAMES);
    for await (const movements of this.each(range)) {
      for (const metadata of (await this.metadataOf(movements)).values())
        for (const name of metadata.keys()) names.add(name);
      hasOthers ||= names.size > MOST_NAMES;
      if (names.size > MOST_REMEMBERED) names = new Set(first());
    }
    return { columns: first(), hasOthers };
  }

  private async *each(range: TimeRange): AsyncGenerator<MovementRecord[]> {
    const limit = AT_ONCE[this.store.kind];
    for (let after: MovementPlace | undefined; ;) {
      const movements = await this.movements.list(range, limit, after);
      if (movements.length > 0) yield movements;
      if (movements.length < limit) return;
      after = movements.at(-1);
      // Payers go first.
      await nextTurn();
    }
  }

  private async metadataOf(movements: readonly MovementRecord[]): Promise<Map<string, Metadata>> {
    const ids = [...new Set(movements.map(({ paymentId }) => paymentId))];
    if (ids.length === 0) return new Map();
    const { rows } = await sql<{ id: string; metadata: string }>`
      select id, metadata from payments where id in (${sql.join(ids)})`.execute(this.store.db);
    return new Map(
      rows.map(({ id, metadata }) => [
        id,
        new Map(Object.entries(JSON.parse(metadata) as Record<string, string>)),
      ]),
    );
  }
}

/** What stands under names that have no column, as JSON; empty where nothing does. */
function othersOf(own: Metadata | undefined, named: ReadonlySet<string>): string {
  const others = [...(own ?? [])].filter(([name]) => !named.has(name));
  return others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others));
}
