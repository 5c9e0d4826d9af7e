import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { sql } from 'kysely';
import { Client } from 'pg';
import { openStore, storedEvents, writeEvents } from '../../test/harness/event-store.js';
import { createTestStore, stores, type TestStore } from '../../test/harness/test-store.js';
import { until } from '../../test/harness/until.js';
import type { Store } from '../store/store.js';
import { createLogger } from '../telemetry/logger.js';
import { DeliveryTelemetry } from './delivery-telemetry.js';
import { Sequencer } from './sequencer.js';

let place: TestStore;
const openStores: Store[] = [];
const sequencers: Sequencer[] = [];
let lines: string[];

afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(sequencers.splice(0).map((sequencer) => sequencer.stop()));
  await Promise.all(openStores.splice(0).map((store) => store.close()));
  await place.dispose();
});

async function newStore(): Promise<Store> {
  const store = await openStore(place);
  openStores.push(store);
  return store;
}

function newSequencer(store: Store): Sequencer {
  const logger = createLogger({ logLevel: 'info' }, { write: (line: string) => void lines.push(line) });
  const sequencer = new Sequencer(store, new DeliveryTelemetry(logger));
  sequencers.push(sequencer);
  return sequencer;
}

async function positions(store: Store): Promise<(number | null)[]> {
  return (await storedEvents(store)).map((event) => event.position);
}

async function order(store: Store): Promise<string[]> {
  return (await storedEvents(store)).map((event) => `${event.aggregateId}:${event.sequence}`);
}

/** How often a sequencer has looked so far: done its work, or failed. */
function countLooks(): { readonly worked: number; readonly failed: number } {
  const worked = jest.spyOn(DeliveryTelemetry.prototype, 'worked');
  const failed = jest.spyOn(DeliveryTelemetry.prototype, 'failed');
  return {
    get worked() {
      return worked.mock.calls.length;
    },
    get failed() {
      return failed.mock.calls.length;
    },
  };
}

const counting = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe.each(stores)('on the %s store', (kind) => {
  beforeEach(async () => {
    lines = [];
    place = await createTestStore(kind);
  });

  test('events get their positions within a second of their commit, without gaps', async () => {
    const store = await newStore();
    newSequencer(store).start();
    let fastest = Infinity;
    for (let n = 1; n <= 5; n++) {
      await writeEvents(
        store,
        { aggregateId: `pay_${n}`, sequence: 1 },
        { aggregateId: `cs_${n}`, sequence: 1 },
      );
      const written = Date.now();
      await until(async () => (await positions(store)).every((position) => position !== null));
      fastest = Math.min(fastest, Date.now() - written);
    }
    // What is slow is slow every time; a busy machine is so now and then.
    expect(fastest).toBeLessThan(1_000);
    expect(await positions(store)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    expect(await order(store)).toEqual(counting(5).flatMap((n) => [`pay_${n}:1`, `cs_${n}:1`]));
    expect(lines).toEqual([]);
  });

  test('events keep the order of their commits, and in one that in which it names them, whatever the clocks said', async () => {
    const store = await newStore();
    const at = Date.now() - 60_000;
    await writeEvents(
      store,
      { aggregateId: 'pay_a', sequence: 1, at: at + 5_000 },
      { aggregateId: 'pay_a', sequence: 2, at },
      { aggregateId: 'pay_a', sequence: 10, at },
    );
    await writeEvents(store, { aggregateId: 'pay_b', sequence: 1, at: at + 48 * 3_600_000 });
    await writeEvents(store, { aggregateId: 'pay_c', sequence: 1, at });
    newSequencer(store).start();
    await until(async () => (await positions(store)).every((position) => position !== null));
    expect(await order(store)).toEqual(['pay_a:1', 'pay_a:2', 'pay_a:10', 'pay_b:1', 'pay_c:1']);
  });

  test('no event is written again to be placed', async () => {
    const store = await newStore();
    const rows = () =>
      sql<{ row: string }>`select ${sql.raw(kind === 'postgres' ? 'ctid::text' : 'rowid')} as row from events`
        .execute(store.db)
        .then((result) => result.rows);
    await writeEvents(store, { aggregateId: 'pay_a', sequence: 1 }, { aggregateId: 'cs_a', sequence: 1 });
    const before = await rows();
    newSequencer(store).start();
    await until(async () => (await positions(store)).every((position) => position !== null));
    expect(await rows()).toEqual(before);
  });

  test('others are told when there are new positions, and only then', async () => {
    const store = await newStore();
    const sequencer = newSequencer(store);
    let told = 0;
    sequencer.onPlaced(() => (told += 1));
    const looks = countLooks();
    sequencer.start();
    // The embedded store's is not expected to look again by itself.
    await until(() => looks.worked >= (kind === 'embedded' ? 1 : 2));
    expect(told).toBe(0);
    await writeEvents(store, { aggregateId: 'pay_1', sequence: 1 });
    await until(() => told > 0);
    expect(await positions(store)).toEqual([1]);
  });
});

describe('with replicas', () => {
  beforeEach(async () => {
    lines = [];
    place = await createTestStore('postgres');
  });

  test('there is one order without gaps, and what has been read once is never preceded by something new', async () => {
    const replicas = [await newStore(), await newStore(), await newStore()];
    for (const store of replicas) newSequencer(store).start();
    const [reader] = replicas as [Store, ...Store[]];
    const each = 60;
    let writing = true;
    const seen: string[][] = [];
    const reading = (async () => {
      while (writing) {
        const placed = (await storedEvents(reader)).filter((event) => event.position !== null);
        seen.push(placed.map((event) => event.id));
      }
    })();
    await Promise.all(
      replicas.map(async (store, replica) => {
        for (let n = 1; n <= each; n++) {
          await writeEvents(
            store,
            { aggregateId: `pay_${replica}_${n}`, sequence: 1 },
            { aggregateId: `pay_${replica}_${n}`, sequence: 2 },
          );
        }
      }),
    );
    await until(async () => (await positions(reader)).every((position) => position !== null), 60_000);
    writing = false;
    await reading;
    const final = await storedEvents(reader);
    const batches = [...new Set(final.map((event) => event.position))];
    expect(batches).toEqual(counting(batches.length));
    expect(final).toHaveLength(replicas.length * each * 2);
    const ids = final.map((event) => event.id);
    expect(seen.length).toBeGreaterThan(3);
    for (const read of seen) expect(read).toEqual(ids.slice(0, read.length));
    const sequences = new Map<string, number>();
    for (const { aggregateId, sequence } of final) {
      expect(sequence).toBe((sequences.get(aggregateId) ?? 0) + 1);
      sequences.set(aggregateId, sequence);
    }
  });

  test('a failure is said once and overcome', async () => {
    const store = await newStore();
    await store.db.schema.alterTable('event_batches').renameTo('elsewhere').execute();
    const looks = countLooks();
    newSequencer(store).start();
    await until(() => looks.failed >= 2);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ event: 'webhook.sequencing_failed' }),
    ]);
    await store.db.schema.alterTable('elsewhere').renameTo('event_batches').execute();
    await writeEvents(store, { aggregateId: 'pay_1', sequence: 1 });
    await until(async () => (await positions(store))[0] === 1);
  });

  test('events of a replica that died before it placed them are placed by another', async () => {
    const living = await newStore();
    const looks = countLooks();
    newSequencer(living).start();
    const dying = await newStore();
    await until(() => looks.worked >= 1);
    await writeEvents(dying, { aggregateId: 'pay_1', sequence: 1 });
    await until(async () => (await positions(living))[0] === 1);
  });

  test('what a crash has left gets its position at the next start, more than one statement’s worth', async () => {
    const store = await newStore();
    await writeEvents(store, { aggregateId: 'pay_first', sequence: 1 });
    await sql`insert into event_batches (position) select null from generate_series(1, 2500)`.execute(
      store.db,
    );
    await writeEvents(store, { aggregateId: 'pay_last', sequence: 1 });
    newSequencer(store).start();
    await until(async () => (await positions(store)).every((position) => position !== null));
    expect(await positions(store)).toEqual([1, 2502]);
  });

  test('while another one assigns positions, a sequencer waits; a lock whose session ends is free', async () => {
    const living = await newStore();
    const client = new Client({ connectionString: place.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('begin');
    const { rows } = await client.query('select pg_try_advisory_xact_lock(7455563710) as mine');
    expect(rows).toEqual([{ mine: true }]);
    const looks = countLooks();
    newSequencer(living).start();
    await writeEvents(living, { aggregateId: 'pay_1', sequence: 1 });
    await until(() => looks.worked >= 2);
    expect(await positions(living)).toEqual([null]);
    await client.end();
    await until(async () => (await positions(living))[0] === 1);
    expect(lines).toEqual([]);
  });
});
