import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Kysely, type CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { Client } from 'pg';
import { openStore } from '../harness/event-store.js';
import { createTestStore, stores, type TestStore } from '../harness/test-store.js';
import { Audit } from '../../src/audit/audit.js';
import { DeliveryTelemetry } from '../../src/merchant-webhooks/delivery-telemetry.js';
import { EventsRepository } from '../../src/merchant-webhooks/events.repository.js';
import { Sequencer } from '../../src/merchant-webhooks/sequencer.js';
import { METHODS } from '../../src/methods/methods.js';
import { NotificationsRepository } from '../../src/notifications/notifications.repository.js';
import { DeclinesRepository } from '../../src/payments/operations/card-testing.js';
import { WORTH, WORTHS } from '../../src/payments/schedule/worth.js';
import { PaymentsRepository, type CheckKind } from '../../src/payments/state/payments.repository.js';
import { SessionsRepository } from '../../src/sessions/sessions.repository.js';
import type { Tables } from '../../src/store/schema.js';
import type { Store } from '../../src/store/store.js';
import { createLogger } from '../../src/telemetry/logger.js';

/**
 * No question that the service asks while it works may read a whole table: with ten million payments each would take
 * seconds. The questions are the repositories' own, taken down as they are asked.
 */

/** Takes down every query that goes through the store's query builder. */
function recorded(store: Store, queries: CompiledQuery[]): Store {
  const executor = store.db.getExecutor();
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }): RootOperationNode => {
      queries.push(executor.compileQuery(node, queryId));
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const db: Kysely<Tables> = store.db.withPlugin(plugin);
  return new Proxy(store, {
    get: (target, name): unknown => (name === 'db' ? db : Reflect.get(target, name)),
  });
}

const now = Date.now();

const kindsOfChecks: CheckKind[] = WORTHS.flatMap((worth) =>
  METHODS.flatMap(({ name: method }): CheckKind[] =>
    worth === WORTH.notified
      ? [true, false].map((awaited) => ({ worth, method, awaited }))
      : [{ worth, method }],
  ),
);

/** What asks, by what it is for. */
const questions: [string, (store: Store) => Promise<unknown>][] = [
  ['a payment by its id', (store) => new PaymentsRepository(store).find('pay_1')],
  [
    'a payment by the gateway’s reference',
    (store) => new PaymentsRepository(store).findByGatewayReference('A_1'),
  ],
  [
    'payments due to be asked about',
    (store) => new PaymentsRepository(store).dueForStatusCheck(kindsOfChecks, now, 16),
  ],
  [
    'payments planned too late',
    (store) => new PaymentsRepository(store).notDueBefore(kindsOfChecks, now, 16),
  ],
  ['payments to be hurried', (store) => new PaymentsRepository(store).hurry({ worth: WORTH.unknown }, now)],
  [
    'notified payments to be hurried',
    (store) => new PaymentsRepository(store).hurry({ worth: WORTH.notified, awaited: true }, now),
  ],
  [
    'payments that nobody could ask about',
    (store) =>
      new PaymentsRepository(store).overdueSince({ worth: 1, method: 'card' }, now, 100, {
        id: 'pay_1',
        nextStatusCheckAt: 1,
      }),
  ],
  ['how many checks are due', (store) => new PaymentsRepository(store).dueByWorth(WORTHS, now)],
  [
    'a session’s payments',
    (store) => new PaymentsRepository(store).ofSession({ id: 'cs_1', reference: 'A' }),
  ],
  ['a payment’s timeline', (store) => new PaymentsRepository(store).timeline('pay_1')],
  [
    'the list of payments',
    (store) => new PaymentsRepository(store).list({}, 50, { createdAt: 1, id: 'pay_z' }),
  ],
  ['payments by status', (store) => new PaymentsRepository(store).list({ status: 'failed' }, 50)],
  ['payments by reference', (store) => new PaymentsRepository(store).list({ reference: 'A' }, 50)],
  ['sessions of a reference', (store) => new SessionsRepository(store).ofReference('A')],
  ['declines that count no more', (store) => new DeclinesRepository(store).forget(100)],
  ['sessions whose time is over', (store) => new SessionsRepository(store).overdue(now, 100)],
  ['sessions to be erased', (store) => new SessionsRepository(store).unredacted(now, 100)],
  [
    'events after a position',
    (store) => new EventsRepository(store).listAfter({ position: 5, ordinal: 2 }, 100),
  ],
  [
    'events of a payment',
    (store) => new EventsRepository(store).listAfter({ position: 5, ordinal: 2 }, 100, 'pay_1'),
  ],
  ['an event', (store) => new EventsRepository(store).find('evt_pay_1_1')],
  ['an event to be sent again', (store) => new EventsRepository(store).redeliver('evt_pay_1_1', now)],
  ['events put off', (store) => new EventsRepository(store).park(now)],
  [
    'the audit',
    (store) => new Audit(store, createLogger({ logLevel: 'silent' })).list({ cursor: 'aud_1' }, 50),
  ],
  ['events to be delivered', (store) => new EventsRepository(store).claim('own_1', now, now, 16)],
  ['events that are being sent', (store) => new EventsRepository(store).leased(16)],
  [
    'giving events back',
    (store) => new EventsRepository(store).giveBack([{ id: 'evt_1', owner: 'own_1', until: 5 }], now),
  ],
  ['how many events wait for later', (store) => new EventsRepository(store).countLater(now)],
  ['events planned too late', (store) => new EventsRepository(store).bringForward(now, now)],
  ['payments that others hold', (store) => new PaymentsRepository(store).leasedByOthers(16)],
  ['when events are due', (store) => new EventsRepository(store).outlook(now)],
  [
    'payments whose notifications wait',
    (store) => new NotificationsRepository(store).waitingPayments('', now, 16),
  ],
  ['notifications of a payment that wait', (store) => new NotificationsRepository(store).waitingOf('pay_1')],
  [
    'notifications that were followed up',
    (store) => new NotificationsRepository(store).markApplied('pay_1', [{ id: 'n', repeats: 0 }], now),
  ],
  [
    'payments with too many notifications',
    (store) => new NotificationsRepository(store).prune(['p', 'q'], 9),
  ],
  ['notifications of nothing', (store) => new NotificationsRepository(store).trimUnmatched(9)],
];

/** What the payment writer and the sequencer ask by statements of their own. */
const statements: [string, string][] = [
  ['an idempotency key', `select * from idempotency_keys where scope = 'session:cs_1' and key = 'k'`],
  ['a reference', `select * from payment_references where reference = 'A'`],
  [
    'open operations',
    `select * from operations where payment_id = 'p' and status in ('intended', 'unknown')`,
  ],
  ['an operation', `select * from operations where payment_id = 'p' and id = 'o'`],
  ['declines of an address', `select count(*) from declines where address_fingerprint = 'a' and at > 5`],
  [
    'declines of a network',
    `select weight from declines where network_fingerprint = 'n' and at > 5 and at <= 9 group by weight`,
  ],
  ['declines of a card', `select count(*) from declines where card_fingerprint = 'c' and at > 5`],
  [
    'expired idempotency keys',
    `delete from idempotency_keys where expires_at <= 5 and (scope, key) in (
      select scope, key from idempotency_keys where expires_at <= 5 order by expires_at limit 9)`,
  ],
  [
    'older entries of a timeline',
    `select * from timeline_pages where payment_id = 'p' and last_sequence < 9`,
  ],
  ...[`method = 'card'`, `amount = '150000'`, `card_last4 = '7499'`, `id >= 'pay_m'`].map(
    (filter): [string, string] => [
      `payments by ${filter}`,
      `select id from payments where ${filter} and id < 'pay_z' order by id desc limit 50`,
    ],
  ),
  ['a refund of a report', `select payment_id from operations where refund_reference = 'r'`],
  ['batches without a position', `select 1 from event_batches where position is null limit 1`],
  ['the last position', `select max(position) from event_batches`],
  [
    'the oldest notification that waits',
    `select min(received_at) from notifications where status = 'received'`,
  ],
  ...['applied', 'unmatched'].map((status): [string, string] => [
    `old notifications: ${status}`,
    `delete from notifications where status = '${status}' and received_at < 5 and id in (
      select id from notifications where status = '${status}' and received_at < 5 order by received_at limit 9)`,
  ]),
  [
    'the oldest notifications of nothing',
    `delete from notifications where status = 'unmatched' and id in (
      select id from notifications where status = 'unmatched' order by received_at, id limit 9)`,
  ],
  [
    'the oldest notifications of a payment',
    `delete from notifications where (id, repeats) in (
      select id, repeats from (
        select id, repeats, row_number() over (
          partition by payment_id order by case when status = 'received' then 0 else 1 end, received_at desc, id desc) as place
        from notifications where payment_id in ('p', 'q')) as ranked
      where place > 50)`,
  ],
];

/** The one statement of the sequencer that only it can make. */
function sequencer(store: Store): { placeChunk(): Promise<unknown> } {
  const logger = createLogger({ logLevel: 'silent' }, { write: () => undefined });
  return new Sequencer(store, new DeliveryTelemetry(logger)) as unknown as {
    placeChunk(): Promise<unknown>;
  };
}

describe.each(stores)('on the %s store', (kind) => {
  let place: TestStore;
  let store: Store;
  let explain: (sql: string, parameters: readonly unknown[]) => Promise<string>;
  let end: () => Promise<void>;

  beforeAll(async () => {
    place = await createTestStore(kind);
    store = await openStore(place);
    if (place.databaseUrl === undefined) {
      const database = new DatabaseSync(join(place.dataDir, 'tillfront.db'), { readOnly: true });
      explain = (sql, parameters) =>
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
      // Small tables are read whole whatever indexes there are; what is left of that now has no index.
      await client.query('set enable_seqscan = off');
      explain = async (sql, parameters) => {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, [...parameters]);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      };
      end = () => client.end();
    }
  });

  afterAll(async () => {
    await end();
    await store.close();
    await place.dispose();
  });

  /** SQLite reads a whole table with `SCAN table`; a materialized part of the query or an index in its order is none. */
  const wholeTable = {
    embedded:
      /^SCAN (?:payments|checkout_sessions|events|event_batches|operations|notifications|declines|timeline_pages|audit|idempotency_keys|payment_references)(?: AS \w+)?$/m,
    postgres:
      /Seq Scan on (?:payments|checkout_sessions|events|event_batches|operations|notifications|declines|timeline_pages|audit|idempotency_keys|payment_references)/,
  }[kind];

  test.each(questions)('%s: no table is read whole', async (_, ask) => {
    const queries: CompiledQuery[] = [];
    await ask(recorded(store, queries));
    expect(queries.length).toBeGreaterThan(0);
    for (const { sql, parameters } of queries) {
      expect(await explain(sql, parameters)).not.toMatch(wholeTable);
    }
  });

  test.each(statements)('%s: no table is read whole', async (_, sql) => {
    expect(await explain(sql, [])).not.toMatch(wholeTable);
  });

  // The embedded store gives positions in the commits.
  if (kind === 'postgres') {
    test('giving batches of events their position: no table is read whole', async () => {
      const queries: CompiledQuery[] = [];
      await sequencer(recorded(store, queries)).placeChunk();
      for (const { sql, parameters } of queries)
        expect(await explain(sql, parameters)).not.toMatch(wholeTable);
    });
  }

  test('a question without an index would be seen', async () => {
    expect(await explain(`select * from payments where metadata = '{}'`, [])).toMatch(wholeTable);
  });
});
