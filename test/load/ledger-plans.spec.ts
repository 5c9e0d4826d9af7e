import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql, type CompiledQuery } from 'kysely';
import { AllRefundsRepository } from '../../src/reports/all-refunds.repository.js';
import { MovementsRepository, type MovementFilter } from '../../src/reports/movements.repository.js';
import { MovementSumsRepository } from '../../src/reports/movement-sums.repository.js';
import { SettledSums } from '../../src/reports/settled-sums.js';
import { WrittenMovements } from '../../src/reports/written-movements.js';
import { TimeZone } from '../../src/calendar/time-zone.js';
import type { Store } from '../../src/store/store.js';
import { WrittenTexts } from '../../src/store/written-texts.js';
import { openStore } from '../harness/event-store.js';
import { paymentIn, referenceOf } from '../harness/records.js';
import { createTestStore, stores, type TestStore } from '../harness/test-store.js';
import { askedQueries } from './asked-queries.js';

/** Which index each filter of the ledger takes, and its sums, in a store that is not small. */

const MOVEMENTS = 20_000;
const AT = 1_900_000_000_000;
const booksTimeZone = TimeZone.of('Africa/Lagos');

const FILTERS: [name: string, filter: MovementFilter, index: RegExp][] = [
  ['nothing', {}, /movements_currency/],
  ['from and to', { from: AT + 1e6, to: AT + 2e6 }, /movements_currency/],
  ['kind', { kind: 'refund' }, /movements_kind/],
  ['a rare kind', { kind: 'chargeback' }, /movements_kind/],
  ['payments', { kind: 'payment' }, /movements_currency/],
  ['currency', { currency: 'USD' }, /movements_currency/],
  ['reference', { reference: 'G-77' }, /movements_payment/],
  ['paymentId', { paymentId: 'pay_77' }, /movements_payment/],
];

/** A movement every second, in batches of two, of which few have what is looked for. */
const filling = (numbers: string): string[] => [
  `insert into movements (id, payment_id, kind, direction, amount, currency, method, at, recorded_at, reference, gateway_reference,
      refund_id, actor, source, batch)
    select 'mov_' || n, 'pay_' || (n / 2), case when n % 50 = 0 then 'refund' when n % 777 = 0 then 'chargeback' else 'payment' end,
      case when n % 50 = 0 or n % 777 = 0 then 'out' else 'in' end, cast(1000 + n % 900 as text), case when n % 500 = 3 then 'USD' else 'NGN' end,
      'card', ${AT} + n * cast(1000 as bigint), ${AT} + n * cast(1000 as bigint), 'G-' || (n / 2), 'G-' || (n / 2) || '_1',
      case when n % 100 = 0 then 'ref_' || n end, 'gateway', 'gateway', n / 2 from ${numbers}`,
  `insert into event_batches (id, position) select n, n from ${numbers} where n <= ${MOVEMENTS / 2}`,
  `insert into operations (payment_id, id, type, status, amount, owner, actor, former_count, seen_from_ms, refund_reference, created_at, updated_at)
    select 'pay_' || (n / 2), 'ref_' || n, 'refund', case when n % 1000 = 0 then 'refused' else 'confirmed' end, '1000', 'own', 'merchant', 0, 0,
      'G-' || n, ${AT} + n * cast(1000 as bigint), ${AT} from ${numbers} where n % 100 = 0`,
];

describe.each(stores)('the ledger on the %s store', (kind) => {
  let place: TestStore;
  let store: Store;

  beforeAll(async () => {
    place = await createTestStore(kind);
    store = await openStore(place);
    const numbers =
      kind === 'embedded'
        ? `(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${MOVEMENTS}) select n from numbers) as numbers`
        : `generate_series(1, ${MOVEMENTS}) as n`;
    for (const statement of filling(numbers)) await sql.raw(statement).execute(store.db);
    const payment = paymentIn('succeeded', { id: 'pay_77', reference: 'G-77', gatewayReference: 'G-77_1' });
    await store.writer.write({ reference: 'G-77', createReference: true }, () => ({
      changes: { reference: referenceOf(payment), payment },
      result: undefined,
    }));
    if (kind === 'postgres') await sql.raw('vacuum analyze movements').execute(store.db);
  }, 120_000);
  afterAll(async () => {
    await store?.close();
    await place?.dispose();
  });

  async function explain({ sql: text, parameters }: CompiledQuery): Promise<string> {
    const question = kind === 'embedded' ? `explain query plan ${text}` : `explain ${text}`;
    const { rows } = await store.db.executeQuery<Record<string, unknown>>({
      ...sql.raw(question).compile(store.db),
      parameters,
    });
    return rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n');
  }
  const planOf = async (ask: (store: Store) => Promise<unknown>): Promise<string> => {
    const queries = await askedQueries(store, ask);
    return (await Promise.all(queries.map(explain))).join('\n');
  };
  const WHOLE = /Seq Scan on movements|SCAN movements$|SCAN (?:movements|dashboard) *$/m;

  test.each(FILTERS)('%s: its index, in the order of the list', async (_, filter, index) => {
    const after = { at: AT + 5e5, id: 'mov_1' };
    for (const place of [undefined, ...('from' in filter ? [] : [after])]) {
      const plan = await planOf((recorded) => new MovementsRepository(recorded).list(filter, 50, place));
      expect(plan).toMatch(index);
      expect(plan).not.toMatch(WHOLE);
    }
    expect((await new MovementsRepository(store).list(filter, 50)).length).toBeGreaterThan(0);
  });

  test('all refunds: an index each', async () => {
    const texts = new WrittenTexts(store);
    for (const status of [undefined, 'processing', 'succeeded', 'failed'] as const) {
      const filter = { from: AT, to: AT + 1e9, status };
      const plan = await planOf((recorded) => new AllRefundsRepository(recorded, texts).list(filter, 50));
      expect(plan).toMatch(/operations_refunds/);
      expect(plan).not.toMatch(WHOLE);
      expect(plan).not.toMatch(/Seq Scan on operations|SCAN operations$/m);
      if (status !== 'processing') expect(plan).toMatch(/movements_dashboard/);
    }
  });

  test('sums: nothing is read whole', async () => {
    const parts = (recorded: Store) =>
      [
        new MovementsRepository(recorded),
        new WrittenMovements(recorded),
        new SettledSums(recorded),
        { booksTimeZone },
      ] as const;
    const sums = new MovementSumsRepository(store, ...parts(store));
    expect(await sums.rebuild(() => false)).toBe(true);
    // Some that came since.
    await sql`update meta set value = replace(value, '"mark":10000', '"mark":9990') where name = 'summed_movements'`.execute(
      store.db,
    );
    const plan = await planOf((recorded) =>
      new MovementSumsRepository(recorded, ...parts(recorded)).of({}, 'month'),
    );
    expect(plan).not.toMatch(WHOLE);
    expect(plan).not.toMatch(/Seq Scan on event_batches|SCAN event_batches$/m);
  });
});
