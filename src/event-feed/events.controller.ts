import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { EmptyDto } from '../payments/views/payment.dto.js';
import { Audited } from '../audit/audited.js';
import { EventDto, EventListDto, EventsQueryDto } from './events.dto.js';
import { EventsService } from './events.service.js';
import type { EventRecord } from '../store/schema.js';
import { eventBody } from '../merchant-webhooks/event.js';
import { Access } from '../auth/access.guard.js';

const DEFAULT_LIMIT = 50;

@ApiTags('events')
@Controller('v1/events')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  /** Lists all events in one order, without gaps. A new event appears within a second. */
  @Get()
  @Access('full', 'read')
  @ApiOkResponse({ type: EventListDto })
  async list(@Query() query: EventsQueryDto): Promise<EventListDto> {
    const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
    const data = (await this.events.list(query.after, limit, query.paymentId)).map(viewEvent);
    return { data, nextCursor: data.at(-1)?.id ?? null };
  }

  /** Sends an event to the merchant's server again, under its id, with a new series of attempts. */
  @Post(':id/redeliver')
  @Access('full')
  @HttpCode(200)
  @Audited('redeliver')
  @ApiOkResponse({ type: EventDto })
  async redeliver(@Param('id') id: string, @Body() _: EmptyDto): Promise<EventDto> {
    return viewEvent(await this.events.redeliver(id));
  }
}

/** The members of a body as it is delivered. */
type EventBody = Omit<EventDto, 'delivery'>;

/** An event as it is shown: what is delivered, and how that stands. */
function viewEvent(event: EventRecord): EventDto {
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
