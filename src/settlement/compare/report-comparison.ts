import type { SettlementProfile } from '../../gateway/profile/format.js';
import { lineOf, type ReportRow } from '../files/report-rows.js';
import type { KnownPayment, KnownPayments } from '../store/known-payments.js';
import { amountIn, compareRow } from './compare-row.js';
import type { DifferenceWriter } from './difference-writer.js';
import type { Pace } from './pace.js';
import { SeenRows } from './seen-rows.js';

/** How many rows are looked up with one question to the store. */
const AT_ONCE = 400;
/** How many paid payments are read at once, to find those that the report lacks. */
const PAGE = 1_000;
const DAY_MS = 24 * 3_600_000;

/** What a comparison needs besides the rows. */
export interface ComparisonParts {
  readonly known: Pick<KnownPayments, 'byGatewayReference' | 'ofReferences' | 'paidBetween'>;
  readonly differences: DifferenceWriter;
  readonly pace: Pace;
  readonly now: number;
}

/** Which of these payments another report has named as settled. */
export type SettledElsewhere = (paymentIds: readonly string[]) => Promise<ReadonlySet<string>>;

/** A stretch of time; null where nothing lies in it. */
interface Stretch {
  from: number | null;
  until: number | null;
}

/** Holds the rows of one report against the store. It keeps none of them. */
export class ReportComparison {
  readonly #seen = new SeenRows();
  /** What the rows so far have given back, by payment. */
  readonly #givenBack = new Map<string, bigint>();
  /** The report's time. */
  readonly settled: Stretch = { from: null, until: null };
  /** When the payments were paid that it names. */
  readonly paid: Stretch = { from: null, until: null };

  constructor(
    private readonly profile: SettlementProfile,
    private readonly parts: ComparisonParts & { readonly settledElsewhere: SettledElsewhere },
  ) {}

  async take(rows: readonly ReportRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      await this.#takeSome(rows.slice(at, at + AT_ONCE));
      await this.parts.pace.pause();
    }
  }

  /** Finds what the report lacks, once all its rows are taken. */
  async end(): Promise<void> {
    const { from, until } = this.settled;
    if (from === null || until === null) return;
    const last = until - this.profile.lagDays * DAY_MS;
    // Ids are longer than nothing, so the first moment counts too.
    let place = { at: from, id: '' };
    for (;;) {
      const page = await this.parts.known.paidBetween(place, last, PAGE);
      await this.#findMissing(page);
      await this.parts.pace.pause();
      const end = page.at(-1);
      if (!end || page.length < PAGE) return;
      place = { at: end.closedAt ?? 0, id: end.id };
    }
  }

  async #takeSome(rows: readonly ReportRow[]): Promise<void> {
    const known = await this.parts.known.byGatewayReference(rows.map(({ reference }) => reference));
    for (const row of rows) {
      if (row.settled) widen(this.settled, row.settled.from, row.settled.until);
      await this.#takeOne(row, known.get(row.reference));
    }
  }

  async #takeOne(row: ReportRow, payment: KnownPayment | undefined): Promise<void> {
    const isNew = this.#seen.add(row.identity);
    if (payment?.status === 'succeeded' && payment.closedAt !== null)
      widen(this.paid, payment.closedAt, payment.closedAt);
    if (!isNew) {
      await this.#add('twice_there', row, payment);
      return;
    }
    const before = payment ? (this.#givenBack.get(payment.id) ?? 0n) : 0n;
    const kind = compareRow(row, payment, before);
    const claimed = row.type === 'refund' && payment ? amountIn(row, payment) : undefined;
    if (payment && claimed !== undefined) this.#givenBack.set(payment.id, before + claimed);
    if (kind) await this.#add(kind, row, payment, claimed === undefined ? null : before + claimed);
  }

  /** What money a payment has moved the gateway is asked about, since a report moves no status by itself. */
  async #add(
    kind: Parameters<DifferenceWriter['add']>[0]['kind'],
    row: ReportRow,
    payment: KnownPayment | undefined,
    claimed: bigint | null = null,
  ): Promise<void> {
    const asked =
      payment !== undefined &&
      (kind === 'not_paid_here' || kind === 'refund_unknown_here' || kind === 'chargeback_unknown_here');
    await this.parts.differences.add({
      kind,
      line: lineOf(row),
      reference: row.reference,
      paymentId: payment?.id ?? null,
      amount: row.amount.digits,
      decimals: row.amount.decimals,
      currency: row.currency,
      transactionRef: row.transactionRef,
      settledAt: row.settled?.from ?? null,
      claimed,
      ...(asked && { state: 'to_ask', dueAt: this.parts.now }),
    });
  }

  /** What an earlier report has settled before it was known to be paid here is missing from none. */
  async #findMissing(page: readonly KnownPayment[]): Promise<void> {
    const absent = page.filter(({ gatewayReference }) => !this.#seen.has(gatewayReference));
    for (let at = 0; at < absent.length; at += AT_ONCE) {
      const some = absent.slice(at, at + AT_ONCE);
      const settled = await this.parts.settledElsewhere(some.map(({ id }) => id));
      for (const { id, gatewayReference } of some) {
        if (settled.has(id)) continue;
        const difference = { line: null, reference: gatewayReference, paymentId: id };
        await this.parts.differences.add({ kind: 'missing_there', ...difference });
      }
    }
  }
}

function widen(stretch: Stretch, from: number, until: number): void {
  if (stretch.from === null || from < stretch.from) stretch.from = from;
  if (stretch.until === null || until > stretch.until) stretch.until = until;
}
