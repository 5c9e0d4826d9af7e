import fc from 'fast-check';
import { minorDigits } from '../../src/money/money.js';
import type { MovementRowType } from '../../src/settlement/files/report-row.js';
import type { KnownMoney, KnownMovement } from '../../src/settlement/match/known-money.js';
import type { PaymentStatus, RecordedMethod } from '../../src/store/schema.js';

/**
 * What became of payments, told twice: as the ledger has it, and as the gateway's own book has it. Where the gateway's book is made to lie,
 * the story says what must be found.
 */

export const CURRENCIES = ['NGN', 'USD', 'EUR', 'GHS', 'KES', 'JPY'] as const;
const METHODS = ['card', 'wallet', 'transfer'] as const satisfies readonly RecordedMethod[];
const DAY_MS = 24 * 3_600_000;
export const WEEK = Date.parse('2025-06-02T00:00:00Z');
/** The gateway settles on the second day. */
const LAG_MS = 2 * DAY_MS;

/** A row as the gateway means it. */
export interface BookRow {
  readonly type: MovementRowType;
  readonly reference: string;
  readonly transactionRef: string;
  readonly refundRef: string | null;
  readonly amount: bigint;
  readonly currency: string;
  readonly settledAt: number;
  /** What the gateway keeps of it. */
  readonly fee?: bigint | null;
  readonly net?: bigint | null;
  /** The payout that it is part of. */
  readonly payout?: string | null;
}

/** Something that must be found. */
export interface Planted {
  readonly kind: string;
  readonly reference: string;
  /** What the report says, in minor units; of what no report has, the ledger's. */
  readonly amount: bigint;
}

export interface Story {
  /** Null: the store does not have the payment. */
  readonly known: KnownMoney | null;
  readonly rows: readonly BookRow[];
  readonly planted: readonly Planted[];
}

export const FAULTS = [
  'amount',
  'currency',
  'not_paid',
  'unknown',
  'twice',
  'twice_otherwise',
  'beyond',
  'refund_unknown',
  'refund_differs',
  'chargeback_unknown',
  'chargeback_differs',
  'missing',
] as const;
export type Fault = (typeof FAULTS)[number];

const LIVES = ['paid', 'paid', 'paid', 'parts', 'corrected', 'voided', 'voided_unpaid', 'failed'] as const;

/** What chance decides about a payment. */
export interface Plan {
  readonly life: (typeof LIVES)[number];
  readonly currency: (typeof CURRENCIES)[number];
  readonly method: (typeof METHODS)[number];
  /** In hundreds of minor units, so that what is planted can be told from it. */
  readonly hundreds: number;
  /** Minutes after the week's beginning. */
  readonly minute: number;
  readonly refunds: readonly {
    readonly hundreds: number;
    readonly ours: boolean;
    readonly named: boolean;
    readonly days: number;
    readonly bounces: boolean;
    /** The gateway said two refunds as one sum. */
    readonly inTwo: boolean;
  }[];
  readonly chargeback: { readonly whole: boolean; readonly won: boolean } | null;
  /** Of what is undone before anybody has settled it: whether the reports have both or neither. */
  readonly listed: boolean;
  /** Of a reversal: what the reports call it. */
  readonly asRefund: boolean;
  readonly fault: Fault | null;
  /** The gateway takes back what it has settled wrongly, and settles it rightly. Not each fault can be. */
  readonly takenBack: boolean;
}

const TAKEN_BACK_BY: Readonly<Partial<Record<MovementRowType, MovementRowType>>> = {
  payment: 'paymentReversal',
  refund: 'refundReversal',
  chargeback: 'chargebackReversal',
};

export const plan = (faulty: fc.Arbitrary<Fault | null>): fc.Arbitrary<Plan> =>
  fc.record({
    life: fc.constantFrom(...LIVES),
    currency: fc.constantFrom(...CURRENCIES),
    method: fc.constantFrom(...METHODS),
    hundreds: fc.integer({ min: 20, max: 90_000 }),
    minute: fc.nat(7 * 24 * 60 - 1),
    refunds: fc.array(
      fc.record({
        hundreds: fc.integer({ min: 1, max: 6 }),
        ours: fc.boolean(),
        named: fc.boolean(),
        days: fc.integer({ min: 0, max: 4 }),
        bounces: fc.boolean(),
        inTwo: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
    chargeback: fc.option(fc.record({ whole: fc.boolean(), won: fc.boolean() }), { nil: null, freq: 3 }),
    listed: fc.boolean(),
    asRefund: fc.boolean(),
    fault: faulty,
    takenBack: fc.boolean(),
  });

/** The story of the n-th payment. */
export function storyOf(n: number, plan: Plan): Story {
  return new StoryWriter(n, plan).write();
}

class StoryWriter {
  readonly #movements: KnownMovement[] = [];
  readonly #rows: BookRow[] = [];
  readonly #planted: Planted[] = [];
  readonly #refunds: { refundRef: string; amount: bigint }[] = [];
  readonly #reference: string;
  readonly #amount: bigint;
  readonly #at: number;
  #status: PaymentStatus = 'succeeded';

  constructor(
    private readonly n: number,
    private readonly plan: Plan,
  ) {
    this.#reference = `ORDER-${n}_1`;
    this.#amount = BigInt(plan.hundreds) * 100n;
    this.#at = WEEK + plan.minute * 60_000;
  }

  write(): Story {
    const { life } = this.plan;
    if (life === 'failed') this.#status = 'failed';
    else if (life === 'voided' || life === 'voided_unpaid') this.#reversed(life === 'voided');
    else {
      this.#sale();
      for (const [index, refund] of this.plan.refunds.entries()) this.#refund(index, refund);
      this.#chargeback();
    }
    const isHere = !this.#lie();
    const { currency, method } = this.plan;
    const payment = {
      id: `pay_${this.n}`,
      reference: `ORDER-${this.n}`,
      gatewayReference: this.#reference,
      status: this.#status,
      ...{ currency, method, cardBrand: method === 'card' ? 'visa' : null },
    };
    return {
      known: isHere ? { payment, movements: this.#movements, refunds: this.#refunds } : null,
      rows: this.#rows,
      planted: this.#planted,
    };
  }

  #sale(): void {
    const { life } = this.plan;
    if (life === 'corrected') {
      const [direction, by] = this.plan.asRefund ? (['out', 300n] as const) : (['in', 300n] as const);
      this.#move('payment', direction === 'in' ? this.#amount - by : this.#amount + by);
      this.#move('correction', by, { direction, after: DAY_MS });
    } else this.#move('payment', this.#amount);
    const parts = life === 'parts' ? [500n, 700n, this.#amount - 1_200n] : [this.#amount];
    for (const [index, part] of parts.entries()) this.#row('payment', part, { after: index * DAY_MS });
  }

  #reversed(isPaid: boolean): void {
    this.#status = 'voided';
    if (isPaid) {
      this.#move('payment', this.#amount);
      this.#move('void', this.#amount, { direction: 'out', after: 60_000 });
    }
    if (!this.plan.listed) return;
    this.#row('payment', this.#amount);
    this.#row(this.plan.asRefund ? 'refund' : 'paymentReversal', this.#amount, { after: 60_000 });
  }

  #refund(index: number, { hundreds, ours, named, days, bounces, inTwo }: Plan['refunds'][number]): void {
    const after = DAY_MS + days * DAY_MS;
    const refundRef = ours ? `${this.#reference}_r${index + 1}` : null;
    const refundId = ours ? `ref_${this.n}_${index}` : null;
    const shown = { refundRef: named ? refundRef : null, after };
    // Two sums could be taken for each other, so only one of a payment is said so; nor is it what another refund is.
    const isSum = inTwo && !ours && index === 0 && this.plan.refunds.slice(1).every((other) => other.ours);
    const amount = BigInt(hundreds) * 100n + (isSum ? 50n : 0n);
    if (refundRef !== null) this.#refunds.push({ refundRef, amount });
    this.#move('refund', amount, { direction: 'out', after, refundId, refundRef });
    const halves = isSum ? [30n, amount - 30n] : [amount];
    for (const half of halves) this.#row('refund', half, shown);
    if (!bounces || isSum) return;
    this.#move('refund_reversal', amount, { after: after + DAY_MS, refundId, refundRef });
    this.#row('refundReversal', amount, { ...shown, after: after + DAY_MS });
  }

  #chargeback(): void {
    const { chargeback } = this.plan;
    if (!chargeback) return;
    const amount = chargeback.whole ? this.#amount : 1_100n;
    this.#move('chargeback', amount, { direction: 'out', after: 2 * DAY_MS });
    this.#row('chargeback', amount, { after: 2 * DAY_MS });
    if (!chargeback.won) return;
    this.#move('chargeback_reversal', amount, { after: 3 * DAY_MS });
    this.#row('chargebackReversal', amount, { after: 3 * DAY_MS });
  }

  /** Makes the gateway's book lie, as far as there is something to lie about. Says whether the store lacks the payment. */
  #lie(): boolean {
    const { fault, currency } = this.plan;
    const sale = this.#rows.findIndex(({ type }) => type === 'payment');
    const isWhole =
      this.#rows.filter(({ type }) => type === 'payment').length === 1 && this.#status === 'succeeded';
    const own = this.#rows[sale];
    switch (fault) {
      case 'amount':
        if (own && isWhole) this.#replace(sale, { ...own, amount: own.amount + 7n }, 'amount_differs');
        break;
      case 'currency':
        if (own && isWhole) {
          const other = CURRENCIES.find(
            (one) => one !== currency && minorDigits(one) === minorDigits(currency),
          );
          this.#replace(sale, { ...own, currency: other ?? 'XAF' }, 'currency_differs');
        }
        break;
      case 'not_paid':
        if (this.#status === 'failed') this.#row('payment', this.#amount, {}, 'not_paid_here');
        break;
      case 'unknown':
        if (!own || !isWhole || this.#rows.length > 1) break;
        this.#plant('unknown_here', own.amount);
        return true;
      case 'twice':
        if (own && isWhole) this.#add(own, 'settled_twice');
        break;
      case 'twice_otherwise':
        if (own && isWhole) this.#add({ ...own, transactionRef: `T-${this.n}-again` }, 'settled_twice');
        break;
      case 'beyond':
        if (this.plan.life === 'parts') this.#beyond();
        break;
      case 'refund_unknown':
        if (this.#status === 'succeeded') this.#surplus('refund', 11n, 'refund_unknown_here');
        break;
      case 'refund_differs':
        this.#otherRefund();
        break;
      case 'chargeback_unknown':
        if (this.#status === 'succeeded' && !this.plan.chargeback)
          this.#surplus('chargeback', this.#amount, 'chargeback_unknown_here');
        break;
      case 'chargeback_differs': {
        const at = this.#rows.findIndex(({ type }) => type === 'chargeback');
        const row = this.#rows[at];
        if (row) this.#replace(at, { ...row, amount: row.amount + 7n }, 'chargeback_differs');
        break;
      }
      case 'missing':
        if (own && isWhole && this.#movements.length === 1) {
          this.#rows.length = 0;
          this.#plant('not_settled', this.#amount);
        }
        break;
      case null:
    }
    return false;
  }

  /** One of the parts is settled with too much. */
  #beyond(): void {
    const at = this.#rows.findLastIndex(({ type }) => type === 'payment');
    const row = this.#rows[at];
    if (!row) return;
    this.#rows[at] = { ...row, amount: row.amount + 7n };
    this.#plant('amount_differs', this.#amount + 7n);
  }

  #otherRefund(): void {
    const at = this.#rows.findIndex(({ type, refundRef }) => type === 'refund' && refundRef !== null);
    const row = this.#rows[at];
    if (row) this.#replace(at, { ...row, amount: row.amount + 7n }, 'refund_differs');
  }

  /** A row in the place of the right one, unless that comes later all the same. */
  #replace(at: number, row: BookRow, kind: string): void {
    const right = this.#rows[at];
    this.#rows[at] = row;
    if (!this.#takeBack(row)) this.#plant(kind, row.amount);
    else if (right) this.#rows.push({ ...right, settledAt: right.settledAt + 2 * DAY_MS });
  }

  /** A row too many, unless it is taken back. */
  #surplus(type: MovementRowType, amount: bigint, kind: string): void {
    this.#row(type, amount, { after: 3 * DAY_MS });
    const row = this.#rows.at(-1);
    if (row && !this.#takeBack(row)) this.#plant(kind, amount);
  }

  #takeBack(row: BookRow): boolean {
    const type = TAKEN_BACK_BY[row.type];
    if (!this.plan.takenBack || !type) return false;
    this.#rows.push({ ...row, type, settledAt: row.settledAt + DAY_MS });
    return true;
  }

  #add(row: BookRow, kind: string): void {
    this.#rows.push(row);
    this.#plant(kind, row.amount);
  }

  #plant(kind: string, amount: bigint): void {
    this.#planted.push({ kind, reference: this.#reference, amount });
  }

  #move(
    kind: KnownMovement['kind'],
    amount: bigint,
    {
      direction = 'in',
      after = 0,
      refundId = null,
      refundRef = null,
    }: { direction?: 'in' | 'out'; after?: number; refundId?: string | null; refundRef?: string | null } = {},
  ): void {
    this.#movements.push({
      id: `mov_${this.n}_${this.#movements.length}`,
      ...{ kind, direction, amount, refundId, refundRef },
      at: this.#at + after,
      transactionRef: `T-${this.n}`,
    });
  }

  #row(
    type: MovementRowType,
    amount: bigint,
    { after = 0, refundRef = null }: { after?: number; refundRef?: string | null } = {},
    planted?: string,
  ): void {
    const { currency } = this.plan;
    const settledAt = this.#at + after + LAG_MS;
    const row = { type, amount, currency, refundRef, settledAt, reference: this.#reference };
    this.#rows.push({ ...row, transactionRef: `T-${this.n}` });
    if (planted !== undefined) this.#plant(planted, amount);
  }
}
