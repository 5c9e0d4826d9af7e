import { dayText, type TimeZone } from '../calendar/time-zone.js';
import type { MovementKind, MovementRecord, RecordedMethod } from '../store/schema.js';
import type { SummaryKey } from './totals.repository.js';

/** What movements of one currency and kind come to. */
export interface Figures {
  currency: string;
  kind: MovementKind;
  count: number;
  /** Minor units, below zero where more went out. */
  amount: bigint;
  /** Those of them that reports have settled in whole. */
  settledCount: number;
  settledAmount: bigint;
  /** Those of them that were written after the end of their month. */
  lateCount: number;
}

/** What the movements of one day, currency, method and kind come to. */
export interface MovementTotal extends Figures {
  /** Days since the epoch, of the time zone of the books. */
  day: number;
  method: RecordedMethod;
}

/** The same of what totals are put together by: a day, a month, a method or a currency. */
export interface NamedTotal extends Figures {
  name: string;
}

/** As much of a movement as is added up. */
export type Counted = Pick<
  MovementRecord,
  'id' | 'kind' | 'direction' | 'amount' | 'currency' | 'method' | 'at' | 'recordedAt'
>;

/** Adds movements up by day, currency, method and kind. */
export class MovementTotals {
  private readonly totals = new Map<string, MovementTotal>();
  /** When the month of a day ends. There are few days at a time. */
  private readonly monthEnds = new Map<number, number>();

  constructor(private readonly zone: TimeZone) {}

  /** Counts a movement. */
  add(movement: Counted, { settled }: { settled: boolean }): void {
    const { currency, method, kind, at } = movement;
    const day = this.zone.dayOf(at);
    const signed = signedAmount(movement);
    this.addTotal({
      ...{ day, currency, method, kind },
      ...{ count: 1, amount: signed },
      settledCount: settled ? 1 : 0,
      settledAmount: settled ? signed : 0n,
      lateCount: this.isLate(movement, day) ? 1 : 0,
    });
  }

  /** One that is counted, or will be, is settled by now, or is not any more. */
  addSettled(movement: Counted, settled: boolean): void {
    const { currency, method, kind, at } = movement;
    const signed = signedAmount(movement);
    this.addTotal({
      ...{ day: this.zone.dayOf(at), currency, method, kind },
      ...{ count: 0, amount: 0n, lateCount: 0 },
      settledCount: settled ? 1 : -1,
      settledAmount: settled ? signed : -signed,
    });
  }

  addTotal(total: MovementTotal): void {
    const key = keyOf(total);
    const before = this.totals.get(key);
    this.totals.set(key, before ? plus(before, total) : total);
  }

  get all(): MovementTotal[] {
    return [...this.totals.values()];
  }

  private isLate({ at, recordedAt }: Counted, day: number): boolean {
    let end = this.monthEnds.get(day);
    if (end === undefined) {
      end = this.zone.endOfMonth(at);
      this.monthEnds.set(day, end);
    }
    return recordedAt >= end;
  }
}

/** What tells one total from another. */
export function keyOf({ day, currency, method, kind }: MovementTotal): string {
  return `${day} ${currency} ${method} ${kind}`;
}

/** Above zero where the merchant has more than before. */
export function signedAmount({ direction, amount }: Pick<MovementRecord, 'direction' | 'amount'>): bigint {
  return direction === 'in' ? amount : -amount;
}

function plus(one: MovementTotal, other: MovementTotal): MovementTotal {
  return {
    ...one,
    count: one.count + other.count,
    amount: one.amount + other.amount,
    settledCount: one.settledCount + other.settledCount,
    settledAmount: one.settledAmount + other.settledAmount,
    lateCount: one.lateCount + other.lateCount,
  };
}

/** Money that moved, added up under one name. Minor units. */
export interface MovementSum {
  /** A day, a month, a method or a currency. */
  name: string;
  currency: string;
  captured: bigint;
  refunded: bigint;
  reversed: bigint;
  chargedBack: bigint;
  net: bigint;
  settled: bigint;
  count: number;
  late: number;
}

/** Under which of its sums a movement counts, and that what went out of it is above zero there. */
const SUM_OF: Readonly<Record<MovementKind, 'captured' | 'refunded' | 'reversed' | 'chargedBack'>> = {
  payment: 'captured',
  correction: 'captured',
  refund: 'refunded',
  refund_reversal: 'refunded',
  void: 'reversed',
  chargeback: 'chargedBack',
  chargeback_reversal: 'chargedBack',
};

/** By what each total counts, where totals are put together by a day, a month, a method or a currency. */
export const NAME_OF: Readonly<Record<SummaryKey, (total: MovementTotal) => string>> = {
  day: ({ day }) => dayText(day),
  month: ({ day }) => dayText(day).slice(0, 7),
  method: ({ method }) => method,
  currency: ({ currency }) => currency,
};

/** Totals put together by their names and by currency, in the order of those; without the names of which nothing moved. Pure. */
export function sumMovements(totals: readonly NamedTotal[]): MovementSum[] {
  const sums = new Map<string, MovementSum>();
  for (const total of totals) {
    const { name, currency, kind, amount } = total;
    const key = `${name} ${currency}`;
    const none = { captured: 0n, refunded: 0n, reversed: 0n, chargedBack: 0n };
    const sum = sums.get(key) ?? { name, currency, ...none, net: 0n, settled: 0n, count: 0, late: 0 };
    const under = SUM_OF[kind];
    sum[under] += under === 'captured' ? amount : -amount;
    sum.net += amount;
    sum.settled += total.settledAmount;
    sum.count += total.count;
    sum.late += total.lateCount;
    sums.set(key, sum);
  }
  return [...sums]
    .filter(([, { count }]) => count > 0)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, sum]) => sum);
}
