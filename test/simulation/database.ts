import type { Order, OrderState, Payment } from '../../src/payments/core/payment.js';
import type { Change, EventRow, Lease, MovementRow, Stored } from '../../src/store/store.js';
import { time } from './virtual-time.js';

interface PaymentRow {
  payment: Payment;
  lease: Lease | undefined;
}

/** What the replicas of a world share: orders that are replaced as a whole, and may go back to what they were. */
export class Database {
  readonly orders = new Map<string, { rev: string; order: Order }>();
  readonly payments = new Map<string, PaymentRow>();
  events: EventRow[] = [];
  movements: MovementRow[] = [];
  /** How far the database's own clock is ahead. */
  clockOffset = 0;
  commits = 0;
  /** When commits were lost last; the replicas know at once. */
  restoredAt: number | undefined;
  private readonly undo: { at: number; reference: string; back: () => void }[] = [];

  constructor(private readonly committed: (reference: string, change: Change) => void) {}

  read(reference: string): Stored {
    const row = this.orders.get(reference);
    const rows = [...this.payments.values()].filter(({ payment }) => payment.reference === reference);
    return {
      reference,
      rev: row?.rev ?? null,
      order: row?.order ?? null,
      payments: rows.map(({ payment }) => payment).sort((a, b) => a.n - b.n),
      leases: new Map(rows.flatMap(({ payment, lease }) => (lease ? [[payment.id, lease] as const] : []))),
    };
  }

  state(reference: string): OrderState {
    return this.read(reference);
  }

  /** False: another write came first, or the lease is another's. */
  commit({ reference, rev }: Stored, change: Change): boolean {
    const before = this.orders.get(reference);
    if ((before?.rev ?? null) !== rev) return false;
    const { guard } = change;
    if (guard && this.payments.get(guard.payment)?.lease?.owner !== guard.owner) return false;
    const former = change.payments.map(({ id }) => [id, this.payments.get(id)] as const);
    const leased = (change.leases ?? []).map(({ payment }) => [payment, this.payments.get(payment)] as const);
    const { events, movements } = this;
    this.commits += 1;
    this.orders.set(reference, { rev: `r${this.commits}`, order: change.order });
    for (const payment of change.payments)
      this.payments.set(payment.id, { payment, lease: this.payments.get(payment.id)?.lease });
    for (const { payment, lease } of change.leases ?? []) this.setLease(payment, lease ?? undefined);
    if (change.events.length > 0) this.events = [...events, ...change.events];
    if (change.movements.length > 0) this.movements = [...movements, ...change.movements];
    this.undo.push({
      at: time.now,
      reference,
      back: () => {
        if (before) this.orders.set(reference, before);
        else this.orders.delete(reference);
        for (const [id, row] of [...former, ...leased])
          if (row) this.payments.set(id, row);
          else this.payments.delete(id);
        this.events = events;
        this.movements = movements;
      },
    });
    this.committed(reference, change);
    return true;
  }

  setLease(id: string, lease: Lease | undefined): void {
    const row = this.payments.get(id);
    if (row) this.payments.set(id, { ...row, lease });
  }

  /** The last commits are gone, as after a failover to a standby that was behind. Returns the orders that lost something. */
  lose(ms: number, now: number): string[] {
    const lost: string[] = [];
    for (let last = this.undo.at(-1); last && last.at > time.now - ms; last = this.undo.at(-1)) {
      last.back();
      lost.push(last.reference);
      this.undo.pop();
    }
    if (lost.length > 0) {
      this.restoredAt = now;
      // Every order is another one to whoever has it cached.
      for (const [reference, { order }] of this.orders)
        this.orders.set(reference, { rev: `l${now}-${reference}`, order });
    }
    return lost;
  }
}
