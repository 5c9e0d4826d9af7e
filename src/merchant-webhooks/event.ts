import { newId } from '../store/ids.js';
import type { EventRecord, EventType, OperationType } from '../store/schema.js';

export interface NewEvent {
  type: EventType;
  aggregateId: string;
  /** The number of this event among those of its payment or session, from 1. */
  sequence: number;
  reference: string;
  /** The payment or the session at this move, as an answer shows it, without payer data. */
  data: object;
  livemode: boolean;
  /** The time that the event bears, in milliseconds since the epoch. */
  at: number;
  /** The present time by the store's clock, where that is not `at`: delivery waits for no time that lies ahead. */
  now?: number;
  /** The gateway's answer came after the payment was closed unpaid. */
  late?: boolean;
  /** The operation that the event is about, where it is about one. */
  operation?: { type: OperationType; amount?: string };
  /** Whether the event is to be delivered: whether a webhook address is set. */
  deliver: boolean;
}

/** The outbox row of an event, to be written in the transaction that makes the move. */
export function makeEvent(event: NewEvent): EventRecord {
  const id = newId('evt');
  const body = JSON.stringify({
    id,
    type: event.type,
    apiVersion: 'v1',
    livemode: event.livemode,
    timestamp: new Date(event.at).toISOString(),
    sequence: event.sequence,
    ...(event.late && { late: true }),
    ...(event.operation && { operation: event.operation }),
    data: event.data,
  });
  return {
    id,
    type: event.type,
    aggregateId: event.aggregateId,
    sequence: event.sequence,
    reference: event.reference,
    body,
    createdAt: event.at,
    position: null,
    deliveryStatus: event.deliver ? 'pending' : 'none',
    attempts: 0,
    nextAttemptAt: event.deliver ? Math.min(event.at, event.now ?? event.at) : null,
    firstAttemptAt: null,
    lastResult: null,
    leaseOwner: null,
    leaseUntil: 0,
  };
}
