import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sql } from 'kysely';
import { Client } from 'pg';
import { openStore } from '../../test/harness/event-store.js';
import { madeAt, operationRecord, paymentRecord } from '../../test/harness/records.js';
import { createTestStore, type TestStore } from '../../test/harness/test-store.js';
import { timelineId } from './ids.js';
import type { Changes, Decide, Snapshot } from './payment-writer.js';
import type { EventRecord, IdempotencyRecord, TimelineRecord } from './schema.js';
import type { Store } from './store.js';

/** Processes that write about the same references through one PostgreSQL, each with connections of its own. */

let place: TestStore;
let replicas: [Store, Store];

beforeAll(async () => {
  place = await createTestStore('postgres');
  replicas = await Promise.all([openStore(place), openStore(place)]);
});
afterAll(async () => {
  await Promise.all(replicas.map((store) => store.close()));
  await place.dispose();
});

const paymentOf = (reference: string): string => `pay_${reference}`;

function entry(paymentId: string, sequence: number): TimelineRecord {
  return {
    paymentId,
    sequence,
    id: timelineId(paymentId, sequence),
    type: 'inconclusive',
    at: madeAt,
    fromStatus: null,
    toStatus: null,
    late: false,
    actor: null,
    detail: { number: String(sequence) },
  };
}

function event(aggregateId: string, sequence: number): EventRecord {
  return {
    id: `evt_${aggregateId}_${sequence}`,
    type: 'payment.succeeded',
    aggregateId,
    sequence,
    livemode: false,
    late: false,
    operation: null,
    data: '{}',
    createdAt: madeAt,
    batch: null,
    ordinal: null,
    deliveryStatus: 'none',
    attempts: 0,
    nextAttemptAt: null,
    firstAttemptAt: null,
    lastResult: null,
    leaseOwner: null,
    leaseUntil: 0,
  };
}

function keyRecord(key: string, fingerprint: string): IdempotencyRecord {
  return {
    scope: 'merchant',
    key,
    fingerprint,
    sessionId: null,
    paymentId: null,
    operationId: null,
    runningUntil: null,
    createdAt: madeAt,
    expiresAt: madeAt,
  };
}

/** One more step in everything that is about a reference: all of it is written, or nothing. */
function step({ reference, payment, openOperations }: Snapshot, leaseOwner: string | null): Changes {
  const attempts = reference.attempts + 1;
  const id = paymentOf(reference.reference);
  const before = payment ?? paymentRecord({ id, reference: reference.reference, gatewayReference: id });
  const [open] = openOperations;
  return {
    reference: { ...reference, attempts },
    payment: {
      ...before,
      version: attempts,
      timelineSequence: attempts,
      eventSequence: attempts,
      leaseOwner,
      // What seldom changes is written by another form of the statement.
      metadata: attempts % 3 === 0 ? { attempts: String(attempts) } : before.metadata,
    },
    operations: [
      operationRecord({ ...open, id: `op_${reference.reference}`, paymentId: id, formerCount: attempts }),
    ],
    timeline: [entry(id, attempts)],
    events: [event(id, attempts)],
  };
}

interface Written {
  reference: string;
  result: 'written' | 'key taken';
  by: string;
  key: string | null;
  number: number;
}

async function write(store: Store, reference: string, key: string | null, lease: boolean): Promise<Written> {
  const by = `${reference} ${Math.random()}`;
  const decide: Decide<Written> = (snapshot) => {
    const number = snapshot.reference.attempts + 1;
    if (snapshot.idempotency) {
      return {
        changes: {},
        result: { reference, result: 'key taken', by: snapshot.idempotency.fingerprint, key, number },
      };
    }
    return {
      changes: {
        ...step(snapshot, lease ? store.owner : null),
        ...(key !== null && { idempotency: keyRecord(key, by) }),
      },
      result: { reference, result: 'written', by, key, number },
    };
  };
  return store.writer.write(
    {
      reference,
      createReference: true,
      paymentId: paymentOf(reference),
      ...(key !== null && { idempotency: { scope: 'merchant', key } }),
    },
    decide,
  );
}

/** What stands in the tables about a reference, each told on its own. */
async function stands(reference: string): Promise<Record<string, unknown> | undefined> {
  const id = paymentOf(reference);
  const { rows } = await sql<Record<string, unknown>>`
    select attempts, payment_references.version > 0 as versioned, payments.version,
      payments.timeline_sequence, payments.pay_former_count,
      (select count(*) from events where aggregate_id = ${id}) as events,
      (select max(sequence) from events where aggregate_id = ${id}) as last_event,
      (select coalesce(sum(length(entries) - length(replace(entries, E'\n', ''))), 0) from timeline_pages where payment_id = ${id})
        + length(timeline) - length(replace(timeline, E'\n', '')) as entries
    from payment_references join payments on payments.id = ${id} where payment_references.reference = ${reference}`.execute(
    replicas[0].db,
  );
  return rows[0];
}

describe('two processes that write about the same orders', () => {
  test('lose nothing, write nothing in part, and give each key to one', async () => {
    const writes = fc.array(
      fc.record({
        replica: fc.nat(1),
        order: fc.nat(3),
        key: fc.option(fc.nat(4), { nil: null }),
        lease: fc.boolean(),
      }),
      { minLength: 10, maxLength: 60 },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(writes, async (planned) => {
        run += 1;
        const results = await Promise.all(
          planned.map(({ replica, order, key, lease }) =>
            write(
              replicas[replica] as Store,
              `RACE-${run}-${order}`,
              key === null ? null : `race ${run} ${key}`,
              lease,
            ),
          ),
        );
        const written = results.filter(({ result }) => result === 'written');
        for (const [reference, own] of Map.groupBy(written, (one) => one.reference)) {
          const count = own.length;
          expect(own.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
            own.map((_, index) => index + 1),
          );
          expect(await stands(reference)).toEqual({
            attempts: count,
            versioned: true,
            version: count,
            timeline_sequence: count,
            pay_former_count: count,
            events: count,
            last_event: count,
            entries: count,
          });
        }
        for (const [key, own] of Map.groupBy(
          results.filter((one) => one.key !== null),
          (one) => one.key,
        )) {
          const winners = own.filter(({ result }) => result === 'written');
          expect([key, winners.length]).toEqual([key, 1]);
          expect(new Set(own.map(({ by }) => by))).toEqual(new Set([winners[0]?.by]));
        }
      }),
      { numRuns: 15 },
    );
  }, 120_000);

  test('what a process knows of its own write is not believed once another has written', async () => {
    const [own, other] = replicas;
    const reference = 'KNOWN';
    const look = { reference, paymentId: paymentOf(reference) };
    await write(own, reference, null, true);
    await write(other, reference, null, true);
    // Decided on what is known it would be the second step.
    expect((await write(own, reference, null, true)).number).toBe(3);
    await write(other, reference, null, true);
    // A decision that writes nothing, and one that refuses, are checked by nobody: they must not rest on it either.
    const seen = await own.writer.write(look, ({ payment }) => ({ changes: {}, result: payment?.version }));
    expect(seen).toBe(4);
    await write(own, reference, null, true);
    await write(other, reference, null, true);
    const refuse: Decide<never> = ({ payment }) => {
      throw new Error(`refused at ${payment?.version}`);
    };
    await expect(own.writer.write(look, refuse)).rejects.toThrow('refused at 6');
  });

  test('what a process knows needs no question: the outcome of a payment is one statement', async () => {
    const [own] = replicas;
    await write(own, 'ONE', null, true);
    const client = new Client({ connectionString: place.databaseUrl });
    await client.connect();
    // A write that reads first asks for the payment's open operations, and would wait for this.
    await client.query('begin');
    await client.query('lock table operations in access exclusive mode');
    const second = await own.writer.write({ reference: 'ONE', paymentId: paymentOf('ONE') }, (snapshot) => ({
      changes: step(snapshot, null),
      result: snapshot.reference.attempts,
    }));
    expect(second).toBe(1);
    await client.query('rollback');
    await client.end();
    expect(await stands('ONE')).toMatchObject({ attempts: 2, entries: 2, events: 2 });
  });

  test('a key that was replaced since it was read is not replaced again', async () => {
    const [own, other] = replicas;
    const reach = (store: Store, reference: string) =>
      store.writer.write(
        { reference, createReference: true, idempotency: { scope: 'merchant', key: 'old' } },
        (snapshot) => {
          const expired = !snapshot.idempotency || snapshot.idempotency.expiresAt === 0;
          if (!expired) return { changes: {}, result: snapshot.idempotency?.fingerprint };
          const idempotency = { ...keyRecord('old', reference), createdAt: Date.now(), expiresAt: 9 };
          return { changes: { ...step(snapshot, null), idempotency }, result: reference };
        },
      );
    for (let round = 0; round < 5; round += 1) {
      await sql`delete from idempotency_keys where key = 'old'`.execute(own.db);
      await sql`insert into idempotency_keys (scope, key, fingerprint, created_at, expires_at)
        values ('merchant', 'old', 'gone', 0, 0)`.execute(own.db);
      const names = Array.from({ length: 6 }, (_, turn) => `OLD-${round}-${turn}`);
      const results = await Promise.all(names.map((name, turn) => reach(turn % 2 ? own : other, name)));
      expect(new Set(results).size).toBe(1);
      const { rows } =
        await sql`select reference from payment_references where reference like ${`OLD-${round}-%`}`.execute(
          own.db,
        );
      expect(rows).toEqual([{ reference: results[0] }]);
    }
  });

  test('orders in any number and sequence: nobody waits for ever', async () => {
    const turns = Array.from({ length: 300 }, (_, turn) => turn);
    const results = await Promise.all(
      turns.map((turn) =>
        write(replicas[turn % 2] as Store, `MANY-${(turn * 7) % 20}`, null, turn % 3 === 0),
      ),
    );
    expect(Math.max(...results.map(({ number }) => number))).toBe(15);
  });
});
