import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { createEmptyStore, stores, type StoreKind, type TestStore } from '../../test/harness/test-store.js';
import { freePort } from '../../test/setup/free-port.js';
import { Secret } from '../secrets/secret.js';
import { DataDirInUse, lockDataDir } from './data-dir-lock.js';
import { isHeld, taken } from './leases.js';
import { NamedLease } from './named-lease.js';
import { SchemaMismatch } from './migrations.js';
import { ForeignStore } from './store-identity.js';
import { StoreUnavailable } from './store-unavailable.js';
import { Store, type StoreOptions } from './store.js';

const identity = { gatewayOrigin: 'https://gateway.example', mode: 'test' } as const;
let places: TestStore[] = [];
let opened: Store[] = [];

beforeEach(() => {
  places = [];
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((store) => store.close()));
  await Promise.all(places.map((place) => place.dispose()));
});

async function newPlace(kind: StoreKind): Promise<TestStore> {
  const place = await createEmptyStore(kind);
  places.push(place);
  return place;
}

function connect(
  { databaseUrl, dataDir }: Pick<TestStore, 'databaseUrl' | 'dataDir'>,
  over: Partial<StoreOptions> = {},
): Store {
  const config: StoreOptions['config'] =
    databaseUrl === undefined
      ? { kind: 'embedded', dataDir }
      : {
          kind: 'postgres',
          url: new Secret(databaseUrl),
          currentUrl: () => databaseUrl,
          dataDir,
        };
  const store = Store.connect({ config, migrate: true, identity, ...over });
  opened.push(store);
  return store;
}

async function close(store: Store): Promise<void> {
  opened = opened.filter((other) => other !== store);
  await store.close();
}

describe.each(stores)('the %s store', (kind) => {
  test('is prepared once, and says when', async () => {
    const store = connect(await newPlace(kind));
    expect(await store.unusable()).toBeDefined();
    await store.prepare();
    await store.prepare();
    await store.prepared;
    expect(await store.unusable()).toBeUndefined();
  });

  // A killed process loses nothing that the operating system has. What a power cut takes is up to the store.
  test('has each commit on the disk before it counts', async () => {
    const store = connect(await newPlace(kind));
    await store.prepare();
    const setting = async (question: string): Promise<unknown> => {
      const { rows } = await sql.raw<Record<string, unknown>>(question).execute(store.db);
      return Object.values(rows[0] ?? {})[0];
    };
    if (kind === 'embedded') {
      expect(await setting('pragma journal_mode')).toBe('wal');
      // FULL: the log is flushed at every commit.
      expect(await setting('pragma synchronous')).toBe(2);
    } else {
      expect(await setting('show synchronous_commit')).toBe('on');
      expect(await setting('show fsync')).toBe('on');
    }
  });

  test('keeps what it holds, and takes the same gateway again', async () => {
    const place = await newPlace(kind);
    const first = connect(place);
    await first.prepare();
    await first.writer.write({ reference: 'R', createReference: true }, ({ reference }) => ({
      changes: { reference: { ...reference, attempts: 3 } },
      result: undefined,
    }));
    await close(first);
    const second = connect(place);
    await second.prepare();
    const attempts = await second.writer.write({ reference: 'R' }, ({ reference }) => ({
      changes: {},
      result: reference.attempts,
    }));
    expect(attempts).toBe(3);
  });

  test.each([
    ['another gateway', { ...identity, gatewayOrigin: 'https://other.example' }],
    ['another mode', { ...identity, mode: 'live' as const }],
  ])('belongs to one gateway and mode: %s is refused', async (_name, other) => {
    const place = await newPlace(kind);
    const first = connect(place);
    await first.prepare();
    await close(first);
    const foreign = connect(place, { identity: other });
    await expect(foreign.prepare()).rejects.toThrow(ForeignStore);
    await expect(foreign.prepare()).rejects.toThrow(/gateway\.example.*GATEWAY_BASE_URL/s);
  });

  test('a schema that is newer than the code is refused', async () => {
    const place = await newPlace(kind);
    const first = connect(place);
    await first.prepare();
    await sql`insert into kysely_migration (name, timestamp) values ('9999-from-the-future', 'now')`.execute(
      first.db,
    );
    await close(first);
    for (const migrate of [true, false]) {
      const store = connect(place, { migrate });
      const error = await store.prepare().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(SchemaMismatch);
      expect(String(error)).toContain('9999-from-the-future');
      await close(store);
    }
  });

  test('an older schema is migrated only where that is allowed', async () => {
    const place = await newPlace(kind);
    const careful = connect(place, { migrate: false });
    await expect(careful.prepare()).rejects.toThrow(/MIGRATE_ON_START/);
    await close(careful);
    const migrating = connect(place);
    await migrating.prepare();
    await close(migrating);
    const second = connect(place, { migrate: false });
    await second.prepare();
    expect(await second.unusable()).toBeUndefined();
  });

  test('text is in the order of its bytes, whatever the database’s own order is', async () => {
    const store = connect(await newPlace(kind));
    await store.prepare();
    for (const reference of ['b', 'A-1', '_', 'a', 'A1', 'B']) {
      await store.writer.write({ reference, createReference: true }, (snapshot) => ({
        changes: { reference: snapshot.reference },
        result: undefined,
      }));
    }
    const rows = await store.db
      .selectFrom('payment_references')
      .select('reference')
      .orderBy('reference')
      .execute();
    expect(rows.map(({ reference }) => reference)).toEqual(['A-1', 'A1', 'B', '_', 'a', 'b']);
  });

  const named = (store: Store, owner: string, name = 'work'): NamedLease =>
    new NamedLease({ kind: store.kind, db: store.db, clock: store.clock, owner }, name, 200);

  test('a named lease has one holder, and a new number with each taking', async () => {
    const store = await prepared(kind);
    const [one, other] = [named(store, 'own_1'), named(store, 'own_2')];
    expect(await one.take()).toBe(1);
    expect(await one.take()).toBe(2);
    await other.release();
    await one.release();
    expect(await other.take()).toBe(3);
    await other.release();
    expect(await one.take()).toBe(4);
  });

  test('of many who take it at once one holds it', async () => {
    const store = await prepared('postgres');
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) => named(store, `own_${index}`, 'race').take()),
    );
    expect(all.filter((fence) => fence !== undefined)).toEqual([1]);
  });

  test('the store’s time goes on from where it was, however far the wall clock is behind', async () => {
    const place = await newPlace('embedded');
    const first = connect(place);
    await first.prepare();
    const ahead = Date.now() + 48 * 3_600_000;
    // Its own end keeps its own time, so what a wall clock that was ahead would have left is written after it.
    await close(first);
    const database = new DatabaseSync(join(place.dataDir, 'tillfront.db'));
    expect(
      Number(database.prepare("select value from meta where name = 'store_time'").get()?.['value']),
    ).toBeLessThan(ahead);
    database.prepare("update meta set value = ? where name = 'store_time'").run(String(ahead));
    database.close();
    const second = connect(place);
    await second.prepare();
    expect(second.clock.now()).toBeGreaterThanOrEqual(ahead);
    await second.writer.write({ reference: 'R', createReference: true }, ({ reference }) => ({
      changes: { reference },
      result: undefined,
    }));
    await close(second);
    const third = connect(place);
    await third.prepare();
    expect(third.clock.now()).toBeGreaterThanOrEqual(ahead);
  });

  test('PostgreSQL’s clock is the database’s', async () => {
    const store = connect(await newPlace('postgres'));
    await store.prepare();
    // The database's word may be on its way for long: it is of a time between the two.
    const before = store.clock.now();
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(store.db);
    const after = store.clock.now();
    expect(rows[0]?.now).toBeGreaterThan(before - 2_000);
    expect(rows[0]?.now).toBeLessThan(after + 2_000);
    expect(Math.abs(store.clock.wallClockError() ?? Infinity)).toBeLessThan(2_000);
  });

  async function prepared(of: StoreKind): Promise<Store> {
    const store = connect(await newPlace(of));
    await store.prepare();
    return store;
  }
});

test('a lease as a row holds it', () => {
  const free = { owner: null, until: 0, fence: 4 };
  expect(isHeld(free, 0)).toBe(false);
  expect(taken(free, 'own_1', 100)).toEqual({ owner: 'own_1', until: 100, fence: 5 });
  expect(isHeld({ owner: 'own_1', until: 100, fence: 5 }, 99)).toBe(true);
  expect(isHeld({ owner: 'own_1', until: 100, fence: 5 }, 100)).toBe(false);
});

describe('several at the start on PostgreSQL', () => {
  test('one migrates, all are ready', async () => {
    const place = await newPlace('postgres');
    const replicas = Array.from({ length: 4 }, () => connect(place));
    await Promise.all(replicas.map((store) => store.prepare()));
    expect(await Promise.all(replicas.map((store) => store.unusable()))).toEqual(
      replicas.map(() => undefined),
    );
  });

  test('of two gateways one claims the store', async () => {
    const place = await newPlace('postgres');
    const [one, other] = [connect(place), connect(place, { identity: { ...identity, mode: 'live' } })];
    const results = await Promise.allSettled([one.prepare(), other.prepare()]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason).toBeInstanceOf(ForeignStore);
  });
});

test('a young database is read by its indexes, as plans are kept while it grows', async () => {
  const store = connect(await newPlace('postgres'));
  await store.prepare();
  await sql`insert into idempotency_keys (scope, key, fingerprint, created_at, expires_at)
    select 'merchant', 'key-' || n, 'f', 0, 0 from generate_series(1, 50) as n`.execute(store.db);
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select * from idempotency_keys
    where (scope, key) in (select * from unnest(array(select 'merchant'), array(select 'key-1')))`.execute(
    store.db,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('idempotency_keys_pkey');
  expect(plan).not.toContain('Seq Scan');
});

describe('a database that is not there', () => {
  test('is unavailable, and says so without its password', async () => {
    const dataDir = (await newPlace('embedded')).dataDir;
    const store = connect({
      databaseUrl: `postgres://till:hidden-word@127.0.0.1:${await freePort()}/till`,
      dataDir,
    });
    const error = await store.prepare().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(String(error)).toContain('ECONNREFUSED');
    expect(String((error as Error).stack)).not.toContain('hidden-word');
    expect(await store.unusable()).toBeDefined();
    await expect(
      store.writer.write({ reference: 'R', createReference: true }, () => ({ changes: {}, result: 0 })),
    ).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test('is unavailable where the database itself is gone, for one and for many', async () => {
    const place = await createEmptyStore('postgres');
    const store = connect(place);
    await store.prepare();
    await place.dispose();
    const writes = Array.from({ length: 10 }, (_, index) =>
      store.writer
        .write({ reference: `R${index}`, createReference: true }, () => ({ changes: {}, result: 0 }))
        .catch((error: unknown) => error),
    );
    for (const error of await Promise.all(writes)) expect(error).toBeInstanceOf(StoreUnavailable);
    await expect(sql`select 1`.execute(store.db)).rejects.toBeInstanceOf(StoreUnavailable);
  });
});

test('an embedded store that is full is unavailable, for what goes through the payment writer and past it', async () => {
  const store = connect(await newPlace('embedded'));
  await store.prepare();
  // No more pages than there are.
  await sql`pragma max_page_count = 1`.execute(store.db);
  const value = 'x'.repeat(100_000);
  const past = sql`insert into meta (name, value) values ('much', ${value})`.execute(store.db);
  const through = store.writer.write({ reference: value, createReference: true }, ({ reference }) => ({
    changes: { reference },
    result: undefined,
  }));
  for (const write of [past, through]) {
    const error = await write.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(String(error)).toContain('is full');
  }
  await expect(sql`select nothing from meta`.execute(store.db)).rejects.not.toBeInstanceOf(StoreUnavailable);
});

describe('a data directory', () => {
  test('is one process’s, which is named in the refusal, and free again afterwards', async () => {
    const { dataDir } = await newPlace('embedded');
    const first = connect({ dataDir });
    expect(() => Store.connect({ config: { kind: 'embedded', dataDir }, migrate: true, identity })).toThrow(
      DataDirInUse,
    );
    expect(() => lockDataDir(dataDir)).toThrow(dataDir);
    await close(first);
    lockDataDir(dataDir)();
  });

  test('is free as soon as a process that held it was killed', async () => {
    const { dataDir } = await newPlace('embedded');
    const script = `const { DatabaseSync } = require('node:sqlite');
      const database = new DatabaseSync(process.argv[1], { timeout: 0 });
      database.exec('begin exclusive');
      process.stdout.write('held');
      setInterval(() => database, 1000);`;
    const holder = spawn(process.execPath, ['-e', script, join(dataDir, 'lock.db')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    expect(() => lockDataDir(dataDir)).toThrow(DataDirInUse);
    holder.kill('SIGKILL');
    await once(holder, 'close');
    lockDataDir(dataDir)();
  });
});

describe('files of the embedded store', () => {
  const modes = (dataDir: string) =>
    Object.fromEntries(
      readdirSync(dataDir).map((name) => [name, (statSync(join(dataDir, name)).mode & 0o777).toString(8)]),
    );
  const mine = {
    'lock.db': '600',
    'tillfront.db': '600',
    'tillfront.db-shm': '600',
    'tillfront.db-wal': '600',
  };
  /** Whether SQLite keeps a journal beside the lock is its own business, and the witness comes within a second; their modes are not. */
  const expectPrivate = (dataDir: string): void => {
    const {
      'lock.db-journal': journal = '600',
      'embedded-witness.json': witness = '600',
      ...others
    } = modes(dataDir);
    expect({ journal, witness, ...others }).toEqual({ journal: '600', witness: '600', ...mine });
  };

  test('are their owner’s alone, in a folder that was there before', async () => {
    const place = await newPlace('embedded');
    chmodSync(place.dataDir, 0o755);
    const store = connect(place);
    await store.prepare();
    expectPrivate(place.dataDir);
  });

  test('are tightened at the start where others may read them, and hold what they held', async () => {
    const place = await newPlace('embedded');
    const first = connect(place);
    await first.prepare();
    await close(first);
    writeFileSync(join(place.dataDir, 'tillfront.db-wal'), '');
    for (const name of readdirSync(place.dataDir)) chmodSync(join(place.dataDir, name), 0o644);
    const second = connect(place);
    await second.prepare();
    expectPrivate(place.dataDir);
    expect(await second.unusable()).toBeUndefined();
  });
});
