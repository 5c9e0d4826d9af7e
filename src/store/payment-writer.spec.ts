import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { directBatches } from '../../test/harness/direct-sqlite.js';
import { openStore } from '../../test/harness/event-store.js';
import { madeAt, paymentRecord } from '../../test/harness/records.js';
import { createTestStore, stores, type TestStore } from '../../test/harness/test-store.js';
import { timelineId } from './ids.js';
import type { IdempotencyRecord, TimelineRecord } from './schema.js';
import { NotInStore } from './not-in-store.js';
import { StoreUnavailable } from './store-unavailable.js';
import type { Store } from './store.js';
import {
  PaymentWriter,
  type BatchExecutor,
  type Changes,
  type Decide,
  type Job,
  type Snapshot,
} from './payment-writer.js';

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

function timelineEntry(paymentId: string, sequence: number): TimelineRecord {
  return {
    paymentId,
    sequence,
    id: timelineId(paymentId, sequence),
    type: 'created',
    at: madeAt,
    fromStatus: null,
    toStatus: null,
    late: false,
    actor: null,
    detail: null,
  };
}

/** Counts an attempt on a reference, as a payment's start does. */
const attempt: Decide<number> = ({ reference }) => {
  const attempts = reference.attempts + 1;
  return { changes: { reference: { ...reference, attempts } }, result: attempts };
};

const count = (store: Store, reference: string) =>
  store.writer.write({ reference, createReference: true }, (snapshot) => ({
    changes: {},
    result: snapshot.reference.attempts,
  }));

describe('batches', () => {
  let folder: string;
  let database: DatabaseSync;
  const batches: Job[][] = [];
  let writer: PaymentWriter;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tillfront-test-writer-'));
    const place: TestStore = { kind: 'embedded', dataDir: folder, dispose: () => Promise.resolve() };
    const store = await openStore(place);
    await store.close();
    database = new DatabaseSync(join(folder, 'tillfront.db'));
    const real = directBatches(database);
    const watched: BatchExecutor = {
      concurrency: 1,
      execute: (jobs) => {
        batches.push([...jobs]);
        return real.execute(jobs);
      },
    };
    writer = new PaymentWriter(watched);
  });
  afterAll(async () => {
    database.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('what waits at the same time shares one commit', async () => {
    batches.splice(0);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        writer.write({ reference: `R${index}`, createReference: true }, attempt),
      ),
    );
    expect(results).toEqual(Array.from({ length: 20 }, () => 1));
    expect(batches).toHaveLength(1);
  });

  test('a batch has each reference and each key at most once, and keeps the order of each', async () => {
    batches.splice(0);
    const order: string[] = [];
    const work: Promise<unknown>[] = [];
    for (let index = 0; index < 300; index += 1) {
      const reference = `S${index % 7}`;
      const key = `k${index % 11}`;
      work.push(
        writer.write({ reference, createReference: true, idempotency: { scope: 'm', key } }, (snapshot) => {
          order.push(`${reference} ${index}`);
          return attempt(snapshot);
        }),
      );
    }
    await Promise.all(work);
    for (const batch of batches) {
      const references = batch.map(({ wanted }) => wanted.reference);
      const keys = batch.map(({ wanted }) => wanted.idempotency?.key);
      expect(new Set(references).size).toBe(references.length);
      expect(new Set(keys).size).toBe(keys.length);
      expect(references).toEqual([...references].sort());
    }
    for (let number = 0; number < 7; number += 1) {
      const own = order
        .filter((entry) => entry.startsWith(`S${number} `))
        .map((entry) => Number(entry.split(' ')[1]));
      expect(own).toEqual([...own].sort((a, b) => a - b));
    }
  });

  test('no batch grows without end', async () => {
    batches.splice(0);
    await Promise.all(
      Array.from({ length: 400 }, (_, index) =>
        writer.write({ reference: `T${index}`, createReference: true }, attempt),
      ),
    );
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(128);
  });

  test('drained when nothing is left', async () => {
    let done = 0;
    for (let index = 0; index < 50; index += 1)
      void writer.write({ reference: 'U', createReference: true }, attempt).then(() => (done += 1));
    await writer.drained();
    expect(done).toBe(50);
  });
});

describe.each(stores)('writing to the %s store', (kind) => {
  let place: TestStore;
  let store: Store;
  let made = 0;
  const newReference = () => `${kind}-${++made}`;

  beforeAll(async () => {
    place = await createTestStore(kind);
    store = await openStore(place);
  });
  afterAll(async () => {
    await store.close();
    await place.dispose();
  });

  const write = <T>(reference: string, decide: Decide<T>) =>
    store.writer.write({ reference, createReference: true }, decide);

  test('writes of one reference come one after the other: none is lost', async () => {
    const reference = newReference();
    const results = await Promise.all(Array.from({ length: 50 }, () => write(reference, attempt)));
    expect([...results].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(await count(store, reference)).toBe(50);
  });

  test('a write that decides against it changes nothing, and the others of its batch are written', async () => {
    const [good, bad, other] = [newReference(), newReference(), newReference()];
    const refusal = new Error('not now');
    const results = await Promise.allSettled([
      write(good, attempt),
      write(bad, () => {
        throw refusal;
      }),
      write(other, attempt),
    ]);
    expect(results).toMatchObject([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: refusal },
      { status: 'fulfilled', value: 1 },
    ]);
    expect(await count(store, bad)).toBe(0);
  });

  test('a row that the store does not take fails alone, and whole', async () => {
    const [good, bad, other] = [newReference(), newReference(), newReference()];
    const broken = paymentRecord({ id: `pay_${bad}`, status: null as never, gatewayReference: bad });
    const results = await Promise.allSettled([
      write(good, attempt),
      write(bad, (snapshot) => ({ changes: { ...attempt(snapshot).changes, payment: broken }, result: 0 })),
      write(other, attempt),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((results[1] as PromiseRejectedResult).reason).not.toBeInstanceOf(StoreUnavailable);
    expect(await Promise.all([good, bad, other].map((reference) => count(store, reference)))).toEqual([
      1, 0, 1,
    ]);
  });

  test('a fault of the code fails alone', async () => {
    const [good, bad] = [newReference(), newReference()];
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const broken = paymentRecord({ id: `pay_${bad}`, gatewayReference: bad, metadata: circular as never });
    const results = await Promise.allSettled([
      write(good, attempt),
      write(bad, () => ({ changes: { payment: broken }, result: 0 })),
    ]);
    expect(results).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: expect.any(TypeError) },
    ]);
  });

  test.each<[string, (first: TimelineRecord) => Changes]>([
    ['an entry twice', (first) => ({ timeline: [first] })],
    ['an entry that leaves one out', (first) => ({ timeline: [{ ...first, sequence: 3 }] })],
    ['an entry of another payment', (first) => ({ timeline: [{ ...first, paymentId: 'pay_x' }] })],
    ['an entry without its payment', (first) => ({ timeline: [first], payment: undefined })],
  ])('%s is a fault, and nothing of that write stays', async (_, wrong) => {
    const reference = newReference();
    const payment = paymentRecord({
      id: `pay_${reference}`,
      gatewayReference: reference,
      timelineSequence: 1,
    });
    const first = timelineEntry(payment.id, 1);
    const look = { reference, createReference: true, paymentId: payment.id };
    const enter = (changes: Changes) =>
      store.writer.write(look, (snapshot) => ({
        changes: { ...attempt(snapshot).changes, payment, timeline: [first], ...changes },
        result: 0,
      }));
    await enter({});
    await expect(enter(wrong(first))).rejects.toThrow(TypeError);
    expect(await count(store, reference)).toBe(1);
  });

  test('a reference that was never made cannot be written', async () => {
    await expect(store.writer.write({ reference: newReference() }, attempt)).rejects.toBeInstanceOf(
      NotInStore,
    );
  });

  test('a key is written once, given back, and taken anew', async () => {
    const reference = newReference();
    const idempotency = { scope: 'merchant', key: reference };
    const look = { reference, createReference: true, idempotency };
    const seen = () =>
      store.writer.write(look, (snapshot) => ({ changes: {}, result: snapshot.idempotency?.fingerprint }));
    const keep = (fingerprint: string) =>
      store.writer.write(look, () => ({
        changes: { idempotency: keyRecord(reference, fingerprint) },
        result: undefined,
      }));
    expect(await seen()).toBeUndefined();
    await keep('first');
    expect(await seen()).toBe('first');
    await store.writer.write(look, () => ({
      changes: { releaseIdempotency: idempotency },
      result: undefined,
    }));
    expect(await seen()).toBeUndefined();
    await keep('second');
    expect(await seen()).toBe('second');
  });

  test('listeners hear what was committed, and nothing else', async () => {
    const reference = newReference();
    const heard: (string | undefined)[] = [];
    store.writer.onCommitted((changes) => heard.push(changes.reference?.reference));
    await write(reference, attempt);
    await write(reference, () => {
      throw new Error('no');
    }).catch(() => undefined);
    expect(heard).toEqual([reference]);
  });

  test('a snapshot is the truth at its commit, whoever wrote before', async () => {
    const reference = newReference();
    const payment = paymentRecord({
      id: `pay_${reference}`,
      gatewayReference: reference,
      leaseOwner: 'own_1',
    });
    const look = { reference, createReference: true, sessionId: undefined, paymentId: payment.id };
    await store.writer.write(look, () => ({ changes: { payment }, result: undefined }));
    const grow: Decide<number> = (snapshot: Snapshot) => {
      const version = (snapshot.payment?.version ?? 0) + 1;
      return { changes: { payment: { ...(snapshot.payment ?? payment), version } }, result: version };
    };
    const versions = await Promise.all(Array.from({ length: 25 }, () => store.writer.write(look, grow)));
    expect(Math.max(...versions)).toBe(26);
    expect(new Set(versions).size).toBe(25);
  });
});

describe('two processes on PostgreSQL', () => {
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

  const replica = (turn: number) => replicas[turn % 2] as Store;

  test('writes of one reference come one after the other', async () => {
    const results = await Promise.all(
      Array.from({ length: 60 }, (_, turn) =>
        replica(turn).writer.write({ reference: 'R', createReference: true }, attempt),
      ),
    );
    expect([...results].sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  });

  test('many references, in any order: nobody waits for ever', async () => {
    const turns = Array.from({ length: 400 }, (_, turn) => turn);
    const results = await Promise.all(
      turns.map((turn) =>
        replica(turn).writer.write({ reference: `M${(turn * 7) % 20}`, createReference: true }, attempt),
      ),
    );
    expect(Math.max(...results)).toBe(20);
  });

  test('of one key under many references one write wins, and the others see it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const key = `race ${round}`;
      const seen = await Promise.all(
        Array.from({ length: 8 }, (_, turn) =>
          replica(turn).writer.write(
            {
              reference: `K${round}-${turn}`,
              createReference: true,
              idempotency: { scope: 'merchant', key },
            },
            (snapshot) =>
              snapshot.idempotency
                ? { changes: {}, result: snapshot.idempotency.fingerprint }
                : {
                    changes: { ...attempt(snapshot).changes, idempotency: keyRecord(key, `by ${turn}`) },
                    result: 'won',
                  },
          ),
        ),
      );
      expect(seen.filter((one) => one === 'won')).toHaveLength(1);
      const winner = seen.indexOf('won');
      expect(seen.every((one, turn) => turn === winner || one === `by ${winner}`)).toBe(true);
      const counts = await Promise.all(seen.map((_, turn) => count(replica(0), `K${round}-${turn}`)));
      expect(counts).toEqual(counts.map((_, turn) => (turn === winner ? 1 : 0)));
    }
  });

  test('what one has written the other reads, though it has written it before', async () => {
    const reference = 'TURNS';
    for (let turn = 0; turn < 6; turn += 1) {
      expect(await replica(turn).writer.write({ reference, createReference: true }, attempt)).toBe(turn + 1);
    }
  });

  test('connections that are cut: unavailable, or written whole; and the next write goes through', async () => {
    const [store, other] = replicas;
    const before = await count(store, 'CUT');
    const writing = Array.from({ length: 40 }, () =>
      store.writer.write({ reference: 'CUT', createReference: true }, attempt).then(
        () => 'written',
        (error: unknown) => (error instanceof StoreUnavailable ? 'away' : `broken: ${String(error)}`),
      ),
    );
    for (let times = 0; times < 4; times += 1) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid()`.execute(other.db);
    }
    const results = await Promise.all(writing);
    expect(new Set(results.filter((one) => one !== 'written' && one !== 'away'))).toEqual(new Set());
    const written = results.filter((one) => one === 'written').length;
    const after = await count(store, 'CUT').catch(() => count(store, 'CUT'));
    expect(after - before).toBeGreaterThanOrEqual(written);
    expect(await store.writer.write({ reference: 'CUT' }, attempt)).toBe(after + 1);
  });
});
