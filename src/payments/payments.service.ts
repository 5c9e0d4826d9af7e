import { Injectable } from '@nestjs/common';
import { Problem } from '../http/problem.js';
import type { Caller } from '../sessions/caller.js';
import { assertTokenReads } from '../sessions/session-guards.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import type { PaymentRecord, TimelineRecord } from '../store/schema.js';
import { readCursor, writeCursor } from './payment-cursor.js';
import { PaymentWaiters } from './payment-waiters.js';
import { PaymentsRepository, type PaymentFilter } from './payments.repository.js';

/** Reads payments for whoever may see them. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly repository: PaymentsRepository,
    private readonly sessions: SessionsRepository,
    private readonly waiters: PaymentWaiters,
  ) {}

  /** A payment that this caller may see. Another session's payment is `not-found`, like none at all. */
  async find(id: string, caller: Caller): Promise<PaymentRecord> {
    if (caller.kind === 'client') {
      assertTokenReads(await this.sessions.find(caller.sessionId), Date.now());
    }
    // Last of all: whoever waits for a change is to miss none between this reading and the waiting.
    const payment = await this.repository.find(id);
    if (!payment || (caller.kind === 'client' && payment.sessionId !== caller.sessionId)) {
      throw new Problem('not-found', 'There is no such payment.');
    }
    return payment;
  }

  /** The payment as soon as its status or next action differs from now, at the latest after `seconds`. */
  async findChanged(id: string, caller: Caller, seconds: number): Promise<PaymentRecord> {
    const payment = await this.find(id, caller);
    const changed = await this.waiters.wait(payment, seconds);
    // Nothing new for status and action: other fields may have changed all the same.
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
