import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { directPaymentWriter } from '../../test/harness/direct-sqlite.js';
import { openStore } from '../../test/harness/event-store.js';
import { operationRecord, paymentRecord, sessionRecord } from '../../test/harness/records.js';
import { createTestStore, stores, type TestStore } from '../../test/harness/test-store.js';
import { payOperationId } from './ids.js';
import {
  scopeOfSession,
  type PaymentWriter,
  type Changes,
  type Snapshot,
  type Wanted,
} from './payment-writer.js';
import type { Store } from './store.js';

/** What a write is decided on without a read is what a read would have found, whatever was written before. */

let place: TestStore;
let store: Store;
let reader: PaymentWriter;
let endReader: () => Promise<void>;
/** A person's connection to the embedded store. */
let byHand: DatabaseSync | undefined;
let world = 0;

async function open(kind: 'embedded' | 'postgres'): Promise<void> {
  place = await createTestStore(kind);
  store = await openStore(place);
  if (kind === 'embedded') {
    const database = new DatabaseSync(join(place.dataDir, 'tillfront.db'), { timeout: 5_000 });
    byHand = database;
    reader = directPaymentWriter(database);
    endReader = () => {
      database.close();
      return Promise.resolve();
    };
  } else {
    const other = await openStore(place);
    byHand = undefined;
    reader = other.writer;
    endReader = () => other.close();
  }
}

afterEach(async () => {
  await endReader();
  await store.close();
  await place.dispose();
});

interface Step {
  kind: 'write' | 'no change' | 'refuse' | 'redact' | 'by hand' | 'session alone' | 'session made';
  reference: number;
  payment: number;
  lease: boolean;
  paid: boolean;
  /** What becomes of the operation that began it, and of one besides. */
  pay: 'intended' | 'unknown' | 'confirmed' | undefined;
  other: 'intended' | 'unknown' | 'refused' | undefined;
  wantsSession: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant('write' as const) },
    fc.constantFrom<Step['kind'][]>(
      'no change',
      'refuse',
      'redact',
      'by hand',
      'session alone',
      'session made',
    ),
  ),
  reference: fc.nat(1),
  payment: fc.nat(1),
  lease: fc.boolean(),
  paid: fc.boolean(),
  pay: fc.constantFrom('intended', 'unknown', 'confirmed', undefined),
  other: fc.constantFrom('intended', 'unknown', 'refused', undefined),
  wantsSession: fc.boolean(),
});

const named = ({ reference, payment }: Step) => {
  const name = `W${world}-${reference}`;
  return { name, sessionId: `cs_${name}`, paymentId: `pay_${name}_${payment}` };
};

function changesOf(one: Step, { reference, session, payment, openOperations }: Snapshot): Changes {
  const { name, sessionId, paymentId } = named(one);
  const before =
    payment ?? paymentRecord({ id: paymentId, sessionId, reference: name, gatewayReference: paymentId });
  const paid = reference.paidPaymentIds.filter((id) => id !== paymentId);
  const attempts = reference.attempts + 1;
  // One that is settled is never opened again.
  const open = openOperations.find(({ type }) => type === 'void')?.id ?? `op_${paymentId}_${attempts}`;
  const operation = (
    id: string,
    type: 'pay' | 'void',
    status: 'intended' | 'unknown' | 'confirmed' | 'refused',
  ) => operationRecord({ id, paymentId, type, status, formerCount: attempts });
  return {
    reference: { ...reference, attempts, paidPaymentIds: one.paid ? [...paid, paymentId] : paid },
    session: { ...(session ?? sessionRecord({ id: sessionId, reference: name })), declines: attempts },
    payment: { ...before, version: before.version + 1, leaseOwner: one.lease ? store.owner : null },
    operations: [
      ...(one.pay ? [operation(payOperationId(paymentId), 'pay', one.pay)] : []),
      ...(one.other ? [operation(open, 'void', one.other)] : []),
    ],
  };
}

function sessionMade(one: Step, { reference, session }: Snapshot): Changes {
  const { name, sessionId } = named(one);
  const made = session ?? sessionRecord({ id: sessionId, reference: name });
  return { reference: { ...reference, sessionId }, session: { ...made, updatedAt: made.updatedAt + 1 } };
}

/** What a read finds for a write, without the version of a payment's operation that is only of that read. */
async function read(writer: PaymentWriter, wanted: Wanted): Promise<Snapshot> {
  return writer.write(wanted, (snapshot) => ({ changes: {}, result: structuredClone(snapshot) }));
}

async function take(one: Step, beside: boolean): Promise<void> {
  const { name, sessionId, paymentId } = named(one);
  const metadata = JSON.stringify({ step: String(Math.random()) });
  if (one.kind === 'redact') {
    if (beside)
      await store.db.updateTable('payments').set({ metadata }).where('id', '=', paymentId).execute();
    return;
  }
  if (one.kind === 'by hand') {
    byHand?.prepare('update payments set metadata = ? where id = ?').run(metadata, paymentId);
    return;
  }
  const wanted: Wanted = {
    ...{ reference: name, createReference: true },
    ...(!one.kind.startsWith('session') && { paymentId }),
    ...((one.wantsSession || one.kind === 'write' || one.kind === 'session made') && { sessionId }),
    ...(one.kind === 'session alone' && { idempotency: { scope: scopeOfSession(sessionId), key: 'key' } }),
  };
  const there = await read(reader, wanted);
  let seen: Snapshot | undefined;
  const work = store.writer.write(wanted, (snapshot) => {
    seen = structuredClone(snapshot);
    if (one.kind === 'refuse') throw new Error('refused');
    if (one.kind === 'no change') return { changes: {}, result: undefined };
    if (one.kind === 'write') return { changes: changesOf(one, snapshot), result: undefined };
    if (one.kind === 'session made') return { changes: sessionMade(one, snapshot), result: undefined };
    const { reference } = snapshot;
    return { changes: { reference: { ...reference, attempts: reference.attempts + 1 } }, result: undefined };
  });
  await (one.kind === 'refuse' ? expect(work).rejects.toThrow('refused') : work);
  // A session that was not asked for may be known all the same.
  const asked = (snapshot: Snapshot | undefined) =>
    snapshot && { ...snapshot, session: wanted.sessionId && snapshot.session };
  expect(asked(seen)).toEqual(asked(there));
}

describe.each(stores)('%s', (kind) => {
  beforeEach(() => open(kind));

  test('every write is decided on what stands in the store', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
        world++;
        for (const one of steps) await take(one, kind === 'embedded');
      }),
      { numRuns: kind === 'embedded' ? 120 : 40 },
    );
  }, 120_000);

  const ofKey = {
    ...{ key: 'key', paymentId: null, operationId: null, runningUntil: null },
    ...{ createdAt: 1, expiresAt: 9e12 },
  };

  /** Makes a session and begins its first payment. Returns what that was decided on, each time that it was. */
  async function begin(name: string, [address, network, card]: [string, string | null, string]) {
    const [sessionId, scope] = [`cs_${name}`, scopeOfSession(`cs_${name}`)];
    await store.writer.write({ reference: name, createReference: true }, ({ reference }) => ({
      changes: { reference, session: sessionRecord({ id: sessionId, reference: name }) },
      result: undefined,
    }));
    const seen: Snapshot[] = [];
    const fingerprints = {
      addressFingerprint: address,
      networkFingerprint: network,
      cardFingerprint: card,
    };
    const most = { cardsOfAddress: 2, cardsOfNetwork: 4, ofCard: 2 };
    const begun = {
      ...{ reference: name, sessionId, idempotency: { scope, key: 'key' } },
      declines: { ...fingerprints, windowMs: 60_000, most },
    };
    return {
      sessionId,
      scope,
      pay: () =>
        store.writer
          .write(begun, (snapshot) => {
            seen.push(snapshot);
            const decline = { id: `pay_${name}`, ...fingerprints, weight: 2 };
            const key = { ...ofKey, scope, fingerprint: 'new', sessionId };
            return {
              changes: { declines: [decline], ...(!snapshot.idempotency && { idempotency: key }) },
              result: undefined,
            };
          })
          .then(() => seen),
    };
  }

  test('the first payment of a session that was just made is begun unread while its declines are few', async () => {
    const countsAt = async (name: string, ...fingerprints: Parameters<typeof begin>[1]) => {
      const { pay } = await begin(name, fingerprints);
      return (await pay()).map(({ declines }) => declines);
    };
    expect(await countsAt('N1', 'a1', 'n', 'c1')).toEqual([undefined]);
    expect(await countsAt('N2', 'a1', 'n', 'c2')).toEqual([undefined]);
    // Each is decided again, on what is read, as soon as one of its counts is too high.
    const ofAddress = { cardsOfAddress: 4, cardsOfNetwork: 0, ofCard: 0 };
    expect(await countsAt('N3', 'a1', null, 'c3')).toEqual([undefined, ofAddress]);
    expect(await countsAt('N4', 'a2', 'n', 'c4')).toEqual([undefined]);
    const ofNetwork = { cardsOfAddress: 0, cardsOfNetwork: 6, ofCard: 0 };
    expect(await countsAt('N5', 'a3', 'n', 'c5')).toEqual([undefined, ofNetwork]);
    expect(await countsAt('N6', 'a4', null, 'c1')).toEqual([undefined]);
    const ofCard = { cardsOfAddress: 0, cardsOfNetwork: 0, ofCard: 4 };
    expect(await countsAt('N7', 'a5', null, 'c1')).toEqual([undefined, ofCard]);
  });

  test('a key that is there all the same is found', async () => {
    const { scope, sessionId, pay } = await begin('K1', ['a', null, 'c']);
    await store.db
      .insertInto('idempotency_keys')
      .values({
        ...{ scope, key: 'key', fingerprint: 'f', session_id: sessionId, payment_id: null },
        ...{ operation_id: null, running_until: null, created_at: 1, expires_at: 9e12 },
      })
      .execute();
    const found = await pay();
    expect(found.map(({ idempotency }) => idempotency?.fingerprint)).toEqual([undefined, 'f']);
  });
});
