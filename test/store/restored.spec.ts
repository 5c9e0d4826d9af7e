import { copyFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { declareRestored, trustStore } from '../../src/store/maintenance.js';
import { countUp } from './documents.js';
import { testPlace, type TestPlace } from './stores.js';

/** Longer than two heartbeats. */
const SOON_MS = 6_000;

async function eventually(holds: () => boolean): Promise<void> {
  const end = performance.now() + SOON_MS;
  while (!holds() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(holds()).toBe(true);
}

describe('an embedded store', () => {
  let place: TestPlace;
  let file: string;
  beforeEach(async () => {
    place = await testPlace('embedded');
    file = join(place.dataDir, 'tillfront.db');
  });
  afterEach(() => place.end());

  const writeAndClose = async (): Promise<void> => {
    const store = await place.open();
    await store.write('R-1', countUp);
    await store.close();
  };

  test('is whole after an orderly end, and its files are the owner’s alone', async () => {
    await writeAndClose();
    const store = await place.open();
    expect([store.restoredAt, store.lossSeenAt]).toEqual([undefined, undefined]);
    for (const name of ['tillfront.db', 'tillfront.db-wal', 'lock.db', 'mark.json'])
      expect((statSync(join(place.dataDir, name)).mode & 0o777).toString(8)).toBe('600');
  });

  test('is restored where an older copy was put back, until it is trusted', async () => {
    await writeAndClose();
    copyFileSync(file, `${file}.old`);
    await writeAndClose();
    copyFileSync(`${file}.old`, file);
    const store = await place.open();
    expect(store.restoredAt).toBeGreaterThan(Date.now() - 60_000);
    // Only a running service sees a loss happen.
    expect(store.lossSeenAt).toBeUndefined();
    await store.close();
    const again = await place.open();
    expect(again.restoredAt).toBe(store.restoredAt);
    await again.close();
    expect(await trustStore({ kind: 'embedded', dataDir: place.dataDir })).toBe(store.restoredAt);
    const trusted = await place.open();
    expect(trusted.restoredAt).toBeUndefined();
    expect(await trusted.write('R-1', countUp)).toBe(2);
  });

  test('is restored where it is new beside an old mark', async () => {
    await writeAndClose();
    rmSync(file);
    expect((await place.open()).restoredAt).toBeDefined();
  });

  test('is restored where a backup with orders has no mark beside it', async () => {
    await writeAndClose();
    rmSync(join(place.dataDir, 'mark.json'));
    expect((await place.open()).restoredAt).toBeDefined();
  });

  test('is restored for 30 days', async () => {
    await writeAndClose();
    await declareRestored({ kind: 'embedded', dataDir: place.dataDir });
    const store = await place.open();
    expect(store.restoredAt).toBeDefined();
    await store.run({
      text: `update meta set value = ? where name = 'restored'`,
      values: [String(Date.now() - 31 * 86_400_000)],
    });
    await store.close();
    expect((await place.open()).restoredAt).toBeUndefined();
  });

  test('learns while it runs what a person declares', async () => {
    const store = await place.open();
    await store.write('R-1', countUp);
    const here = { kind: 'embedded', dataDir: place.dataDir } as const;
    await declareRestored(here);
    await eventually(() => store.restoredAt !== undefined);
    expect(store.lossSeenAt).toBeDefined();
    await trustStore(here);
    await eventually(() => store.restoredAt === undefined);
    expect(await store.write('R-1', countUp)).toBe(2);
  });

  test('refuses to write into a file that was replaced under it', async () => {
    const store = await place.open();
    await store.write('R-1', countUp);
    renameSync(file, `${file}.away`);
    await expect(store.write('R-1', countUp)).rejects.toThrow('replaced or removed');
    expect(await store.unusable()).toContain('replaced or removed');
    renameSync(`${file}.away`, file);
    expect(await store.write('R-1', countUp)).toBe(2);
  });

  test('refuses a second process and a folder that is a file', async () => {
    await place.open();
    await expect(place.open()).rejects.toThrow('in use by another process');
    writeFileSync(join(place.dataDir, 'file'), '');
    const dataDir = join(place.dataDir, 'file');
    await expect(place.open({ place: { kind: 'embedded', dataDir } })).rejects.toThrow('cannot be used');
  });
});

describe('a PostgreSQL', () => {
  let place: TestPlace;
  let admin: Client;
  let name: string;
  beforeEach(async () => {
    place = await testPlace('postgres');
    const url = new URL(place.url);
    name = url.pathname.slice(1);
    url.pathname = '/postgres';
    admin = new Client({ connectionString: url.href });
    await admin.connect();
  });
  afterEach(async () => {
    await place.end();
    await admin.query(`drop database if exists ${name}_copy with (force)`);
    await admin.query(`drop database if exists ${name}_lost with (force)`);
    await admin.end();
  });

  const alone = async (work: () => Promise<unknown>): Promise<void> => {
    await admin.query(`alter database ${name} allow_connections false`);
    const end = () =>
      admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await end();
    for (;;) {
      const { rows } = await admin.query('select 1 from pg_stat_activity where datname = $1', [name]);
      if (rows.length === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await work();
    await admin.query(`alter database ${name} allow_connections true`);
  };
  /** A base copy of the database. */
  const copy = () => alone(() => admin.query(`create database ${name}_copy template ${name}`));
  /** The copy takes the database's place, as a standby does that had not received everything. */
  const failOver = () =>
    alone(async () => {
      await admin.query(`alter database ${name} rename to ${name}_lost`);
      await admin.query(`alter database ${name}_copy rename to ${name}`);
    });

  test('that lost only what an idle process wrote is restored for all within seconds', async () => {
    const [one, idle] = [await place.open(), await place.open()];
    await copy();
    for (let done = false; !done;)
      done = await idle.write('R-1', countUp).then(
        () => true,
        () => false,
      );
    await failOver();
    await eventually(() => one.restoredAt !== undefined && one.restoredAt === idle.restoredAt);
  });

  test('that lost only what another process wrote is restored before one that lost nothing writes', async () => {
    const [one, other] = [await place.open(), await place.open()];
    await other.write('R-1', countUp);
    await copy();
    for (let done = false; !done;)
      done = await one.write('R-2', countUp).then(
        () => true,
        () => false,
      );
    await failOver();
    const known: (number | undefined)[] = [];
    const write = (): Promise<number> =>
      other.write('R-2', (stored) => {
        known.push(other.restoredAt);
        return countUp(stored);
      });
    for (let done = false; !done;)
      done = await write().then(
        () => true,
        () => false,
      );
    expect(known.at(-1)).toBeDefined();
  });

  test('that lost commits is restored at the next start', async () => {
    const store = await place.open();
    await store.write('R-1', countUp);
    await copy();
    for (let tries = 0; tries < 20; tries++)
      if (
        await store.write('R-2', countUp).then(
          () => true,
          () => false,
        )
      )
        break;
    await store.close();
    expect(JSON.parse(readFileSync(join(place.dataDir, 'mark.json'), 'utf8'))).toMatchObject({
      marks: [{}, {}, {}],
    });
    await failOver();
    const again = await place.open();
    expect(again.restoredAt).toBeDefined();
    expect(again.lossSeenAt).toBeUndefined();
  });

  test('is declared restored and trusted for every replica within seconds', async () => {
    const [one, two] = [await place.open(), await place.open()];
    const here = {
      kind: 'postgres',
      currentUrl: () => place.url,
      dataDir: place.dataDir,
    } as const;
    await declareRestored(here);
    await eventually(() => one.restoredAt !== undefined && one.restoredAt === two.restoredAt);
    await trustStore(here);
    await eventually(() => one.restoredAt === undefined && two.restoredAt === undefined);
    await expect(
      declareRestored({ ...here, currentUrl: () => place.url.replace(name, 'postgres') }),
    ).rejects.toThrow('There is no store yet');
  });
});
