import { afterEach, expect, jest, test } from '@jest/globals';
import { sql } from 'kysely';
import { openStore } from '../harness/event-store.js';
import { paymentRecord } from '../harness/records.js';
import { createTestStore, type TestStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import { MOST_WAITS, PaymentWaiters } from '../../src/payments/api/payment-waiters.js';
import type { PaymentRecord } from '../../src/store/schema.js';
import type { Store } from '../../src/store/store.js';

/** Thousands of payers who wait cost a process one timer, and on PostgreSQL one query twice a second. */

const MANY = MOST_WAITS;
const holder = { name: 'a key', most: MANY };
let place: TestStore;
const opened: Store[] = [];

async function open(): Promise<Store> {
  const store = await openStore(place);
  opened.push(store);
  return store;
}

afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(opened.splice(0).map((store) => store.close()));
  await place.dispose();
});

async function write(store: Store, payment: PaymentRecord, isNew = true): Promise<void> {
  const { id: paymentId, reference } = payment;
  const wanted = { reference, ...(isNew ? { createReference: true } : { paymentId }) };
  await store.writer.write(wanted, () => ({ changes: { payment }, result: undefined }));
}

const waitingPayment = (n: number): PaymentRecord =>
  paymentRecord({
    id: `pay_${n}`,
    reference: `R-${n}`,
    gatewayReference: `R-${n}_1`,
    status: 'processing',
    nextAction: null,
    version: 1,
  });

test('on PostgreSQL: one timer, one query a look, and another replica’s change while they wait', async () => {
  place = await createTestStore('postgres');
  const here = await open();
  const elsewhere = await open();
  const waiters = new PaymentWaiters(here);
  const some = [0, 1_234, MANY - 1].map(waitingPayment);
  for (const payment of some) await write(elsewhere, payment);

  const intervals = jest.spyOn(globalThis, 'setInterval');
  const timeouts = jest.spyOn(globalThis, 'setTimeout');
  const asked = jest.spyOn(
    here.db.getExecutor().constructor.prototype as { executeQuery: () => unknown },
    'executeQuery',
  );
  let answered = 0;
  const waits = Array.from({ length: MANY }, (_, n) =>
    waiters.wait(waitingPayment(n), 30, holder).then((payment) => {
      answered++;
      return payment;
    }),
  );
  expect([intervals.mock.calls.length, timeouts.mock.calls.length]).toEqual([1, 0]);
  asked.mockClear();
  const begun = performance.now();
  await until(() => asked.mock.calls.length >= 2);
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  // Looks begin every half second, by however much a busy machine has overslept.
  expect(asked.mock.calls.length).toBeLessThanOrEqual((performance.now() - begun) / 500 + 1);
  expect(answered).toBe(0);

  await sql`update payments set status = 'succeeded', version = 2 where id = 'pay_1234'`.execute(
    elsewhere.db,
  );
  await until(() => answered === 1);
  expect((await waits[1_234])?.status).toBe('succeeded');

  waiters.stop();
  expect((await Promise.all(waits)).filter((payment) => payment !== undefined)).toHaveLength(1);
});

test('on the embedded store: one timer and no query at all', async () => {
  place = await createTestStore('embedded');
  const store = await open();
  const waiters = new PaymentWaiters(store);
  await write(store, waitingPayment(7));
  const intervals = jest.spyOn(globalThis, 'setInterval');
  const asked = jest.spyOn(
    store.db.getExecutor().constructor.prototype as { executeQuery: () => unknown },
    'executeQuery',
  );
  const waits = Array.from({ length: MANY }, (_, n) => waiters.wait(waitingPayment(n), 30, holder));
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect([intervals.mock.calls.length, asked.mock.calls.length]).toEqual([1, 0]);
  await write(store, { ...waitingPayment(7), status: 'succeeded', version: 2 }, false);
  expect((await waits[7])?.status).toBe('succeeded');
  waiters.stop();
  await Promise.all(waits);
});

test('no more wait than a holder may, and a process; who has left is gone at once', async () => {
  place = await createTestStore('embedded');
  const waiters = new PaymentWaiters(await open());
  const left = new AbortController();
  const payer = { name: 'a token', most: 8 };
  const payment = waitingPayment(1);
  const waits = Array.from({ length: 9 }, () => waiters.wait(payment, 30, payer, left.signal));
  expect(await waits.pop()).toBeUndefined();
  expect([waiters.count, waiters.hasRoom(payer), waiters.hasRoom(holder)]).toEqual([8, false, true]);
  waits.push(
    ...Array.from({ length: MOST_WAITS - 8 }, (_, n) =>
      waiters.wait(waitingPayment(n), 30, { name: `token ${n}`, most: 8 }, left.signal),
    ),
  );
  expect([waiters.count, waiters.hasRoom({ name: 'another', most: 8 })]).toEqual([MOST_WAITS, false]);
  left.abort();
  expect([waiters.count, waiters.hasRoom(payer)]).toEqual([0, true]);
  expect(new Set(await Promise.all(waits))).toEqual(new Set([undefined]));
  // Nothing is left of them but what the next one needs.
  void waiters.wait(payment, 30, payer, AbortSignal.abort());
  expect(waiters.count).toBe(0);
  waiters.stop();
});
