import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Answer } from '../http/server/answer.js';
import { EdgeRoute } from '../http/route.js';
import { Idempotent, keyedAnswer } from '../idempotency/idempotent.js';
import { Audited } from '../audit/audited.js';
import { CurrentCaller, merchantOf, type Caller } from '../auth/caller.js';
import { Keyed, type KeyedCall, type ReadKeyedCall } from '../auth/keyed-call.js';
import { scrub } from '../telemetry/scrub.js';
import { assertMayApprove } from './approval.js';
import { ApprovalListDto, ApprovalsQueryDto, ApprovedDto, DecisionDto } from './approval.dto.js';
import { Approvals, type Deciding } from './approvals.js';
import { Access } from '../auth/access.guard.js';

const DEFAULT_LIMIT = 50;

@ApiTags('approvals')
@Controller('v1/approvals')
export class ApprovalsController {
  constructor(@Inject(Approvals) private readonly approvals: Approvals) {}

  /** Lists what waits for a second person and what was decided, the newest first. */
  @Get()
  @Access('full', 'read')
  @ApiOkResponse({ type: ApprovalListDto })
  async list(@Query() query: ApprovalsQueryDto): Promise<ApprovalListDto> {
    const { state, paymentId, cursor } = query;
    const size = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
    const found = await this.approvals.list({ state, paymentId, cursor, limit: size + 1 });
    const page = found.slice(0, size);
    const data = await this.approvals.view(page);
    return { data, nextCursor: found.length > size ? (page.at(-1)?.id ?? null) : null };
  }

  /**
   * Approves it, and has it done: the answer shows what came of it. Takes a merchant key with another name than the asker's. The rules are
   * checked again; where they no longer hold, nothing is done and it goes on waiting.
   */
  @Post(':id/approve')
  @Access('full')
  @HttpCode(200)
  @EdgeRoute({ load: 'step' })
  @Audited('approve')
  @Idempotent()
  @ApiOkResponse({ type: ApprovedDto })
  async approve(
    @Param('id') id: string,
    @Body() dto: DecisionDto,
    @Keyed() keyed: ReadKeyedCall,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<ApprovedDto>> {
    const call = keyed(dto);
    const approval = await this.approvals.mustFind(id);
    assertMayApprove(approval, merchantOf(caller));
    const { approval: after, replayed } = await this.approvals.approve(approval, deciding(call, dto));
    return keyedAnswer(await this.approvals.withResult(after), replayed);
  }

  /** Declines it. Nothing is done. Any merchant key may, the asker's too. */
  @Post(':id/decline')
  @Access('full')
  @HttpCode(200)
  @Audited('decline')
  @Idempotent()
  @ApiOkResponse({ type: ApprovedDto })
  async decline(
    @Param('id') id: string,
    @Body() dto: DecisionDto,
    @Keyed() keyed: ReadKeyedCall,
  ): Promise<Answer<ApprovedDto>> {
    const call = keyed(dto);
    const approval = await this.approvals.mustFind(id);
    const { approval: after, replayed } = await this.approvals.decline(approval, deciding(call, dto));
    return keyedAnswer(await this.approvals.withResult(after), replayed);
  }
}

function deciding(call: KeyedCall, { note }: DecisionDto): Deciding {
  return { actor: call.actor, call, text: note === undefined ? undefined : scrub(note) };
}
