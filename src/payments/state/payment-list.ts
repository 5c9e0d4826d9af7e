import currencyCodes from 'currency-codes';
import { sql, type RawBuilder } from 'kysely';
import { minorDigits, parseMajor } from '../../money/money.js';
import { timeBound } from '../../store/ids.js';
import { type PaymentRecord, payments, type PaymentStatus, type RecordedMethod } from '../../store/schema.js';
import { columnsOf, decodeRow, type StoredRow } from '../../store/table.js';
import type { Store } from '../../store/store.js';
import { merchantReferences } from './gateway-references.js';

/** Which payments to list. What is absent leaves all in. */
export interface PaymentFilter {
  reference?: string | undefined;
  status?: PaymentStatus | undefined;
  method?: RecordedMethod | undefined;
  /** Made at this time or later, in milliseconds. */
  from?: number | undefined;
  /** Made before this time. */
  to?: number | undefined;
  /** Paid at this time or later, in milliseconds. */
  paidFrom?: number | undefined;
  /** Paid before this time. */
  paidTo?: number | undefined;
  /** A decimal string in major units, of whatever currency. */
  amount?: string | undefined;
  currency?: string | undefined;
  last4?: string | undefined;
  gatewayReference?: string | undefined;
  needsAttention?: boolean | undefined;
  disputed?: boolean | undefined;
  /** Whether it holds money beside another payment that pays its reference. */
  duplicate?: boolean | undefined;
}

/** The last payment of a page. Payments are listed newest first, which is the order of their ids. */
export interface PaymentCursor {
  createdAt: number;
  id: string;
}

/**
 * Ids begin with the time, so a stretch of time is one of the key. Those of former versions have it from the clock of the process,
 * which may have been this far from the time that the payment bears.
 */
const FORMER_CLOCKS_MS = 3_600_000;

/** Without the timeline, which only its own question asks for. */
const COLUMNS = sql.join(columnsOf(payments).map((column) => sql.ref(column)));

/** What a paid payment still holds, in minor units, as `moneyHeld` says. */
const HELD = sql`cast(coalesce(amount_captured, amount) as numeric) - cast(coalesce(amount_refunded, '0') as numeric)
  - case when disputed = 1 then cast(coalesce(amount_disputed, amount_captured, amount) as numeric) else 0 end`;

/**
 * The payments that hold money beside another one that pays their reference: somebody has paid an order twice. As an expression the
 * status has no index, so that the one of duplicates is taken, which are few.
 */
export const DUPLICATES = sql`duplicate_of is not null and (status || '') = 'succeeded' and ${HELD} > 0`;

/** When a payment was paid, as its view says. The index has the same expression. */
const PAID_AT = sql`coalesce(paid_at, case when status = 'succeeded' then closed_at end)`;

/** One page, newest first. Each filter has an index, in the order of the list. */
export async function listPayments(
  { db }: Pick<Store, 'db'>,
  filter: PaymentFilter,
  limit: number,
  after?: PaymentCursor,
): Promise<PaymentRecord[]> {
  const conditions = conditionsOf(filter);
  if (after) conditions.push(sql`id < ${after.id}`);
  const amounts = filter.amount === undefined ? [sql`1 = 1`] : amountsOf(filter.amount);
  if (amounts.length === 0) return [];
  const parts = amounts.map((amount) => {
    const all = sql.join([amount, ...conditions], sql` and `);
    return sql`select * from (
      select ${COLUMNS} from payments where ${all} order by id desc limit ${limit}) as part`;
  });
  const { rows } = await sql<StoredRow>`
    ${sql.join(parts, sql` union all `)} order by id desc limit ${limit}`.execute(db);
  return rows.map((row) => decodeRow(payments, row));
}

/** The payments made from one time to another, as a stretch of the key and exactly. */
export function madeBetween(from: number | undefined, to: number | undefined): RawBuilder<unknown>[] {
  const { first, last } = keysBetween(from, to);
  return [
    ...(from === undefined ? [] : [sql`id >= ${first}`]),
    ...(to === undefined ? [] : [sql`id < ${last}`]),
    ...timesBetween(from, to),
  ];
}

/** The stretch of the key in which they are, others perhaps at its ends: not before `first`, and before `last`. */
export function keysBetween(
  from: number | undefined,
  to: number | undefined,
): { first: string; last: string } {
  return {
    first: from === undefined ? 'pay_' : timeBound('pay', from - FORMER_CLOCKS_MS),
    last: to === undefined ? 'pay`' : timeBound('pay', to + FORMER_CLOCKS_MS),
  };
}

/** Their times, exactly. */
export function timesBetween(from: number | undefined, to: number | undefined): RawBuilder<unknown>[] {
  return [
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`created_at < ${to}`]),
  ];
}

function conditionsOf(filter: PaymentFilter): RawBuilder<unknown>[] {
  const {
    reference,
    status,
    method,
    from,
    to,
    paidFrom,
    paidTo,
    currency,
    last4,
    gatewayReference,
    needsAttention,
    disputed,
    duplicate,
  } = filter;
  return [
    ...(reference === undefined ? [] : [sql`reference = ${reference}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(method === undefined ? [] : [sql`method = ${method}`]),
    ...madeBetween(from, to),
    ...(paidFrom === undefined ? [] : [sql`${PAID_AT} >= ${paidFrom}`]),
    ...(paidTo === undefined ? [] : [sql`${PAID_AT} < ${paidTo}`]),
    ...(currency === undefined ? [] : [sql`currency = ${currency}`]),
    ...(last4 === undefined ? [] : [sql`card_last4 = ${last4}`]),
    ...(gatewayReference === undefined ? [] : [atGateway(gatewayReference)]),
    // A literal: with a parameter the partial index would not be used.
    ...(needsAttention === undefined ? [] : [sql`needs_attention = ${sql.lit(needsAttention ? 1 : 0)}`]),
    ...(disputed === undefined ? [] : [sql`disputed = ${sql.lit(disputed ? 1 : 0)}`]),
    ...(duplicate === undefined ? [] : [duplicate ? DUPLICATES : sql`not (${DUPLICATES})`]),
  ];
}

/** The merchant's reference is part of the gateway's, and of the index. */
function atGateway(gatewayReference: string): RawBuilder<unknown> {
  const references = merchantReferences(gatewayReference);
  if (references.length === 0) return sql`1 = 0`;
  return sql`reference in (${sql.join(references)}) and gateway_reference = ${gatewayReference}`;
}

/** Currencies by their number of minor digits, but for those of two: nearly all have two. */
const OTHERS = new Map<number, string[]>();
for (const { code } of currencyCodes.data) {
  const digits = minorDigits(code) ?? 2;
  if (digits !== 2) OTHERS.set(digits, [...(OTHERS.get(digits) ?? []), code]);
}

/** An amount is stored in minor units, whose number depends on the currency: what it is in each kind of them. */
function amountsOf(amount: string): RawBuilder<unknown>[] {
  const others = [...OTHERS.values()].flat();
  const usual = parseMajor(amount, 'NGN');
  const found =
    usual === undefined ? [] : [sql`amount = ${usual.toString()} and currency not in (${sql.join(others)})`];
  for (const codes of OTHERS.values()) {
    const minor = parseMajor(amount, codes[0] ?? '');
    if (minor !== undefined)
      found.push(sql`amount = ${minor.toString()} and currency in (${sql.join(codes)})`);
  }
  return found;
}
