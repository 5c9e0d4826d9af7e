import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Audited } from '../audit/audited.js';
import { Access } from '../auth/access.guard.js';
import { EdgeRoute } from '../http/route.js';
import type { Answer } from '../http/server/answer.js';
import { Idempotent, keyedAnswer } from '../idempotency/idempotent.js';
import { formatMajor } from '../money/money.js';
import { refusal } from '../payments/api/payment-answers.js';
import { PaymentsService } from '../payments/api/payments.service.js';
import { Engine } from '../payments/operations/engine.js';
import { CurrentCaller, merchantOf, type Caller } from '../auth/caller.js';
import { Keyed, type ReadKeyedCall } from '../auth/keyed-call.js';
import { assertMayApprove } from './approval.js';
import { ApprovalListDto, ApprovalsQueryDto, ApprovedDto, DecisionDto } from './approval.dto.js';
import { Approvals } from './approvals.js';

const DEFAULT_LIMIT = 50;

@ApiTags('approvals')
@Controller('v1/approvals')
export class ApprovalsController {
  constructor(
    private readonly approvals: Approvals,
    private readonly payments: PaymentsService,
    private readonly engine: Engine,
  ) {}

  /** Lists refunds that wait for a second person or were decided, newest first. */
  @Get()
  @Access('full', 'read')
  @ApiOkResponse({ type: ApprovalListDto })
  async list(@Query() query: ApprovalsQueryDto): Promise<ApprovalListDto> {
    const limit = Number(query.limit ?? DEFAULT_LIMIT);
    const found = await this.approvals.list(query, limit + 1);
    const page = found.slice(0, limit);
    const nextCursor = found.length > limit ? (page.at(-1)?.id ?? null) : null;
    return { data: page.map((row) => this.approvals.view(row)), nextCursor };
  }

  /**
   * Approves the refund and makes it. Use a named key other than the asker's. The rules are checked again: if they no longer
   * hold, nothing is sent and the approval keeps waiting.
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
    const { payment, problem, replayed } = await this.engine.run({
      ...{ type: 'refund', payment: await this.payments.find(approval.paymentId, caller), call },
      // The refund is the asker's.
      actor: approval.actor,
      amount: formatMajor(approval.amount, approval.currency),
      reason: approval.reason ?? undefined,
      approved: { id, by: { actor: call.actor, note: noteOf(dto) } },
    });
    if (problem) throw refusal(payment, problem);
    return keyedAnswer(await this.approvals.withResult(await this.approvals.mustFind(id)), replayed);
  }

  /** Declines the refund: nothing is sent. Any merchant key may decline. */
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
    const by = { actor: call.actor, note: noteOf(dto) };
    const replayed = await this.approvals.decline(await this.approvals.mustFind(id), by, call);
    return keyedAnswer(await this.approvals.withResult(await this.approvals.mustFind(id)), replayed);
  }
}

const noteOf = ({ note }: DecisionDto): string | null => note ?? null;
