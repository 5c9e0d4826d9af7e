import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql, type CompiledQuery } from 'kysely';
import { patternsOf, ReferenceIndex } from '../../src/payments/search/reference-index.js';
import type { Store } from '../../src/store/store.js';
import { openStore } from '../harness/event-store.js';
import { createTestStore, stores, type TestStore } from '../harness/test-store.js';
import { askedQueries } from './asked-queries.js';

/** How a part of a reference is found in a store that is not small. */

const PAYMENTS = 20_000;
const AT = 1_900_000_000_000;
/** The oldest half has it. */
const PART = 'OLD-';

const filling = (numbers: string, id: string): string =>
  `insert into payments (id, session_id, reference, gateway_reference, method, status, amount, currency, needs_attention,
    card_last4, card_fingerprint, address_fingerprint, metadata, otps_sent, answered, waiting, not_known_count,
    status_check_count, event_sequence, timeline_sequence, lease_until, lease_fence, version, created_at, updated_at, closed_at, timeline)
    select ${id}, 'cs_' || n, case when n <= ${PAYMENTS / 2} then '${PART}' else 'NEW-' end || n, 'G-' || n || '_1', 'card', 'succeeded',
    '150000', 'NGN', 0, '7499', 'f', 'a', '{}', 0, 1, 0, 0, 0, 1, 4, 0, 1, 2, ${AT}, ${AT}, ${AT}, '' from ${numbers}`;

describe.each(stores)('a search on the %s store', (kind) => {
  let place: TestStore;
  let store: Store;

  beforeAll(async () => {
    place = await createTestStore(kind);
    store = await openStore(place);
    await sql
      .raw(
        kind === 'embedded'
          ? filling(
              `(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${PAYMENTS}) select n from numbers)`,
              `'pay_' || printf('%08d', n)`,
            )
          : filling(`generate_series(1, ${PAYMENTS}) as n`, `'pay_' || lpad(n::text, 8, '0')`),
      )
      .execute(store.db);
    const index = new ReferenceIndex(store);
    for (let after: string | undefined = 'pay_'; after !== undefined;)
      ({ after } = await index.addAfter(after, 500));
    if (kind === 'postgres') await sql.raw('vacuum analyze').execute(store.db);
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

  test('of what only old payments have takes the index of its characters, and gives the newest of them', async () => {
    const ask = (recorded: Store): Promise<string[]> =>
      new ReferenceIndex(recorded).find(patternsOf(PART), 3, undefined);
    const found = await ask(store);
    expect(found).toEqual([0, 1, 2].map((n) => `pay_${String(PAYMENTS / 2 - n).padStart(8, '0')}`));
    const plan = await explain((await askedQueries(store, ask)).at(-1) as CompiledQuery);
    expect(plan).toMatch(kind === 'embedded' ? /search_words VIRTUAL TABLE/ : /search_references_words/);
    expect(plan).not.toMatch(/Seq Scan|SCAN (?:payments|search_references)/);
    // Only the first that the index finds are looked up.
    if (kind === 'postgres') expect(plan).toMatch(/Limit[^]*CTE Scan on all_of_them/);
  });
});
