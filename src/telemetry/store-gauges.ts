import { Gauge, type Registry } from 'prom-client';

/** What a question is worth, in the order of the numbers that the schedule uses, from 1. */
const WORTH_NAMES = ['unknown', 'notified', 'waiting', 'follow_up'] as const;

/** How the metrics call a worth. */
export function worthName(worth: number): string {
  return WORTH_NAMES[worth - 1] ?? 'other';
}

/**
 * Figures of the store, which all its replicas show alike. They show nothing before it was read, and nothing while it cannot be.
 */
export class StoreGauges {
  readonly #all: { gauge: Gauge; isLabeled: boolean }[] = [];
  readonly #unknownOpen = this.#gauge(
    'outcome_unknown_open',
    'Payments and operations whose outcome is unknown now',
  );
  readonly #unknownOldest = this.#gauge(
    'outcome_unknown_oldest_seconds',
    'Age of the oldest unknown outcome, 0 without one',
  );
  readonly #inquiryOverdue = this.#gauge(
    'inquiry_overdue_seconds',
    'Seconds that the most overdue status query has been due (for waiting payments and follow-ups: less half an hour); 0 if none is.',
  );
  readonly #eventsWaiting = this.#gauge(
    'events_waiting',
    'Events that the merchant has not accepted yet and that will be tried again',
  );
  readonly #eventsOldest = this.#gauge(
    'events_oldest_waiting_seconds',
    'Age of the oldest of them, 0 without one',
  );
  readonly #needsAttention = this.#gauge('payments_needing_attention', 'Payments that a person must look at');
  readonly #duplicates = this.#gauge(
    'duplicates',
    'Payments that hold money of an order that another payment pays.',
  );
  readonly #heldReferences = this.#gauge(
    'held_references',
    'References held: no payment of theirs starts until the gateway says what became of one that is unknown here.',
  );
  readonly #questionsDue = this.#gauge('questions_due', 'Payments due for a status query, by priority.', [
    'worth',
  ]);
  readonly #notificationsOldest = this.#gauge(
    'notifications_oldest_waiting_seconds',
    'Age of the oldest notification not handed to the schedule yet; 0 if none.',
  );

  constructor(registry: Registry) {
    for (const { gauge } of this.#all) registry.registerMetric(gauge);
    this.unread();
  }

  /** How many outcomes are unknown now, and for how many seconds the oldest has been. */
  outcomesUnknown(open: number, oldestSeconds: number): void {
    this.#unknownOpen.set(open);
    this.#unknownOldest.set(oldestSeconds);
  }

  /** For how many seconds the most overdue inquiry has been due. */
  inquiriesOverdue(oldestSeconds: number): void {
    this.#inquiryOverdue.set(oldestSeconds);
  }

  /** How many events the merchant has not accepted yet, and for how many seconds the oldest has waited. */
  eventsWaiting(count: number, oldestSeconds: number): void {
    this.#eventsWaiting.set(count);
    this.#eventsOldest.set(oldestSeconds);
  }

  /** How many payments need a person's attention now. */
  paymentsNeedingAttention(count: number): void {
    this.#needsAttention.set(count);
  }

  /** How many payments hold money now beside another one that pays their reference. */
  duplicates(count: number): void {
    this.#duplicates.set(count);
  }

  /** How many references are held. */
  heldReferences(count: number): void {
    this.#heldReferences.set(count);
  }

  /** How many payments are due to be asked about, of each worth. */
  questionsDue(due: ReadonlyMap<number, number>): void {
    WORTH_NAMES.forEach((name, index) => {
      this.#questionsDue.set({ worth: name }, due.get(index + 1) ?? 0);
    });
  }

  /** For how many seconds the oldest notification has waited for the schedule to know of it. */
  notificationsWaiting(oldestSeconds: number): void {
    this.#notificationsOldest.set(oldestSeconds);
  }

  /** The store could not be read: nobody knows what the gauges would show that are read from it, so they show nothing. */
  unread(): void {
    for (const { gauge, isLabeled } of this.#all) {
      // One without labels is reset to 0, which is a value too.
      if (isLabeled) gauge.reset();
      else gauge.remove();
    }
  }

  #gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    const gauge = new Gauge({ name: `tillfront_${name}`, help, labelNames, registers: [] });
    this.#all.push({ gauge, isLabeled: labelNames.length > 0 });
    return gauge;
  }
}
