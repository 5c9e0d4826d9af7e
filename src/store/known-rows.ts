import { openOperationsOf, payAfter, type StoredPayment } from './payment-row.js';
import type { Changes, Snapshot, Wanted } from './payment-writer.js';

/** Payments that are under way in a process at the same time. The oldest are forgotten beyond that: they are read again. */
const MOST = 4_096;

/** What a write is decided on, and the payments of it as they stand in their rows. */
export interface ReadRows {
  readonly snapshot: Snapshot;
  readonly stored: readonly StoredPayment[];
}

/**
 * The rows of payments whose lease this process has just taken: nobody else writes them as a rule, so the write that follows need
 * not read them. The store sees to it that they still are as they were. Each is given out once.
 */
export class KnownRows<L extends ReadRows> {
  private readonly byReference = new Map<string, L>();

  /** What is known for a write, if it is all that it wants. Afterwards it is not known any more. */
  take(wanted: Wanted): L | undefined {
    const known = this.byReference.get(wanted.reference);
    if (!known) return undefined;
    this.byReference.delete(wanted.reference);
    const { payment, session } = known.snapshot;
    const fits =
      wanted.paymentId === payment?.id &&
      (wanted.sessionId === undefined || wanted.sessionId === session?.id) &&
      !wanted.settledRefunds &&
      !wanted.idempotency &&
      wanted.approvalId === undefined &&
      !wanted.approvalsOfPayment &&
      !wanted.declines;
    return fits ? known : undefined;
  }

  /** Takes note of what a write has left, where it has left a lease. `loaded`: what it was decided on; `complete` adds what the store wants of it besides. */
  put(changes: Changes, loaded: L, complete: (rows: ReadRows) => L): void {
    const after = rowsAfter(changes, loaded);
    if (!after) return;
    this.byReference.set(after.snapshot.reference.reference, complete(after));
    if (this.byReference.size <= MOST) return;
    const [oldest] = this.byReference.keys();
    if (oldest !== undefined) this.byReference.delete(oldest);
  }

  /** Knows nothing any more. */
  forget(): void {
    this.byReference.clear();
  }
}

function rowsAfter(changes: Changes, loaded: ReadRows): ReadRows | undefined {
  const { payment } = changes;
  const { snapshot } = loaded;
  const reference = changes.reference ?? snapshot.reference;
  const ids = [...reference.paidPaymentIds, ...reference.livePaymentIds];
  const alone = ids.every((id) => id === payment?.id) && !changes.beside;
  if (!payment || payment.leaseOwner === null || !alone) return undefined;
  const before = loaded.stored.find((stored) => stored.payment.id === payment.id);
  const stored: StoredPayment = { payment, pay: payAfter(payment, changes.operations, before) };
  const others = [
    ...snapshot.openOperations.filter(({ id }) => !changes.operations?.some((changed) => changed.id === id)),
    ...(changes.operations ?? []),
  ].filter(({ type, status }) => type !== 'pay' && (status === 'intended' || status === 'unknown'));
  others.sort((a, b) => a.createdAt - b.createdAt);
  return {
    stored: [stored],
    snapshot: {
      reference,
      session: changes.session ?? snapshot.session,
      payment,
      openOperations: openOperationsOf(stored, others),
      paidBeside: [],
      liveBeside: [],
      idempotency: undefined,
      keyedOperation: undefined,
    },
  };
}
