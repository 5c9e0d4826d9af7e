import type { EventRecord } from '../store/schema.js';
import type { EventDto } from './events.dto.js';

/** The members of a body as it is delivered. */
type EventBody = Omit<EventDto, 'delivery'>;

/** An event as it is shown: what is delivered, and how that stands. */
export function viewEvent(event: EventRecord): EventDto {
  const body = JSON.parse(event.body) as EventBody;
  return {
    id: body.id,
    type: body.type,
    apiVersion: body.apiVersion,
    livemode: body.livemode,
    timestamp: body.timestamp,
    sequence: body.sequence,
    ...(body.late !== undefined && { late: body.late }),
    ...(body.operation !== undefined && { operation: body.operation }),
    data: body.data,
    delivery: {
      status: event.deliveryStatus,
      attempts: event.attempts,
      nextAttemptAt: event.nextAttemptAt === null ? null : new Date(event.nextAttemptAt).toISOString(),
      lastResult: event.lastResult,
    },
  };
}
