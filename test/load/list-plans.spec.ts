import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CompiledQuery } from 'kysely';
import { Client } from 'pg';
import { listPayments, type PaymentFilter } from '../../src/payments/state/payment-list.js';
import type { Store } from '../../src/store/store.js';
import { openStore } from '../harness/event-store.js';
import { createTestStore, stores, type TestStore } from '../harness/test-store.js';
import { askedQueries } from './asked-queries.js';

/** Which index each filter of the list of payments takes, and each report, in a store that is not small. */

const PAYMENTS = 20_000;
const AT = 1_900_000_000_000;

/** A payment every second, of which few have what is looked for. */
function filling(numbers: string, id: string): string {
  return `insert into payments (id, session_id, reference, gateway_reference, method, status, amount, currency, needs_attention,
    card_last4, card_fingerprint, address_fingerprint, metadata, disputed, duplicate_of, otps_sent, answered, waiting, not_known_count,
    status_check_count, event_sequence, timeline_sequence, lease_until, lease_fence, version, created_at, updated_at, timeline, paid_at, closed_at)
    select ${id}, 'cs_' || n, 'G-' || n, 'G-' || n || '_1', case when n % 50 = 0 then 'ussd' else 'card' end,
    case when n % 99 = 0 then 'authorized' else 'succeeded' end, cast(100000 + n % 1000 as text), case when n % 500 = 3 then 'USD' else 'NGN' end, case when n % 500 = 0 then 1 else 0 end,
    cast(1000 + n % 9000 as text), 'f', 'a', '{}', case when n % 500 = 1 then 1 else 0 end, case when n % 500 = 2 then 'pay_0' end, 0, 1, 0, 0, 0, 1, 4, 0, 1, 2, ${AT} + n * cast(1000 as bigint), ${AT}, '',
    case when n % 2 = 0 then ${AT} + n * cast(1000 as bigint) end, ${AT} + n * cast(1000 as bigint) from ${numbers}`;
}

const FILTERS: [name: string, filter: PaymentFilter, index: RegExp][] = [
  ['reference', { reference: 'G-77' }, /payments_reference/],
  ['gatewayReference', { gatewayReference: 'G-77_1' }, /payments_reference/],
  ['status', { status: 'authorized' }, /payments_status/],
  ['method', { method: 'ussd' }, /payments_method/],
  ['amount', { amount: '1004.00' }, /payments_amount/],
  ['currency', { currency: 'USD' }, /payments_currency/],
  ['last4', { last4: '7499' }, /payments_last4/],
  ['needsAttention', { needsAttention: true }, /payments_attention/],
  ['disputed', { disputed: true }, /payments_disputed/],
  ['duplicate', { duplicate: true }, /payments_duplicates/],
  ['paidFrom and paidTo', { paidFrom: AT + 1e6, paidTo: AT + 1.1e6 }, /payments_paid_at/],
  ['from and to', { from: AT + 1e6, to: AT + 2e6 }, /payments_pkey|sqlite_autoindex_payments_1/],
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
      database.function('time_id', (at) => `pay_${Number(at).toString(36)}${'x'.repeat(16)}`);
      database.exec(
        filling(
          `(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${PAYMENTS}) select n from numbers)`,
          `time_id(${AT} + n * 1000)`,
        ),
      );
      explain = ({ sql, parameters }) =>
        Promise.resolve(
          database
            .prepare(`explain query plan ${sql}`)
            .all(...(parameters as string[]))
            .map((row) => String(row['detail']))
            .join('\n'),
        );
      end = () => Promise.resolve(database.close());
    } else {
      const client = new Client({ connectionString: place.databaseUrl });
      await client.connect();
      await client.query(`create function pg_temp.time_id(at bigint) returns text language plpgsql as $$
        declare digits text := ''; begin while at > 0 loop
          digits := substr('0123456789abcdefghijklmnopqrstuvwxyz', (at % 36)::int + 1, 1) || digits; at := at / 36;
        end loop; return 'pay_' || digits || repeat('x', 16); end $$`);
      await client.query(
        filling(`generate_series(1, ${PAYMENTS}) as n`, `pg_temp.time_id(${AT} + n * 1000::bigint)`),
      );
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

  const asked = (ask: (store: Store) => Promise<unknown>): Promise<CompiledQuery[]> =>
    askedQueries(store, ask);

  test.each(FILTERS)('%s: its index, in the order of the list', async (_, filter, index) => {
    const [query] = await asked((recorded) => listPayments(recorded, filter, 50));
    const plan = await explain(query as CompiledQuery);
    expect(plan).toMatch(index);
    expect(plan).not.toMatch(/Seq Scan on payments|SCAN payments$/m);
    expect((await listPayments(store, filter, 50)).length).toBeGreaterThan(0);
  });
});
