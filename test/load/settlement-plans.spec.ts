import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CompiledQuery } from 'kysely';
import { Client } from 'pg';
import { OverviewRepository } from '../../src/reports/overview.service.js';
import { DifferencesRepository } from '../../src/settlement/store/differences.repository.js';
import { KnownMoneyRepository } from '../../src/settlement/store/known-money.repository.js';
import { MatchesRepository } from '../../src/settlement/store/matches.repository.js';
import { SettlementRowsRepository } from '../../src/settlement/store/settlement-rows.repository.js';
import { SettlementsRepository } from '../../src/settlement/store/settlements.repository.js';
import type { DifferenceRecord } from '../../src/store/schema.js';
import type { Store } from '../../src/store/store.js';
import { openStore } from '../harness/event-store.js';
import { createTestStore, stores, type TestStore } from '../harness/test-store.js';
import { askedQueries } from './asked-queries.js';

/** Which index each question of a comparison takes, in a store that is not small. */

/** So many that even a whole batch of references is cheaper by index. */
const PAYMENTS = 60_000;
/** Reports, each with as many rows and differences as this; the first one has many. */
const SETTLEMENTS = 2_000;
const EACH = 10;
const MANY = 20_000;
const AT = 1_900_000_000_000;
/** As many references as are looked up with one question. */
const BATCH = 400;
const FIRST = 'stl_1';

type Numbers = (until: number) => string;

/** A payment every second, paid at once; reports, of which one was not read to its end and one is not matched; what differs. */
function filling(numbers: Numbers): string[] {
  const at = `${AT} + n * cast(1000 as bigint)`;
  return [
    `insert into payments (id, session_id, reference, gateway_reference, method, status, amount, currency, needs_attention,
      card_last4, card_fingerprint, address_fingerprint, metadata, otps_sent, answered, waiting, not_known_count,
      status_check_count, event_sequence, timeline_sequence, lease_until, lease_fence, version, created_at, updated_at, closed_at, timeline)
      select 'pay_' || n, 'cs_' || n, 'G-' || n, 'G-' || n || '_1', 'card', case when n % 9 = 0 then 'failed' else 'succeeded' end,
      '150000', 'NGN', 0, '7499', 'f', 'a', '{}', 0, 1, 0, 0, 0, 1, 4, 0, 1, 2, ${AT}, ${AT}, ${at}, ''
      from ${numbers(PAYMENTS)}`,
    `insert into movements (id, payment_id, kind, direction, amount, currency, method, at, recorded_at, reference, gateway_reference,
      actor, source) select 'mov_' || n, 'pay_' || n, 'payment', 'in', '150000', 'NGN', 'card', ${at}, ${at}, 'G-' || n,
      'G-' || n || '_1', 'gateway', 'gateway' from ${numbers(PAYMENTS)}`,
    `insert into operations (payment_id, id, type, status, amount, refund_reference, owner, actor, former_count, created_at, updated_at)
      select 'pay_' || n, 'ref_' || n, 'refund', 'confirmed', '100', 'G-' || n || '_1_r1', 'own_1', 'merchant', 0, ${AT}, ${AT} from ${numbers(PAYMENTS)}`,
    `insert into settlement_matches (settlement_id, line, movement_id, gross) select '${FIRST}', n, 'mov_' || n, '150000'
      from ${numbers(PAYMENTS)}`,
    `insert into settlements (id, digest, received_at, actor, row_count, counts, finished_at, rows_id, matched_at, last_at)
      select 'stl_' || n, 'digest-' || n, ${AT}, 'merchant', 10, '{}', case when n in (77, 78) then null else ${AT} end,
      case when n = 77 then null else 'stl_' || n end, case when n in (77, 78) then null else ${AT} end, ${AT} + n
      from ${numbers(SETTLEMENTS)}`,
    ...[
      [`'stl_' || (2 + n % ${SETTLEMENTS - 1})`, SETTLEMENTS * EACH],
      [`'${FIRST}'`, MANY],
    ].flatMap(([id, count]) => [
      `insert into settlement_rows (rows_id, line, identity, nth, type, reference, payout, amount)
        select ${id}, n, 'i' || n, 1, 'payment', 'G-' || n || '_1', case when n % 50 = 0 then 'P-' || (n / 500) end, '1500.00'
        from ${numbers(Number(count))}`,
      `insert into differences (id, subject, kind, state, settlement_id, line, reference, order_reference, payment_id, step, due_at, moved_at)
        select 'dif_' || ${id} || '_' || n, 'row ' || ${id} || ' ' || n,
        case when n % 100 = 0 then 'not_paid_here' when n % 100 = 1 then 'order_unknown' else 'unknown_here' end,
        case when n % 20 > 0 then 'closed' else 'open' end, ${id}, n, 'G-' || n || '_1', 'G-' || n, case when n % 100 = 0 then 'pay_' || n end,
        case when n % 100 = 0 then 'to_ask' end, case when n % 2000 = 0 then ${AT} + n end,
        case when n % 40 = 0 then ${AT} + n * cast(1000 as bigint) end from ${numbers(Number(count))}`,
    ]),
  ];
}

const batch = Array.from({ length: BATCH }, (_, n) => n * 40 + 1);
const named = batch.map((n) => `G-${n}_1`);
const report = { id: 'stl_5', firstAt: AT, lastAt: AT + 9e6 };
const difference = {
  id: 'dif_stl_1_2000',
  kind: 'not_paid_here',
  step: 'to_ask',
  state: 'open',
} as DifferenceRecord;
const read = {
  ...{ digest: 'new', rowsId: 'stl_5', firstAt: null, lastAt: null, rowCount: 1, skipped: {} },
  ...{ setAside: null, totals: [], fees: [], matchedTo: -1, matchedAt: null },
  ...{ rowsMatched: 0, rowsDifferent: 0 },
};

type Ask = (store: Store) => Promise<unknown>;
const money =
  (ask: (repository: KnownMoneyRepository) => Promise<unknown>): Ask =>
  (store) =>
    ask(new KnownMoneyRepository(store));
const rows =
  (ask: (repository: SettlementRowsRepository) => Promise<unknown>): Ask =>
  (store) =>
    ask(new SettlementRowsRepository(store));
const reports =
  (ask: (repository: SettlementsRepository) => Promise<unknown>): Ask =>
  (store) =>
    ask(new SettlementsRepository(store));
const differences =
  (ask: (repository: DifferencesRepository) => Promise<unknown>): Ask =>
  (store) =>
    ask(new DifferencesRepository(store));

const SETTLEMENTS_KEY = /settlements_pkey|sqlite_autoindex_settlements_1/;
const ROWS_KEY = /settlement_rows_pkey|sqlite_autoindex_settlement_rows_1/;
const DIFFERENCES_KEY = /differences_pkey|sqlite_autoindex_differences_1/;
const OF_SETTLEMENT = /differences_settlement/;

const QUESTIONS: [name: string, indexes: RegExp[], ask: Ask][] = [
  [
    'what is known of a batch of payments',
    [/payments_reference/, /movements_payment/, /operations_pkey|PRIMARY KEY \(payment_id/],
    money((repository) => repository.byGatewayReference(named, new Set(named.slice(0, 10)))),
  ],
  [
    'what is known of a batch of orders',
    [/payments_reference/, /movements_payment/],
    money((repository) => repository.ofOrders(batch.map((n) => `G-${n}`))),
  ],
  [
    'payments that a list may lack',
    [/payments_paid/, /movements_payment/],
    money((repository) => repository.paidBetween({ at: AT + 5e6, id: 'pay_1' }, AT + 1.5e7, 400)),
  ],
  [
    'movements of a currency after a place',
    [/movements_currency/],
    money((repository) =>
      repository.movedFrom('NGN', { at: AT + 5e6, id: '' }, { before: AT + 6e6, limit: 400 }),
    ),
  ],
  [
    'movements since a sweep',
    [/movements_pkey|sqlite_autoindex_movements_1/],
    money((repository) => repository.movedAfter('mov_5', 400)),
  ],
  [
    'matches',
    [/settlement_matches_movement/],
    (store) => new MatchesRepository(store).ofMovements(batch.map((n) => `mov_${n}`)),
  ],
  [
    'rows of a batch of payments',
    [/settlement_rows_reference/],
    rows((repository) => repository.ofReferences(named)),
  ],
  [
    'which payments reports name',
    [/settlement_rows_reference/],
    rows((repository) => repository.named(named)),
  ],
  ['rows after a line', [ROWS_KEY], rows((repository) => repository.placesAfter(FIRST, 9_000, 400))],
  [
    'rows of a payout',
    [/settlement_rows_payout/],
    rows((repository) => repository.ofPayout('P-7', { rowsId: '', line: -1 }, 100)),
  ],
  ['reports that were not read', [/settlements_running/], reports((repository) => repository.running())],
  [
    'reports that are not matched',
    [/settlements_unmatched/],
    reports((repository) => repository.unmatched()),
  ],
  ['one report', [SETTLEMENTS_KEY], reports((repository) => repository.find('stl_5'))],
  [
    'a file’s report',
    [/settlements_digest/],
    reports((repository) => repository.findByDigest(['digest-5', 'digest-6'])),
  ],
  ['the list', [SETTLEMENTS_KEY], reports((repository) => repository.list(50))],
  ['the list after a cursor', [SETTLEMENTS_KEY], reports((repository) => repository.list(50, 'stl_5'))],
  ['the newest row', [/settlements_newest/], reports((repository) => repository.newestRow())],
  ['making rows count', [/settlements_digest/], reports((repository) => repository.read('stl_5', read))],
  [
    'all open differences',
    [/differences_open/],
    differences((repository) => repository.list({ state: 'open', limit: 50 })),
  ],
  [
    'open differences of a kind after a cursor',
    [/differences_kind|differences_open/],
    differences((repository) =>
      repository.list({ state: 'open', kind: 'not_paid_here', before: 'dif_stl_5', limit: 50 }),
    ),
  ],
  [
    'differences of a reference',
    [/differences_reference/],
    differences((repository) => repository.list({ reference: 'G-41', limit: 50 })),
  ],
  [
    'differences of a report after a cursor, and what is absent from it',
    [OF_SETTLEMENT, /differences_absent|differences_moved/],
    differences((repository) => repository.listOf(report, { after: 'dif_stl_5_3', limit: 50 })),
  ],
  [
    'differences of a report of a kind',
    [/differences_settlement_kind/],
    differences((repository) => repository.listOf(report, { kind: 'not_paid_here', after: '', limit: 50 })),
  ],
  [
    'how many a report has of each kind',
    [/differences_settlement/],
    differences((repository) => repository.countOf('stl_5')),
  ],
  [
    'differences of a batch of payments',
    [/differences_reference/],
    differences((repository) => repository.ofPayments(named)),
  ],
  ['what is due', [/differences_due/], differences((repository) => repository.due('to_ask', AT + 1e6, 50))],
  [
    'whether anything is due',
    [/differences_due|differences_settlement/],
    differences((repository) => repository.hasDue(FIRST, 'to_adopt')),
  ],
  [
    'moving on',
    [DIFFERENCES_KEY],
    differences((repository) => repository.move(difference, { step: 'asked', dueAt: AT })),
  ],
  [
    'closing',
    [/differences_pkey|sqlite_autoindex_differences_1|differences_open/],
    differences((repository) =>
      repository.close(difference, { actor: 'merchant', at: AT, reason: 'explained', noteId: 'txt_1' }),
    ),
  ],
];

const OF_BATCHES = /batch|^matches$|^which payments/;

describe.each(stores)('on the %s store', (kind) => {
  let place: TestStore;
  let store: Store;
  let explain: (query: CompiledQuery) => Promise<string>;
  let forget: () => Promise<void>;
  let end: () => Promise<void>;

  beforeAll(async () => {
    place = await createTestStore(kind);
    store = await openStore(place);
    if (place.databaseUrl === undefined) {
      const database = new DatabaseSync(join(place.dataDir, 'tillfront.db'));
      const numbers: Numbers = (until) =>
        `(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${until}) select n from numbers)`;
      for (const statement of filling(numbers)) database.exec(statement);
      explain = ({ sql, parameters }) => {
        const steps = database.prepare(`explain query plan ${sql}`).all(...(parameters as string[]));
        return Promise.resolve(steps.map((row) => String(row['detail'])).join('\n'));
      };
      // It never had any.
      forget = () => Promise.resolve();
      end = () => Promise.resolve(database.close());
    } else {
      const client = new Client({ connectionString: place.databaseUrl });
      await client.connect();
      for (const statement of filling((until) => `generate_series(1, ${until}) as n`))
        await client.query(statement);
      await client.query('vacuum analyze');
      explain = async ({ sql, parameters }) => {
        const { rows: steps } = await client.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, [
          ...parameters,
        ]);
        return steps.map((row) => row['QUERY PLAN']).join('\n');
      };
      forget = async () => {
        await client.query('delete from pg_statistic where starelid = any ($1::regclass[])', [
          ['settlement_rows', 'settlement_matches', 'differences', 'movements', 'payments', 'operations'],
        ]);
      };
      end = () => client.end();
    }
  }, 120_000);

  afterAll(async () => {
    await end?.();
    await store?.close();
    await place?.dispose();
  });

  /** None of the large tables is read whole. Reports are few. */
  const expectNoScan = (plan: string): void => {
    expect(plan).not.toMatch(
      /Seq Scan on (?:payments|movements|differences|settlement_rows|settlement_matches|operations)|SCAN (?:payments|p|m|o|movements|differences|known|kept|settlement_rows|settlement_matches)$/m,
    );
  };

  test.each(QUESTIONS)('%s: its index', async (_, indexes, ask) => {
    const queries = await askedQueries(store, ask);
    expect(queries.length).toBeGreaterThan(0);
    const plans = await Promise.all(queries.map((query) => explain(query)));
    for (const plan of plans) expectNoScan(plan);
    for (const index of indexes) expect(plans.join('\n')).toMatch(index);
  });

  test.each<[string, Ask]>([
    ['differences', differences((repository) => repository.list({ state: 'open', limit: 50 }))],
    ['reports', reports((repository) => repository.list(50, 'stl_5'))],
    ['rows', rows((repository) => repository.placesAfter(FIRST, 9_000, 400))],
  ])('%s: in the order of the index, so that a page costs what it shows', async (_, ask) => {
    const [query] = await askedQueries(store, ask);
    expect(await explain(query as CompiledQuery)).not.toMatch(/TEMP B-TREE|Sort/);
  });

  test('taking over, the end of a list, what a dead process left, and the overview: no table is read whole', async () => {
    const queries = await askedQueries(store, async (recorded) => {
      const repository = new DifferencesRepository(recorded);
      for await (const page of repository.adoptable('stl_9', undefined))
        await repository.wantAdopted(
          page.map(({ id }) => id),
          'merchant',
          AT,
        );
      await repository.closeOrders('stl_9', AT, AT);
      const settlements = new SettlementsRepository(recorded);
      if (await settlements.giveUp('stl_77')) await new SettlementRowsRepository(recorded).dropAll('stl_77');
      await settlements.remove('stl_77');
      await new OverviewRepository(recorded).openNow();
    });
    expect(queries.length).toBeGreaterThan(6);
    for (const query of queries) expectNoScan(await explain(query));
    expect(await new SettlementsRepository(store).running()).toEqual([]);
  });

  test('a batch is looked up by index also while nothing is known of the tables: those of a report have only just been filled', async () => {
    await forget();
    const asked = QUESTIONS.filter(([name]) => OF_BATCHES.test(name));
    expect(asked).toHaveLength(6);
    for (const [, indexes, ask] of asked) {
      const plans = await Promise.all((await askedQueries(store, ask)).map((query) => explain(query)));
      for (const plan of plans) expectNoScan(plan);
      for (const index of indexes) expect(plans.join('\n')).toMatch(index);
    }
  });
});
