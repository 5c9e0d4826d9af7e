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
   * Throws `not-found` for an unknown one.
   */
  async list(after: string | undefined, limit: number, paymentId?: string): Promise<EventRecord[]> {
    if (after === undefined) return this.events.listAfter(THE_BEGINNING, limit, paymentId);
    const { place } = await this.find(after);
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
    if (!this.deliveries.enabled) {
      throw new Problem('invalid-state', 'No address is configured to deliver events to.');
    }
    const event = await this.events.redeliver(id, this.store.clock.now());
    this.deliveries.wake();
    return event ?? this.find(id);
  }

  /** An event without a place is not in the list yet. */
  private async find(id: string): Promise<PlacedEvent> {
    const event = await this.events.find(id);
    if (!event || !isPlaced(event)) throw new Problem('not-found', 'There is no such event.');
    return event;
  }
}

function isPlaced(event: EventRecord & { place: Place | null }): event is PlacedEvent {
  return event.place !== null;
}
