import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Client } from 'pg';
import { OpenedStore } from '../../src/store/opened-store.js';
import { StoreUnavailable } from '../../src/store/store-unavailable.js';
import { EventsRepository } from '../../src/webhooks/events.repository.js';
import { until } from '../harness/until.js';
import { startPgBouncer } from '../setup/pgbouncer.js';
import { CuttingProxy } from './cutting-proxy.js';
import { anOrder, changeOf, countUp } from './documents.js';
import { IDENTITY, testPlace, type TestPlace } from './stores.js';

describe('replicas on one PostgreSQL', () => {
  let place: TestPlace;
  let others: OpenedStore[];
  let proxies: CuttingProxy[];
  beforeEach(async () => {
    place = await testPlace('postgres');
    others = [];
    proxies = [];
  });
  afterEach(async () => {
    for (const proxy of proxies) proxy.oneIn = 0;
    await Promise.all(others.map((store) => store.close()));
    await Promise.all(proxies.map((proxy) => proxy.end()));
    await place.end();
  });

  const cutting = async (): Promise<CuttingProxy> => {
    const proxy = await CuttingProxy.before(place.url);
    proxies.push(proxy);
    return proxy;
  };
  const through = async (url: string): Promise<OpenedStore> => {
    const store = new OpenedStore({
      place: { kind: 'postgres', currentUrl: () => url, dataDir: `${place.dataDir}/other` },
      migrate: true,
      identity: IDENTITY,
    });
    others.push(store);
    await store.prepare();
    return store;
  };

  test('any interleaving of writes counts each exactly once, and who follows events misses none', async () => {
    const stores = await Promise.all([place.open(), place.open(), place.open()]);
    let round = 0;
    const plan = fc.array(fc.tuple(fc.nat(2), fc.nat(3), fc.nat(3)), { minLength: 5, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(plan, async (writes) => {
        round += 1;
        let last = 0;
        let following = true;
        const seen: number[] = [];
        const follow = async (): Promise<void> => {
          const rows = await stores[0]?.rows<{ seq: number }>({
            text: 'select seq from events where seq > ? order by seq',
            values: [last],
            lookup: true,
          });
          for (const { seq } of rows ?? []) seen.push(seq);
          last = seen.at(-1) ?? last;
          if (following) await follow();
        };
        const [{ start } = { start: 0 }] =
          (await stores[0]?.rows<{ start: number }>({
            text: 'select coalesce(max(seq), 0) as start from events',
          })) ?? [];
        last = start;
        const following_ = follow();
        const results = new Map<string, number[]>();
        await Promise.all(
          writes.map(async ([store, order, pause]) => {
            const reference = `P-${round}-${order}`;
            if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
            const result = await stores[store]?.write(reference, countUp);
            results.set(reference, [...(results.get(reference) ?? []), result ?? 0]);
          }),
        );
        following = false;
        await following_;
        await follow();
        for (const [, numbers] of results)
          expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_number, index) => index + 1));
        const all = await stores[0]?.rows<{ seq: number }>({
          text: 'select seq from events where seq > ? order by seq',
          values: [start],
        });
        expect(seen).toEqual(all?.map(({ seq }) => seq));
      }),
      { numRuns: 12 },
    );
  });

  test('no event is committed before one with a lower number', async () => {
    const [one, two] = [await place.open(), await place.open()];
    const held = new Client({ connectionString: place.url });
    await held.connect();
    const waitForLocks = async (): Promise<number> =>
      (await held.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`)).rowCount ?? 0;
    await held.query(`create function hold() returns trigger language plpgsql as
        $$ begin perform pg_advisory_xact_lock_shared(7); return null; end $$;
      create constraint trigger held after insert on events deferrable initially deferred
        for each row when (new.stream = 'cs_H-1') execute function hold();
      select pg_advisory_lock(7)`);
    const slow = one.write('H-1', countUp);
    await until(async () => (await waitForLocks()) === 1);
    let isWritten = false;
    const fast = two.write('H-2', countUp).finally(() => (isWritten = true));
    await until(async () => isWritten || (await waitForLocks()) === 2);
    expect(await new EventsRepository(two).list(0, 100)).toEqual([]);
    await held.end();
    await Promise.all([slow, fast]);
    const streams = (await new EventsRepository(two).list(0, 100)).map(({ stream }) => stream);
    expect(streams).toEqual(['cs_H-1', 'cs_H-2']);
  });

  test('a refusal by a cached order that is old by now is judged again', async () => {
    const [one, two] = [await place.open(), await place.open()];
    await one.write('Q-1', countUp);
    await two.write('Q-1', countUp);
    const refused = (attempts: number | undefined): never => {
      throw new Error(`it has ${attempts}`);
    };
    await expect(one.write('Q-1', ({ order }) => refused(order?.attempts))).rejects.toThrow('it has 2');
    expect(await one.write('Q-1', ({ order }) => ({ result: order?.attempts }))).toBe(2);
  });

  test('a decide that runs twice gets the same time', async () => {
    const [one, two] = [await place.open(), await place.open()];
    await one.write('T-1', countUp);
    await two.write('T-1', countUp);
    const times: number[] = [];
    await one.write('T-1', ({ order }, now) => {
      times.push(now);
      return { change: changeOf({ ...(order ?? anOrder('T-1')), attempts: 9 }), result: 1 };
    });
    expect(times).toHaveLength(2);
    expect(times[0]).toBe(times[1]);
  });

  test('writes whose answers are lost on the way are neither lost nor done twice', async () => {
    const proxy = await cutting();
    const direct = await place.open();
    const store = await through(proxy.url);
    let committed = 0;
    store.onCommitted(() => (committed += 1));
    proxy.oneIn = 9;
    const counts = new Map<string, number>();
    let uncertain = 0;
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const reference = `U-${index % 5}`;
        for (let n = 0; n < 25; n++) {
          const writer = n % 4 === 3 ? direct : store;
          try {
            await writer.write(reference, countUp);
            counts.set(reference, (counts.get(reference) ?? 0) + 1);
          } catch (error) {
            if (!(error instanceof StoreUnavailable)) throw error;
            if (error.uncertain) uncertain += 1;
          }
        }
      }),
    );
    proxy.oneIn = 0;
    expect(proxy.cuts).toBeGreaterThan(5);
    expect(committed).toBeGreaterThan(20);
    let stored = 0;
    let acknowledged = 0;
    for (const [reference, count] of counts) {
      const { order } = await direct.read(reference);
      stored += order?.attempts ?? 0;
      acknowledged += count;
    }
    expect(stored).toBeGreaterThanOrEqual(acknowledged);
    expect(stored).toBeLessThanOrEqual(acknowledged + uncertain);
    const [{ n } = { n: 0 }] = await direct.rows<{ n: number }>({ text: 'select count(*) as n from events' });
    expect(n).toBe(stored);
    // Nothing of this was a loss.
    expect([store.restoredAt, direct.restoredAt]).toEqual([undefined, undefined]);
  });

  test('a pooler in transaction mode that knows no prepared statements is worked with', async () => {
    const pooler = await startPgBouncer(place.url);
    try {
      const [one, two] = [await through(pooler.url), await through(pooler.url)];
      const writes = Array.from({ length: 200 }, (_, index) =>
        (index % 2 === 0 ? one : two).write(`B-${index % 7}`, countUp),
      );
      await Promise.all(writes);
      const orders = await Promise.all(Array.from({ length: 7 }, (_, index) => one.read(`B-${index}`)));
      expect(orders.reduce((sum, stored) => sum + (stored.order?.attempts ?? 0), 0)).toBe(200);
      expect(await two.unusable()).toBeUndefined();
      expect(one.restoredAt).toBeUndefined();
      await Promise.all([one.close(), two.close()]);
    } finally {
      await pooler.stop();
    }
  });

  test('a database that is away makes writes fail at once, and is used again when it is back', async () => {
    const proxy = await cutting();
    const store = await through(proxy.url);
    await store.write('V-1', countUp);
    await proxy.end();
    await expect(store.write('V-1', countUp)).rejects.toMatchObject({ code: 'store-unavailable' });
    expect(await store.unusable()).toContain('the database connection failed');
  });
});
