import { Injectable } from '@nestjs/common';
import { Problem } from '../../http/problems/problem.js';
import type { Caller } from '../../auth/caller.js';
import type { PaymentReader } from '../../auth/tokens.js';
import { assertTokenReads } from '../../sessions/session-guards.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import type { PaymentRecord, TimelineRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { readCursor, writeCursor } from './payment-filter.js';
import { PaymentWaiters, type WaitHolder } from './payment-waiters.js';
import type { PaymentFilter } from '../state/payment-list.js';
import { isAsSeen } from '../views/payment.dto.js';
import { PaymentsRepository } from '../state/payments.repository.js';

/** How many long polls one token, and one merchant key, may hold in a process at the same time. */
const WAITS_OF_TOKEN = 8;
const WAITS_OF_KEY = 200;
/** After how many seconds a caller is to ask again that could not wait. */
const NO_ROOM_SECONDS = 5;

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
   * stands as the caller has `seen` it, and where too many wait already: then with the seconds after which to ask again.
   *
   * @param gone aborted when the caller no longer waits for the answer.
   */
  async findChanged(
    id: string,
    caller: Caller | PaymentReader,
    { seconds: wanted, seen }: { seconds: number; seen?: string | undefined },
    gone: AbortSignal,
  ): Promise<{ payment: PaymentRecord; retryAfterSeconds?: number }> {
    const payment = await this.find(id, caller);
    if (seen !== undefined && !isAsSeen(payment, seen)) return { payment };
    // Nobody waits longer than they may read.
    const left = caller.kind === 'reader' ? (caller.expiresAt - this.store.clock.now()) / 1000 : wanted;
    const seconds = Math.max(0, Math.min(wanted, left));
    if (seconds === 0) return { payment };
    const holder = holderOf(caller);
    if (!this.waiters.hasRoom(holder)) return { payment, retryAfterSeconds: NO_ROOM_SECONDS };
    const changed = await this.waiters.wait(payment, seconds, holder, gone);
    if (changed || gone.aborted) return { payment: changed ?? payment };
    // Status and next action are the same, but other fields may have changed.
    return { payment: (await this.repository.find(id)) ?? payment };
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
    case 'reader':
      return payment.id === caller.paymentId;
  }
}

/** A payer's links back are as many as they like, so the waits of all of a payment's links are counted together. */
function holderOf(caller: Caller | PaymentReader): WaitHolder {
  switch (caller.kind) {
    case 'merchant':
      return { name: `key ${caller.access} ${caller.name ?? ''}`, most: WAITS_OF_KEY };
    case 'client':
      return { name: caller.sessionId, most: WAITS_OF_TOKEN };
    case 'reader':
      return { name: caller.paymentId, most: WAITS_OF_TOKEN };
  }
}
