import { Injectable } from '@nestjs/common';
import { Problem } from '../http/problems/problem.js';
import { DeliveryWorker } from '../merchant-webhooks/delivery-worker.js';
import { EventsRepository, THE_BEGINNING, type Place } from '../merchant-webhooks/events.repository.js';
import type { EventRecord } from '../store/schema.js';
import { Store } from '../store/store.js';

type PlacedEvent = EventRecord & { place: Place };

/** The list of events, and sending one again. */
@Injectable()
export class EventsService {
  constructor(
    private readonly events: EventsRepository,
    private readonly deliveries: DeliveryWorker,
    private readonly store: Store,
  ) {}

  /**
   * At most `limit` events after the one with the id `after`, or from the first one; those of one payment only, where it is given.
   * Throws `not-found` for an unknown one, with what to ask for instead.
   */
  async list(after: string | undefined, limit: number, paymentId?: string): Promise<EventRecord[]> {
    if (after === undefined) return this.events.listAfter(THE_BEGINNING, limit, paymentId);
    const { place } = await this.find(after, this.withoutAfter());
    return this.events.listAfter(place, limit, paymentId);
  }

  /** At most `limit` events that wait for their delivery, the one that is sent next first. */
  waiting(limit: number): Promise<EventRecord[]> {
    return this.events.waiting(limit);
  }

  /**
   * Sends an event again, whatever became of it before. Throws `not-found` for an unknown one, `invalid-state` where there is no
   * address to send it to.
   */
  async redeliver(id: string): Promise<EventRecord> {
    await this.find(id);
    this.requireAddress();
    const event = await this.events.redeliver(id, this.store.clock.now());
    this.deliveries.wake();
    return event ?? this.find(id);
  }

  /**
   * Sends all events now that wait for a later attempt, as fast as deliveries go. Returns how many they are. Throws `invalid-state`
   * where there is no address to send them to.
   */
  async redeliverWaiting(): Promise<number> {
    this.requireAddress();
    const now = this.store.clock.now();
    const waiting = await this.events.countLater(now);
    let brought = 0;
    // Those that fail meanwhile wait again, so that this would go on as long as they do.
    while (brought < waiting) {
      const more = await this.events.bringForward(now, now);
      this.deliveries.wake();
      if (more === 0) break;
      brought += more;
    }
    return brought;
  }

  private requireAddress(): void {
    if (!this.deliveries.enabled) {
      throw new Problem('invalid-state', 'No address is configured to deliver events to.');
    }
  }

  /** An event without a place is not in the list yet. */
  private async find(id: string, otherwise = 'There is no such event.'): Promise<PlacedEvent> {
    const event = await this.events.find(id);
    if (!event || !isPlaced(event)) throw new Problem('not-found', otherwise);
    return event;
  }

  /** What a shop does whose last event is not there. */
  private withoutAfter(): string {
    const why =
      this.store.epoch.number > 0
        ? 'the database has lost it, or it was removed after EVENT_RETENTION_DAYS'
        : 'its id is wrong, or it was removed after EVENT_RETENTION_DAYS';
    return (
      `There is no such event: ${why}. Ask again with the newest event of yours that is still known, or without after, ` +
      'and skip the events whose id you have.'
    );
  }
}

function isPlaced(event: EventRecord & { place: Place | null }): event is PlacedEvent {
  return event.place !== null;
}
