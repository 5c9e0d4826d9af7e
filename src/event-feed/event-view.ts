import type { EventRecord } from '../store/schema.js';
import { eventBody } from '../merchant-webhooks/event.js';
import type { EventDto } from './events.dto.js';

/** The members of a body as it is delivered. */
type EventBody = Omit<EventDto, 'delivery'>;

/** An event as it is shown: what is delivered, and how that stands. */
export function viewEvent(event: EventRecord): EventDto {
  return {
    ...(JSON.parse(eventBody(event)) as EventBody),
    delivery: {
      status: event.deliveryStatus,
      attempts: event.attempts,
      nextAttemptAt: event.nextAttemptAt === null ? null : new Date(event.nextAttemptAt).toISOString(),
      lastResult: event.lastResult,
    },
  };
}
