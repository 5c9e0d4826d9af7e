import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { sql } from 'kysely';
import type { PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { decodeRow, payments, type StoredRow } from '../../store/tables.js';

/** A payment that is waited for: as of which version it is known here, and by whom. */
interface Awaited {
  version: number;
  waiters: Set<Waiter>;
}

interface Waiter {
  paymentId: string;
  /** What the caller knows already. */
  seen: string;
  /** A reading of `performance.now()`. */
  deadline: number;
  resolve: (payment: PaymentRecord | undefined) => void;
}

/** How often deadlines are looked at, and, where other processes write too, the store: one look for all waiters. */
const TICK_MS = 250;
const LOOK_EVERY_TICKS = 2;

/** What of a payment a waiter waits for: its status and its next action. */
export function waitingFor(payment: PaymentRecord): string {
  return `${payment.status} ${JSON.stringify(payment.nextAction)}`;
}

/**
 * Long polls: thousands wait with one timer and one query a process. What this process writes is told at once; what
 * other replicas write is seen by looking.
 */
@Injectable()
export class PaymentWaiters implements BeforeApplicationShutdown {
  private readonly waiting = new Map<string, Awaited>();
  private timer: NodeJS.Timeout | undefined;
  private ticks = 0;
  private looking = false;
  private ended = false;

  constructor(private readonly store: Store) {
    store.writer.onCommitted(({ payment }) => {
      if (payment) this.tell(payment);
    });
  }

  /**
   * Resolves with the payment as soon as its status or next action differs from `payment`'s, and with undefined after
   * `seconds` or when the process shuts down.
   */
  wait(payment: PaymentRecord, seconds: number): Promise<PaymentRecord | undefined> {
    if (this.ended || seconds <= 0) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const awaited = this.waiting.get(payment.id) ?? { version: payment.version, waiters: new Set() };
      this.waiting.set(payment.id, awaited);
      // The one who knows least decides from where on changes are looked for.
      awaited.version = Math.min(awaited.version, payment.version);
      awaited.waiters.add({
        paymentId: payment.id,
        seen: waitingFor(payment),
        deadline: performance.now() + seconds * 1000,
        resolve,
      });
      this.timer ??= setInterval(() => {
        this.tick();
      }, TICK_MS);
    });
  }

  beforeApplicationShutdown(): void {
    this.endAll();
  }

  /** Answers everybody who waits, and lets nobody wait any more. */
  endAll(): void {
    this.ended = true;
    for (const { waiters } of this.waiting.values()) for (const waiter of waiters) waiter.resolve(undefined);
    this.waiting.clear();
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

  /** Sees what other processes have written. A store that does not answer is looked at again with the next tick. */
  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      const awaited = [...this.waiting];
      const ids = awaited.map(([id]) => id);
      const versions = awaited.map(([, { version }]) => version);
      // One question for all of them, answered with what has changed: as a rule with nothing.
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
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.waiting.delete(waiter.paymentId);
    waiter.resolve(payment);
  }

  private rest(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
