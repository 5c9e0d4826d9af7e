import type { DifferenceRecord } from '../../store/schema.js';
import { minorOf, type FileAmount } from '../files/file-amount.js';
import type { OrderStanding } from '../files/report-row.js';
import { BLANK } from './found-differences.js';
import { capturedOf, heldOf, type KnownMoney } from './known-money.js';
import type { FoundDifference } from './reconcile.js';
import type { ORDER_DIFFERENCES } from '../difference.js';

/** Where an order stands in a list, and beside which report the list was sent. */
export interface OrderPlace {
  readonly reference: string;
  readonly settlementId: string | null;
  /** Null where the list does not have it. */
  readonly line: number | null;
  /** When the list came. */
  readonly listAt: number | null;
}

/** What an order of the merchant's list, or one that the list lacks, differs in. Pure. */
export function orderDifferences(
  { reference, settlementId, line, listAt }: OrderPlace,
  order: ListedOrder | undefined,
  payments: readonly KnownMoney[],
): FoundDifference[] {
  return judgeOrder(order, payments).map(({ kind, money }) => ({
    ...BLANK,
    subject: kind === 'order_paid_twice' ? `order twice ${reference}` : `order ${reference}`,
    ...{ kind, settlementId, line, reference, orderReference: reference, settledAt: listAt },
    paymentId: money?.payment.id ?? null,
    ...(money && {
      // What was taken and given back whole pays nothing.
      expectedAmount: kind === 'order_not_paid' && heldOf(money) > 0n ? capturedOf(money) : heldOf(money),
      expectedCurrency: money.payment.currency,
    }),
    ...(order && {
      foundAmount: minorOf(order.amount, order.currency) ?? order.amount.digits,
      foundDecimals: minorOf(order.amount, order.currency) === undefined ? order.amount.decimals : null,
      foundCurrency: order.currency,
      said: order.standing,
    }),
  }));
}

/** What the list said of an order when a difference of it was found; undefined where it did not have it. Pure. */
export function listedOrder(difference: DifferenceRecord): ListedOrder | undefined {
  const { kind, said, foundAmount: digits, foundDecimals: decimals, foundCurrency: currency } = difference;
  if (digits === null || currency === null) return undefined;
  // Versions before 0.3.0 kept no more than the kind.
  const standing = (said ?? (kind === 'order_unknown' ? 'open' : 'paid')) as OrderStanding;
  return { amount: { digits, decimals }, currency, standing };
}

/** What the merchant's own list says of an order. */
export interface ListedOrder {
  readonly amount: FileAmount;
  readonly currency: string;
  readonly standing: OrderStanding;
}

/** Something that the list says otherwise than the ledger. */
interface OrderFinding {
  readonly kind: (typeof ORDER_DIFFERENCES)[number];
  /** The payment that it is about, where there is one. */
  readonly money: KnownMoney | undefined;
}

/**
 * Holds an order of the merchant's list against what its payments hold. `order`: undefined where the list does not have it. `payments`: all
 * of its reference, the oldest first. Pure.
 */
function judgeOrder(order: ListedOrder | undefined, payments: readonly KnownMoney[]): OrderFinding[] {
  const taken = payments.filter((money) => capturedOf(money) > 0n);
  const holding = taken.filter((money) => heldOf(money) > 0n);
  const twice: OrderFinding[] = holding.length > 1 ? [{ kind: 'order_paid_twice', money: holding[1] }] : [];
  return [...standingOf(order, taken, holding), ...twice];
}

function standingOf(
  order: ListedOrder | undefined,
  taken: readonly KnownMoney[],
  holding: readonly KnownMoney[],
): OrderFinding[] {
  const [holder] = holding;
  switch (order?.standing) {
    case 'paid':
      return holding.some((money) => pays(money, order))
        ? []
        : [{ kind: 'order_not_paid', money: holder ?? taken[0] }];
    case 'refunded':
      if (holder) return [{ kind: 'order_unknown', money: holder }];
      return taken.length > 0 ? [] : [{ kind: 'order_not_paid', money: undefined }];
    default:
      return holder ? [{ kind: 'order_unknown', money: holder }] : [];
  }
}

/** Whether a payment brought what the order owes. */
function pays(money: KnownMoney, { amount, currency }: ListedOrder): boolean {
  return money.payment.currency === currency && capturedOf(money) === minorOf(amount, currency);
}
