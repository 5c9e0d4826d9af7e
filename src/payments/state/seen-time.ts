import type { OperationRecord, PaymentRecord } from '../../store/schema.js';
import { Injectable } from '@nestjs/common';
import { isLive } from './payment-state.js';

/** When this process heard of a payment, by `performance.now()`, and how much time anybody had seen to pass by then. */
export interface Note {
  at: number;
  seenMs: number;
  /** The operation whose outcome was unknown then. */
  pending: PaymentRecord['pendingOperation'];
}

/** When something was heard of a payment, and what this process noted when it heard of it before. Undefined: never before. */
export interface AnswerTimes {
  at: number;
  before: Note | undefined;
}

/** What writes and answers take at most: the sum of many spans is a little less than their whole. */
const TOLERANCE_MS = 2_000;
/** A replica's end leaves a gap: it saw what passed before, and its successor what passes after. */
const TOLERANCE = 0.01;

/**
 * The payment with the time added that was seen to pass since it was last heard of: by the store's clock since anybody
 * heard of it, but in all no more than by this process's own since it did itself. So a clock that was set, and a process that was not
 * running, add nothing, and what two processes saw that ask in turn counts once. What this process saw before another one began an
 * operation does not count towards that: it adds nothing until it has heard of it. Pure.
 */
export function withSeenTime(
  payment: PaymentRecord,
  { at, before }: AnswerTimes,
  now: number,
): PaymentRecord {
  const pending = payment.pendingOperation?.since;
  const isNews = pending !== undefined && pending !== before?.pending?.since;
  const own = before === undefined || isNews ? 0 : before.seenMs + (at - before.at) - payment.seenMs;
  const stored = payment.answeredAt === null ? 0 : now - payment.answeredAt;
  const passed = Math.max(0, Math.floor(Math.min(own, stored)));
  return { ...payment, seenMs: payment.seenMs + passed, answeredAt: now };
}

/** How long an operation has been seen to be open since its call, in milliseconds. */
export function seenSinceCall(payment: PaymentRecord, { seenFromMs }: OperationRecord): number {
  return payment.seenMs - seenFromMs;
}

/** How much more must be seen to pass until the payment's time is over, which ends at `end`. 0 or less: nothing. */
export function unseenUntil(end: number, payment: PaymentRecord): number {
  const allotted = end - payment.createdAt;
  return allotted - Math.max(TOLERANCE_MS, allotted * TOLERANCE) - payment.seenMs;
}

/** Of payments that are open at the same time. Of one that is forgotten, less time is seen to pass. */
const MAX_NOTES = 100_000;

/**
 * When this process last heard of each open payment, and how much time had been seen to pass by then. Not stored: another process, or this one
 * after a restart, has not seen the time pass that lies before its own first note.
 */
@Injectable()
export class AnswerNotes {
  /** The one that was heard of longest ago first. */
  private readonly notes = new Map<string, Note>();

  /** Something was heard of the payment just now. To be kept once it is written. */
  hear(paymentId: string): AnswerTimes {
    return { at: performance.now(), before: this.notes.get(paymentId) };
  }

  /** Notes that the payment, as it was written, was heard of. */
  keep(payment: PaymentRecord, { at }: Pick<AnswerTimes, 'at'>): void {
    this.notes.delete(payment.id);
    if (!isLive(payment.status) && payment.pendingOperation === null) return;
    this.notes.set(payment.id, { at, seenMs: payment.seenMs, pending: payment.pendingOperation });
    if (this.notes.size <= MAX_NOTES) return;
    for (const oldest of this.notes.keys()) {
      this.notes.delete(oldest);
      return;
    }
  }
}
