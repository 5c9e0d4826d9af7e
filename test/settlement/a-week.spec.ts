import { cp } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SettlementProfile } from '../../src/gateway/profile/format.js';
import { parseMajor } from '../../src/money/money.js';
import { GatewayBook, type FileRow } from '../books/gateway-book.js';
import { fileOf, SHAPES } from '../books/shapes.js';
import { WAYS } from '../books/ways.js';
import { liveWeek } from '../books/week.js';
import { expectStatus, TillfrontClient } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { createTestStore, stores, type StoreKind, type TestStore } from '../harness/test-store.js';
import { startTillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { profileFile } from '../profiles/strict-gateway.js';
import { refundOperations } from '../truth/refunds.js';
import { storedRows } from '../truth/stored-time.js';
import { upload, type DifferenceBody, type SettlementBody } from './settlement-scene.js';

/**
 * A week as a shop has it, in six currencies, with faults planted in the gateway's reports. However these are cut into files, in whatever
 * shapes and order they come, the same differences are open at the end, and nothing else is. The gateway's own book is the judge, also of the
 * ledger. `npm run week` lives the whole week, and tries each shape by itself too.
 */

const ORDERS = Number(process.env['TEST_WEEK_ORDERS'] ?? 65);
const SEED = Number(process.env['TEST_WEEK_SEED'] ?? 1);
const isWhole = process.env['TEST_WEEK_ORDERS'] !== undefined;

const ENV = {
  GATEWAY_PROFILE: profileFile({ operations: refundOperations, settlement: SHAPES }),
};

type Files = readonly { readonly rows: readonly FileRow[]; readonly form: SettlementProfile }[];

/** The files of a way, each in the next shape. */
function filesOf(way: string, rows: readonly FileRow[]): Files {
  const first = Object.keys(WAYS).indexOf(way);
  const parts = WAYS[way]?.(rows) ?? [];
  return parts.flatMap((part, n) => {
    const form = SHAPES[(first + n) % SHAPES.length];
    return form ? [{ rows: part, form }] : [];
  });
}

/** A whole week's rows in each shape by itself, where there is time for it. */
const inShapes: [string, (rows: readonly FileRow[]) => Files][] = SHAPES.map((form) => [
  `in the shape of ${form.columns.reference}`,
  (rows) => [{ rows, form }],
]);
const WAYS_ON: Readonly<Record<StoreKind, [string, (rows: readonly FileRow[]) => Files][]>> = {
  embedded: [
    ...Object.keys(WAYS).map((way): [string, (rows: readonly FileRow[]) => Files] => [
      way,
      (rows) => filesOf(way, rows),
    ]),
    ...(isWhole ? inShapes : []),
  ],
  // The matching is the same on both stores, so one way of cutting shows that PostgreSQL keeps it.
  postgres: [['in files that overlap', (rows) => filesOf('in files that overlap', rows)]],
};

/** Lets the days pass that the week is ago. */
async function passDays(scene: Scene, book: GatewayBook): Promise<void> {
  for (const [day, own] of Map.groupBy(book.dayOf, ([, of]) => of)) {
    const ids = own.map(([id]) => `'${id}'`).join(', ');
    await storedRows(scene, `update movements set at = at - ${book.agoOf(day)} where payment_id in (${ids})`);
  }
}

async function send(tillfront: Scene['tillfront'], { rows, form }: Files[number], n: number): Promise<void> {
  const file = fileOf(rows, form);
  const packed = gzipSync(file);
  const [body, headers] =
    n % 3 === 0 ? [packed, { 'content-encoding': 'gzip' }] : [n % 3 === 1 ? packed : file, {}];
  const path = '/v1/settlements';
  const first = expectStatus(await upload<SettlementBody>(tillfront, path, body, { headers }), 200, 201).body;
  // The line of the payment that is still pending, and that of the totals.
  expect(first).toMatchObject({ rows: rows.length + 2, rowsSetAside: 0, skipped: { status: 1, ignore: 1 } });
  const again = await upload<SettlementBody>(tillfront, path, file);
  expect([again.status, again.body.id]).toEqual([200, first.id]);
}

async function openOf(client: TillfrontClient): Promise<string[]> {
  const found: string[] = [];
  for (let cursor = ''; ;) {
    const path = `/v1/differences?state=open&limit=100${cursor}`;
    const { body } = expectStatus(
      await client.get<{ data: DifferenceBody[]; nextCursor: string | null }>(path),
      200,
    );
    for (const { kind, reference, found: is, expected } of body.data) {
      const money = is ?? expected;
      found.push(`${kind} ${reference} ${parseMajor(money?.amount ?? '', money?.currency ?? '')}`);
    }
    if (body.nextCursor === null) return found.sort();
    cursor = `&cursor=${body.nextCursor}`;
  }
}

describe.each(stores)('a week on the %s store', (kind) => {
  let scene: Scene;
  let lived: TestStore;
  let book: GatewayBook;

  beforeAll(async () => {
    lived = await createTestStore(kind);
    scene = await startScene(lived, ENV);
    book = new GatewayBook(scene);
    await liveWeek(book, ORDERS, SEED);
    await passDays(scene, book);
    await scene.tillfront.stop();
  }, 600_000);
  afterAll(async () => {
    await scene?.stop();
    await lived?.dispose();
  });

  test('has a fault of each kind', () => {
    const kinds = new Set(book.planted.map(({ kind: is }) => is));
    expect([book.planted.length, kinds.size]).toEqual([Math.ceil(ORDERS / 5), 12]);
  });

  test.each(WAYS_ON[kind])(
    '%s',
    async (_, cut) => {
      const store = kind === 'embedded' ? await createTestStore(kind) : lived;
      if (store !== lived) await cp(lived.dataDir, store.dataDir, { recursive: true });
      const tillfront = await startTillfront({ store, gatewayUrl: scene.gateway.url, env: ENV });
      const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
      try {
        for (const [n, file] of cut(book.rows).entries()) await send(tillfront, file, n);
        const planted = book.planted
          .map(({ kind: is, reference, amount }) => `${is} ${reference} ${amount}`)
          .sort();
        await until(async () => (await openOf(client)).length === planted.length, 15_000).catch(
          () => undefined,
        );
        expect(await openOf(client)).toEqual(planted);
        const { body } = await client.get<{ openDifferences: number }>('/v1/reports/overview');
        expect(body.openDifferences).toBe(planted.length);
        await expectSums(client, book);
      } finally {
        await tillfront.stop();
        if (store !== lived) await store.dispose();
      }
    },
    120_000,
  );
});

/** The ledger has what the gateway's book has, and what is settled and what is not come to it. */
async function expectSums(client: TillfrontClient, { moved }: GatewayBook): Promise<void> {
  type Sums = Record<
    'captured' | 'refunded' | 'reversed' | 'chargedBack' | 'net' | 'settled' | 'unsettled',
    string
  >;
  const path = '/v1/reports/summary?by=currency';
  const { body } = expectStatus(await client.get<{ movements: (Sums & { currency: string })[] }>(path), 200);
  const found = body.movements.map(({ currency, ...sums }) => {
    const minor = (amount: string): bigint =>
      amount.startsWith('-')
        ? -(parseMajor(amount.slice(1), currency) ?? 0n)
        : (parseMajor(amount, currency) ?? 0n);
    const [net, settled, unsettled] = [minor(sums.net), minor(sums.settled), minor(sums.unsettled)];
    expect([currency, settled + unsettled]).toEqual([currency, net]);
    const { captured, refunded, reversed, chargedBack } = sums;
    return [currency, ...[captured, refunded, reversed, chargedBack].map(minor)].join(' ');
  });
  const booked = [...moved].map(([currency, { captured, refunded, reversed, chargedBack }]) =>
    [currency, captured, refunded, reversed, chargedBack].join(' '),
  );
  expect(found.sort()).toEqual(booked.sort());
}
