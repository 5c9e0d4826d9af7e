import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readOverview } from '../../src/accounting/reports/overview.js';
import { TimeZone } from '../../src/calendar/time-zone.js';
import { PaymentsRepository, type PaymentFilter } from '../../src/payments/payments.repository.js';
import type { Sql, Store } from '../../src/store/store.js';
import { aPayment, aSession, anOrder, changeOf } from './documents.js';
import { KINDS, testPlace, type TestPlace } from './stores.js';

const MANY = 20_000;

/** Rows enough for a planner to prefer an index where it has one. */
const FILLED: Record<(typeof KINDS)[number], string[]> = {
  embedded: [
    `insert into payments (id, reference, n, doc) with recursive i(n) as (select 1 union all select n + 1 from i where n < ${MANY})
      select 'pay_fill' || n, 'Fill-' || n, 1, json_object('sessionId', 'cs_fill' || n, 'gatewayReference', 'Fill-' || n || '_1',
        'transactionRef', 'T' || n, 'method', 'card', 'currency', 'NGN', 'status', 'succeeded', 'createdAt', n, 'amount', '1') from i`,
    `insert into sessions (id, reference, created_at) select 'cs_fill' || substr(id, 9), reference, created_at from payments`,
    'analyze',
  ],
  postgres: [
    `insert into payments (id, reference, n, doc) select 'pay_fill' || n, 'Fill-' || n, 1, jsonb_build_object('sessionId', 'cs_fill' || n,
      'gatewayReference', 'Fill-' || n || '_1', 'transactionRef', 'T' || n, 'method', 'card', 'currency', 'NGN', 'status', 'succeeded',
      'createdAt', n, 'amount', '1') from generate_series(1, ${MANY}) n`,
    `insert into sessions (id, reference, created_at) select 'cs_fill' || substr(id, 9), reference, created_at from payments`,
    'analyze',
  ],
};

describe.each(KINDS)('payments in the %s store', (kind) => {
  let place: TestPlace;
  let store: Store;
  let watched: Store;
  let payments: PaymentsRepository;
  const asked: Sql[] = [];

  beforeAll(async () => {
    place = await testPlace(kind);
    store = await place.open();
    watched = Object.assign(Object.create(store) as Store, {
      rows: <R>(question: Sql) => {
        asked.push(question);
        return store.rows<R>(question);
      },
    });
    payments = new PaymentsRepository(watched);
    for (const text of FILLED[kind]) await store.run({ text });
    for (const n of [1, 2, 3]) {
      const reference = `Order-A${n}`;
      const session = aSession(`cs_${reference}`, { emailHash: n === 3 ? 'hash-of-obi' : 'hash-of-ada' });
      const payment = aPayment(reference, 1, {
        ...{
          id: `pay_mx0v8sw${n}KeMKExyQAtJRxjn${n}`,
          transactionRef: `Tx-${n}`,
          createdAt: 1_800_000_000_000 + n,
          status: n === 2 ? 'failed' : 'succeeded',
        },
        ...{ card: { brand: 'verve', last4: `749${n}`, hash: 'h' }, method: n === 3 ? 'ussd' : 'card' },
      });
      await store.write(reference, () => ({
        change: changeOf(anOrder(reference, { sessions: [session] }), { payments: [payment] }),
        result: undefined,
      }));
    }
  });
  afterAll(() => place.end());

  it.each<[string, string, number[]]>([
    ['an id', 'PAY_MX0v8sw1kemkexyqatjrxjn1', [1]],
    ['what is no id', 'pay_order-a1_1', []],
    ['a gateway reference', 'order-A2_1', [2]],
    ['a transaction', 'TX-3', [3]],
    ['the last 4 digits', '7492', [2]],
    ['an e-mail', 'ada@example.com', [2, 1]],
    ['the beginning of a reference', 'oRDER-', [3, 2, 1]],
    ['the middle of a reference', 'rder-', []],
  ])('are found by %s', async (_way, query, found) => {
    const list = await payments.search(query, query.includes('@') ? ['hash-of-ada'] : [], 10);
    expect(list.map(({ reference }) => reference)).toEqual(found.map((n) => `Order-A${n}`));
    expect(await plan()).not.toMatch(SCAN);
  });

  it.each<[PaymentFilter, number[]]>([
    [{ method: 'ussd' }, [3]],
    [{ status: 'failed' }, [2]],
    [{ reference: 'Order-A2' }, [2]],
  ])('are listed by %j', async (filter, found) => {
    const list = await payments.list(filter, 10);
    expect(list.map(({ reference }) => reference)).toEqual(found.map((n) => `Order-A${n}`));
    expect(await plan()).not.toMatch(SCAN);
  });

  it('are searched page by page', async () => {
    const [newest] = await payments.search('order-', [], 1);
    expect(newest?.reference).toBe('Order-A3');
    const rest = await payments.search('order-', [], 5, newest);
    expect(rest.map(({ reference }) => reference)).toEqual(['Order-A2', 'Order-A1']);
  });

  it('are counted for the overview by indexes of what is rare', async () => {
    const from = asked.length;
    await readOverview(watched, TimeZone.of('UTC'), true);
    for (const question of asked.slice(from).filter(({ text }) => /"needsAttention"|limit 1$/.test(text)))
      expect(await plan(question)).not.toMatch(/(?:SCAN|Seq Scan on) payments(?! USING)|payments_created/);
  });

  it('are known by a transaction in just its letters', async () => {
    expect(await payments.isTaken('Tx-1', 'Another')).toBe(true);
    expect(await plan()).not.toMatch(SCAN);
    expect(await payments.isTaken('TX-1', 'Another')).toBe(false);
    expect(await payments.isTaken('Tx-1', 'Order-A1')).toBe(false);
  });

  /** A table that is read as a whole, or in the order of time until enough is found. */
  const SCAN = /Seq Scan on (payments|sessions)|SCAN (payments|sessions|p)\b|payments_created/;

  /** How the store finds what was asked for last. */
  async function plan({ text, values = [] } = asked.at(-1) ?? { text: '' }): Promise<string> {
    const rows = await store.rows({
      text: `${kind === 'embedded' ? 'explain query plan' : 'explain'} ${text}`,
      values,
    });
    return JSON.stringify(rows);
  }
});
