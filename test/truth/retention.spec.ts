import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Sandbox } from '../../sandbox/server.ts';
import { expectStatus, TillfrontClient } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { createTestStore, stores, type TestStore } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { storedRows } from './stored-time.js';

const DAY_MS = 24 * 3_600_000;
/** More than are taken at once, for a shop's day must not need more than a day. */
const OLD = 120;

describe.each(stores)('what is kept for a time, on the %s store', (kind) => {
  let sandbox: Sandbox;
  let store: TestStore;
  let tillfront: Tillfront;

  beforeEach(async () => {
    sandbox = await startTestSandbox();
    store = await createTestStore(kind);
  });
  afterEach(async () => {
    await tillfront?.stop();
    await sandbox?.close();
    await store?.dispose();
  });

  const start = async (days: string, more: Record<string, string> = {}): Promise<TillfrontClient> => {
    const env = { PAYER_RETENTION_DAYS: days, ...more };
    tillfront = await startTillfront({ store, gatewayUrl: sandbox.url, env });
    return new TillfrontClient(tillfront.url, tillfront.merchantKey);
  };
  const sql = (statement: string) => storedRows({ tillfront }, statement);

  test('payer data is erased, all of it, and nothing else is', async () => {
    const shop = await start('0');
    const paid = await shop.createSession({ reference: 'OLD-PAID' });
    const payment = expectStatus(await shop.payCard(paid), 201).body;
    for (let n = 1; n < OLD; n++) await shop.createSession({ reference: `OLD-${n}` });
    await shop.createSession({ reference: 'YOUNG' });
    await tillfront.stop();
    const longAgo = Date.now() - 31 * DAY_MS;
    await sql(`update checkout_sessions set finished_at = ${longAgo},
      status = case when status = 'open' then 'closed' else status end where reference like 'OLD-%'`);
    await sql(`insert into notifications (id, received_at, digest, media_type, body, payment_id, status, repeats)
      values ('ntf_1', ${longAgo}, 'd', 'application/json', '{"email":"ada@example.com"}', '${payment.id}', 'applied', 0)`);

    const again = await start('30');
    const left = async (): Promise<unknown> =>
      (await sql('select count(*) as count from checkout_sessions where payer is not null'))[0]?.['count'];
    await until(async () => Number(await left()) <= 1);
    const kept = await sql(
      'select reference from checkout_sessions where payer is not null or billing is not null',
    );
    expect(kept).toEqual([{ reference: 'YOUNG' }]);
    await until(async () => (await sql('select body from notifications'))[0]?.['body'] === '');
    expect(await sql('select body, repeats from notifications')).toEqual([
      { body: '', repeats: expect.anything() },
    ]);
    expect(await again.getPayment(payment.id)).toMatchObject({ status: 'succeeded', amount: payment.amount });
    expect((await again.getEvents(payment.id)).length).toBeGreaterThan(0);
  });

  test('events that are over are removed, but for the newest and for what waits; who reads on misses nothing', async () => {
    const shop = await start('0');
    for (let n = 0; n < OLD; n++) await shop.createSession({ reference: `CLOSED-${n}` });
    for (const { id } of (await sql('select id from checkout_sessions')) as { id: string }[])
      expectStatus(await shop.post(`/v1/checkout-sessions/${id}/close`), 200);
    interface Feed {
      data: { id: string; sequence: number }[];
    }
    const feed = async (client: TillfrontClient): Promise<string[]> => {
      const found: string[] = [];
      for (let after = ''; ;) {
        const answered = await client.get<Feed>(`/v1/events?limit=100${after}`);
        // The last one that was read has been removed meanwhile.
        if (answered.status === 404 && found.length > 0) return feed(client);
        const { data } = expectStatus(answered, 200).body;
        if (data.length === 0) return found;
        found.push(...data.map(({ id }) => id));
        after = `&after=${found.at(-1)}`;
      }
    };
    await until(async () => (await feed(shop)).length === OLD);
    const [first = '', second = '', ...rest] = await feed(shop);
    const newest = rest.at(-1) ?? '';
    await tillfront.stop();
    await sql(`update events set created_at = ${Date.now() - 31 * DAY_MS}`);
    await sql(
      `update events set delivery_status = 'pending', next_attempt_at = ${Date.now() + DAY_MS} where id = '${second}'`,
    );

    await (await start('0')).get('/v1/events');
    await tillfront.stop();
    const again = await start('0', { EVENT_RETENTION_DAYS: '30' });
    await until(async () => (await feed(again)).length <= 2);
    expect(await feed(again)).toEqual([second, newest]);
    expect((await again.get(`/v1/events?after=${first}`)).status).toBe(404);
    const batches = async (): Promise<number> =>
      Number((await sql('select count(*) as count from event_batches'))[0]?.['count']);
    await until(async () => (await batches()) <= 2);
    expect(await batches()).toBe(2);

    const session = await again.createSession({ reference: 'AFTERWARDS' });
    expectStatus(await again.post(`/v1/checkout-sessions/${session.id}/close`), 200);
    await until(async () => (await feed(again)).length === 3);
    const { body } = await again.get<Feed>(`/v1/events?after=${newest}`);
    expect(body.data).toHaveLength(1);
  });
});
