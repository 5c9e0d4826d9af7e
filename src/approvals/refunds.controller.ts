import { Body, Controller, Get, Inject, Param, Post } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiParam,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { Approvals } from './approvals.js';
import { ApprovedDto } from './approval.dto.js';
import { Audited } from '../audit/audited.js';
import { Access } from '../auth/access.guard.js';
import { actorOf, CurrentCaller, type Caller } from '../auth/caller.js';
import { CONFIG, type Config } from '../config/config.js';
import type { Answer } from '../http/server/answer.js';
import { RefundDto } from '../payments/core/payment.dto.js';
import { refundView } from '../payments/core/view.js';
import { PaymentsService } from '../payments/payments.service.js';
import { newKey } from '../payments/api/keyed.js';
import { Calling, Idempotent, type ObjectCall } from '../payments/api/payment-calls.js';
import { RefundListDto, RefundRequestDto } from '../payments/api/requests.dto.js';

const REFUND_OR_APPROVAL = {
  schema: { oneOf: [{ $ref: getSchemaPath(RefundDto) }, { $ref: getSchemaPath(ApprovedDto) }] },
};

@ApiTags('payments')
@Controller('v1/payments/:id/refunds')
export class RefundsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly approvals: Approvals,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Gives money of a succeeded payment back. Above `APPROVAL_ABOVE` a second named key must approve it first. */
  @Post()
  @Access('full')
  @Audited('refund')
  @Idempotent()
  @ApiCreatedResponse({ type: RefundDto })
  @ApiOkResponse({ ...REFUND_OR_APPROVAL, description: 'A replay: the refund or approval as it now is.' })
  @ApiAcceptedResponse({
    ...REFUND_OR_APPROVAL,
    description: 'Its outcome is not known yet, or it waits for approval.',
  })
  @ApiParam({ name: 'id', type: String })
  async refund(
    @Body() dto: RefundRequestDto,
    @Calling() { id, caller, keyed }: ObjectCall,
  ): Promise<Answer<RefundDto | ApprovedDto>> {
    const key = newKey(keyed(), dto, this.config);
    return this.approvals.refund(await this.payments.find(id, caller), dto, key, actorOf(caller));
  }

  /** The refunds of a payment, oldest first. */
  @Get()
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: RefundListDto })
  async list(@Param('id') id: string, @CurrentCaller() caller: Caller): Promise<RefundListDto> {
    const { payment } = await this.payments.find(id, caller);
    const refunds = payment.operations.filter(({ type }) => type === 'refund');
    return { data: refunds.map((refund) => refundView(payment, refund)) };
  }
}
