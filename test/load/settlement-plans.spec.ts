import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CompiledQuery } from 'kysely';
import { Client } from 'pg';
import { KnownPayments } from '../../src/settlement/store/known-payments.js';
import { SettlementsRepository } from '../../src/settlement/store/settlements.repository.js';
import type { SettlementDifferenceRecord, SettlementRecord } from '../../src/store/schema.js';
import type { Store } from '../../src/store/store.js';
import { openStore } from '../harness/event-store.js';
import { createTestStore, stores, type TestStore } from '../harness/test-store.js';
import { askedQueries } from './asked-queries.js';

/** Which index each question of a comparison takes, in a store that is not small. */

/** So many that even a whole batch of references is cheaper by index. */
const PAYMENTS = 60_000;
/** Comparisons in the books, each with as many differences as this; the first one has many. */
const SETTLEMENTS = 2_000;
const DIFFERENCES_EACH = 10;
const MANY_DIFFERENCES = 20_000;
const AT = 1_900_000_000_000;
/** As many references as are looked up with one question. */
const BATCH = 400;
const FIRST = 'stl_1';

type Numbers = (until: number) => string;

/** A payment every second, paid at once; settlements, of which one is not finished; differences, of which few are to be followed up. */
function filling(numbers: Numbers): string[] {
  return [
    `insert into payments (id, session_id, reference, gateway_reference, method, status, amount, currency, needs_attention,
      card_last4, card_fingerprint, address_fingerprint, metadata, otps_sent, answered, waiting, not_known_count,
      status_check_count, event_sequence, timeline_sequence, lease_until, lease_fence, version, created_at, updated_at, closed_at, timeline)
      select 'pay_' || n, 'cs_' || n, 'G-' || n, 'G-' || n || '_1', 'card', case when n % 9 = 0 then 'failed' else 'succeeded' end,
      '150000', 'NGN', 0, '7499', 'f', 'a', '{}', 0, 1, 0, 0, 0, 1, 4, 0, 1, 2, ${AT}, ${AT}, ${AT} + n * cast(1000 as bigint), ''
      from ${numbers(PAYMENTS)}`,
    `insert into settlements (id, digest, received_at, actor, row_count, counts, finished_at)
      select 'stl_' || n, 'digest-' || n, ${AT}, 'merchant', 10, '{}', case when n = 77 then null else ${AT} end
      from ${numbers(SETTLEMENTS)}`,
    ...[
      [`'stl_' || (2 + n % ${SETTLEMENTS - 1})`, `n / ${SETTLEMENTS - 1}`, SETTLEMENTS * DIFFERENCES_EACH],
      [`'${FIRST}'`, 'n', MANY_DIFFERENCES],
    ].map(
      ([id, number, count]) => `insert into settlement_differences
        (settlement_id, number, kind, line, reference, payment_id, state, due_at)
        select ${id}, ${number},
        case when n % 100 = 0 then 'not_paid_here' when n % 100 = 1 then 'order_unknown' else 'unknown_here' end, n,
        'G-' || n || '_1', case when n % 100 = 0 then 'pay_' || n end, case when n % 100 = 0 then 'to_ask' end,
        case when n % 2000 = 0 then ${AT} + n end from ${numbers(Number(count))}`,
    ),
  ];
}

const batch = Array.from({ length: BATCH }, (_, n) => n * 40 + 1);
const settlement = { id: FIRST, ordersFrom: 1, ordersUntil: MANY_DIFFERENCES } as SettlementRecord;
const difference = { settlementId: FIRST, number: 2_000, state: 'to_ask' } as SettlementDifferenceRecord;
const finished = {
  digest: 'new',
  firstAt: null,
  lastAt: null,
  rowCount: 1,
  counts: {},
  skipped: {},
  setAside: null,
  paidFrom: null,
  paidUntil: null,
  finishedAt: AT,
};

type Ask = (store: Store) => Promise<unknown>;
const known =
  (ask: (payments: KnownPayments) => Promise<unknown>): Ask =>
  (store) =>
    ask(new KnownPayments(store));
const books =
  (ask: (repository: SettlementsRepository) => Promise<unknown>): Ask =>
  (store) =>
    ask(new SettlementsRepository(store));

const SETTLEMENTS_KEY = /settlements_pkey|sqlite_autoindex_settlements_1/;
const DIFFERENCES_KEY = /settlement_differences_pkey|sqlite_autoindex_settlement_differences_1/;
const BY_KIND = /settlement_differences_kind/;
const DUE = /settlement_differences_due/;

const QUESTIONS: [name: string, index: RegExp, ask: Ask][] = [
  [
    'a batch of gateway references',
    /payments_reference/,
    known((payments) => payments.byGatewayReference(batch.map((n) => `G-${n}_1`))),
  ],
  [
    'a batch of the merchant’s references',
    /payments_reference/,
    known((payments) => payments.ofReferences(batch.map((n) => `G-${n}`))),
  ],
  [
    'payments that a report may lack',
    /payments_paid/,
    known((payments) => payments.paidBetween({ at: AT + 5e6, id: 'pay_1' }, AT + 1.5e7, 1_000)),
  ],
  [
    'whether another report has settled them',
    /settlement_differences_payment/,
    books((repository) =>
      repository.settledElsewhere(
        FIRST,
        batch.map((n) => `pay_${n}`),
      ),
    ),
  ],
  ['unfinished comparisons', /settlements_running/, books((repository) => repository.running())],
  ['one comparison', SETTLEMENTS_KEY, books((repository) => repository.find('stl_5'))],
  ['a file’s comparison', /settlements_digest/, books((repository) => repository.findByDigest('digest-5'))],
  ['the list', SETTLEMENTS_KEY, books((repository) => repository.list(50))],
  ['the list after a cursor', SETTLEMENTS_KEY, books((repository) => repository.list(50, 'stl_5'))],
  [
    'differences after a cursor',
    DIFFERENCES_KEY,
    books((repository) => repository.differences(settlement, { after: 9_000, limit: 50 })),
  ],
  [
    'differences of a kind after a cursor',
    BY_KIND,
    books((repository) =>
      repository.differences(settlement, { kind: 'not_paid_here', after: 9_000, limit: 50 }),
    ),
  ],
  ['what is due', DUE, books((repository) => repository.due('to_ask', AT + 1e6, 50))],
  ['whether anything is due', DUE, books((repository) => repository.hasDue(FIRST, 'to_adopt'))],
  ['states of a kind', BY_KIND, books((repository) => repository.states(FIRST, 'not_paid_here'))],
  ['the last number', DIFFERENCES_KEY, books((repository) => repository.lastNumber(FIRST))],
  ['putting off', DIFFERENCES_KEY, books((repository) => repository.putOff(difference, AT + 2_000))],
  [
    'moving on',
    DIFFERENCES_KEY,
    books((repository) => repository.move(difference, { state: 'to_ask', dueAt: AT + 2_000 })),
  ],
  [
    'finishing',
    /settlements_digest|settlements_running/,
    books((repository) => repository.finish('stl_5', finished)),
  ],
];

describe.each(stores)('on the %s store', (kind) => {
  let place: TestStore;
  let store: Store;
  let explain: (query: CompiledQuery) => Promise<string>;
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
      end = () => Promise.resolve(database.close());
    } else {
      const client = new Client({ connectionString: place.databaseUrl });
      await client.connect();
      for (const statement of filling((until) => `generate_series(1, ${until}) as n`))
        await client.query(statement);
      await client.query('vacuum analyze');
      explain = async ({ sql, parameters }) => {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, [...parameters]);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      };
      end = () => client.end();
    }
  }, 120_000);

  afterAll(async () => {
    await end?.();
    await store?.close();
    await place?.dispose();
  });

  /** Neither payments nor differences are read whole. Comparisons are few: one a report. */
  const expectNoScan = (plan: string): void => {
    expect(plan).not.toMatch(
      /Seq Scan on (?:payments|settlement_differences)|SCAN \w+$|SCAN (?:p|payments|settlement_differences) USING/m,
    );
  };

  test.each(QUESTIONS)('%s: its index', async (_, index, ask) => {
    const queries = await askedQueries(store, ask);
    expect(queries).toHaveLength(1);
    const plan = await explain(queries[0] as CompiledQuery);
    expect(plan).toMatch(index);
    expectNoScan(plan);
  });

  test.each<[string, Ask]>([
    [
      'differences',
      books((repository) =>
        repository.differences(settlement, { kind: 'unknown_here', after: 9_000, limit: 50 }),
      ),
    ],
    ['the list', books((repository) => repository.list(50, 'stl_5'))],
    [
      'payments that a report may lack',
      known((payments) => payments.paidBetween({ at: AT + 5e6, id: 'pay_1' }, AT + 1.5e7, 1_000)),
    ],
  ])('%s: in the order of the index, so that a page costs what it shows', async (_, ask) => {
    const [query] = await askedQueries(store, ask);
    expect(await explain(query as CompiledQuery)).not.toMatch(/TEMP B-TREE|Sort/);
  });

  test('taking over, removing a list and removing what a dead process left: no table is read whole', async () => {
    const queries = await askedQueries(store, async (recorded) => {
      const repository = new SettlementsRepository(recorded);
      await repository.wantAdopted('stl_9', 'merchant', AT);
      await repository.dropOrderDifferences('stl_9', { from: 0, until: -1 });
      await repository.drop('stl_77');
    });
    expect(queries.length).toBeGreaterThan(6);
    for (const query of queries) expectNoScan(await explain(query));
    expect(await new SettlementsRepository(store).running()).toEqual([]);
  });
});
