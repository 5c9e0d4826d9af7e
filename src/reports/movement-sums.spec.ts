import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sql } from 'kysely';
import { openStore } from '../../test/harness/event-store.js';
import { paymentIn, referenceOf } from '../../test/harness/records.js';
import { createTestStore, stores, type TestStore } from '../../test/harness/test-store.js';
import { TimeZone } from '../calendar/time-zone.js';
import { newId } from '../store/ids.js';
import {
  type MovementRecord,
  type SettlementMatchRecord,
  settlementMatches,
  type Tables,
} from '../store/schema.js';
import { encodeRow } from '../store/table.js';
import type { Store } from '../store/store.js';
import { MovementSumsRepository } from './movement-sums.repository.js';
import { MovementTotals, NAME_OF, sumMovements, type MovementTotal } from './movement-totals.js';
import { MovementsRepository } from './movements.repository.js';
import { SUMMARY_KEYS } from './totals.repository.js';
import { SettledSums } from './settled-sums.js';
import { WrittenMovements } from './written-movements.js';

const DAY = 24 * 3_600_000;
/** Around an end of a month, and a day of which the clocks have 25 hours. */
const BEGINNING = Date.UTC(2018, 0, 30, 9);
const ZONES = ['America/Sao_Paulo', 'Africa/Lagos', 'Pacific/Kiritimati'];

const KINDS = [
  ...(['payment', 'payment', 'payment', 'correction', 'refund'] as const),
  ...(['refund_reversal', 'void', 'chargeback', 'chargeback_reversal'] as const),
];
const IN = ['payment', 'refund_reversal', 'chargeback_reversal'];

const moment = fc.integer({ min: 0, max: 24 * 25 * 4 }).map((n) => BEGINNING + n * (DAY / 96));
const drawn = fc.record({
  kind: fc.constantFrom(...KINDS),
  inward: fc.boolean(),
  // No sum of many of the largest may lose a digit.
  amount: fc.constantFrom(1n, 150_000n, 99_999_999_999_999_999n),
  currency: fc.constantFrom('NGN', 'JPY', 'KWD'),
  method: fc.constantFrom('card' as const, 'wallet' as const),
  at: moment,
  later: fc.constantFrom(0, 0, 40 * DAY),
});
const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ write: fc.array(drawn, { minLength: 1, maxLength: 4 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      settle: fc.nat(40),
      whole: fc.boolean(),
      report: fc.nat(2),
    }),
  },
  // A row that was matched otherwise since.
  { weight: 3, arbitrary: fc.record({ change: fc.nat(40), to: fc.constantFrom('gone', 'whole', 'part') }) },
  { weight: 2, arbitrary: fc.record({ finish: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.constant({ step: true as const }) },
  { weight: 3, arbitrary: fc.record({ place: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ zone: fc.nat(2) }) },
);

describe.each(stores)('the sums of the ledger on the %s store', (kind) => {
  let place: TestStore;
  let store: Store;

  beforeAll(async () => {
    place = await createTestStore(kind);
    store = await openStore(place);
  });
  afterAll(async () => {
    await store.close();
    await place.dispose();
  });

  /** What was written, to be counted again. */
  class World {
    readonly movements: MovementRecord[] = [];
    readonly matches: SettlementMatchRecord[] = [];
    readonly finished = new Set<string>();
    zone = TimeZone.of(ZONES[0] ?? '');
    private lines = 0;

    get sums(): MovementSumsRepository {
      const parts = [
        new MovementsRepository(store),
        new WrittenMovements(store),
        new SettledSums(store),
      ] as const;
      return new MovementSumsRepository(store, ...parts, { booksTimeZone: this.zone });
    }

    async clear(): Promise<void> {
      for (const table of ['movements', 'settlement_matches', 'settlements', 'movement_sums'])
        await sql`delete from ${sql.table(table)}`.execute(store.db);
      await sql`delete from meta where name = 'summed_movements'`.execute(store.db);
    }

    async write(all: readonly (typeof drawn extends fc.Arbitrary<infer T> ? T : never)[]): Promise<void> {
      const payment = paymentIn('succeeded', { id: newId('pay'), reference: newId('pay').slice(4, 30) });
      const movements = all.map(
        ({ kind: of, inward, amount, currency, method, at, later }): MovementRecord => ({
          id: newId('mov'),
          paymentId: payment.id,
          kind: of,
          direction: IN.includes(of) || (of === 'correction' && inward) ? 'in' : 'out',
          ...{ amount, currency, method, at },
          recordedAt: at + later,
          reference: payment.reference,
          gatewayReference: `${payment.reference}_1`,
          ...{
            transactionRef: null,
            refundId: null,
            textId: null,
            actor: 'gateway',
            source: 'gateway',
            batch: null,
          },
        }),
      );
      const wanted = { reference: payment.reference, createReference: true };
      await store.writer.write(wanted, () => ({
        changes: { reference: referenceOf(payment), movements },
        result: undefined,
      }));
      this.movements.push(...movements);
    }

    async settle(which: number, whole: boolean, report: number): Promise<void> {
      const movement = this.movements[which % Math.max(this.movements.length, 1)];
      if (!movement) return;
      const settlementId = `stl_${report}`;
      await this.report(settlementId);
      this.lines += 1;
      const gross = whole ? movement.amount : (movement.amount + 1n) / 2n;
      const match = { settlementId, line: this.lines, movementId: movement.id, gross };
      const row = { ...match, fee: null, net: null, at: null, summed: 0n };
      await store.db
        .insertInto('settlement_matches')
        .values(encodeRow(settlementMatches, row) as Tables['settlement_matches'])
        .execute();
      this.matches.push(row);
    }

    async change(which: number, to: string): Promise<void> {
      const at = which % Math.max(this.matches.length, 1);
      const match = this.matches[at];
      const movement = this.movements.find(({ id }) => id === match?.movementId);
      if (!match || !movement) return;
      // As `settlement/store/matches.repository.ts` writes it.
      const { settlementId, line, movementId } = match;
      const isIt = sql`settlement_id = ${settlementId} and line = ${line} and movement_id = ${movementId}`;
      const gross = to === 'gone' ? 0n : to === 'whole' ? movement.amount : (movement.amount + 1n) / 2n;
      if (to === 'gone')
        await sql`delete from settlement_matches where ${isIt} and summed = '0'`.execute(store.db);
      await sql`update settlement_matches set gross = ${String(gross)} where ${isIt}`.execute(store.db);
      this.matches[at] = { ...match, gross };
    }

    /** Gives commits their places, as the sequencer does. */
    async place(most: number): Promise<void> {
      if (kind === 'embedded') return;
      await sql`
        update event_batches set position = numbered.position from (
          select id, (select coalesce(max(position), 0) from event_batches) + row_number() over (order by id) as position
          from event_batches where position is null order by id limit ${most}) as numbered
        where numbered.id = event_batches.id`.execute(store.db);
    }

    async finish(report: number): Promise<void> {
      await this.report(`stl_${report}`);
      await sql`update settlements set finished_at = 1 where id = ${`stl_${report}`}`.execute(store.db);
      this.finished.add(`stl_${report}`);
    }

    private async report(id: string): Promise<void> {
      await sql`insert into settlements (id, digest, received_at, actor, row_count, counts)
        values (${id}, ${id}, 1, 'merchant', 0, '{}') on conflict do nothing`.execute(store.db);
    }

    recount(from?: number, to?: number): MovementTotal[] {
      const totals = new MovementTotals(this.zone);
      for (const movement of this.movements) {
        if ((from !== undefined && movement.at < from) || (to !== undefined && movement.at >= to)) continue;
        const gross = this.matches
          .filter(
            ({ movementId, settlementId }) => movementId === movement.id && this.finished.has(settlementId),
          )
          .reduce((sum, one) => sum + one.gross, 0n);
        totals.add(movement, { settled: gross >= movement.amount });
      }
      return totals.all;
    }
  }

  /** Both put together in each way. */
  async function expectSame(world: World, from?: number, to?: number): Promise<void> {
    for (const by of SUMMARY_KEYS) {
      const named = world.recount(from, to).map((total) => ({ ...total, name: NAME_OF[by](total) }));
      expect(sumMovements(await world.sums.of({ from, to }, by))).toEqual(sumMovements(named));
    }
  }

  test('are those of a recount, whatever was summed before, and between whatever moments', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { minLength: 3, maxLength: 25, size: 'max' }),
        fc.option(moment, { nil: undefined }),
        fc.option(moment, { nil: undefined }),
        async (actions, from, to) => {
          const world = new World();
          await world.clear();
          for (const one of actions) {
            if ('write' in one) await world.write(one.write);
            if ('settle' in one) await world.settle(one.settle, one.whole, one.report);
            if ('change' in one) await world.change(one.change, one.to);
            if ('finish' in one) await world.finish(one.finish);
            if ('step' in one) {
              if ((await world.sums.kept()) !== 'ours') await world.sums.rebuild(() => false);
              await world.sums.step();
            }
            if ('place' in one) await world.place(one.place);
            if ('zone' in one) world.zone = TimeZone.of(ZONES[one.zone] ?? '');
            await expectSame(world, from, to);
          }
          if ((await world.sums.kept()) !== 'ours') await world.sums.rebuild(() => false);
          while (await world.sums.step());
          await expectSame(world);
          const open = new Set(
            world.recount().flatMap(({ day, count, settledCount }) => (count > settledCount ? [day] : [])),
          );
          expect(await world.sums.daysWith(false, {})).toEqual([...open].sort((a, b) => a - b));
        },
      ),
      { numRuns: kind === 'embedded' ? 60 : 25 },
    );
  }, 240_000);

  test('are written by one process at a time', async () => {
    const world = new World();
    await world.clear();
    await world.sums.rebuild(() => false);
    await world.write(Array.from({ length: 4 }, () => fc.sample(drawn, 1)[0] as never));
    await Promise.all([world.sums.step(), world.sums.step(), world.sums.step()]);
    while (await world.sums.step());
    await expectSame(world);
    const rebuilt = world.sums.rebuild(() => false);
    for (let n = 0; n < 5; n += 1) await world.write([fc.sample(drawn, 1)[0] as never]);
    expect(await rebuilt).toBe(true);
    await expectSame(world);
  });
});
