import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { openReader, type StoreReader } from '../chaos/store-reader.js';
import { newReference, TillfrontClient } from '../harness/client.js';
import { startMisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { createTestStore, stores, type TestStore } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { openUpload } from './open-upload.js';
import {
  HEADER,
  report,
  reportRow,
  upload,
  type DifferenceBody,
  type SettlementBody,
} from './settlement-scene.js';

/** More differences than are written down with one statement, so that some stand in the store before the file ends. */
const ROWS = 900;
/** So many that matching them takes seconds. */
const MATCHED_LONG = 4_000;
/** Longer than any other request may take. */
const SLOW_MS = 17_500;

interface Scene {
  readonly store: TestStore;
  readonly reader: StoreReader;
  readonly start: () => Promise<{ tillfront: Tillfront; client: TillfrontClient }>;
}

async function inScene(kind: (typeof stores)[number], walk: (scene: Scene) => Promise<void>): Promise<void> {
  const gateway = await startMisbehavingGateway();
  const store = await createTestStore(kind);
  const reader = openReader(store.databaseUrl ?? join(store.dataDir, 'tillfront.db'));
  let running: Tillfront | undefined;
  try {
    await walk({
      store,
      reader,
      start: async () => {
        running = await startTillfront({ store, gatewayUrl: gateway.url });
        return { tillfront: running, client: new TillfrontClient(running.url, running.merchantKey) };
      },
    });
  } finally {
    await running?.stop();
    await reader.close();
    await store.dispose();
    await gateway.close();
  }
}

const unknownRows = (count = ROWS): string[] =>
  Array.from({ length: count }, () => reportRow(`${newReference()}_1`));

/** How many rows there are, past what the service shows. */
async function rowsIn(reader: StoreReader, what: string): Promise<number> {
  const [row] = await reader.read(`select count(*) as count from ${what}`);
  return Number(row?.['count']);
}

async function listed(client: TillfrontClient): Promise<SettlementBody[]> {
  return (await client.get<{ data: SettlementBody[] }>('/v1/settlements')).body.data;
}

async function inOverview(client: TillfrontClient): Promise<{ id: string; differences: number } | null> {
  type Overview = { lastSettlement: { id: string; differences: number } | null };
  return (await client.get<Overview>('/v1/reports/overview')).body.lastSettlement;
}

async function allDifferences(client: TillfrontClient, id: string): Promise<DifferenceBody[]> {
  const all: DifferenceBody[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    type Page = { data: DifferenceBody[]; nextCursor: string | null };
    const page: Page = (
      await client.get<Page>(
        `/v1/settlements/${id}/differences?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
    ).body;
    all.push(...page.data);
    cursor = page.nextCursor;
  }
  return all;
}

// All at once: what they take is mostly waiting, for a dead process’s turn to end and for a slow sender.

test.concurrent.each(stores)(
  'a comparison whose process is killed is none, and the file can be sent again, on the %s store',
  (kind) =>
    inScene(kind, async ({ reader, start }) => {
      const rows = unknownRows();
      const first = await start();
      const open = openUpload(first.tillfront);
      open.write([HEADER, ...rows.slice(0, -1), ''].join('\n'));
      await until(async () => (await rowsIn(reader, 'settlement_rows')) > 0);
      const [begun] = await reader.read('select id from settlements');
      const isNone = async (client: TillfrontClient): Promise<void> => {
        expect(await listed(client)).toEqual([]);
        expect(await inOverview(client)).toBeNull();
        const path = `/v1/settlements/${String(begun?.['id'])}`;
        const direct = [await client.get(path), await client.get(`${path}/differences`)];
        expect(direct.map(({ status }) => status)).toEqual([404, 404]);
      };
      await isNone(first.client);
      await first.tillfront.kill();
      expect(await open.answered).toBeUndefined();
      expect(await rowsIn(reader, 'settlement_rows')).toBeGreaterThan(0);

      const { tillfront, client } = await start();
      await isNone(client);
      const { status, body } = await upload(tillfront, '/v1/settlements', report(...rows));
      expect([status, body.rows, body.counts]).toEqual([
        201,
        ROWS,
        expect.objectContaining({ unknown_here: ROWS, twice_there: 0 }),
      ]);
      expect((await allDifferences(client, body.id)).map(({ row }) => row)).toEqual(
        rows.map((_, n) => n + 2),
      );
      expect((await listed(client)).map(({ id }) => id)).toEqual([body.id]);
      // An overview may be 5 s old.
      await until(async () => (await inOverview(client)) !== null);
      expect(await inOverview(client)).toMatchObject({ id: body.id, differences: ROWS });
      // Nothing of the dead one is left.
      for (const table of ['settlement_rows', 'differences']) expect(await rowsIn(reader, table)).toBe(ROWS);
      expect(await rowsIn(reader, 'settlements')).toBe(1);
    }),
);

test.concurrent.each(stores)(
  'a report whose process is killed while it is matched is gone on with by the next one, on the %s store',
  (kind) =>
    inScene(kind, async ({ reader, start }) => {
      const first = await start();
      const rows = unknownRows(MATCHED_LONG);
      const sent = upload(first.tillfront, '/v1/settlements', report(...rows)).catch(() => undefined);
      // It is read, so that it counts, and some of it is matched.
      await until(
        async () => (await rowsIn(reader, 'settlements where rows_id is not null and matched_to > 0')) > 0,
      );
      await first.tillfront.kill();
      await sent;
      expect(await rowsIn(reader, 'settlements where finished_at is null')).toBe(1);

      const { tillfront, client } = await start();
      await until(async () => (await listed(client)).length > 0, 60_000);
      const [settlement] = await listed(client);
      expect(settlement).toMatchObject({
        ...{ rows: MATCHED_LONG, rowsMatched: 0, rowsDifferent: MATCHED_LONG },
        counts: { unknown_here: MATCHED_LONG, settled_twice: 0 },
      });
      expect(await rowsIn(reader, 'differences')).toBe(MATCHED_LONG);
      // Whoever sends it again is answered with this one.
      const { status, body } = await upload(tillfront, '/v1/settlements', report(...rows));
      expect([status, body.id]).toEqual([200, settlement?.id]);
    }),
  120_000,
);

test.concurrent.each(stores)(
  'a list of orders whose process is killed leaves the earlier one, on the %s store',
  (kind) =>
    inScene(kind, async ({ reader, start }) => {
      const orders = (count: number): string =>
        [
          'reference,amount,currency,status',
          ...Array.from({ length: count }, () => `${newReference()},1500.00,NGN,paid`),
          '',
        ].join('\n');
      const first = await start();
      const { body: settlement } = await upload(
        first.tillfront,
        '/v1/settlements',
        report(...unknownRows(1)),
      );
      const path = `/v1/settlements/${settlement.id}/orders`;
      const { body: before } = await upload(first.tillfront, path, orders(3));
      expect(before.counts).toMatchObject({ unknown_here: 1, order_not_paid: 3 });
      const found = await allDifferences(first.client, settlement.id);
      const open = openUpload(first.tillfront, path);
      open.write(orders(ROWS));
      await until(async () => (await rowsIn(reader, 'settlement_rows')) > 4);
      await first.tillfront.kill();
      expect(await open.answered).toBeUndefined();

      const { tillfront, client } = await start();
      expect((await client.get(`/v1/settlements/${settlement.id}`)).body).toEqual(before);
      expect(await allDifferences(client, settlement.id)).toEqual(found);
      const next = await upload(tillfront, path, orders(2));
      expect(next.body).toMatchObject({
        orders: { rows: 2 },
        counts: { unknown_here: 1, order_not_paid: 2 },
      });
      const left = (await allDifferences(client, settlement.id)).filter(({ state }) => state === 'open');
      expect(left).toHaveLength(3);
      // The report's own row, and nothing of any list.
      expect(await rowsIn(reader, 'settlement_rows')).toBe(1);
    }),
);

test.concurrent(
  'a cut file keeps nothing, and a slow one is compared, though it takes longer than other requests may',
  () =>
    inScene('embedded', async ({ reader, start }) => {
      const { tillfront, client } = await start();
      const rows = unknownRows();
      const cut = openUpload(tillfront);
      cut.write([HEADER, ...rows, ''].join('\n'));
      await until(async () => (await rowsIn(reader, 'settlement_rows')) > 0);
      cut.cut();
      expect(await cut.answered).toBeUndefined();
      await until(async () => (await rowsIn(reader, 'settlements')) === 0);
      for (const table of ['settlement_rows', 'differences']) expect(await rowsIn(reader, table)).toBe(0);
      expect(await listed(client)).toEqual([]);

      const slow = openUpload(tillfront);
      const began = performance.now();
      slow.write(`${HEADER}\n${rows[0]}\n`);
      // The limit is one of real time: it cannot be reached sooner. One that sends nothing at all is given up.
      for (let part = 0; part < 5; part++) {
        slow.write(' ');
        await pause(SLOW_MS / 5);
      }
      slow.write(`${rows[1]}\n`);
      slow.end();
      expect(await slow.answered).toMatchObject({
        status: 201,
        body: { rows: 2, counts: { unknown_here: 2 } },
      });
      expect(performance.now() - began).toBeGreaterThan(15_000);
    }),
);
