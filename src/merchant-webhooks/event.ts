import { epochMark } from '../store/history/epoch.js';
import type { EventType } from '../store/event-types.js';
import type { EventOperation, EventRecord } from '../store/schema.js';
import { randomUUID } from 'node:crypto';

export interface NewEvent {
  type: EventType;
  aggregateId: string;
  /** The number of this event among those of its payment or session, from 1. */
  sequence: number;
  /** The number of the store's epoch: in a later one the same number may be given out again. */
  epoch: number;
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
  operation?: EventOperation;
  /** Whether the event is to be delivered: whether a webhook address is set. */
  deliver: boolean;
}

/** The outbox row of an event, to be written in the transaction that makes the move. Pure. */
export function makeEvent(event: NewEvent): EventRecord {
  return {
    id: eventId(event),
    type: event.type,
    aggregateId: event.aggregateId,
    sequence: event.sequence,
    livemode: event.livemode,
    late: event.late ?? false,
    operation: event.operation ?? null,
    data: JSON.stringify(event.data),
    createdAt: event.at,
    batch: null,
    ordinal: null,
    deliveryStatus: event.deliver ? 'pending' : 'none',
    attempts: 0,
    nextAttemptAt: event.deliver ? Math.min(event.at, event.now ?? event.at) : null,
    firstAttemptAt: null,
    lastResult: null,
    leaseOwner: null,
    leaseUntil: 0,
  };
}

/**
 * An event's id names its payment or session and its number, so the key of the table also finds the events of a payment, and
 * sees to it that a number is given once. The epoch sees to it where the store has forgotten that it has given it.
 */
function eventId({
  aggregateId,
  sequence,
  epoch,
}: Pick<NewEvent, 'aggregateId' | 'sequence' | 'epoch'>): string {
  return `evt_${aggregateId}_${sequence}${epochMark(epoch)}`;
}

/** The body that is sent and signed: the same text at every attempt. Pure. */
export function eventBody(event: EventRecord): string {
  const head = JSON.stringify({
    id: event.id,
    type: event.type,
    apiVersion: 'v1',
    livemode: event.livemode,
    timestamp: new Date(event.createdAt).toISOString(),
    sequence: event.sequence,
    ...(event.late && { late: true }),
    ...(event.operation && { operation: event.operation }),
  });
  return `${head.slice(0, -1)},"data":${event.data}}`;
}

/** The type of an event that is about no payment: shops accept it like any type that they do not know, and do nothing. */
export const TEST_EVENT_TYPE = 'tillfront.test';

/** An event to try a receiver with. It is always test money, so that nobody ships for it, and stands in no list. */
export function makeTestEvent(at: number): { id: string; body: string } {
  const id = `evt_test_${randomUUID().replaceAll('-', '')}`;
  const body = JSON.stringify({
    id,
    type: TEST_EVENT_TYPE,
    apiVersion: 'v1',
    livemode: false,
    timestamp: new Date(at).toISOString(),
    sequence: 1,
    data: {},
  });
  return { id, body };
}
