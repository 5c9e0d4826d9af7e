import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { openStore, storedEvents, writeEvents } from '../harness/event-store.js';
import { createFormerStore } from '../harness/former-store.js';
import { madeAt } from '../harness/records.js';
import { stores } from '../harness/test-store.js';
import { eventBody } from '../../src/merchant-webhooks/event.js';
import { EventsRepository, THE_BEGINNING } from '../../src/merchant-webhooks/events.repository.js';

/** More than a batch of the migration holds. */
const PLACED = 1_203;

/** An event as version 0.1.0 wrote it. */
function formerEvent(number: number, over: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const id = `evt_${String(number).padStart(32, '0')}`;
  const row = {
    aggregate_id: `pay_${number}`,
    sequence: 1,
    created_at: madeAt + number,
    position: number,
    ...over,
  };
  const body = {
    id,
    type: 'payment.succeeded',
    apiVersion: 'v1',
    livemode: true,
    timestamp: new Date(row.created_at).toISOString(),
    sequence: row.sequence,
    ...(number % 2 === 1 && { late: true }),
    data: {
      id: row.aggregate_id,
      metadata: { b: 'Ìkòyí \u2028 "1"', a: '\\' },
      amount: '1500.00',
      failure: null,
    },
  };
  return {
    id,
    type: 'payment.succeeded',
    reference: `R-${number}`,
    body: JSON.stringify(body),
    delivery_status: 'delivered',
    attempts: 1,
    lease_until: 0,
    ...row,
  };
}

test.each(stores)(
  'events of a %s store of version 0.1.0 keep their order, their ids and their bodies; unplaced and undelivered ones go on',
  async (kind) => {
    const waiting = {
      delivery_status: 'pending',
      next_attempt_at: madeAt,
      attempts: 3,
      first_attempt_at: madeAt,
    };
    const former = [
      ...Array.from({ length: PLACED }, (_, index) => formerEvent(index + 1, {})),
      // Committed, not placed yet, and one of them in the hands of a replica that was stopped.
      formerEvent(2_001, { aggregate_id: 'pay_w', sequence: 2, position: null, ...waiting }),
      formerEvent(2_002, {
        aggregate_id: 'pay_w',
        sequence: 1,
        position: null,
        created_at: madeAt + 3_000,
        ...waiting,
      }),
      formerEvent(2_003, {
        aggregate_id: 'pay_x',
        sequence: 1,
        position: null,
        lease_owner: 'own_gone',
        ...waiting,
      }),
    ];
    const place = await createFormerStore(kind, {
      events: [...former].reverse(),
      leases: [{ name: 'event-sequencer', owner: 'own_gone', until: madeAt * 2, fence: 7 }],
    });
    const store = await openStore(place);
    try {
      const repository = new EventsRepository(store);
      const [late, early, other] = former.slice(PLACED).map(({ id }) => id);
      const order = [...former.slice(0, PLACED).map(({ id }) => id), other, early, late];
      const stored = await storedEvents(store);
      expect(stored.map(({ id }) => id)).toEqual(order);
      const bodies = new Map(former.map(({ id, body }) => [id, body]));
      for (const event of stored) expect(eventBody(event)).toBe(bodies.get(event.id));

      const read: unknown[] = [];
      for (let after = THE_BEGINNING; ;) {
        const page = await repository.listAfter(after, 100);
        read.push(...page.map(({ id }) => id));
        const last = page.at(-1);
        if (!last) break;
        after = (await repository.find(last.id))?.place ?? THE_BEGINNING;
      }
      expect(read).toEqual(order);
      expect((await repository.listAfter(THE_BEGINNING, 9, 'pay_w')).map(({ id }) => id)).toEqual([
        early,
        late,
      ]);

      const now = madeAt + 60_000;
      const claimed = await repository.claim('own_new', now, now + 1, 10);
      expect(claimed.map(({ id }) => id).sort()).toEqual([early, other].sort());
      expect(claimed[0]).toMatchObject({ attempts: 4, firstAttemptAt: madeAt });

      const [{ id: next = '' } = {}] = await writeEvents(store, { aggregateId: 'pay_w', sequence: 3 });
      const { rows } = await sql<{ last: number }>`select max(id) as last from event_batches`.execute(
        store.db,
      );
      expect((await repository.find(next))?.batch).toBe(Number(rows[0]?.last));
      expect((await storedEvents(store)).at(-1)?.id).toBe(next);
      expect(await sql`select * from leases`.execute(store.db)).toMatchObject({ rows: [] });
    } finally {
      await store.close();
      await place.dispose();
    }
  },
);
