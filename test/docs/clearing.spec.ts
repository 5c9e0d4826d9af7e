import { expect, test } from '@jest/globals';
import { startTestSandbox } from '../harness/sandbox.js';
import { startTillfront } from '../harness/tillfront.js';
import { createTestStore } from '../harness/test-store.js';
import { expectStatus, TillfrontClient } from '../harness/client.js';
import { until } from '../harness/until.js';
import { storedRows } from '../truth/stored-time.js';
import { blocksOf } from './markdown.js';

const DAY_MS = 24 * 3_600_000;

test('what docs/scale.md removes is what may go, and payments go on', async () => {
  const store = await createTestStore('postgres');
  const sandbox = await startTestSandbox();
  const tillfront = await startTillfront({ store, gatewayUrl: sandbox.url });
  const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  const sql = (statement: string) => storedRows({ tillfront }, statement);
  const counts = async () =>
    (
      await sql(`select (select count(*) from events) as events,
        (select count(*) from idempotency_keys) as keys,
        (select count(*) from event_batches where position is null) as unplaced`)
    )[0];
  const pay = async (reference: string) => {
    const session = await client.createSession({ reference });
    return expectStatus(await client.payCard(session), 201).body;
  };
  const placed = (events: number) =>
    until(async () => {
      const now = await counts();
      return now?.['events'] === String(events) && now['unplaced'] === '0';
    });
  try {
    await pay('OLD-1');
    await pay('OLD-2');
    await placed(4);
    const long = Date.now() - 3 * 365 * DAY_MS;
    await sql(`update events set created_at = ${long}`);
    await sql(`update idempotency_keys set expires_at = ${long}`);
    const young = await pay('YOUNG');
    await placed(6);
    await sql(
      `update events set delivery_status = 'pending' where id = (select id from events order by batch, ordinal offset 1 limit 1)`,
    );

    const statements = blocksOf('scale.md').filter(({ code }) => code.startsWith('delete from'));
    expect(statements).toHaveLength(3);
    for (const { code } of statements) await sql(code);
    // Of the old events the pending one stays; the two keys of the young order.
    expect(await counts()).toMatchObject({ events: '3', keys: '2' });
    const { data } = (await client.get<{ data: { id: string; type: string }[] }>('/v1/events')).body;
    expect(data).toHaveLength(3);
    await pay('YOUNGER');
    await placed(5);
    // Of the batches those stay that have events.
    expect(
      (await sql('select position from event_batches order by position')).map(({ position }) => position),
    ).toEqual(['1', '3', '4']);
    expect((await client.getEvents(young.id)).length).toBeGreaterThan(0);
  } finally {
    await tillfront.stop();
    await sandbox.close();
    await store.dispose();
  }
});
