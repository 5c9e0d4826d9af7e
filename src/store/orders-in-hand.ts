import type { OperationRecord, PaymentRecord, ReferenceRecord, SessionRecord } from './schema.js';
import type { Changes, Snapshot, Wanted } from './write-seam.js';

/** What a write has left of one reference. */
export interface OrderInHand {
  reference: ReferenceRecord;
  session: SessionRecord;
  payment: PaymentRecord;
  openOperations: OperationRecord[];
}

/** Far more than calls to the gateway can be under way at once. */
const MAX_IN_HAND = 5_000;

/**
 * The rows of the payments whose lease is held, as their last commit has left them: the answer of the gateway is written to them a
 * moment later, and reading them again made a tenth of a payment's cost. Right only where this process is the store's one writer.
 */
export class OrdersInHand {
  private readonly orders = new Map<string, OrderInHand>();

  /** The rows that a write wants, where all of them are in hand. */
  find({ reference, sessionId, paymentId, idempotency }: Wanted): OrderInHand | undefined {
    if (paymentId === undefined || idempotency !== undefined) return undefined;
    const order = this.orders.get(reference);
    if (order?.payment.id !== paymentId) return undefined;
    return sessionId === undefined || order.session.id === sessionId ? order : undefined;
  }

  /** Notes what a commit has left. Anything else that is written of a reference ends what was known of it. */
  note(snapshot: Snapshot, changes: Changes): void {
    const payment = changes.payment ?? snapshot.payment;
    const session = changes.session ?? snapshot.session;
    const { reference } = snapshot.reference;
    if (!payment || !session || payment.leaseOwner === null || this.orders.size >= MAX_IN_HAND) {
      this.orders.delete(reference);
      return;
    }
    this.orders.set(reference, {
      reference: changes.reference ?? snapshot.reference,
      session,
      payment,
      openOperations: openAfter(snapshot, changes),
    });
  }

  /** After a commit that failed nothing is known. */
  forget(): void {
    this.orders.clear();
  }
}

function openAfter({ openOperations, payment }: Snapshot, changes: Changes): OperationRecord[] {
  const after = new Map<string, OperationRecord>();
  // The open operations of a payment that was not asked for are not known; a new payment has none but those written now.
  if (payment) for (const operation of openOperations) after.set(operation.id, operation);
  for (const operation of changes.operations ?? []) after.set(operation.id, operation);
  return [...after.values()].filter(({ status }) => status === 'intended' || status === 'unknown');
}
