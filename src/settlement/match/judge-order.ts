import { minorOf, type FileAmount } from '../files/file-amount.js';
import type { OrderStanding } from '../files/report-row.js';
import type { ORDER_DIFFERENCES } from '../difference.js';
import { capturedOf, heldOf, type KnownMoney } from './known-money.js';

/** What the merchant's own list says of an order. */
export interface ListedOrder {
  readonly amount: FileAmount;
  readonly currency: string;
  readonly standing: OrderStanding;
}

/** Something that the list says otherwise than the ledger. */
export interface OrderFinding {
  readonly kind: (typeof ORDER_DIFFERENCES)[number];
  /** The payment that it is about, where there is one. */
  readonly money: KnownMoney | undefined;
}

/**
 * Holds an order of the merchant's list against what its payments hold. `order`: undefined where the list does not have it. `payments`: all
 * of its reference, the oldest first. Pure.
 */
export function judgeOrder(order: ListedOrder | undefined, payments: readonly KnownMoney[]): OrderFinding[] {
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
