import fc from 'fast-check';
import { DAY, type KnownMovement, type KnownPayment } from './books-scene.js';

/**
 * A week of payments told twice: as the ledger has it, and as the gateway's own book has it. Where the book is made to lie, the story says
 * what must be found. It shares no code with what it tests.
 */

export const CURRENCIES = ['NGN', 'USD', 'EUR', 'GHS', 'KES', 'JPY'] as const;
const METHODS = ['card', 'wallet', 'transfer'] as const;
/** Everything of the week should have been settled by now. */
const WEEK = (Math.floor(Date.now() / DAY) - 30) * DAY;

export interface BookRow {
  ref: string;
  transactionRef: string;
  type: string;
  amount: bigint;
  fee: bigint;
  currency: string;
  payout: string;
  at: number;
}

/** `kind ref currency expected found`. */
export interface Week {
  payments: KnownPayment[];
  rows: BookRow[];
  planted: string[];
}

const FAULTS = [
  ...[
    'amount',
    'currency',
    'not_paid',
    'unknown',
    'twice',
    'thrice',
    'beyond',
    'refund_unknown',
    'refund_differs',
  ],
  ...['chargeback_unknown', 'chargeback_differs', 'missing', 'refund_missing', 'voided_settled', 'payout'],
] as const;
const LIVES = [
  ...[
    'paid',
    'paid',
    'paid',
    'parts',
    'corrected',
    'voided',
    'voided_unlisted',
    'failed',
    'refunded',
    'bounced',
  ],
  ...['lost', 'won', 'payer_bore_fee', 'came_and_went', 'refunded_twice'],
] as const;

const chance = fc.record({
  life: fc.constantFrom(...LIVES),
  fault: fc.option(fc.constantFrom(...FAULTS), { freq: 4, nil: null }),
  currency: fc.constantFrom(...CURRENCIES),
  method: fc.constantFrom(...METHODS),
  hundreds: fc.integer({ min: 40, max: 90_000 }),
  minute: fc.nat(7 * 24 * 60 - 1),
});

/** The same for the same seed. */
export function weekOf(seed: number, count: number): Week {
  const week: Week = { payments: [], rows: [], planted: [] };
  // The first and last sales of each kind are plain, so that all money between is due once they are settled.
  for (const currency of CURRENCIES)
    for (const method of METHODS)
      for (const [n, day] of [
        [1, -1],
        [2, 9],
      ] as const) {
        const ref = `${currency}-${method}_${n}`;
        const story = new Story(week, ref, currency, method, WEEK + day * DAY);
        story.sale(10_000n);
        story.refund(500n, 1);
        story.dispute(100n, 1);
        story.tell();
      }
  const plans = fc.sample(chance, { seed, numRuns: count });
  for (const [n, { life, fault, currency, method, hundreds, minute }] of plans.entries()) {
    const ref = `ORDER-${n}_${1 + (n % 3)}`;
    const story = new Story(week, ref, currency, method, WEEK + minute * 60_000);
    live(story, life, BigInt(hundreds) * 100n);
    if (fault) lie(story, fault);
    story.tell();
  }
  payOut(week, plans.filter(({ fault }) => fault === 'payout').length);
  return week;
}

function live(story: Story, life: (typeof LIVES)[number], amount: bigint): void {
  switch (life) {
    case 'paid':
      return story.sale(amount);
    case 'parts':
      story.move('payment', amount, 0);
      story.row('PAYMENT', 500n, 1);
      story.row('PAYMENT', 700n, 2);
      return story.row('PAYMENT', amount - 1_200n, 3);
    case 'corrected':
      story.move('payment', amount, 0);
      story.move('correction', 300n, 1, 'out');
      return story.row('PAYMENT', amount - 300n, 2);
    case 'voided':
    case 'voided_unlisted':
      story.status = 'voided';
      story.move('payment', amount, 0);
      story.move('void', amount, 0.1);
      if (life === 'voided_unlisted') return;
      story.row('PAYMENT', amount, 1);
      return story.row(story.isEven ? 'REFUND' : 'PAYMENT_REVERSAL', amount, 1);
    case 'failed':
      story.status = 'failed';
      return;
    case 'came_and_went':
      story.status = 'failed';
      story.row('PAYMENT', amount, 1);
      return story.row('PAYMENT_REVERSAL', amount, 2);
    case 'refunded':
      story.sale(amount);
      return story.refund(1_100n, 1);
    case 'refunded_twice':
      story.sale(amount);
      story.refund(1_100n, 1);
      return story.refund(1_300n, 2);
    case 'bounced':
      story.sale(amount);
      story.refund(1_100n, 1);
      story.move('refund_reversal', 1_100n, 2);
      return story.row('REFUND_REVERSAL', 1_100n, 3);
    case 'lost':
      story.sale(amount);
      return story.dispute(amount, 2);
    case 'won':
      story.sale(amount);
      story.dispute(amount, 2);
      story.move('chargeback_reversal', amount, 3);
      return story.row('CHARGEBACK_REVERSAL', amount, 4);
    case 'payer_bore_fee':
      story.move('payment', amount, 0);
      return story.row('PAYMENT', amount + 40n, 1, { fee: 40n });
  }
}

/** Makes the gateway's book lie, where the life leaves something to lie about. */
function lie(story: Story, fault: (typeof FAULTS)[number]): void {
  const { rows, movements, currency } = story;
  const [first] = rows;
  const isPlain = rows.length === 1 && movements.length === 1 && first !== undefined && first.fee === 0n;
  const isSold = movements[0]?.kind === 'payment' && story.status === 'succeeded';
  const sold = movements.reduce(
    (sum, { kind, amount }) => sum + (kind === 'payment' ? amount : kind === 'correction' ? -amount : 0n),
    0n,
  );
  switch (fault) {
    case 'amount':
      if (!isPlain) return;
      first.amount += 7n;
      return story.plant('amount_differs', sold, sold + 7n);
    case 'currency': {
      if (!isPlain) return;
      const other = currency === 'NGN' ? 'USD' : 'NGN';
      if (currency === 'JPY') return;
      first.currency = other;
      return story.plant('currency_differs', sold, sold, other);
    }
    case 'not_paid':
      if (story.status !== 'failed' || rows.length > 0) return;
      story.row('PAYMENT', 5_000n, 1);
      return story.plant('not_paid_here', 0n, 5_000n);
    case 'unknown':
      if (!isPlain) return;
      story.isKnown = false;
      return story.plant('unknown_here', null, sold);
    case 'twice':
    case 'thrice':
      if (!isPlain) return;
      story.row('PAYMENT', sold, 1);
      if (fault === 'thrice') story.row('PAYMENT', sold, 2);
      return story.plant('settled_twice', sold, sold * (fault === 'twice' ? 2n : 3n));
    case 'beyond':
      if (!isSold || rows.length !== 3 || movements.length !== 1) return;
      story.row('PAYMENT', 9n, 2);
      return story.plant('amount_differs', sold, sold + 9n);
    case 'refund_unknown':
      if (!isSold || movements.some(({ kind }) => kind.startsWith('refund'))) return;
      story.row('REFUND', 11n, 3);
      return story.plant('refund_unknown_here', 0n, 11n);
    case 'refund_differs': {
      const row = rows.find(({ type }) => type === 'REFUND');
      if (!isSold || !row || movements.some(({ kind }) => kind === 'refund_reversal')) return;
      row.amount += 7n;
      const here = movements.reduce((sum, { kind, amount }) => sum + (kind === 'refund' ? amount : 0n), 0n);
      return story.plant('refund_differs', here, here + 7n);
    }
    case 'chargeback_unknown':
      if (!isSold || movements.some(({ kind }) => kind.startsWith('chargeback'))) return;
      story.row('CHARGEBACK', sold, 3);
      return story.plant('chargeback_unknown_here', 0n, sold);
    case 'chargeback_differs': {
      const row = rows.find(({ type }) => type === 'CHARGEBACK');
      if (!row || movements.some(({ kind }) => kind === 'chargeback_reversal')) return;
      row.amount -= 7n;
      return story.plant('chargeback_differs', row.amount + 7n, row.amount);
    }
    case 'missing':
      if (!isPlain) return;
      rows.length = 0;
      return story.plant('not_settled', sold, null);
    case 'refund_missing': {
      const refunds = movements.filter(({ kind }) => kind === 'refund');
      if (refunds.length !== 1 || movements.length !== 2) return;
      rows.splice(
        rows.findIndex(({ type }) => type === 'REFUND'),
        1,
      );
      return story.plant('not_settled', refunds[0]?.amount ?? 0n, null);
    }
    case 'voided_settled':
      if (story.status !== 'voided') return;
      rows.length = 0;
      story.row('PAYMENT', movements[0]?.amount ?? 0n, 1);
      return story.plant('amount_differs', 0n, movements[0]?.amount ?? 0n);
    case 'payout':
  }
}

class Story {
  readonly movements: KnownMovement[] = [];
  readonly rows: BookRow[] = [];
  status = 'succeeded';
  isKnown = true;

  constructor(
    private readonly week: Week,
    readonly ref: string,
    readonly currency: string,
    private readonly method: string,
    private readonly at: number,
  ) {}

  get isEven(): boolean {
    return this.ref.endsWith('2');
  }

  sale(amount: bigint): void {
    this.move('payment', amount, 0);
    this.row('PAYMENT', amount, 1);
  }

  refund(amount: bigint, day: number): void {
    this.move('refund', amount, day);
    this.row('REFUND', amount, day + 1);
  }

  dispute(amount: bigint, day: number): void {
    this.move('chargeback', amount, day);
    this.row('CHARGEBACK', amount, day + 1);
  }

  move(kind: KnownMovement['kind'], amount: bigint, day: number, direction?: 'in' | 'out'): void {
    this.movements.push({
      kind,
      amount,
      at: Math.round(this.at + day * DAY),
      ...(direction && { direction }),
    });
  }

  row(type: string, amount: bigint, day: number, over: Partial<BookRow> = {}): void {
    const n = this.rows.length;
    this.rows.push({
      ...{
        ref: this.ref,
        transactionRef: `T-${this.ref}-${n}`,
        type,
        amount,
        fee: 0n,
        currency: this.currency,
      },
      ...{ payout: '', at: Math.round(this.at + day * DAY), ...over },
    });
  }

  plant(kind: string, expected: bigint | null, found: bigint | null, currency = this.currency): void {
    this.week.planted.push(`${kind} ${this.ref} ${currency} ${expected} ${found}`);
  }

  tell(): void {
    const { ref, status, currency, method, movements } = this;
    if (this.isKnown) this.week.payments.push({ ref, status, currency, method, movements });
    this.week.rows.push(...this.rows);
  }
}

/** Each day's rows of a currency are one payout; some come to less than they should. */
function payOut(week: Week, wrong: number): void {
  const sums = new Map<string, bigint>();
  for (const row of week.rows) {
    row.payout = `PO-${new Date(row.at).toISOString().slice(0, 10)}-${row.currency}`;
    const comes = ['PAYMENT', 'REFUND_REVERSAL', 'CHARGEBACK_REVERSAL'].includes(row.type);
    const net = (comes ? row.amount : -row.amount) - row.fee;
    sums.set(row.payout, (sums.get(row.payout) ?? 0n) + net);
  }
  for (const [n, [payout, net]] of [...sums].entries()) {
    const currency = payout.slice(-3);
    const size = net < 0n ? -net : net;
    const paid = n < wrong ? size + 3n : size;
    const at = Date.parse(payout.slice(3, 13)) + DAY;
    week.rows.push({
      ref: '',
      transactionRef: payout,
      type: 'PAYOUT',
      amount: paid,
      fee: 0n,
      currency,
      payout,
      at,
    });
    if (n < wrong) week.planted.push(`payout_differs ${payout} ${currency} ${net} ${paid}`);
  }
}

const HEADER =
  'reference,transactionRef,refundRef,type,amount,fee,net,payout,currency,status,netCurrency,settledAt';

/** Written by hand, so that the service's own writing of amounts is not taken for right. */
function major(minor: bigint, currency: string): string {
  if (currency === 'JPY') return String(minor);
  return `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
}

function fileOf(rows: readonly BookRow[]): string {
  const lines = rows.map(({ ref, transactionRef, type, amount, fee, currency, payout, at }) =>
    [
      ...[ref, transactionRef, '', type, major(amount, currency), major(fee, currency), '', payout, currency],
      ...['SETTLED', '', new Date(at).toISOString()],
    ].join(','),
  );
  return [HEADER, ...lines, ''].join('\n');
}

function split<T>(rows: readonly BookRow[], by: (row: BookRow) => T): BookRow[][] {
  const parts = new Map<T, BookRow[]>();
  for (const row of rows) parts.set(by(row), [...(parts.get(by(row)) ?? []), row]);
  return [...parts.values()];
}

const byDay = (rows: readonly BookRow[]) =>
  split(
    rows.toSorted((one, other) => one.at - other.at),
    ({ at }) => Math.floor(at / DAY),
  );

/** The ways of cutting a book into files. None of them parts equal rows. */
export const WAYS: readonly ((rows: readonly BookRow[]) => string[])[] = [
  (rows) => [fileOf(rows)],
  (rows) => byDay(rows).map(fileOf),
  (rows) => byDay(rows).toReversed().map(fileOf),
  (rows) => split(rows, ({ currency }) => currency).map(fileOf),
  (rows) =>
    split(rows, ({ type }) => type)
      .toReversed()
      .map(fileOf),
  (rows) => {
    const days = byDay(rows);
    return [...days.map((_, day) => fileOf(days.slice(day, day + 3).flat())), fileOf(rows)];
  },
  (rows) => split(rows, ({ ref }) => ref.length % 3).map(fileOf),
];
