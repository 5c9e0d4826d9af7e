import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { Client } from 'pg';
import { openStore } from '../../test/harness/event-store.js';
import { createFormerStore } from '../../test/harness/former-store.js';
import { createEmptyStore, type TestStore } from '../../test/harness/test-store.js';
import { until } from '../../test/harness/until.js';
import { DataDirUnusable } from './data-dir-unusable.js';
import { openSqliteFile } from './sqlite/connection.js';
import { Runner } from './sqlite/runner.js';
import { isPlainRefusal } from './plain-refusal.js';

let place: TestStore;
afterEach(() => place.dispose());

/** Why the store cannot be opened: one sentence for a person, without a stack. */
async function refusal(dataDir = place.dataDir): Promise<string> {
  const error: unknown = await openStore({ ...place, dataDir }).then(
    () => new Error('it was opened'),
    (reason: unknown) => reason,
  );
  expect(isPlainRefusal(error)).toBe(true);
  return (error as Error).message;
}

describe('a data directory that cannot be used is named with the reason', () => {
  beforeEach(async () => void (place = await createEmptyStore('embedded')));

  test('a file', async () => {
    writeFileSync(join(place.dataDir, 'file'), '');
    expect(await refusal(join(place.dataDir, 'file'))).toMatch(
      /^DATA_DIR \(.*file\) cannot be used: it is no folder \(EEXIST\)/,
    );
    expect(await refusal(join(place.dataDir, 'file', 'below'))).toMatch(/it is no folder \(ENOTDIR\)/);
  });

  test('one with something else in place of the database', async () => {
    writeFileSync(join(place.dataDir, 'tillfront.db'), 'no database, whatever its name may say about it');
    expect(await refusal()).toMatch(/is no database .*\(26\)/);
  });

  test('one with a folder in place of the lock', async () => {
    mkdirSync(join(place.dataDir, 'lock.db'));
    expect(await refusal()).toMatch(/^DATA_DIR .* cannot be used: .*\(14\)/);
  });

  test.each([
    [{ code: 'EACCES' }, /this account may not write to it \(EACCES\)/],
    [{ code: 'EROFS' }, /takes no writes \(EROFS\)/],
    [{ errcode: 14 }, /belongs to another account, or cannot be made \(14\)/],
    [{ errcode: 1032 }, /may not write to a file in it \(8\)/],
  ])('one of which the system says %j', (said, reason) => {
    const open = (): never => {
      throw Object.assign(new Error('an error'), said);
    };
    expect(() => DataDirUnusable.guard('/data', open)).toThrow(reason);
  });

  test('a disk that is full in a transaction is told, and not that there is nothing to roll back', () => {
    const database = openSqliteFile(join(place.dataDir, 'tillfront.db'));
    const runner = new Runner(database);
    const run = (sql: string) => runner.run({ kind: 'statement', sql, values: [], beside: false });
    run('create table t (a text)');
    run('pragma max_page_count = 3');
    run('begin');
    expect(run('insert into t values (hex(randomblob(9000)))')).toMatchObject({ errcode: 13 });
    if (database.isTransaction) database.exec('rollback');
    expect(run('rollback')).toMatchObject({ kind: 'rows' });
    database.close();
  });
});

test('a migration that meets replicas of the older version says so, and has changed nothing', async () => {
  place = await createFormerStore('postgres', {});
  const [replica, watcher] = [new Client(place.databaseUrl), new Client(place.databaseUrl)];
  await Promise.all([replica.connect(), watcher.connect()]);
  try {
    // So that the migration is the one that gives way.
    await replica.query("set deadlock_timeout = '1h'; begin; select count(*) from operations");
    const migrating = refusal();
    await until(async () => {
      const { rows } = await watcher.query(
        "select from pg_locks where relation = 'payments'::regclass and mode = 'AccessExclusiveLock' and granted",
      );
      return rows.length > 0;
    });
    const blocked = replica.query('select count(*) from payments');
    expect(await migrating).toMatch(
      /^The migration met processes .* \(40P01\), and has changed nothing\. Stop every process/,
    );
    await blocked;
    await replica.query('rollback');
    const store = await openStore(place);
    expect((await sql`select name from kysely_migration`.execute(store.db)).rows.length).toBeGreaterThan(10);
    await store.close();
  } finally {
    await Promise.all([replica.end(), watcher.end()]);
  }
});
