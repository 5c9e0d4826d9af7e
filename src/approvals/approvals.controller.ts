import { Body, Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.guard.js';
import { merchantOf } from '../auth/caller.js';
import { CONFIG, type Config } from '../config/config.js';
import type { Answer } from '../http/server/answer.js';
import { newKey } from '../payments/api/keyed.js';
import { Acts, Calling, Idempotent, type ObjectCall } from '../payments/api/payment-calls.js';
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
  @Acts(':id/approve', ApprovedDto)
  @Idempotent()
  approve(@Body() dto: DecisionDto, @Calling() call: ObjectCall): Promise<Answer<ApprovedDto>> {
    const key = newKey(call.keyed(), dto, this.config);
    return this.approvals.approve(call.id, dto.note, key, merchantOf(call.caller));
  }

  /** Declines a refund. Nothing is sent. */
  @Acts(':id/decline', ApprovedDto)
  @Idempotent()
  decline(@Body() dto: DecisionDto, @Calling() call: ObjectCall): Promise<Answer<ApprovedDto>> {
    const key = newKey(call.keyed(), dto, this.config);
    return this.approvals.decline(call.id, dto.note, key, call.actor);
  }
}
