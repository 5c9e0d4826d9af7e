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
