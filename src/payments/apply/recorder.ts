import { makeEvent } from '../../merchant-webhooks/event.js';
import { timelineId } from '../../store/ids.js';
import type { EventType } from '../../store/event-types.js';
import type {
  EventOperation,
  EventRecord,
  PaymentRecord,
  PaymentStatus,
  TimelineRecord,
  TimelineType,
} from '../../store/schema.js';
import { viewPayment } from '../views/payment-view.js';

/** When, by whom and where an update happens. */
export interface Circumstances {
  /** The time that rows and events bear, in milliseconds since the epoch. */
  at: number;
  /** The present time by the store's clock: when the events are due. */
  now: number;
  /** Who caused the update, if a person or the payer did. */
  actor: string | null;
  livemode: boolean;
  deliver: boolean;
  /** The number of the store's epoch. */
  epoch: number;
}

/**
 * Writes down what happens to one payment, for people in its timeline and for the shop as events. Counts both in the
 * payment's row, which it changes.
 */
export class Recorder {
  readonly timeline: TimelineRecord[] = [];
  readonly events: EventRecord[] = [];

  constructor(
    private readonly payment: PaymentRecord,
    private readonly circumstances: Circumstances,
  ) {}

  /** Adds an entry to the timeline. */
  enter(
    type: TimelineType,
    entry: { from?: PaymentStatus; to?: PaymentStatus; late?: boolean; detail?: Record<string, string> },
  ): void {
    const { payment, circumstances } = this;
    payment.timelineSequence += 1;
    this.timeline.push({
      paymentId: payment.id,
      sequence: payment.timelineSequence,
      id: timelineId(payment.id, payment.timelineSequence),
      type,
      at: circumstances.at,
      fromStatus: entry.from ?? null,
      toStatus: entry.to ?? null,
      late: entry.late ?? false,
      actor: circumstances.actor,
      detail: entry.detail ?? null,
    });
  }

  /** Adds an event with the payment as it is now. */
  announce(type: EventType, { late, operation }: { late: boolean; operation?: EventOperation }): void {
    const { payment, circumstances } = this;
    const { at, now, livemode, deliver, epoch } = circumstances;
    payment.eventSequence += 1;
    this.events.push(
      makeEvent({
        type,
        aggregateId: payment.id,
        sequence: payment.eventSequence,
        epoch,
        data: viewPayment(payment, livemode),
        livemode,
        at,
        now,
        late,
        operation,
        deliver,
      }),
    );
  }

  /** Lets the events that were added say whether the payment needs attention by now: that is known last of all. */
  tellAttention(): void {
    const { payment, circumstances } = this;
    const { needsAttention, attentionReasons } = viewPayment(payment, circumstances.livemode);
    for (const event of this.events) {
      if (event.aggregateId !== payment.id) continue;
      const data = JSON.parse(event.data) as object;
      event.data = JSON.stringify({ ...data, needsAttention, attentionReasons });
    }
  }
}
