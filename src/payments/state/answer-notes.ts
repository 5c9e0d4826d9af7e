import { Injectable } from '@nestjs/common';
import type { PaymentRecord } from '../../store/schema.js';
import { isLive } from './payment-state.js';
import type { AnswerTimes, Note } from './seen-time.js';

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
    this.notes.set(payment.id, { at, seenMs: payment.seenMs });
    if (this.notes.size <= MAX_NOTES) return;
    for (const oldest of this.notes.keys()) {
      this.notes.delete(oldest);
      return;
    }
  }
}
