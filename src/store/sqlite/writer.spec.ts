import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openStore } from '../../../test/harness/event-store.js';
import { createTestStore, type TestStore } from '../../../test/harness/test-store.js';
import { Kysely } from 'kysely';
import type { Tables } from '../schema.js';
import { StoreUnavailable } from '../store-unavailable.js';
import { EmbeddedDialect } from './dialect.js';
import { openConnection, Runner, STEP, type BatchMessage } from './runner.js';
import { WriterThread } from './writer.js';

describe('the thread that writes', () => {
  let place: TestStore;
  beforeEach(async () => void (place = await createTestStore('embedded')));
  afterEach(() => place.dispose());

  test('a commit that takes its time holds up nothing else, and is answered when it is done', async () => {
    const store = await openStore(place);
    const other = new DatabaseSync(join(place.dataDir, 'tillfront.db'));
    // Whoever writes now waits for the end of this. SQLite waits without giving its thread to anything else.
    other.exec('begin immediate');
    let answered = false;
    const writing = store.writer
      .write({ reference: 'R', createReference: true }, ({ reference }) => ({
        changes: { reference: { ...reference, attempts: 1 } },
        result: undefined,
      }))
      .then(() => (answered = true));
    const single = store.db.insertInto('meta').values({ name: 'a', value: 'b' }).execute();
    for (let turn = 0; turn < 5; turn += 1) await setTimeout(1);
    expect(answered).toBe(false);
    // What was committed before can be read meanwhile.
    expect(await store.db.selectFrom('payment_references').selectAll().execute()).toEqual([]);
    other.exec('commit');
    await Promise.all([writing, single]);
    expect(await store.db.selectFrom('payment_references').select('attempts').execute()).toEqual([
      { attempts: 1 },
    ]);
    other.close();
    await store.close();
  });

  test.each(['before begin', 'after begin', 'before commit'])(
    'a transaction that is refused %s holds up nobody, and nothing is written within it',
    async (when) => {
      const file = join(place.dataDir, 'tillfront.db');
      const database = openConnection(file);
      database.exec('pragma query_only = on');
      const writer = new WriterThread(file, () => undefined);
      let refuses = '';
      const refuse = (now: string): void => {
        if (refuses === now) throw new StoreUnavailable('it was replaced');
      };
      const watch = {
        before: () => {
          refuse('before begin');
          refuse('before commit');
        },
        after: () => refuse('after begin'),
      };
      const db = new Kysely<Tables>({ dialect: new EmbeddedDialect({ database, writer, watch }) });
      if (when !== 'before commit') refuses = when;
      const writing = db.transaction().execute(async (tx) => {
        await tx.insertInto('meta').values({ name: 'within', value: '' }).execute();
        refuses = when;
      });
      await expect(writing).rejects.toThrow(StoreUnavailable);
      refuses = '';
      await db.insertInto('meta').values({ name: 'later', value: '' }).execute();
      // What somebody else sees is what was committed.
      const other = new DatabaseSync(file, { readOnly: true });
      const found = other.prepare("select name from meta where name in ('within', 'later')").all();
      expect(found).toEqual([{ name: 'later' }]);
      other.close();
      await db.destroy();
      database.close();
      await writer.end();
    },
  );

  test('a message that cannot be sent takes nobody else’s answer', async () => {
    const writer = new WriterThread(join(place.dataDir, 'tillfront.db'), () => undefined);
    const ask = (value: unknown) =>
      writer.run({ kind: 'statement', sql: 'select ? as said', values: [value as string], beside: false });
    await expect(ask(() => 0)).rejects.toThrow('could not be cloned');
    expect(await Promise.all([ask('one'), ask('other')])).toMatchObject([
      { rows: [{ said: 'one' }] },
      { rows: [{ said: 'other' }] },
    ]);
    await writer.end();
  });

  test('what waits for one that ends is refused, and its end is told once', async () => {
    const file = join(place.dataDir, 'tillfront.db');
    const told: string[] = [];
    const crashed = (error: Error): void => void told.push(error.message);
    const thread = new Worker('process.once("message", () => 0); setInterval(() => 0, 1000)', { eval: true });
    const writer = new WriterThread(file, crashed, thread);
    const statement = { kind: 'statement', sql: 'select 1', values: [], beside: false } as const;
    const waiting = writer.run(statement);
    void thread.terminate();
    await expect(waiting).rejects.toThrow(StoreUnavailable);
    await expect(writer.run(statement)).rejects.toThrow('the thread of the embedded store has ended');
    await writer.end();
    expect(told).toEqual(['The thread of the embedded store has ended']);
  });

  test('an error that ends it is the one that is told', async () => {
    const failing = new Worker('throw new RangeError("out of range")', { eval: true });
    const told = await new Promise<Error>((resolve) => {
      new WriterThread(join(place.dataDir, 'tillfront.db'), resolve, failing);
    });
    // An error of another realm, as jest has them, is told as the cause.
    expect(told).toMatchObject({ cause: { message: 'out of range' } });
  });
});

describe('a batch', () => {
  let folder: string;
  let database: DatabaseSync;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillfront-test-runner-'));
    database = openConnection(join(folder, 'a.db'));
    database.exec('create table rows (name text primary key, version integer not null)');
    database.exec("insert into rows values ('first', 1), ('second', 1)");
  });
  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  const RAISE = 'update rows set version = version + 1 where name = ? and version = ?';
  const ADD = 'insert into rows values (?, 0)';
  const raise = (name: string, version: number) =>
    ({ steps: [0, 2, STEP.counts], values: [name, version] }) as const;
  const add = (name: string, rule: number = STEP.must) => ({ steps: [1, 1, rule], values: [name] }) as const;
  type Step = ReturnType<typeof raise> | ReturnType<typeof add>;

  const batch = (...writes: Step[][]): BatchMessage => ({
    kind: 'batch',
    texts: [0, RAISE, 1, ADD],
    steps: writes.flat().flatMap(({ steps }) => [...steps]),
    values: writes.flat().flatMap(({ values }) => [...values]),
    writes: [0, ...writes.map(({ length }) => length)],
    generation: 0,
  });
  const names = () =>
    database
      .prepare('select name from rows order by rowid')
      .all()
      .map(({ name }) => name);

  test('writes nothing of what has lost, and all of the rest', () => {
    const reply = new Runner(database).run(
      batch([raise('first', 1), add('a')], [add('b'), raise('second', 7), add('c')], [add('d')]),
    );
    expect(reply).toEqual({ kind: 'written', lost: [1], generation: 0 });
    expect(names()).toEqual(['first', 'second', 'a', 'd']);
  });

  test('does once what several ask for', () => {
    new Runner(database).run(batch([add('a', STEP.once)], [add('b', STEP.once)]));
    expect(names()).toEqual(['first', 'second', 'a']);
  });

  test('writes nothing at all where a row is gone, or a statement fails', () => {
    const runner = new Runner(database);
    const gone = batch([add('a'), { ...raise('second', 7), steps: [0, 2, STEP.must] } as never]);
    expect(runner.run(gone)).toEqual({ kind: 'failed', step: 1, generation: 0 });
    expect(runner.run(batch([add('a')], [add('first')]))).toMatchObject({ kind: 'error', errcode: 1555 });
    expect(names()).toEqual(['first', 'second']);
  });

  test('writes nothing where somebody else has written, until that is known', () => {
    const runner = new Runner(database);
    const other = new DatabaseSync(join(folder, 'a.db'));
    other.exec("insert into rows values ('by hand', 1)");
    expect(runner.run(batch([add('a')]))).toEqual({ kind: 'stale', generation: 1 });
    expect(runner.run({ ...batch([add('a')]), generation: 1 })).toMatchObject({ kind: 'written' });
    other.close();
  });
});
