import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { openStore, storedEvents, writeEvents } from '../../test/harness/event-store.js';
import { createTestStore, stores, type TestStore } from '../../test/harness/test-store.js';
import { until } from '../../test/harness/until.js';
import { NamedLease } from '../store/named-lease.js';
import type { Store } from '../store/store.js';
import { createLogger } from '../telemetry/logger.js';
import { Metrics } from '../telemetry/metrics.js';
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
  const sequencer = new Sequencer(store, new DeliveryTelemetry(new Metrics(), logger));
  sequencers.push(sequencer);
  return sequencer;
}

async function positions(store: Store): Promise<(number | null)[]> {
  return (await storedEvents(store)).map((event) => event.position);
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

function parts({ kind, db, clock }: Store): Pick<Store, 'kind' | 'db' | 'clock'> {
  return { kind, db, clock };
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
    for (let n = 1; n <= 5; n++) {
      await writeEvents(
        store,
        { aggregateId: `pay_${n}`, sequence: 1 },
        { aggregateId: `cs_${n}`, sequence: 1 },
      );
      const written = Date.now();
      await until(async () => (await positions(store)).every((position) => position !== null), 1_000);
      expect(Date.now() - written).toBeLessThan(1_000);
    }
    expect(await positions(store)).toEqual(counting(10));
    expect(lines).toEqual([]);
  });

  test('events of one payment keep their order, whatever the clocks said, and others go by commit or by age', async () => {
    const store = await newStore();
    const at = Date.now() - 60_000;
    await writeEvents(
      store,
      { aggregateId: 'pay_a', sequence: 1, at: at + 5_000 },
      { aggregateId: 'pay_a', sequence: 2, at },
      { aggregateId: 'pay_a', sequence: 10, at },
    );
    await writeEvents(store, { aggregateId: 'pay_b', sequence: 1, at: at + 1_000 });
    await writeEvents(store, { aggregateId: 'pay_c', sequence: 1, at: at + 9_000 });
    newSequencer(store).start();
    await until(async () => (await positions(store)).every((position) => position !== null));
    const order = (await storedEvents(store)).map((event) => `${event.aggregateId}:${event.sequence}`);
    expect(order).toEqual(
      kind === 'embedded'
        ? ['pay_a:1', 'pay_a:2', 'pay_a:10', 'pay_b:1', 'pay_c:1']
        : ['pay_b:1', 'pay_a:1', 'pay_a:2', 'pay_a:10', 'pay_c:1'],
    );
  });

  test('a payment’s event comes before its session’s of the same commit', async () => {
    const store = await newStore();
    const at = Date.now();
    const [payment, session] = [
      { aggregateId: 'pay_1', sequence: 1, at },
      { aggregateId: 'cs_1', sequence: 1, at },
    ];
    // PostgreSQL sorts them; on the embedded store they go as the commit names them.
    await writeEvents(store, ...(kind === 'embedded' ? [payment, session] : [session, payment]));
    newSequencer(store).start();
    await until(async () => (await positions(store)).every((position) => position !== null));
    expect((await storedEvents(store)).map((event) => event.aggregateId)).toEqual(['pay_1', 'cs_1']);
  });

  test('what a crash has left gets its position at the next start, more than one statement’s worth', async () => {
    const store = await newStore();
    const count = 2_500;
    const sequences = counting(count);
    for (let from = 0; from < count; from += 500) {
      await writeEvents(
        store,
        ...sequences.slice(from, from + 500).map((sequence) => ({ aggregateId: 'pay_long', sequence })),
      );
    }
    // As an earlier version left them on the embedded store; on PostgreSQL they have none yet.
    await store.db.updateTable('events').set({ position: null }).execute();
    newSequencer(store).start();
    await until(async () => (await positions(store)).every((position) => position !== null));
    const found = await storedEvents(store);
    expect(found.map((event) => event.position)).toEqual(sequences);
    expect(found.map((event) => event.sequence)).toEqual(sequences);
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

  test('a failure is said once and overcome', async () => {
    const store = await newStore();
    await store.db.schema.alterTable('events').renameTo('elsewhere').execute();
    const looks = countLooks();
    newSequencer(store).start();
    await until(() => looks.failed >= 2);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ event: 'webhook.sequencing_failed' }),
    ]);
    await store.db.schema.alterTable('elsewhere').renameTo('events').execute();
    await writeEvents(store, { aggregateId: 'pay_1', sequence: 1 });
    await until(async () => (await positions(store))[0] === 1, 2_000);
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
    await until(async () => (await positions(reader)).every((position) => position !== null), 3_000);
    writing = false;
    await reading;
    const final = await storedEvents(reader);
    expect(final.map((event) => event.position)).toEqual(counting(replicas.length * each * 2));
    const ids = final.map((event) => event.id);
    expect(seen.length).toBeGreaterThan(3);
    for (const read of seen) expect(read).toEqual(ids.slice(0, read.length));
    const sequences = new Map<string, number>();
    for (const { aggregateId, sequence } of final) {
      expect(sequence).toBe((sequences.get(aggregateId) ?? 0) + 1);
      sequences.set(aggregateId, sequence);
    }
  });

  test('events of a replica that died before it placed them are placed by another within a second', async () => {
    const living = await newStore();
    const looks = countLooks();
    newSequencer(living).start();
    const dying = await newStore();
    await until(() => looks.worked >= 1);
    await writeEvents(dying, { aggregateId: 'pay_1', sequence: 1 });
    await until(async () => (await positions(living))[0] === 1, 1_000);
  });

  test('a replica that died with the lease holds up the others for a moment only', async () => {
    const living = await newStore();
    await new NamedLease({ ...parts(living), owner: 'own_dead' }, 'event-sequencer', 1_000).take();
    newSequencer(living).start();
    await writeEvents(living, { aggregateId: 'pay_1', sequence: 1 });
    expect(await positions(living)).toEqual([null]);
    await until(async () => (await positions(living))[0] === 1, 3_000);
  });
});
