import { IsOptional, IsString, Matches } from 'class-validator';
import { IsIntegerText } from '../http/validation/validators.js';
import type { EventType } from '../store/event-types.js';
import type { DeliveryStatus, OperationType } from '../store/schema.js';

/** How the delivery of an event to the merchant's server stands. */
export class DeliveryDto {
  /**
   * `none`: there was no address when it happened; `pending`: waits for its (next) attempt; `delivered`; `gone`: the server answered 410;
   * `given_up`: it was tried for 72 h.
   */
  status: DeliveryStatus;
  /** How often it was sent since it was written or redelivered. */
  attempts: number;
  /** RFC 3339, UTC. While an attempt is under way: when the event is sent again if the attempt's outcome is lost. */
  nextAttemptAt: string | null;
  /**
   * The status that the server answered with, or why there is none: `timeout`, `unreachable`, `no_answer`, `tls`, `private_address`,
   * `no_secret`, `interrupted`.
   * @example "http_200"
   */
  lastResult: string | null;
}

/** An operation that an event is about. */
export class EventOperationDto {
  type: OperationType;
  /** Decimal string in major units, for a completion or a refund. */
  amount?: string;
  /** Which refund it is. */
  refundId?: string;
}

/** Something that happened to a payment or a session, as it is delivered. */
export class EventDto {
  /** @example "evt_8Yk2cQ0nVtXw4u7LhZ1sRb6E" */
  id: string;
  /**
   * What happened. More words may come: ignore what you do not know.
   * @example "payment.succeeded"
   */
  type: EventType;
  apiVersion: string;
  /** Whether this is real money. */
  livemode: boolean;
  /** When it happened. RFC 3339, UTC. */
  timestamp: string;
  /** Counts the events of the payment or session from 1. */
  sequence: number;
  /** Set if the gateway's word came after the payment had been closed. */
  late?: boolean;
  /** The operation that the event is about: set on `payment.operation_refused`, `payment.refund_failed`, and on `payment.refunded` by a refund made here. */
  operation?: EventOperationDto;
  /** The payment, or the session, as it was then. */
  data: object;
  delivery: DeliveryDto;
}

/** Events in their one order. */
export class EventListDto {
  data: EventDto[];
  /** The last event's id, to ask with as `after`; null where there was none: ask again with the same. */
  nextCursor: string | null;
}

/** Which events to list. */
export class EventsQueryDto {
  /** The id of the event after which the list begins; from the first one by default. */
  @IsOptional()
  @IsString()
  @Matches(/^[A-Za-z0-9_-]{1,64}$/, { message: '$property must be the id of an event' })
  after?: string;

  /** Only this payment's. */
  @IsOptional()
  @IsString()
  @Matches(/^[A-Za-z0-9_-]{1,64}$/, { message: '$property must be the id of a payment' })
  paymentId?: string;

  /** 1 to 100, 50 by default. */
  @IsOptional()
  @IsIntegerText(1, 100)
  limit?: string;
}
