import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openStore, storedEvents, writeEvents } from '../../test/harness/event-store.js';
import { createTestStore, stores, type TestStore } from '../../test/harness/test-store.js';
import type { Store } from '../store/store.js';
import { CatchUp, OUTAGE_MS } from './catch-up.js';
import { EventsRepository, type DeliveryOutcome } from './events.repository.js';

const HOUR = 3_600_000;
const ROOM = 32;

let place: TestStore;
let store: Store;
let tick: number;
let catchUp: CatchUp;

function outcomes(count: number, status: DeliveryOutcome['status']): DeliveryOutcome[] {
  const outcome = { id: 'evt_1', leaseUntil: 1, status, nextAttemptAt: null, lastResult: '' };
  return Array.from({ length: count }, () => outcome);
}

const accepted = (count: number, room = ROOM) =>
  catchUp.afterAttempts(outcomes(count, 'delivered'), store.clock.now(), room);
const failed = () => catchUp.afterAttempts(outcomes(1, 'pending'), store.clock.now(), ROOM);

/** Payments that wait for an hour, each with this many events. */
async function waiting(payments: number, each = 1): Promise<void> {
  const { length } = await storedEvents(store);
  for (let n = 0; n < payments; n++) {
    const aggregateId = `pay_${length + n}`;
    await writeEvents(store, ...Array.from({ length: each }, (_, of) => ({ aggregateId, sequence: of + 1 })));
  }
  await store.db
    .updateTable('events')
    .set({ next_attempt_at: store.clock.now() + HOUR })
    .execute();
}

async function broughtForward(): Promise<number> {
  const now = store.clock.now();
  return (await storedEvents(store)).filter(({ nextAttemptAt }) => (nextAttemptAt ?? now) <= now).length;
}

describe.each(stores)('on the %s store', (kind) => {
  beforeEach(async () => {
    place = await createTestStore(kind);
    store = await openStore(place);
    tick = 0;
    catchUp = new CatchUp(new EventsRepository(store), () => tick);
  });
  afterEach(async () => {
    await store.close();
    await place.dispose();
  });

  test('the first success after the start brings the backlog forward, faster with each one, and all of a payment together', async () => {
    await waiting(20, 3);
    await accepted(1);
    const first = await broughtForward();
    // One or two payments: events of one stand beside each other.
    expect([3, 6]).toContain(first);
    await accepted(4, 5);
    expect(await broughtForward()).toBeGreaterThan(first);
    for (let more = 0; more < 20; more++) await accepted(4);
    expect(await broughtForward()).toBe(60);
  });

  test('no success, no room: nothing is brought forward', async () => {
    await waiting(20);
    await failed();
    expect(await broughtForward()).toBe(0);
    await accepted(1);
    expect(await broughtForward()).toBe(2);
    await failed();
    await accepted(8, 0);
    expect(await broughtForward()).toBe(2);
    await accepted(1);
    expect(await broughtForward()).toBe(4);
  });

  test('where only some events fail, they wait for their own time', async () => {
    await accepted(1);
    await waiting(4);
    for (let n = 0; n < 10; n++) {
      await failed();
      tick += OUTAGE_MS - 1;
      await accepted(1);
    }
    expect(await broughtForward()).toBe(0);
  });

  test('after a time without a success it begins again; one that is never accepted is sent no more often than that', async () => {
    await accepted(1);
    await waiting(3);
    await failed();
    tick += OUTAGE_MS;
    await failed();
    await accepted(9);
    expect(await broughtForward()).toBe(3);
    // All three fail again.
    await waiting(0);
    for (let n = 0; n < 5; n++) {
      tick += OUTAGE_MS;
      await accepted(9);
    }
    expect(await broughtForward()).toBe(0);
  });
});
