import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { directWriter } from '../../../test/harness/direct-sqlite.js';
import { SqliteClock } from '../clock/sqlite-clock.js';
import { openSqliteFile } from '../sqlite/connection.js';
import { EmbeddedHistory, type EmbeddedPlace } from './embedded-history.js';
import type { StoreFault } from './store-fault.js';
import { WitnessFile } from './witness-file.js';

let folder: string;
let file: string;
let database: DatabaseSync;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillfront-test-history-'));
  file = join(folder, 'tillfront.db');
  database = openSqliteFile(file);
  database.exec('create table meta (name text primary key, value text not null)');
  database.exec('create table payments (id text primary key)');
  database.exec(`create table store_losses (id text primary key, found_at integer, found_by text, detail text,
    accepted_at integer, accepted_by text)`);
});
afterEach(() => {
  if (database.isOpen) database.close();
  rmSync(folder, { recursive: true });
});

/** Where the history of such a store stands. */
async function at(): Promise<EmbeddedPlace & { clock: SqliteClock }> {
  const writer = directWriter(database);
  const clock = new SqliteClock(database, writer);
  await clock.begin();
  return {
    file,
    witness: new WitnessFile(folder, 'embedded-witness.json'),
    clock,
    owner: 'own_1',
    write: (sql, values) => writer.run({ kind: 'statement', sql, values, beside: false }),
  };
}

/** Keeps the time, as a batch does. */
function keep(clock: SqliteClock): void {
  const kept = clock.toKeep();
  if (!kept) throw new Error('it was kept just now');
  expect(database.prepare(kept.sql).run(...kept.values).changes).toBe(1);
  clock.committed(kept);
}

const faults: StoreFault[] = [];
async function begin(): Promise<{ clock: SqliteClock; history: EmbeddedHistory }> {
  const place = await at();
  const { clock } = place;
  const history = new EmbeddedHistory(database, place, { fault: (fault) => faults.push(fault) });
  await history.begin();
  clock.startKeeping();
  return { clock, history };
}

test('a log that was truncated under it stops neither its look nor its end', async () => {
  const { clock, history } = await begin();
  keep(clock);
  database.exec('pragma cache_size = 0');
  database.exec('pragma shrink_memory');
  truncateSync(`${file}-wal`);
  expect(() => database.prepare('select * from meta').all()).toThrow();
  history.look();
  await history.end();
});

test('a store with payments that no witness knows begins a new epoch, each time', async () => {
  const epochs: number[] = [];
  const start = async (): Promise<void> => {
    const { clock, history } = await begin();
    epochs.push(history.epoch.number);
    await history.end();
    await clock.end();
  };
  await start();
  rmSync(join(folder, 'embedded-witness.json'));
  // Nothing was given out yet.
  await start();
  database.exec(`insert into payments values ('pay_1')`);
  // A process that was killed at once has left a witness too.
  await start();
  rmSync(join(folder, 'embedded-witness.json'));
  await start();
  await start();
  rmSync(join(folder, 'embedded-witness.json'));
  await start();
  expect(epochs).toEqual([0, 0, 0, 1, 1, 2]);
});

test('a backup restored into the open database is a loss that stays, and the witness is not lowered', async () => {
  const copy = join(folder, 'copy.db');
  await backup(database, copy);
  const { clock, history } = await begin();
  keep(clock);
  const reached = clock.reached ?? 0;
  await history.end();
  const witness = readFileSync(join(folder, 'embedded-witness.json'), 'utf8');
  expect(witness).toContain(String(reached));

  const older = new DatabaseSync(copy);
  await backup(older, file);
  older.close();
  expect(history.fault).toBeUndefined();
  await history.end();
  expect(history.fault).toMatchObject({ kind: 'loss', message: expect.stringContaining('has forgotten') });
  expect(faults.at(-1)).toEqual(history.fault);
  await clock.end();
  await history.end();
  expect(readFileSync(join(folder, 'embedded-witness.json'), 'utf8')).toBe(witness);
  expect(database.prepare('select detail from store_losses').all()).toEqual([
    { detail: JSON.stringify({ missing: [], known: reached, found: 0, epoch: 0 }) },
  ]);
});

test('an error of the store while it begins is one of ours', async () => {
  const place = await at();
  database.exec('pragma query_only = true');
  const history = new EmbeddedHistory(database, place);
  await expect(history.begin()).rejects.toThrow(
    'The store is unavailable: the embedded store cannot be written to',
  );
});
