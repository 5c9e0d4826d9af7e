import { Injectable } from '@nestjs/common';
import { Problem } from '../../http/problems/problem.js';
import type { Caller } from '../../sessions/caller.js';
import type { PaymentReader } from '../../sessions/payment-reader.js';
import { assertTokenReads } from '../../sessions/session-guards.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import type { PaymentRecord, TimelineRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { readCursor, writeCursor } from './payment-cursor.js';
import { PaymentWaiters } from './payment-waiters.js';
import type { PaymentFilter } from '../state/payment-list.js';
import { standsAs } from '../views/standing.js';
import { PaymentsRepository } from '../state/payments.repository.js';

/** Reads payments for callers that may see them. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly repository: PaymentsRepository,
    private readonly sessions: SessionsRepository,
    private readonly waiters: PaymentWaiters,
    private readonly store: Store,
  ) {}

  /** A payment that this caller may see. Another session's payment is `not-found`, as if it did not exist. */
  async find(id: string, caller: Caller | PaymentReader): Promise<PaymentRecord> {
    if (caller.kind === 'client') {
      assertTokenReads(await this.sessions.find(caller.sessionId), this.store.clock.now());
    }
    // Read last, so that a caller who then waits misses no change in between.
    const payment = await this.repository.find(id);
    if (!payment || !isOf(payment, caller)) {
      throw new Problem('not-found', 'There is no such payment.');
    }
    return payment;
  }

  /**
   * The payment as soon as its status or next action changes, or after this many seconds at the latest. At once where it no longer
   * stands as the caller has `seen` it.
   */
  async findChanged(
    id: string,
    caller: Caller | PaymentReader,
    wanted: number,
    seen?: string,
  ): Promise<PaymentRecord> {
    const payment = await this.find(id, caller);
    if (seen !== undefined && !standsAs(payment, seen)) return payment;
    // Nobody waits longer than they may read.
    const left =
      caller.kind === 'payment-reader' ? (caller.expiresAt - this.store.clock.now()) / 1000 : wanted;
    const seconds = Math.max(0, Math.min(wanted, left));
    const changed = await this.waiters.wait(payment, seconds);
    // Status and next action are the same, but other fields may have changed.
    return changed ?? (seconds > 0 ? ((await this.repository.find(id)) ?? payment) : payment);
  }

  /** One page, newest first, and where the next one begins. */
  async list(
    filter: PaymentFilter,
    limit: number,
    cursor: string | undefined,
  ): Promise<{ payments: PaymentRecord[]; nextCursor: string | null }> {
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const found = await this.repository.list(filter, limit + 1, after);
    const payments = found.slice(0, limit);
    const last = payments.at(-1);
    return { payments, nextCursor: last && found.length > limit ? writeCursor(last) : null };
  }

  /** A payment's timeline, the oldest entry first. */
  async timeline(id: string): Promise<TimelineRecord[]> {
    if (!(await this.repository.find(id))) throw new Problem('not-found', 'There is no such payment.');
    return this.repository.timeline(id);
  }
}

function isOf(payment: PaymentRecord, caller: Caller | PaymentReader): boolean {
  switch (caller.kind) {
    case 'merchant':
      return true;
    case 'client':
      return payment.sessionId === caller.sessionId;
    case 'payment-reader':
      return payment.id === caller.paymentId;
  }
}
