import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { backupStore, copyStore, migrateStore, trustStore } from '../../src/store/maintenance.js';
import { aPayment, aSession, anOrder, changeOf, countUp } from './documents.js';
import { testPlace, type TestPlace } from './stores.js';

let embedded: TestPlace;
let postgres: TestPlace;
beforeEach(async () => {
  embedded = await testPlace('embedded');
  postgres = await testPlace('postgres');
});
afterEach(async () => {
  await embedded.end();
  await postgres.end();
});

const there = () => ({
  kind: 'postgres' as const,
  currentUrl: () => postgres.url,
  dataDir: postgres.dataDir,
});
const here = () => ({ kind: 'embedded' as const, dataDir: embedded.dataDir });

async function fill(): Promise<void> {
  const store = await embedded.open();
  for (let n = 1; n <= 40; n++) {
    const reference = `M-${n}`;
    await store.write(reference, () => ({
      change: changeOf(anOrder(reference, { sessions: [aSession(`cs_${n}`)] }), {
        payments: [aPayment(reference, 1, { captured: 9_007_199_254_740_993n })],
      }),
      result: 1,
    }));
    await store.write(reference, countUp);
  }
  await store.close();
}

test('an embedded store is copied into PostgreSQL, and refuses to start afterwards', async () => {
  await fill();
  const counts = await copyStore(embedded.dataDir, () => postgres.url);
  expect(counts).toMatchObject({ orders: 40, payments: 40, sessions: 40, events: 40 });
  await expect(embedded.open()).rejects.toThrow('moved to PostgreSQL');
  await expect(copyStore(embedded.dataDir, () => postgres.url)).rejects.toThrow('moved to PostgreSQL');
  // Beside the mark of the embedded store.
  const store = await postgres.open({ place: { ...there(), dataDir: embedded.dataDir } });
  expect(store.restoredAt).toBeUndefined();
  const { payments } = await store.read('M-7');
  expect(payments).toEqual([aPayment('M-7', 1, { captured: 9_007_199_254_740_993n })]);
  expect(await store.write('M-7', countUp)).toBe(2);
  expect(await store.rows({ text: 'select max(seq) as last from events' })).toEqual([{ last: 41 }]);
});

test('a copy needs a stopped service and a database without payments', async () => {
  await expect(copyStore(embedded.dataDir, () => postgres.url)).rejects.toThrow('no embedded store');
  await fill();
  const running = await embedded.open();
  await expect(copyStore(embedded.dataDir, () => postgres.url)).rejects.toThrow('in use');
  await running.close();
  await (await postgres.open()).write('X', countUp);
  await expect(copyStore(embedded.dataDir, () => postgres.url)).rejects.toThrow('has payments already');
  await (await embedded.open()).close();
});

test('a backup is made while the service runs, for the owner alone, and starts elsewhere as restored', async () => {
  await fill();
  const store = await embedded.open();
  const folder = mkdtempSync(join(tmpdir(), 'tillfront-test-backup-'));
  const file = join(folder, 'tillfront.db');
  await backupStore(here(), file);
  await store.write('M-1', countUp);
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  await expect(backupStore(here(), file)).rejects.toThrow('exists already');
  await expect(backupStore(there(), file)).rejects.toThrow('pg_dump');
  const copy = await embedded.open({ place: { kind: 'embedded', dataDir: folder } });
  expect(copy.restoredAt).toBeDefined();
  expect(await copy.write('M-1', countUp)).toBe(2);
  await copy.close();
  rmSync(folder, { recursive: true });
});

test('a store is migrated by a command where the service may not do it', async () => {
  for (const [place, at] of [
    [embedded, here()],
    [postgres, there()],
  ] as const) {
    await expect(place.open({ migrate: false })).rejects.toThrow('store migrate');
    expect(await migrateStore(at)).toEqual({ from: 0, to: 1 });
    expect(await migrateStore(at)).toEqual({ from: 1, to: 1 });
    const store = await place.open({ migrate: false });
    expect(await store.write('A', countUp)).toBe(1);
    await store.close();
  }
});

test('a command makes no store by looking for one', async () => {
  await expect(trustStore(here())).rejects.toThrow('no embedded store');
  await expect(backupStore(here(), join(embedded.dataDir, 'b.db'))).rejects.toThrow('no embedded store');
  expect(existsSync(join(embedded.dataDir, 'tillfront.db'))).toBe(false);
  await expect(trustStore(there())).rejects.toThrow('no store yet');
});
