import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Approvals } from '../../approvals/approvals.js';
import { RefundOrApproval, type ApprovedDto } from '../../approvals/approval.dto.js';
import { EdgeRoute } from '../../http/route.js';
import { Problem } from '../../http/problems/problem.js';
import type { Answer } from '../../http/server/answer.js';
import { Idempotent, keyedAnswer } from '../../idempotency/idempotent.js';
import { Audited } from '../../audit/audited.js';
import { CurrentCaller, type Caller } from '../../auth/caller.js';
import { Keyed, type ReadKeyedCall } from '../../auth/keyed-call.js';
import type { OperationRecord } from '../../store/schema.js';
import { WrittenTexts } from '../../store/written-texts.js';
import { Engine } from '../operations/engine.js';
import { RefundsRepository } from '../state/refunds.repository.js';
import { viewRefund, PaymentRefundDto, RefundDto, RefundListDto } from '../views/refund.dto.js';
import { refusal } from './payment-answers.js';
import { PaymentsService } from './payments.service.js';
import { Access } from '../../auth/access.guard.js';

@ApiTags('refunds')
@Controller('v1/payments/:id/refunds')
export class RefundsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly refunds: RefundsRepository,
    private readonly engine: Engine,
    private readonly approvals: Approvals,
    private readonly texts: WrittenTexts,
  ) {}

  /**
   * Gives back all or part of a paid payment, which stays `succeeded`. Above `APPROVAL_ABOVE` the refund waits until a second
   * person approves it.
   */
  @Post()
  @Access('full')
  @EdgeRoute({ load: 'step' })
  @Audited('refund')
  @Idempotent()
  @ApiCreatedResponse({ type: PaymentRefundDto, description: 'The gateway gave the money back.' })
  @ApiAcceptedResponse({
    ...RefundOrApproval,
    description: 'The outcome is not known yet, or another person must approve the refund first.',
  })
  @ApiOkResponse({
    ...RefundOrApproval,
    description: 'A replay: the refund, or its approval, as it now is.',
  })
  async refund(
    @Param('id') id: string,
    @Body() dto: RefundDto,
    @Keyed() keyed: ReadKeyedCall,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<PaymentRefundDto | ApprovedDto>> {
    const call = keyed(dto);
    const found = await this.payments.find(id, caller);
    const {
      payment,
      replayed,
      problem,
      operationId = '',
      approvalId,
    } = await this.engine.run({
      type: 'refund',
      payment: found,
      actor: call.actor,
      call,
      amount: dto.amount,
      // Free text: what looks like a card in it is not kept.
      reason: dto.reason,
    });
    if (problem) throw refusal(payment, problem);
    if (approvalId !== undefined) return this.approvals.answer(approvalId, replayed);
    const refund = await this.refunds.find(payment.id, operationId);
    if (!refund) throw new Problem('internal-error', 'The refund was made and cannot be found.');
    const body = viewRefund(refund, payment.currency, await this.textsOf([refund]));
    return keyedAnswer(body, replayed, body.status === 'processing' ? 202 : 201);
  }

  /** A payment's refunds, the oldest first. */
  @Get()
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: RefundListDto })
  async list(@Param('id') id: string, @CurrentCaller() caller: Caller): Promise<RefundListDto> {
    const payment = await this.payments.find(id, caller);
    const refunds = await this.refunds.ofPayment(payment.id);
    const texts = await this.textsOf(refunds);
    return { data: refunds.map((refund) => viewRefund(refund, payment.currency, texts)) };
  }

  private textsOf(refunds: readonly OperationRecord[]): Promise<Map<string, string>> {
    return this.texts.read(refunds.flatMap(({ textId }) => textId ?? []));
  }
}
