import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Audited } from '../audit/audited.js';
import { Access } from '../auth/access.guard.js';
import { Problem } from '../http/problems/problem.js';
import { EmptyDto } from '../payments/api/requests.dto.js';
import { timeText } from '../payments/core/view.js';
import { Store } from '../store/store.js';
import { Deliverer } from './deliverer.js';
import { EventDto, EventListDto, EventsQueryDto } from './events.dto.js';
import { EventsRepository, type StoredEvent } from './events.repository.js';

const DEFAULT_LIMIT = 50;

@ApiTags('events')
@Controller('v1/events')
export class EventsController {
  constructor(
    private readonly events: EventsRepository,
    private readonly deliverer: Deliverer,
    private readonly store: Store,
  ) {}

  /** Lists all events in one order without gaps, oldest first. */
  @Get()
  @Access('full', 'read')
  @ApiOkResponse({ type: EventListDto })
  async list(@Query() { after, paymentId, limit }: EventsQueryDto): Promise<EventListDto> {
    const place = after === undefined ? 0 : (await this.find(after)).seq;
    const data = (await this.events.list(place, Number(limit ?? DEFAULT_LIMIT), paymentId)).map(viewOf);
    return { data, nextCursor: data.at(-1)?.id ?? null };
  }

  /** Sends an event again under its id, with a new series of attempts. */
  @Post(':id/redeliver')
  @HttpCode(200)
  @Access('full')
  @Audited('redeliver')
  @ApiOkResponse({ type: EventDto })
  async redeliver(@Param('id') id: string, @Body() _: EmptyDto): Promise<EventDto> {
    await this.find(id);
    if (!this.deliverer.enabled) throw new Problem('invalid-state', 'MERCHANT_WEBHOOK_URL is not set.');
    await this.events.redeliver(id, this.store.now());
    this.deliverer.wake();
    return viewOf(await this.find(id));
  }

  private async find(id: string): Promise<StoredEvent> {
    const event = await this.events.find(id);
    if (!event)
      throw new Problem(
        'not-found',
        'There is no such event. It may have been removed after EVENT_RETENTION_DAYS.',
      );
    return event;
  }
}

function viewOf({ body, status, attempts, next_at, last_result }: StoredEvent): EventDto {
  const isOpen = status === 'pending' || status === 'failed';
  return {
    ...(JSON.parse(body) as Omit<EventDto, 'delivery'>),
    delivery: {
      status,
      attempts,
      nextAttemptAt: isOpen && next_at > 0 ? timeText(next_at) : null,
      lastResult: last_result,
    },
  };
}
