import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openStore } from '../../test/harness/event-store.js';
import { sessionRecord } from '../../test/harness/records.js';
import { createTestStore, stores, type TestStore } from '../../test/harness/test-store.js';
import { TimeZone } from '../calendar/time-zone.js';
import { formatMajor } from '../money/money.js';
import { summarize, SUMMARY_KEYS, TotalsRepository } from './totals.repository.js';
import type { PaymentRecord } from '../store/schema.js';
import type { Store } from '../store/store.js';
import { newPayment } from '../payments/operations/new-payment.js';
import { listPayments, type PaymentFilter } from '../payments/state/payment-list.js';

/** One whose clocks are put back within the time of the payments. */
const booksTimeZone = TimeZone.of('America/Sao_Paulo');
const DAY = 24 * 3_600_000;
const BEGINNING = Date.UTC(2018, 1, 16, 22);
const METHODS = ['card', 'wallet', 'transfer', 'ussd'] as const;
const STATUSES = ['processing', 'authorized', 'succeeded', 'failed', 'voided'] as const;
/** Of two, no and three minor digits. */
const CURRENCIES = ['NGN', 'JPY', 'KWD'];
/** The largest that a payment may have among them: no sum of many may lose a digit. */
const AMOUNTS = [150_000n, 1_500n, 1_500_000n, 99_999_999_999_999n];
const PAYMENTS = 250;

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;

describe.each(stores)('on the %s store', (kind) => {
  let place: TestStore;
  let store: Store;
  /** What the store holds, as it was written. */
  const held = new Map<string, PaymentRecord>();

  const write = async (payment: PaymentRecord): Promise<void> => {
    held.set(payment.id, payment);
    const { reference, id: paymentId } = payment;
    await store.writer.write({ reference, createReference: true, paymentId }, () => ({
      changes: { payment },
      result: undefined,
    }));
  };

  beforeAll(async () => {
    place = await createTestStore(kind);
    store = await openStore(place);
    for (let n = 0; n < PAYMENTS; n++) {
      const reference = {
        reference: `R-${n % 60}`,
        attempts: n,
        livePaymentIds: [],
        paidPaymentIds: [],
        sessionId: 'cs_1',
        names: [],
        heldSince: null,
        namesDueAt: null,
      };
      const session = {
        ...sessionRecord(),
        amount: pick(AMOUNTS, n * 7),
        currency: pick(CURRENCIES, n * 5 + (n >> 3)),
      };
      const card = {
        brand: 'verve',
        last4: pick(['0000', '7499', '4242'], n),
        fingerprint: 'f',
        networkFingerprint: null,
      };
      const start = { method: pick(METHODS, n * 3 + (n >> 2)), addressFingerprint: 'a', card };
      const at = BEGINNING + ((n * 7_919) % PAYMENTS) * (DAY / 60);
      const { payment } = newPayment(session, reference, start, 'own_1', at);
      await write({ ...payment, needsAttention: n % 9 === 0, status: pick(STATUSES, n) });
    }
  }, 120_000);
  afterAll(async () => {
    await store?.close();
    await place?.dispose();
  });

  const matches = (payment: PaymentRecord, filter: PaymentFilter): boolean =>
    (['reference', 'status', 'method', 'gatewayReference', 'needsAttention'] as const).every(
      (name) => filter[name] === undefined || filter[name] === payment[name],
    ) &&
    (filter.last4 === undefined || filter.last4 === payment.cardLast4) &&
    (filter.from === undefined || payment.createdAt >= filter.from) &&
    (filter.to === undefined || payment.createdAt < filter.to) &&
    (filter.amount === undefined ||
      Number(filter.amount) === Number(formatMajor(payment.amount, payment.currency)));

  const moment = fc.integer({ min: 0, max: 300 }).map((n) => BEGINNING + n * (DAY / 60));
  const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    fc.option(arbitrary, { nil: undefined, freq: 1 });
  const filters = fc.record<PaymentFilter>({
    reference: maybe(fc.integer({ min: 0, max: 65 }).map((n) => `R-${n}`)),
    status: maybe(fc.constantFrom(...STATUSES)),
    method: maybe(fc.constantFrom(...METHODS)),
    from: maybe(moment),
    to: maybe(moment),
    amount: maybe(
      fc.constantFrom('1500', '1500.00', '1500.000', '15.00', '150000', '0.5', '99999999999.999'),
    ),
    last4: maybe(fc.constantFrom('0000', '7499', '1111')),
    gatewayReference: maybe(fc.integer({ min: 0, max: 70 }).map((n) => `R-${n % 60}_${n + 1}`)),
    needsAttention: maybe(fc.boolean()),
  });

  test('each filter, alone and with others, finds what it says, page after page, the newest first', async () => {
    const single = Object.keys(fc.sample(filters, 1)[0] as object);
    expect(single).toHaveLength(9);
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.subarray(single),
        fc.integer({ min: 1, max: 40 }),
        async (drawn, kept, limit) => {
          const filter = Object.fromEntries(
            Object.entries(drawn).filter(([name]) => kept.includes(name)),
          ) as PaymentFilter;
          const found: PaymentRecord[] = [];
          for (;;) {
            const page = await listPayments(store, filter, limit, found.at(-1));
            found.push(...page);
            if (page.length < limit) break;
          }
          const expected = [...held.values()].filter((payment) => matches(payment, filter));
          expected.sort((one, other) => (one.id < other.id ? 1 : -1));
          expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        },
      ),
    );
  }, 120_000);

  test('the order of the list is that of the times', async () => {
    const all = await listPayments(store, {}, PAYMENTS);
    const times = all.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort((one, other) => other - one));
  });

  test('after whatever moves, totals are those of a recount', async () => {
    const moves = fc.record({
      which: fc.nat(PAYMENTS - 1),
      status: fc.constantFrom(...STATUSES, 'expired' as const),
      captured: fc.boolean(),
      refunded: fc.constantFrom(null, 0n, 7n, 1_500n),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(moves, { maxLength: 12 }),
        maybe(moment),
        maybe(moment),
        async (moved, from, to) => {
          const ids = [...held.keys()];
          for (const { which, status, captured, refunded } of moved) {
            const payment = held.get(ids[which] ?? '') as PaymentRecord;
            await write({
              ...payment,
              status,
              amountCaptured: captured ? payment.amount : null,
              amountRefunded: refunded,
              version: payment.version + 1,
            });
          }
          const totals = await new TotalsRepository(store, { booksTimeZone }).of({ from, to });
          const counted = [...held.values()].filter((payment) => matches(payment, { from, to }));
          for (const by of SUMMARY_KEYS) {
            const recount = counted.map((payment) => ({
              day: booksTimeZone.localTime(payment.createdAt).slice(0, 10),
              month: booksTimeZone.localTime(payment.createdAt).slice(0, 7),
              method: payment.method,
              status: payment.status,
              currency: payment.currency,
              count: 1,
              amount: payment.amount,
              captured: payment.amountCaptured ?? 0n,
              refunded: payment.amountRefunded ?? 0n,
            }));
            const shown = (rows: ReturnType<typeof summarize>): unknown[] =>
              rows.map((row) => [
                row[by],
                row.status,
                row.currency,
                row.count,
                row.amount,
                row.captured,
                row.refunded,
              ]);
            expect(shown(summarize(totals, by))).toEqual(shown(summarize(recount, by)));
          }
        },
      ),
      { numRuns: 25 },
    );
  }, 180_000);
});
