import fc from 'fast-check';
import { minorDigits } from '../../src/money/money.js';
import { newReference } from '../harness/client.js';
import { answer } from '../truth/situations.js';
import type { GatewayBook, Order } from './gateway-book.js';
import { CURRENCIES } from './stories.js';

/** A week of orders, of which every fifth is told wrongly by the gateway's reports. */

type Life = (book: GatewayBook, order: Order) => Promise<void>;

/** So many orders live at the same time. */
const AT_ONCE = 8;
/** Of so many orders one is told wrongly. */
const FAULT_EVERY = 5;
const DAYS = 7;

/** The orders of a week, the same for the same seed but for their references. */
function ordersOf(count: number, seed: number): Order[] {
  const order = fc.record({
    currency: fc.constantFrom(...CURRENCIES),
    // In hundreds of minor units, so that what is planted can be told from it.
    hundreds: fc.integer({ min: 300, max: 4_000_000 }),
    day: fc.nat(DAYS - 1),
  });
  return fc.sample(order, { numRuns: count, seed }).map(({ currency, hundreds, day }, n) => ({
    ...{ n, currency, day, reference: newReference() },
    amount: BigInt(hundreds) * 100n,
  }));
}

/** What becomes of orders that the reports tell rightly. */
const LIVES: Readonly<Record<string, Life>> = {
  card: async (book, order) => void book.settle(order, await book.card(order), 'payment', order.amount),
  wallet: async (book, order) => void book.settle(order, await book.wallet(order), 'payment', order.amount),
  transfer: async (book, order) =>
    void book.settle(order, await book.transfer(order), 'payment', order.amount),
  declined: async (book, order) => {
    const { session } = await book.declined(order);
    if (order.n % 2 === 0) book.settle(order, await book.card(order, session), 'payment', order.amount);
  },
  late: async (book, order) => void book.settle(order, await book.late(order), 'payment', order.amount),
  duplicate: async (book, order) => {
    for (const payment of await book.twice(order)) book.settle(order, payment, 'payment', order.amount);
  },
  'captured in part': async (book, order) => {
    const part = order.amount - 10_000n;
    book.settle(order, await book.part(order, part), 'payment', part);
  },
  'settled in parts': async (book, order) => {
    const payment = await book.card(order);
    for (const [later, part] of [500n, 700n, order.amount - 1_200n].entries())
      book.settle(order, payment, 'payment', part, { later });
  },
  'refunded in part': async (book, order) => {
    const payment = await book.card(order);
    book.settle(order, payment, 'payment', order.amount);
    const refundRef = await book.refund(order, payment, 2_500n);
    const isNamed = order.n % 2 === 0;
    book.settle(order, payment, 'refund', 2_500n, { later: 1, ...(isNamed && { refundRef }) });
  },
  'refunded there': async (book, order) => {
    const payment = await book.card(order);
    await book.refundedThere(order, payment);
    book.settle(order, payment, 'payment', order.amount);
    for (const half of [10_000n, order.amount - 10_000n])
      book.settle(order, payment, 'refund', half, { later: 2 });
  },
  'a refund that fails': async (book, order) => {
    const payment = await book.card(order);
    await book.refusesRefund(order, payment, 2_500n);
    book.settle(order, payment, 'payment', order.amount);
  },
  'a refund that bounces': async (book, order) => {
    const payment = await book.card(order);
    book.settle(order, payment, 'payment', order.amount);
    const refundRef = await book.refund(order, payment, 2_500n);
    await book.bounces(order, payment, refundRef, 2_500n);
    // Of what is undone before anybody has settled it a report has both or neither.
    if (order.n % 2 === 0) return;
    book.settle(order, payment, 'refund', 2_500n, { later: 1, refundRef });
    book.settle(order, payment, 'refundReversal', 2_500n, { later: 2, refundRef });
  },
  'a dispute that is lost': async (book, order) => {
    const payment = await book.card(order);
    await book.chargedBack(order, payment);
    book.settle(order, payment, 'payment', order.amount);
    book.settle(order, payment, 'chargeback', order.amount, { later: 2 });
  },
  'a dispute that is won': async (book, order) => {
    const payment = await book.card(order);
    await book.chargedBack(order, payment);
    await book.disputeWon(order, payment);
    book.settle(order, payment, 'payment', order.amount);
    book.settle(order, payment, 'chargeback', order.amount, { later: 1 });
    book.settle(order, payment, 'chargebackReversal', order.amount, { later: 3 });
  },
  corrected: async (book, order) => {
    const arrived = order.amount - 300n;
    book.settle(order, await book.corrected(order, arrived), 'payment', arrived);
  },
  voided: async (book, order) => {
    const payment = await book.voided(order);
    if (order.n % 2 === 0) return;
    book.settle(order, payment, 'payment', order.amount);
    book.settle(order, payment, order.n % 3 === 0 ? 'refund' : 'paymentReversal', order.amount, { later: 1 });
  },
};

/** What the reports tell wrongly, and what must be found. */
const FAULTS: Readonly<Record<string, Life>> = {
  'another amount': async (book, order) => {
    const row = book.settle(order, await book.card(order), 'payment', order.amount + 7n);
    book.plant('amount_differs', row);
  },
  'another currency': async (book, order) => {
    const digits = minorDigits(order.currency);
    const same = CURRENCIES.filter((one) => one !== order.currency && minorDigits(one) === digits);
    const over = { currency: same[order.n % same.length] ?? 'XAF' };
    book.plant('currency_differs', book.settle(order, await book.card(order), 'payment', order.amount, over));
  },
  'a payment that failed': async (book, order) => {
    const { payment } = await book.declined(order);
    book.plant('not_paid_here', book.settle(order, payment, 'payment', order.amount));
  },
  'a payment of nobody': (book, order) => {
    const gatewayReference = `${order.reference}_1`;
    const unknown = answer({ error: true, data: { status: 'NOT_FOUND' } });
    book.scene.gateway.script(`GET /transaction/${gatewayReference}`, unknown);
    book.plant('unknown_here', book.settle(order, { gatewayReference }, 'payment', order.amount));
    return Promise.resolve();
  },
  'a sale settled twice': async (book, order) => {
    const payment = await book.card(order);
    book.settle(order, payment, 'payment', order.amount);
    const again = order.n % 2 === 0 ? {} : { later: 1, transactionRef: `T-${order.n}-again` };
    book.plant('settled_twice', book.settle(order, payment, 'payment', order.amount, again));
  },
  'parts that come to more': async (book, order) => {
    const payment = await book.card(order);
    book.settle(order, payment, 'payment', order.amount - 700n);
    const { reference } = book.settle(order, payment, 'payment', 707n, { later: 2 });
    book.plant('amount_differs', { reference, amount: order.amount + 7n });
  },
  'a refund that nobody made': async (book, order) => {
    const payment = await book.card(order);
    book.settle(order, payment, 'payment', order.amount);
    book.plant('refund_unknown_here', book.settle(order, payment, 'refund', 1_100n, { later: 1 }));
  },
  'a refund of another amount': async (book, order) => {
    const payment = await book.card(order);
    book.settle(order, payment, 'payment', order.amount);
    const refundRef = await book.refund(order, payment, 2_500n);
    book.plant('refund_differs', book.settle(order, payment, 'refund', 2_507n, { later: 1, refundRef }));
  },
  'a dispute that nobody heard of': async (book, order) => {
    const payment = await book.card(order);
    book.settle(order, payment, 'payment', order.amount);
    book.plant(
      'chargeback_unknown_here',
      book.settle(order, payment, 'chargeback', order.amount, { later: 1 }),
    );
  },
  'a dispute of another amount': async (book, order) => {
    const payment = await book.card(order);
    await book.chargedBack(order, payment);
    book.settle(order, payment, 'payment', order.amount);
    const row = book.settle(order, payment, 'chargeback', order.amount + 7n, { later: 1 });
    book.plant('chargeback_differs', row);
  },
  'another fee': async (book, order) => {
    const fee = order.amount / 10n;
    const row = book.settle(order, await book.card(order), 'payment', order.amount, { fee });
    book.plant('fee_differs', { ...row, amount: fee });
  },
  'a sale that is missing': async (book, order) => {
    const { gatewayReference } = await book.card(order);
    book.plant('not_settled', { reference: gatewayReference, amount: order.amount });
  },
};

/** Lives a week: every fifth order is told wrongly, of which one in thirteen by its payout. */
export async function liveWeek(book: GatewayBook, count: number, seed: number): Promise<void> {
  const [lives, faults] = [Object.entries(LIVES), Object.entries(FAULTS)];
  let payouts = 0;
  const plans = ordersOf(count, seed).map((order) => {
    const fault = order.n / FAULT_EVERY;
    const wrong = Number.isInteger(fault) ? faults[fault % (faults.length + 1)] : undefined;
    if (Number.isInteger(fault) && !wrong) payouts += 1;
    const [name, live] = wrong ?? lives[(order.n - Math.ceil(fault)) % lives.length] ?? [];
    return { order, name, live };
  });
  const waiting = plans.values();
  const work = async (): Promise<void> => {
    for (const { order, name, live } of waiting)
      await live?.(book, order).catch((cause: unknown) => {
        throw new Error(`order ${order.n}: ${name}`, { cause });
      });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // However they were lived side by side, the reports have them in one order.
  book.rows.sort(
    (one, other) => Number(one.transactionRef.split('-')[1]) - Number(other.transactionRef.split('-')[1]),
  );
  book.payOut(payouts);
}
