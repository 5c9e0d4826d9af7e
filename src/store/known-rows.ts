import { openOperationsOf, payAfter, type StoredPayment } from './payment-row.js';
import { scopeOfSession, type Changes, type Snapshot, type Wanted } from './payment-writer.js';

/** Payments that are under way in a process at the same time, and sessions without one. The oldest are forgotten beyond that: they are read again. */
const MOST = 4_096;

const ALONE = { paidBeside: [], liveBeside: [], idempotency: undefined, keyedOperation: undefined };

/** What a write is decided on, and the payments of it as they stand in their rows. */
export interface ReadRows {
  readonly snapshot: Snapshot;
  readonly stored: readonly StoredPayment[];
}

/**
 * What the next write under a reference need not read: the rows of payments whose lease this process has just taken, for nobody else writes
 * them as a rule; and those of a session that it has just made, for most payments are the first ones of their sessions. The store sees to it
 * that they still are as they were. Each is given out once.
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
      (!wanted.idempotency || isUnused(wanted.idempotency, known)) &&
      wanted.approvalId === undefined &&
      !wanted.approvalsOfPayment;
    return fits ? known : undefined;
  }

  /** Takes note of what a write has left, where it has left a lease or a new session. `loaded`: what it was decided on; `complete` adds what the store wants of it besides. */
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

/** Each of a session's keys raises the version of its reference, so there is none while a session is as it was made. */
function isUnused({ scope }: { scope: string }, { snapshot }: ReadRows): boolean {
  const { payment, session } = snapshot;
  return !payment && session !== undefined && scope === scopeOfSession(session.id);
}

function rowsAfter(changes: Changes, loaded: ReadRows): ReadRows | undefined {
  const { payment, session } = changes;
  const { snapshot } = loaded;
  const reference = changes.reference ?? snapshot.reference;
  if (session && !payment && !snapshot.session && !snapshot.payment && !changes.beside)
    return { stored: [], snapshot: { ...ALONE, reference, session, payment: undefined, openOperations: [] } };
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
      ...ALONE,
      reference,
      session: session ?? snapshot.session,
      payment,
      openOperations: openOperationsOf(stored, others),
    },
  };
}
