import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Audited } from '../../audit/audited.js';
import { Access } from '../../auth/access.guard.js';
import { actorOf, CurrentCaller, type Caller } from '../../auth/caller.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { Problem } from '../../http/problems/problem.js';
import { timeRangeOf } from '../../payments/api/payment-lists.js';
import { Store } from '../../store/store.js';
import {
  CloseDifferenceDto,
  DifferenceDto,
  DifferenceListDto,
  DifferencesQueryDto,
  differenceView,
  NoteDifferenceDto,
  ReopenDifferenceDto,
} from './differences.dto.js';
import { DifferencesRepository, type Listed } from './differences.repository.js';

const DEFAULT_LIMIT = 50;

@ApiTags('accounting')
@Controller('v1/differences')
export class DifferencesController {
  constructor(
    private readonly differences: DifferencesRepository,
    private readonly store: Store,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Lists differences over all reports, newest first. */
  @Get()
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: DifferenceListDto })
  async list(@Query() query: DifferencesQueryDto): Promise<DifferenceListDto> {
    const { limit: text, cursor, state, kind, reference, currency } = query;
    const limit = Number(text ?? DEFAULT_LIMIT);
    const range = timeRangeOf(query, this.config.booksTimeZone);
    const filter = { state, kind, reference, currency, ...range };
    const found = await this.differences.list(filter, limit + 1, cursor);
    const page = found.slice(0, limit);
    return {
      data: page.map(differenceView),
      nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  }

  /** Closes a difference. It stays closed while it says the same, and opens again when it says something else. */
  @Post(':id/close')
  @HttpCode(200)
  @Access('full', 'books')
  @Audited('close')
  @ApiOkResponse({ type: DifferenceDto })
  async close(
    @Param('id') id: string,
    @Body() { reason, note }: CloseDifferenceDto,
    @CurrentCaller() caller: Caller,
  ): Promise<DifferenceDto> {
    await this.found(id);
    const closing = {
      state: 'closed',
      closed_by: actorOf(caller),
      closed_at: this.store.now(),
      reason,
      note,
    };
    if (!(await this.differences.change(id, closing, `state = 'open'`)))
      throw new Problem('invalid-state', 'This difference is closed.');
    return differenceView(await this.found(id));
  }

  /** Opens a difference again that a person closed too early. */
  @Post(':id/reopen')
  @HttpCode(200)
  @Access('full', 'books')
  @Audited('reopen')
  @ApiOkResponse({ type: DifferenceDto })
  async reopen(@Param('id') id: string, @Body() { note }: ReopenDifferenceDto): Promise<DifferenceDto> {
    const { gone } = await this.found(id);
    if (gone) throw new Problem('invalid-state', 'Reports and ledger agree by now.');
    const opening = { state: 'open', closed_by: null, closed_at: null, reason: null };
    const noted = note === undefined ? opening : { ...opening, note };
    if (!(await this.differences.change(id, noted, `state = 'closed'`)))
      throw new Problem('invalid-state', 'This difference is open.');
    return differenceView(await this.found(id));
  }

  /** Adds a note. The latest one counts. */
  @Post(':id/note')
  @HttpCode(200)
  @Access('full', 'books')
  @Audited('note')
  @ApiOkResponse({ type: DifferenceDto })
  async note(@Param('id') id: string, @Body() { note }: NoteDifferenceDto): Promise<DifferenceDto> {
    await this.found(id);
    await this.differences.change(id, { note }, 'true');
    return differenceView(await this.found(id));
  }

  private async found(id: string): Promise<Listed> {
    const difference = await this.differences.find(id);
    if (!difference) throw new Problem('not-found', 'There is no such difference.');
    return difference;
  }
}
