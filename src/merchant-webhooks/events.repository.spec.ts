import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openStore, placeBatchOf, storedEvents, writeEvents } from '../../test/harness/event-store.js';
import { createTestStore, stores, type TestStore } from '../../test/harness/test-store.js';
import type { EventRecord } from '../store/schema.js';
import type { Store } from '../store/store.js';
import { EventsRepository, THE_BEGINNING, type DeliveryOutcome } from './events.repository.js';

let place: TestStore;
let store: Store;
let repository: EventsRepository;
/** Every event is written before this. */
let now: number;
const LEASE = 30_000;

beforeEach(() => {
  now = Date.now() + 60_000;
});

afterEach(async () => {
  await store.close();
  await place.dispose();
});

/** Writes events as `payment:sequence` and gives them their positions, all due. */
async function given(...names: string[]): Promise<void> {
  for (const name of names) {
    const [aggregateId = '', sequence] = name.split(':');
    await writeEvents(store, { aggregateId, sequence: Number(sequence) });
  }
  const events = await storedEvents(store);
  let last = Math.max(0, ...events.map((event) => event.position ?? 0));
  for (const event of events.filter(({ position }) => position === null)) {
    await placeBatchOf(store, event, (last += 1));
  }
}

/** As an event stands on PostgreSQL between its commit and the sequencer's look. */
async function unplaced(aggregateId: string): Promise<void> {
  await writeEvents(store, { aggregateId, sequence: 1 });
  const written = (await storedEvents(store)).find((event) => event.aggregateId === aggregateId);
  if (written) await placeBatchOf(store, written, null);
}

const nameOf = (event: EventRecord) => `${event.aggregateId}:${event.sequence}`;

async function stored(name: string): Promise<EventRecord> {
  const event = (await storedEvents(store)).find((candidate) => nameOf(candidate) === name);
  if (!event) throw new Error(`no event ${name}`);
  return event;
}

async function claim(owner = 'own_a', at = now, count = 10): Promise<string[]> {
  const claimed = await repository.claim(owner, at, at + LEASE, count);
  return claimed.map(nameOf).sort();
}

async function record(
  name: string,
  outcome: Partial<DeliveryOutcome>,
  owner = 'own_a',
  at = now,
): Promise<void> {
  const { id } = await stored(name);
  await repository.record(owner, [
    {
      id,
      leaseUntil: at + LEASE,
      status: 'delivered',
      nextAttemptAt: null,
      lastResult: 'http_200',
      ...outcome,
    },
  ]);
}

describe.each(stores)('on the %s store', (kind) => {
  beforeEach(async () => {
    place = await createTestStore(kind);
    store = await openStore(place);
    repository = new EventsRepository(store);
  });

  describe('claiming', () => {
    test('takes the first waiting event of each payment, and notes the attempt', async () => {
      await given('pay_a:1', 'pay_a:2', 'pay_b:1', 'pay_b:2', 'cs_c:1');
      expect(await claim()).toEqual(['cs_c:1', 'pay_a:1', 'pay_b:1']);
      expect(await stored('pay_a:1')).toMatchObject({
        deliveryStatus: 'pending',
        attempts: 1,
        firstAttemptAt: now,
        nextAttemptAt: now + LEASE,
        leaseOwner: 'own_a',
        leaseUntil: now + LEASE,
      });
      expect(await claim()).toEqual([]);
    });

    test('takes no more than asked for, the longest due first', async () => {
      await given('pay_a:1', 'pay_b:1', 'pay_c:1');
      const [, second] = await storedEvents(store);
      await store.db
        .updateTable('events')
        .set({ next_attempt_at: now - 60_000 })
        .where('id', '=', second?.id ?? '')
        .execute();
      expect(await claim('own_a', now, 1)).toEqual(['pay_b:1']);
      expect(await claim('own_a', now, 1)).toHaveLength(1);
      expect(await claim('own_a', now, 5)).toHaveLength(1);
    });

    test('takes nothing that has no position yet, is not due, or is not to be delivered', async () => {
      await unplaced('pay_a');
      expect(await claim()).toEqual([]);
      await writeEvents(store, { aggregateId: 'pay_b', sequence: 1, deliver: false });
      await writeEvents(store, { aggregateId: 'pay_c', sequence: 1, at: now + 5_000 });
      await given();
      expect(await claim()).toEqual(['pay_a:1']);
    });

    test('the next one follows once its predecessor is delivered, gone or given up', async () => {
      await given('pay_a:1', 'pay_a:2', 'pay_a:3', 'pay_a:4');
      expect(await claim()).toEqual(['pay_a:1']);
      await record('pay_a:1', {});
      expect(await claim()).toEqual(['pay_a:2']);
      await record('pay_a:2', { status: 'gone', lastResult: 'http_410' });
      expect(await claim()).toEqual(['pay_a:3']);
      await record('pay_a:3', { status: 'given_up', lastResult: 'timeout' });
      expect(await claim()).toEqual(['pay_a:4']);
    });

    test('not while its predecessor waits for another attempt; that one comes first, when it is due', async () => {
      await given('pay_a:1', 'pay_a:2');
      await claim();
      await record('pay_a:1', { status: 'pending', nextAttemptAt: now + 5_000, lastResult: 'http_500' });
      expect(await claim('own_a', now + 4_999)).toEqual([]);
      expect(await claim('own_a', now + 5_000)).toEqual(['pay_a:1']);
      expect(await stored('pay_a:1')).toMatchObject({
        attempts: 2,
        firstAttemptAt: now,
        lastResult: 'http_500',
      });
    });

    test('two who claim at once never get the same event', async () => {
      await given(...Array.from({ length: 30 }, (_, n) => `pay_${n}:1`));
      const claims = await Promise.all(
        Array.from({ length: 6 }, (_, n) => repository.claim(`own_${n}`, now, now + LEASE, 10)),
      );
      const ids = claims.flat().map((event) => event.id);
      expect(new Set(ids).size).toBe(ids.length);
      const rest = await repository.claim('own_rest', now, now + LEASE, 100);
      expect(ids.length + rest.length).toBe(30);
    });
  });

  describe('a process that dies with an event in its hands', () => {
    test('loses it when another gives it back; what it says afterwards does not count', async () => {
      await given('pay_a:1', 'pay_a:2');
      await claim('own_dead');
      expect((await repository.outlook(now)).nextAt).toBe(now + LEASE);
      // However late it is: a clock may have been set.
      expect(await claim('own_b', now + 10 * LEASE)).toEqual([]);
      expect((await repository.outlook(now + 10 * LEASE)).due).toBe(true);
      const [lease] = await repository.leased(10);
      expect(lease).toMatchObject({ owner: 'own_dead', until: now + LEASE });
      const { id = '' } = lease ?? {};
      await repository.giveBack([{ id, owner: 'own_dead', until: now + LEASE + 1 }], now);
      expect(await claim('own_b', now + LEASE)).toEqual([]);
      await repository.giveBack([{ id, owner: 'own_dead', until: now + LEASE }], now + LEASE);
      expect(await repository.leased(10)).toEqual([]);
      expect(await claim('own_b', now + LEASE)).toEqual(['pay_a:1']);
      await record('pay_a:1', {}, 'own_dead');
      expect(await stored('pay_a:1')).toMatchObject({
        deliveryStatus: 'pending',
        leaseOwner: 'own_b',
        attempts: 2,
      });
      await record('pay_a:1', {}, 'own_b', now + LEASE);
      expect(await stored('pay_a:1')).toMatchObject({ deliveryStatus: 'delivered', leaseOwner: null });
    });

    test('is waited for by other events of its payment only', async () => {
      await given('pay_a:1', 'pay_a:2', 'pay_b:1');
      await claim('own_dead', now, 1);
      expect(await claim('own_b', now + 10 * LEASE)).toEqual(['pay_b:1']);
    });

    test('gives it back at once where no other process can have it', async () => {
      await given('pay_a:1', 'pay_b:1');
      await claim('own_dead', now, 1);
      await repository.releaseAll(now + 1);
      expect(await claim('own_b', now + 1)).toEqual(['pay_a:1', 'pay_b:1']);
    });
  });

  test('many outcomes are recorded at once, each with its own', async () => {
    await given('pay_a:1', 'pay_b:1', 'pay_c:1');
    const claimed = await repository.claim('own_a', now, now + LEASE, 3);
    const outcomes = claimed.map((event, index): DeliveryOutcome => {
      const base = { id: event.id, leaseUntil: event.leaseUntil };
      if (index === 0) return { ...base, status: 'delivered', nextAttemptAt: null, lastResult: 'http_204' };
      if (index === 1) return { ...base, status: 'gone', nextAttemptAt: null, lastResult: 'http_410' };
      return { ...base, status: 'pending', nextAttemptAt: now + 7, lastResult: 'no_answer' };
    });
    await repository.record('own_a', outcomes);
    for (const { id, status, nextAttemptAt, lastResult } of outcomes) {
      expect(await repository.find(id)).toMatchObject({
        deliveryStatus: status,
        nextAttemptAt,
        lastResult,
        leaseOwner: null,
        leaseUntil: 0,
      });
    }
  });

  describe('what is blocked', () => {
    test('by a predecessor that waits is put off as long as that one, and comes after it', async () => {
      await given('pay_a:1', 'pay_a:2', 'pay_a:3', 'pay_b:1');
      await claim('own_a', now, 2);
      await record('pay_a:1', { status: 'pending', nextAttemptAt: now + 5_000, lastResult: 'http_500' });
      expect(await repository.outlook(now)).toMatchObject({ due: true });
      expect(await repository.park(now)).toBe(2);
      expect((await stored('pay_a:3')).nextAttemptAt).toBe(now + 5_000);
      expect(await repository.outlook(now)).toEqual({ due: false, nextAt: now + 5_000 });
      expect(await repository.park(now)).toBe(0);
      expect(await claim('own_a', now + 5_000)).toEqual(['pay_a:1']);
      await record('pay_a:1', {}, 'own_a', now + 5_000);
      expect(await claim('own_a', now + 5_000)).toEqual(['pay_a:2']);
    });

    test('by one that is on its way is not put off', async () => {
      await given('pay_a:1', 'pay_a:2');
      await claim();
      expect(await repository.park(now)).toBe(0);
      await record('pay_a:1', {});
      expect(await claim()).toEqual(['pay_a:2']);
    });

    test('never hides what may go, however much of it there is', async () => {
      await given('pay_bad:1');
      await claim();
      await record('pay_bad:1', { status: 'pending', nextAttemptAt: now + 60_000, lastResult: 'http_500' });
      const blocked = Array.from({ length: 600 }, (_, n) => ({ aggregateId: 'pay_bad', sequence: n + 2 }));
      await writeEvents(store, ...blocked);
      await given('pay_good:1');
      let rounds = 0;
      while ((await claim()).length === 0) {
        expect(await repository.park(now)).toBeGreaterThan(0);
        rounds += 1;
      }
      expect(rounds).toBeLessThanOrEqual(3);
    });
  });

  test('what waits longer than any pause was planned by another clock, and is brought forward', async () => {
    await writeEvents(store, { aggregateId: 'pay_ahead', sequence: 1, at: now + 48 * 3_600_000 });
    await given('pay_a:1');
    await claim();
    await record('pay_a:1', { status: 'pending', nextAttemptAt: now + 3_600_000, lastResult: 'timeout' });
    expect(await repository.bringForward(now + 4_500_000, now)).toBe(1);
    expect((await stored('pay_ahead:1')).nextAttemptAt).toBe(now);
    expect((await stored('pay_a:1')).nextAttemptAt).toBe(now + 3_600_000);
    expect(await claim()).toEqual(['pay_ahead:1']);
  });

  describe('redelivering', () => {
    test.each(['delivered', 'gone', 'given_up'] as const)(
      'an event that is %s starts all over',
      async (status) => {
        await given('pay_a:1');
        await claim();
        await record('pay_a:1', { status });
        const { id } = await stored('pay_a:1');
        const later = now + 80 * 3_600_000;
        expect(await repository.redeliver(id, later)).toMatchObject({
          id,
          deliveryStatus: 'pending',
          attempts: 0,
          firstAttemptAt: null,
          nextAttemptAt: later,
        });
        expect(await claim('own_a', later)).toEqual(['pay_a:1']);
        expect(await stored('pay_a:1')).toMatchObject({ attempts: 1, firstAttemptAt: later });
      },
    );

    test('an event that was never to be delivered is', async () => {
      await writeEvents(store, { aggregateId: 'pay_a', sequence: 1, deliver: false });
      await given();
      await repository.redeliver((await stored('pay_a:1')).id, now);
      expect(await claim()).toEqual(['pay_a:1']);
    });

    test('one that waits for another attempt goes at once, in its place among the others', async () => {
      await given('pay_a:1', 'pay_a:2');
      await claim();
      await record('pay_a:1', { status: 'pending', nextAttemptAt: now + 3_600_000, lastResult: 'timeout' });
      await repository.park(now);
      await repository.redeliver((await stored('pay_a:2')).id, now);
      expect(await claim()).toEqual(['pay_a:1']);
      await record('pay_a:1', {});
      expect(await claim()).toEqual(['pay_a:2']);
    });

    test('one that is on its way stays as it is', async () => {
      await given('pay_a:1');
      await claim();
      const { id } = await stored('pay_a:1');
      const before = await repository.find(id);
      expect(await repository.redeliver(id, now)).toEqual(before);
    });

    test('a payment has one event on its way at a time, also when an older one is sent again', async () => {
      await given('pay_a:1', 'pay_a:2');
      await claim();
      await record('pay_a:1', {});
      expect(await claim()).toEqual(['pay_a:2']);
      await repository.redeliver((await stored('pay_a:1')).id, now);
      expect(await claim()).toEqual([]);
      await record('pay_a:2', {});
      expect(await claim()).toEqual(['pay_a:1']);
    });

    test('other payments’ events stay as they are, and an unknown one is not found', async () => {
      await given('pay_a:1', 'pay_b:1');
      await claim();
      await record('pay_b:1', { status: 'pending', nextAttemptAt: now + 9_000, lastResult: 'http_500' });
      const before = await stored('pay_b:1');
      await record('pay_a:1', {});
      await repository.redeliver((await stored('pay_a:1')).id, now);
      expect(await stored('pay_b:1')).toEqual(before);
      expect(await repository.redeliver('evt_unknown', now)).toBeUndefined();
    });
  });

  test('the list goes by place, from after one, within a commit too, and knows no event without a place', async () => {
    await given('pay_a:1', 'pay_b:1', 'pay_a:2');
    await writeEvents(
      store,
      { aggregateId: 'pay_c', sequence: 1 },
      { aggregateId: 'cs_c', sequence: 1 },
      { aggregateId: 'pay_c', sequence: 2 },
    );
    await given();
    await unplaced('pay_z');
    const all = ['pay_a:1', 'pay_b:1', 'pay_a:2', 'pay_c:1', 'cs_c:1', 'pay_c:2'];
    expect((await repository.listAfter(THE_BEGINNING, 10)).map(nameOf)).toEqual(all);
    for (const [index, name] of all.entries()) {
      const { place } = (await repository.find((await stored(name)).id)) ?? {};
      if (!place) throw new Error(`${name} has no place`);
      expect((await repository.listAfter(place, 10)).map(nameOf)).toEqual(all.slice(index + 1));
      expect((await repository.listAfter(place, 1)).map(nameOf)).toEqual(all.slice(index + 1, index + 2));
    }
    const { place } = (await repository.find((await stored('pay_z:1')).id)) ?? {};
    expect(place).toBeNull();
  });

  test('the list of one payment has its events alone, those of version 0.1.0 too', async () => {
    await given('pay_a:1', 'pay_ab:1', 'pay_a:2', 'pay_a_x:1', 'pay_a:10');
    const former = `evt_${'f'.repeat(32)}`;
    await store.db.updateTable('events').set({ id: former }).where('sequence', '=', 2).execute();
    expect((await repository.listAfter(THE_BEGINNING, 10, 'pay_a')).map(nameOf)).toEqual([
      'pay_a:1',
      'pay_a:2',
      'pay_a:10',
    ]);
  });

  test('an event is written once: its payment gives each number to one', async () => {
    await writeEvents(store, { aggregateId: 'pay_a', sequence: 1 });
    await expect(writeEvents(store, { aggregateId: 'pay_a', sequence: 1 })).rejects.toThrow();
  });
});
