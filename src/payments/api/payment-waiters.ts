import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { decodeRow, type StoredRow } from '../../store/table.js';
import { type PaymentRecord, payments } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { amountReceived } from '../state/money-held.js';

/** A payment that callers wait for, with the version known here. */
interface Awaited {
  version: number;
  waiters: Set<Waiter>;
}

/** Whose waits are counted together. */
export interface WaitHolder {
  name: string;
  /** How many waits it may hold in this process at the same time. */
  most: number;
}

/** How many waits a process holds. */
export const MOST_WAITS = 2_000;

interface Waiter {
  paymentId: string;
  holder: string;
  /** What the caller knows already. */
  seen: string;
  /** A reading of `performance.now()`. */
  deadline: number;
  resolve: (payment: PaymentRecord | undefined) => void;
}

/** How often deadlines are checked, and also the store if other processes write to it: one query for all waiters. */
const TICK_MS = 250;
const LOOK_EVERY_TICKS = 2;

/** What a waiter waits for: a change of status or next action, or money of another amount than is owed. */
function waitingFor(payment: PaymentRecord): string {
  const received = String(amountReceived(payment) ?? '');
  return `${payment.status} ${JSON.stringify(payment.nextAction)} ${received}`;
}

/**
 * Long polls. Thousands of callers wait with one timer and one query for the whole process. Changes by this process are
 * reported at once, those of other replicas are found by polling. Each wait holds a connection and memory, so their number is
 * bounded, for each holder and for the process.
 */
@Injectable()
export class PaymentWaiters {
  private readonly waiting = new Map<string, Awaited>();
  /** How many waits each holder has. */
  private readonly held = new Map<string, number>();
  private all = 0;
  private timer: NodeJS.Timeout | undefined;
  private ticks = 0;
  private looking = false;
  private ended = false;

  constructor(private readonly store: Store) {
    store.writer.onCommitted(({ payment }) => {
      if (payment) this.tell(payment);
    });
  }

  /** Whether this holder may wait now. */
  hasRoom({ name, most }: WaitHolder): boolean {
    return this.all < MOST_WAITS && (this.held.get(name) ?? 0) < most;
  }

  /** How many waits there are now. */
  get count(): number {
    return this.all;
  }

  /**
   * Resolves with the payment as soon as its status or next action differs from `payment`'s, and with undefined after
   * `seconds`, when the caller has `left`, where the holder has no room, or when the process shuts down.
   */
  wait(
    payment: PaymentRecord,
    seconds: number,
    holder: WaitHolder,
    left?: AbortSignal,
  ): Promise<PaymentRecord | undefined> {
    if (this.ended || seconds <= 0 || left?.aborted || !this.hasRoom(holder))
      return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const awaited = this.waiting.get(payment.id) ?? { version: payment.version, waiters: new Set() };
      this.waiting.set(payment.id, awaited);
      // Changes are looked for from the oldest version that a waiter knows.
      awaited.version = Math.min(awaited.version, payment.version);
      const gone = (): void => {
        this.end(waiter, undefined);
      };
      const waiter: Waiter = {
        paymentId: payment.id,
        holder: holder.name,
        seen: waitingFor(payment),
        deadline: performance.now() + seconds * 1000,
        resolve: (changed) => {
          left?.removeEventListener('abort', gone);
          resolve(changed);
        },
      };
      left?.addEventListener('abort', gone);
      awaited.waiters.add(waiter);
      this.all += 1;
      this.held.set(holder.name, (this.held.get(holder.name) ?? 0) + 1);
      this.timer ??= setInterval(() => {
        this.tick();
      }, TICK_MS);
    });
  }

  /** Answers all waiters and accepts no new ones. */
  onModuleDestroy(): void {
    this.stop();
  }

  stop(): void {
    this.ended = true;
    for (const { waiters } of this.waiting.values())
      for (const waiter of waiters) this.end(waiter, undefined);
    this.rest();
  }

  private tell(payment: PaymentRecord): void {
    const awaited = this.waiting.get(payment.id);
    if (!awaited) return;
    awaited.version = Math.max(awaited.version, payment.version);
    const now = waitingFor(payment);
    for (const waiter of awaited.waiters) if (waiter.seen !== now) this.end(waiter, payment);
  }

  private tick(): void {
    const now = performance.now();
    for (const { waiters } of this.waiting.values()) {
      for (const waiter of waiters) if (waiter.deadline <= now) this.end(waiter, undefined);
    }
    this.ticks += 1;
    if (this.waiting.size === 0) this.rest();
    else if (this.store.kind === 'postgres' && this.ticks % LOOK_EVERY_TICKS === 0) void this.look();
  }

  /** Finds changes by other processes. If the store does not answer, the next tick tries again. */
  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      const awaited = [...this.waiting];
      const ids = awaited.map(([id]) => id);
      const versions = awaited.map(([, { version }]) => version);
      // One query for all of them. It returns what has changed: usually nothing.
      const { rows } = await sql<StoredRow>`
        select payments.* from unnest(${ids}::text[], ${versions}::bigint[]) as known (id, version)
        join payments on payments.id = known.id and payments.version > known.version`.execute(this.store.db);
      for (const row of rows) this.tell(decodeRow(payments, row));
    } catch {
      // The waiters get their answer at their deadline.
    } finally {
      this.looking = false;
    }
  }

  private end(waiter: Waiter, payment: PaymentRecord | undefined): void {
    const waiters = this.waiting.get(waiter.paymentId)?.waiters;
    if (!waiters?.delete(waiter)) return;
    if (waiters.size === 0) this.waiting.delete(waiter.paymentId);
    const left = (this.held.get(waiter.holder) ?? 0) - 1;
    if (left > 0) this.held.set(waiter.holder, left);
    else this.held.delete(waiter.holder);
    this.all -= 1;
    waiter.resolve(payment);
  }

  private rest(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
