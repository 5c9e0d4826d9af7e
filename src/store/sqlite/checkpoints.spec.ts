import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../../../test/harness/until.js';
import { Checkpoints } from './checkpoints.js';
import { openSqliteFile } from './connection.js';

let folder: string;
let file: string;
let database: DatabaseSync;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillfront-checkpoints-'));
  file = join(folder, 'tillfront.db');
  database = openSqliteFile(file);
  database.exec('create table lines (number integer primary key, text text not null)');
});

afterEach(() => {
  if (database.isOpen) database.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(checkpoints: Checkpoints, commits: number, bytes = 3_000): void {
  const insert = database.prepare('insert into lines (text) values (?)');
  for (let number = 0; number < commits; number++) {
    insert.run('x'.repeat(bytes));
    checkpoints.committed();
  }
}

/** Rows in the database's own file, without its log. */
function copied(): number {
  const alone = join(folder, 'alone.db');
  copyFileSync(file, alone);
  const copy = new DatabaseSync(alone);
  try {
    return Number(copy.prepare('select count(*) as count from lines').get()?.['count']);
  } catch {
    // The table itself is still in the log, or the copy was taken in between.
    return 0;
  } finally {
    copy.close();
  }
}

test('the log is copied into the database by a thread, after so many commits', async () => {
  const checkpoints = new Checkpoints(database, file);
  write(checkpoints, 48);
  await until(() => copied() === 48);
  await checkpoints.end();
});

test('under steady writing the log begins anew instead of growing without end', async () => {
  const checkpoints = new Checkpoints(database, file);
  let turns = 0;
  await until(() => {
    // 12 pages a commit: without the thread it would be 145 MB of log.
    write(checkpoints, 200, 45_000);
    return ++turns === 15;
  }, 60_000);
  await checkpoints.end();
  expect(statSync(`${file}-wal`).size).toBeLessThan(80e6);
});

test('a thread that dies at once fails no commit and is replaced, and SQLite’s own bound stands', async () => {
  let started = 0;
  const checkpoints = new Checkpoints(database, file, () => {
    started++;
    return new Worker('process.exit(1)', { eval: true });
  });
  await until(() => {
    write(checkpoints, 48, 10);
    return started > 2;
  });
  await checkpoints.end();
  expect(database.prepare('pragma wal_autocheckpoint').get()).toEqual({ wal_autocheckpoint: 12_000 });
});

test('no commit fails where no thread can be started', () => {
  const checkpoints = new Checkpoints(database, file, () => {
    throw new Error('no memory');
  });
  expect(() => {
    write(checkpoints, 200, 10);
  }).not.toThrow();
});

test('its end leaves nothing open: the last connection that closes removes the log', async () => {
  const checkpoints = new Checkpoints(database, file);
  write(checkpoints, 100);
  await checkpoints.end();
  database.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
  expect(copied()).toBe(100);
});
