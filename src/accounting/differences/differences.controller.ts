import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Audited } from '../../audit/audited.js';
import { Access } from '../../auth/access.guard.js';
import { actorOf, CurrentCaller, type Caller } from '../../auth/caller.js';
import { CONFIG, type Config } from '../../config/config.js';
import { Problem } from '../../http/problems/problem.js';
import { pageOf, rowsOf } from '../../payments/api/paging.dto.js';
import { idAt, timeRangeOf } from '../../payments/api/payment-lists.js';
import { Store, type SqlValue } from '../../store/store.js';
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
  async list(
    @Query() { limit, cursor, from, to, ...equal }: DifferencesQueryDto,
  ): Promise<DifferenceListDto> {
    const filter = { ...equal, ...timeRangeOf({ from, to }, this.config.booksTimeZone) };
    const found = await this.differences.list(filter, rowsOf(limit), idAt(cursor, 'dif'));
    const { rows, nextCursor } = pageOf(found, limit, ({ id }) => id);
    return { data: rows.map(differenceView), nextCursor };
  }

  /** Closes a difference. It stays closed while it says the same, and opens again when it says something else. */
  @Post(':id/close')
  @HttpCode(200)
  @Access('full', 'books')
  @Audited('close')
  @ApiOkResponse({ type: DifferenceDto })
  close(
    @Param('id') id: string,
    @Body() { reason, note }: CloseDifferenceDto,
    @CurrentCaller() caller: Caller,
  ): Promise<DifferenceDto> {
    const closing = { closed_by: actorOf(caller), closed_at: this.store.now(), reason, note };
    return this.changed(id, { state: 'closed', ...closing }, `state = 'open'`, 'This difference is closed.');
  }

  /** Opens a difference again that a person closed too early. */
  @Post(':id/reopen')
  @HttpCode(200)
  @Access('full', 'books')
  @Audited('reopen')
  @ApiOkResponse({ type: DifferenceDto })
  reopen(@Param('id') id: string, @Body() { note }: ReopenDifferenceDto): Promise<DifferenceDto> {
    const opening = { state: 'open', closed_by: null, closed_at: null, reason: null };
    return this.changed(
      id,
      { ...opening, ...(note !== undefined && { note }) },
      `state = 'closed' and gone = 0`,
      'This difference is open, or reports and ledger agree by now.',
    );
  }

  /** Adds a note. The latest one counts. */
  @Post(':id/note')
  @HttpCode(200)
  @Access('full', 'books')
  @Audited('note')
  @ApiOkResponse({ type: DifferenceDto })
  note(@Param('id') id: string, @Body() { note }: NoteDifferenceDto): Promise<DifferenceDto> {
    return this.changed(id, { note }, 'true', '');
  }

  private async changed(
    id: string,
    columns: Readonly<Record<string, SqlValue>>,
    condition: string,
    refusal: string,
  ): Promise<DifferenceDto> {
    await this.found(id);
    if (!(await this.differences.change(id, columns, condition))) throw new Problem('invalid-state', refusal);
    return differenceView(await this.found(id));
  }

  private async found(id: string): Promise<Listed> {
    const difference = await this.differences.find(id);
    if (!difference) throw new Problem('not-found', 'There is no such difference.');
    return difference;
  }
}
