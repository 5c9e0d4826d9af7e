import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApprovedDto } from '../../approvals/approval.dto.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import type { Answer } from '../../http/server/answer.js';
import { Idempotent } from '../../idempotency/idempotent.js';
import { waitingWriteOff } from '../../openapi/approval-examples.js';
import { namedExamples } from '../../openapi/named-examples.js';
import { timeRangeOf } from '../../payments/api/payment-filter.js';
import { Audited } from '../../audit/audited.js';
import { Keyed, type ReadKeyedCall } from '../../auth/keyed-call.js';
import { DifferenceActs } from './difference-acts.js';
import { Differences } from './differences.js';
import {
  CloseDifferenceDto,
  CLOSED_EXAMPLE,
  DifferenceDto,
  DifferenceListDto,
  DIFFERENCE_EXAMPLE,
  DIFFERENCES_EXAMPLE,
  DifferencesQueryDto,
  NoteDifferenceDto,
  ReopenDifferenceDto,
} from './differences.dto.js';
import { Access } from '../../auth/access.guard.js';

const DEFAULT_LIMIT = 50;

@ApiTags('differences')
@Controller('v1/differences')
export class DifferencesController {
  constructor(
    private readonly differences: Differences,
    private readonly acts: DifferenceActs,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Lists where settlement reports, lists of orders and the ledger differ, over all reports, the newest first. */
  @Get()
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: DifferenceListDto, examples: namedExamples({ differences: DIFFERENCES_EXAMPLE }) })
  list(@Query() query: DifferencesQueryDto): Promise<DifferenceListDto> {
    const { state, kind, reference, currency, limit, cursor } = query;
    const size = limit === undefined ? DEFAULT_LIMIT : Number(limit);
    const found = timeRangeOf(query, this.config.booksTimeZone);
    return this.differences.list({ state, kind, reference, currency, ...found, cursor, size });
  }

  /**
   * Closes a difference that is dealt with. One closes itself when what it lacked arrives. Above `APPROVAL_ABOVE` a write-off waits
   * for another person (202).
   */
  @Post(':id/close')
  @Access('full', 'books')
  @HttpCode(200)
  @Audited('close')
  @Idempotent()
  @ApiOkResponse({ type: DifferenceDto, examples: namedExamples({ closed: CLOSED_EXAMPLE }) })
  @ApiAcceptedResponse({
    type: ApprovedDto,
    description: 'Another person must approve it first.',
    examples: namedExamples({ waits: waitingWriteOff }),
  })
  close(
    @Param('id') id: string,
    @Body() dto: CloseDifferenceDto,
    @Keyed() keyed: ReadKeyedCall,
  ): Promise<Answer<DifferenceDto | ApprovedDto>> {
    return this.acts.close(id, dto, keyed(dto));
  }

  /** Opens a closed difference again. */
  @Post(':id/reopen')
  @Access('full', 'books')
  @HttpCode(200)
  @Audited('reopen')
  @Idempotent()
  @ApiOkResponse({ type: DifferenceDto, examples: namedExamples({ open: DIFFERENCE_EXAMPLE }) })
  reopen(
    @Param('id') id: string,
    @Body() dto: ReopenDifferenceDto,
    @Keyed() keyed: ReadKeyedCall,
  ): Promise<Answer<DifferenceDto>> {
    return this.acts.reopen(id, dto.note, keyed(dto));
  }

  /** Notes something about a difference. */
  @Post(':id/note')
  @Access('full', 'books')
  @HttpCode(200)
  @Audited('note')
  @Idempotent()
  @ApiOkResponse({
    type: DifferenceDto,
    examples: namedExamples({ noted: { ...DIFFERENCE_EXAMPLE, note: CLOSED_EXAMPLE.note } }),
  })
  note(
    @Param('id') id: string,
    @Body() { note }: NoteDifferenceDto,
    @Keyed() keyed: ReadKeyedCall,
  ): Promise<Answer<DifferenceDto>> {
    return this.acts.note(id, note, keyed({ note }));
  }
}
