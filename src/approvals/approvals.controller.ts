import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Audited } from '../audit/audited.js';
import { Access } from '../auth/access.guard.js';
import { CurrentCaller, merchantOf, type Caller } from '../auth/caller.js';
import { Keyed, type ReadKeyedCall } from '../auth/keyed-call.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import type { Answer } from '../http/server/answer.js';
import { newKey } from '../payments/api/keyed.js';
import { Idempotent } from '../payments/api/payment-calls.js';
import { ApprovalListDto, ApprovalsQueryDto, ApprovedDto, DecisionDto } from './approval.dto.js';
import { Approvals } from './approvals.js';

@ApiTags('approvals')
@Controller('v1/approvals')
export class ApprovalsController {
  constructor(
    private readonly approvals: Approvals,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Lists refunds that need or had a second person's approval, newest first. */
  @Get()
  @Access('full', 'read')
  @ApiOkResponse({ type: ApprovalListDto })
  list(@Query() query: ApprovalsQueryDto): Promise<ApprovalListDto> {
    return this.approvals.list(query);
  }

  /** Approves a refund and makes it. Takes a named merchant key other than the asker's. */
  @Post(':id/approve')
  @HttpCode(200)
  @Access('full')
  @Audited('approve')
  @Idempotent()
  @ApiOkResponse({ type: ApprovedDto })
  approve(
    @Param('id') id: string,
    @Body() dto: DecisionDto,
    @Keyed() keyed: ReadKeyedCall,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<ApprovedDto>> {
    return this.approvals.approve(id, dto.note, newKey(keyed(dto), dto, this.config), merchantOf(caller));
  }

  /** Declines a refund. Nothing is sent. */
  @Post(':id/decline')
  @HttpCode(200)
  @Access('full')
  @Audited('decline')
  @Idempotent()
  @ApiOkResponse({ type: ApprovedDto })
  decline(
    @Param('id') id: string,
    @Body() dto: DecisionDto,
    @Keyed() keyed: ReadKeyedCall,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<ApprovedDto>> {
    return this.approvals.decline(id, dto.note, newKey(keyed(dto), dto, this.config), merchantOf(caller));
  }
}
