import { openOperationsOf, payAfter, type StoredPayment } from '../payment-row.js';
import type { Wanted } from '../payment-writer.js';
import type { Loaded, Write } from './load.js';

/** Payments that are under way in a process at the same time. The oldest are forgotten beyond that: they are read again. */
const MOST = 4_096;

/**
 * The rows of payments whose lease this process has just taken: nobody else writes them as a rule, so the write that follows need
 * not read them. Whether they still are as they were is checked when it is written. Each is given out once.
 */
export class KnownRows {
  private readonly byReference = new Map<string, Loaded>();

  /** What is known for a write, if it is all that it wants. Afterwards it is not known any more. */
  take(wanted: Wanted): Loaded | undefined {
    const known = this.byReference.get(wanted.reference);
    if (!known) return undefined;
    this.byReference.delete(wanted.reference);
    const { payment, session } = known.snapshot;
    const fits =
      wanted.paymentId === payment?.id &&
      (wanted.sessionId === undefined || wanted.sessionId === session?.id) &&
      !wanted.idempotency &&
      !wanted.declines;
    return fits ? known : undefined;
  }

  /** Takes note of what a write has left, where it has left a lease. */
  put({ changes, loaded }: Write): void {
    const after = rowsAfter({ changes, loaded });
    if (!after) return;
    this.byReference.set(after.snapshot.reference.reference, after);
    if (this.byReference.size <= MOST) return;
    const [oldest] = this.byReference.keys();
    if (oldest !== undefined) this.byReference.delete(oldest);
  }
}

function rowsAfter({ changes, loaded }: Write): Loaded | undefined {
  const { payment } = changes;
  const { snapshot, version } = loaded;
  const reference = changes.reference ?? snapshot.reference;
  const alone = reference.paidPaymentIds.every((id) => id === payment?.id) && !changes.beside;
  if (!payment || payment.leaseOwner === null || !alone) return undefined;
  const before = loaded.stored.find((stored) => stored.payment.id === payment.id);
  const stored: StoredPayment = { payment, pay: payAfter(payment, changes.operations, before) };
  const others = [
    ...snapshot.openOperations.filter(({ id }) => !changes.operations?.some((changed) => changed.id === id)),
    ...(changes.operations ?? []),
  ].filter(({ type, status }) => type !== 'pay' && (status === 'intended' || status === 'unknown'));
  others.sort((a, b) => a.createdAt - b.createdAt);
  return {
    version: (version ?? 0) + 1,
    stored: [stored],
    snapshot: {
      reference,
      session: changes.session ?? snapshot.session,
      payment,
      openOperations: openOperationsOf(stored, others),
      paidBeside: [],
      idempotency: undefined,
      keyedOperation: undefined,
    },
  };
}
