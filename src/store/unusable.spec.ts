import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { Client } from 'pg';
import { TcpProxy } from '../../test/chaos/tcp-proxy.js';
import { openStore } from '../../test/harness/event-store.js';
import { createTestStore, type TestStore } from '../../test/harness/test-store.js';
import { until } from '../../test/harness/until.js';
import { StoreUnavailable } from './store-unavailable.js';
import type { Store } from './store.js';

let place: TestStore;
let store: Store;

const reason = async (of = store): Promise<string> => (await of.unusable())?.message ?? 'none';

/** One write of the service's own, with as many bytes as are wished. */
function write(bytes = 1): Promise<void> {
  const reference = `R-${randomUUID()}`;
  return store.writer.write({ reference, createReference: true }, (snapshot) => ({
    changes: { reference: { ...snapshot.reference, sessionId: 'x'.repeat(bytes) } },
    result: undefined,
  }));
}

afterEach(async () => {
  await store.close();
  await place.dispose();
});

describe('the embedded store', () => {
  beforeEach(async () => {
    place = await createTestStore('embedded');
    store = await openStore(place);
  });

  test('that takes no writes says so though nobody writes, and that it does again', async () => {
    await sql`pragma query_only = on`.execute(store.db);
    await until(async () => (await reason()) !== 'none');
    expect(await reason()).toMatch(/cannot be written to \(code 8\)/);
    await sql`pragma query_only = off`.execute(store.db);
    await until(async () => (await reason()) === 'none');
  });

  test('that has room for a page and none for a payment is full once a payment found it so, until there is room', async () => {
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(store.db);
    await sql`pragma max_page_count = ${sql.lit((rows[0]?.page_count ?? 0) + 2)}`.execute(store.db);
    expect(await reason()).toBe('none');
    await expect(write(100_000)).rejects.toThrow(StoreUnavailable);
    await until(async () => (await reason()) !== 'none');
    expect(await reason()).toMatch(/is full \(code 13\)/);
    // Another fault in place of the first one is said by its own name.
    await sql`pragma query_only = on`.execute(store.db);
    await until(async () => /code 8/.test(await reason()));
    await sql`pragma query_only = off`.execute(store.db);
    await sql`pragma max_page_count = 1000000`.execute(store.db);
    await until(async () => (await reason()) === 'none');
    await write();
  });
});

describe('a PostgreSQL', () => {
  let admin: Client;
  let proxy: TcpProxy;
  let name: string;

  beforeEach(async () => {
    place = await createTestStore('postgres');
    const url = new URL(place.databaseUrl ?? '');
    name = url.pathname.slice(1);
    admin = new Client({ connectionString: url.href });
    await admin.connect();
    proxy = new TcpProxy({ host: url.hostname, port: Number(url.port) });
    await proxy.start();
    url.host = `127.0.0.1:${proxy.port}`;
    store = await openStore({ ...place, databaseUrl: url.href });
  });
  afterEach(async () => {
    await proxy.stop();
    await admin.end();
  });

  /** For every connection that is made from now on; those that there are, are cut. */
  async function set(setting: string): Promise<void> {
    await admin.query(`alter database ${name} set ${setting}`);
    proxy.cut();
  }

  test('that has no room says so though nobody writes', async () => {
    expect(await reason()).toBe('none');
    await set('temp_file_limit = 0');
    await until(async () => /53400/.test(await reason()));
    await set('temp_file_limit = -1');
    await until(async () => (await reason()) === 'none');
  });

  test('that takes no writes, and is then away: each reason in its time', async () => {
    await set('default_transaction_read_only = on');
    await until(async () => /takes no writes/.test(await reason()));
    await proxy.turn('refuse');
    await until(async () => /connection failed \(ECONNREFUSED\)/.test(await reason()));
    await proxy.turn('open');
    await until(async () => /takes no writes/.test(await reason()));
    await admin.query(`set default_transaction_read_only = off`);
    await set('default_transaction_read_only = off');
    await until(async () => (await reason()) === 'none');
    await write();
  });

  test('whose commits nobody confirms is not usable', async () => {
    const other = new Client({ connectionString: place.databaseUrl });
    await other.connect();
    await until(async () => (await reason()) === 'none');
    await other.query(
      "begin; insert into meta (name, value) values ('tried_at', '') on conflict (name) do update set value = ''",
    );
    try {
      await until(async () => /not confirmed within/.test(await reason()));
    } finally {
      await other.query('rollback');
    }
    await until(async () => (await reason()) === 'none');
    await other.end();
  });
});
