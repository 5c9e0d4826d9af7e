import { PickType } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { PageQueryDto } from '../payments/api/paging.dto.js';
import type { DeliveryStatus } from './outcome.js';

/** How the delivery of an event to the merchant's server stands. */
export class DeliveryDto {
  /** `pending`: not sent yet; `failed`: to be sent again; `delivered`; `given_up`: the server answered 410, or 72 hours passed. */
  status: DeliveryStatus;
  /** How often it was sent since it was written or redelivered. */
  attempts: number;
  /** RFC 3339, UTC; null: it is not sent again. */
  nextAttemptAt: string | null;
  /**
   * The status that the server answered with, or why there is none: `timeout`, `unreachable`, `interrupted`.
   * @example "http_200"
   */
  lastResult: string | null;
}

/** The operation that an event is about. */
export class EventOperationDto {
  type: string;
  /** Decimal, in major units. */
  amount?: string;
  refundId?: string;
}

/** Something that happened to a payment or a session, as it is delivered. */
export class EventDto {
  /** @example "evt_8Yk2cQ0nVtXw4u7LhZ1sRb6E" */
  id: string;
  /**
   * What happened. Ignore words that you do not know.
   * @example "payment.succeeded"
   */
  type: string;
  apiVersion: string;
  /** Whether this is real money. */
  livemode: boolean;
  /** When it happened. RFC 3339, UTC. */
  timestamp: string;
  /** Counts the events of the payment or session from 1. */
  sequence: number;
  /** The gateway's word came after the payment had been closed. */
  late?: boolean;
  operation?: EventOperationDto;
  /** The payment, or the session without payer and token, as it then was. */
  data: object;
  delivery: DeliveryDto;
}

export class EventListDto {
  /** Oldest first. */
  data: EventDto[];
  /** The last event's id: pass it as `after` to go on; null where there was none. */
  nextCursor: string | null;
}

export class EventsQueryDto extends PickType(PageQueryDto, ['limit'] as const) {
  /** The id of the event after which the list begins; from the first one by default. */
  @IsOptional()
  @Matches(/^evt_\w{1,60}$/, { message: '$property must be the id of an event' })
  after?: string;

  /** Only this payment's. */
  @IsOptional()
  @Matches(/^pay_\w{1,60}$/, { message: '$property must be the id of a payment' })
  paymentId?: string;
}
