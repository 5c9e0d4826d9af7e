import type { SettlementReturnRecord } from '../../store/schema.js';
import type { ReportRow } from '../files/report-row.js';
import type { KnownPayment, KnownPayments } from '../store/known-payments.js';
import { amountIn, compareRow, type ComparedRow } from './compare-row.js';
import { isReturn, returnedBefore, toReturn, type ReturnRow } from './reported-returns.js';
import type { DifferenceWriter } from './difference-writer.js';
import type { Pace } from './pace.js';
import { SeenRows } from './seen-rows.js';

/** How many rows are looked up with one question to the store. */
const AT_ONCE = 400;
/** How many paid payments are read at once, to find those that the report lacks. */
const PAGE = 1_000;
/** Days that a gateway may take to settle. */
export const LAG_DAYS = 2;
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

/** What reports say has gone back: of finished ones, and of the one that is being compared. */
export interface Returns {
  of(references: readonly string[]): Promise<readonly SettlementReturnRecord[]>;
  add(rows: readonly SettlementReturnRecord[]): Promise<void>;
}

/** A stretch of time; null where nothing lies in it. */
interface Stretch {
  from: number | null;
  until: number | null;
}

/** Whether a row is held against the store. */
export function isCompared(row: ReportRow): row is ComparedRow {
  return row.type === 'payment' || row.type === 'refund' || row.type === 'chargeback';
}

/** Holds the rows of one report against the store. It keeps none of them. */
export class ReportComparison {
  readonly #seen = new SeenRows();
  /** The report's time. */
  readonly settled: Stretch = { from: null, until: null };
  /** When the payments were paid that it names. */
  readonly paid: Stretch = { from: null, until: null };

  constructor(
    private readonly parts: ComparisonParts & {
      readonly settlementId: string;
      readonly settledElsewhere: SettledElsewhere;
      readonly returns: Returns;
    },
  ) {}

  async take(rows: readonly ComparedRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      await this.#takeSome(rows.slice(at, at + AT_ONCE));
      await this.parts.pace.pause();
    }
  }

  /** Finds what the report lacks, once all its rows are taken. */
  async end(): Promise<void> {
    const { from, until } = this.settled;
    if (from === null || until === null) return;
    const last = until - LAG_DAYS * DAY_MS;
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

  async #takeSome(rows: readonly ComparedRow[]): Promise<void> {
    const known = await this.parts.known.byGatewayReference(rows.map(({ reference }) => reference));
    const back = rows.filter(isReturn);
    const kept = [
      ...(back.length === 0 ? [] : await this.parts.returns.of(back.map(({ reference }) => reference))),
    ];
    const added: SettlementReturnRecord[] = [];
    for (const row of rows) {
      if (row.settledAt) widen(this.settled, row.settledAt.from, row.settledAt.until);
      const payment = known.get(row.reference);
      if (payment?.status === 'succeeded' && payment.closedAt !== null)
        widen(this.paid, payment.closedAt, payment.closedAt);
      if (isReturn(row)) added.push(await this.#takeReturn(row, payment, [...kept, ...added]));
      else await this.#takePayment(row, payment);
    }
    if (added.length > 0) await this.parts.returns.add(added);
  }

  async #takePayment(row: ComparedRow, payment: KnownPayment | undefined): Promise<void> {
    const kind = this.#seen.add(row.reference) ? compareRow(row, payment, 0n) : 'twice_there';
    if (kind) await this.#add(kind, row, payment);
  }

  async #takeReturn(
    row: ReturnRow,
    payment: KnownPayment | undefined,
    kept: readonly SettlementReturnRecord[],
  ): Promise<SettlementReturnRecord> {
    const own = toReturn(this.parts.settlementId, row);
    const ofReference = kept.filter(({ reference }) => reference === row.reference);
    const before = returnedBefore(own, ofReference, payment);
    // An earlier report has the same row, and what it says otherwise was found there.
    const kind = before === undefined ? undefined : compareRow(row, payment, before);
    if (before !== undefined && kind) {
      const amount = payment && amountIn(row, payment);
      await this.#add(kind, row, payment, amount === undefined ? null : before + amount);
    }
    return own;
  }

  /** What money a payment has moved the gateway is asked about, since a report moves no status by itself. */
  async #add(
    kind: Parameters<DifferenceWriter['add']>[0]['kind'],
    row: ComparedRow,
    payment: KnownPayment | undefined,
    claimed: bigint | null = null,
  ): Promise<void> {
    const asked =
      payment !== undefined &&
      (kind === 'not_paid_here' || kind === 'refund_unknown_here' || kind === 'chargeback_unknown_here');
    await this.parts.differences.add({
      kind,
      line: row.line,
      reference: row.reference,
      paymentId: payment?.id ?? null,
      amount: row.amount.digits,
      decimals: row.amount.decimals,
      currency: row.currency,
      transactionRef: row.transactionRef,
      settledAt: row.settledAt?.from ?? null,
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
