import type { OperationRecord, PaymentRecord, ReferenceRecord, SessionRecord } from './schema.js';
import type { Changes, Snapshot, Wanted } from './payment-writer.js';

/** What a write has left of one reference. */
export interface OrderInHand {
  reference: ReferenceRecord;
  session: SessionRecord;
  /** Only while its lease is held. */
  payment?: PaymentRecord;
  openOperations: OperationRecord[];
}

/** A kilobyte or two each; the one that was not written for the longest time goes first. */
const MAX_IN_HAND = 2_000;

/**
 * The rows of the latest orders that are not paid yet, as their last commit has left them: a payer pays soon after the session was
 * made, and the answer of the gateway comes a moment after the intent. Reading them again made a tenth of a payment's cost.
 * Right only where this process is the store's one writer.
 */
export class OrdersInHand {
  private readonly orders = new Map<string, OrderInHand>();

  /** The rows that a write wants, where all of them are in hand. */
  find({ reference, sessionId, paymentId }: Wanted): OrderInHand | undefined {
    const order = this.orders.get(reference);
    if (!order || (sessionId !== undefined && order.session.id !== sessionId)) return undefined;
    return paymentId === undefined || order.payment?.id === paymentId ? order : undefined;
  }

  /** Notes what a commit has left. */
  note(snapshot: Snapshot, changes: Changes): void {
    const { reference } = snapshot.reference;
    const session = changes.session ?? snapshot.session;
    const payment = changes.payment ?? snapshot.payment;
    this.orders.delete(reference);
    if (session?.status !== 'open' || (payment && payment.leaseOwner === null)) return;
    if (this.orders.size >= MAX_IN_HAND) this.orders.delete(this.orders.keys().next().value ?? '');
    this.orders.set(reference, {
      reference: changes.reference ?? snapshot.reference,
      session,
      ...(payment && { payment }),
      openOperations: openAfter(snapshot, changes),
    });
  }

  /** After a commit that failed nothing is known. */
  forget(): void {
    this.orders.clear();
  }
}

function openAfter({ openOperations }: Snapshot, changes: Changes): OperationRecord[] {
  const written = changes.operations ?? [];
  return [
    ...openOperations.filter(({ id }) => !written.some((operation) => operation.id === id)),
    ...written,
  ].filter(({ status }) => status === 'intended' || status === 'unknown');
}
