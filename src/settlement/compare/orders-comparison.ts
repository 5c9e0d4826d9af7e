import type { SettlementRecord } from '../../store/schema.js';
import { minorOf } from '../files/file-amount.js';
import type { OrderRow } from '../files/orders-reader.js';
import type { KnownPayment } from '../store/known-payments.js';
import { paidOf } from './compare-row.js';
import { LAG_DAYS, type ComparisonParts } from './report-comparison.js';
import { SeenRows } from './seen-rows.js';

const AT_ONCE = 400;
const PAGE = 1_000;
const DAY_MS = 24 * 3_600_000;

/** Holds the merchant's own list of orders against the store, as the third side beside a report. */
export class OrdersComparison {
  /** The orders that the list has as paid. */
  readonly #listed = new SeenRows();

  constructor(private readonly parts: ComparisonParts) {}

  async take(rows: readonly OrderRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      await this.#takeSome(rows.slice(at, at + AT_ONCE));
      await this.parts.pace.pause();
    }
  }

  /**
   * Finds what was paid here and is not in the list as paid, once all of it is taken: in the time of the report, and before it as
   * far as the report's own payments go back, but no further than the gateway takes to settle.
   */
  async end(report: SettlementRecord): Promise<void> {
    const stretch = paidStretch(report);
    if (!stretch) return;
    let place = { at: stretch.from, id: '' };
    for (;;) {
      const page = await this.parts.known.paidBetween(place, stretch.until, PAGE);
      for (const payment of page) {
        if (payment.duplicateOf === null && !this.#listed.has(payment.reference))
          await this.#add('order_unknown', null, payment.reference, payment);
      }
      await this.parts.pace.pause();
      const end = page.at(-1);
      if (!end || page.length < PAGE) return;
      place = { at: end.closedAt ?? 0, id: end.id };
    }
  }

  async #takeSome(rows: readonly OrderRow[]): Promise<void> {
    const known = await this.parts.known.ofReferences([...new Set(rows.map(({ reference }) => reference))]);
    const paid = Map.groupBy(
      known.filter(({ status }) => status === 'succeeded'),
      ({ reference }) => reference,
    );
    for (const row of rows) await this.#takeOne(row, paid.get(row.reference) ?? []);
  }

  async #takeOne(row: OrderRow, paid: readonly KnownPayment[]): Promise<void> {
    const [first] = paid;
    if (row.standing === 'paid') {
      this.#listed.add(row.reference);
      if (!paid.some((payment) => pays(payment, row)))
        await this.#add('order_not_paid', row, row.reference, first);
    } else if (first) {
      this.#listed.add(row.reference);
      await this.#add('order_unknown', row, row.reference, first);
    }
    const again = paid.find(({ duplicateOf }) => duplicateOf !== null) ?? paid[1];
    if (paid.length > 1) await this.#add('order_paid_twice', row, row.reference, again);
  }

  async #add(
    kind: 'order_not_paid' | 'order_paid_twice' | 'order_unknown',
    row: OrderRow | null,
    reference: string,
    payment: KnownPayment | undefined,
  ): Promise<void> {
    await this.parts.differences.add({
      kind,
      line: row?.line ?? null,
      reference,
      paymentId: payment?.id ?? null,
      ...(row && { amount: row.amount.digits, decimals: row.amount.decimals, currency: row.currency }),
    });
  }
}

/** Whether a payment is what the order owes. */
function pays(payment: KnownPayment, { amount, currency }: OrderRow): boolean {
  return payment.currency === currency && paidOf(payment) === minorOf(amount, currency);
}

/** When what the report is about was paid; undefined where it names no time and no payment of ours. */
function paidStretch({
  firstAt,
  lastAt,
  paidFrom,
  paidUntil,
}: SettlementRecord): { from: number; until: number } | undefined {
  const begins = firstAt ?? paidFrom;
  const ends = lastAt ?? paidUntil;
  if (begins === null || ends === null) return undefined;
  const earliest = begins - LAG_DAYS * DAY_MS;
  return {
    from: Math.max(earliest, Math.min(begins, paidFrom ?? begins)),
    until: Math.max(ends, paidUntil ?? ends),
  };
}
