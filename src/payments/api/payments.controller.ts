import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Param,
  Post,
  Query,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { ApiIdempotent } from '../../openapi/api-idempotent.js';
import { validationFailed } from '../../http/validation/validate.js';
import { parseMajor } from '../../money/money.js';
import { Secret } from '../../secrets/secret.js';
import { CurrentCaller, CurrentReader, type Caller } from '../../sessions/caller.js';
import { ClientGuard, ClientOrMerchantGuard, PaymentReadGuard } from '../../sessions/client.guard.js';
import { MerchantGuard, ReadAccess } from '../../sessions/merchant.guard.js';
import type { PaymentReader } from '../../sessions/payment-reader.js';
import type { PaymentRecord } from '../../store/schema.js';
import { Inquiry } from '../inquiry/inquiry.js';
import { operationRequest } from '../operations/operation-request.js';
import { answerDone } from './payment-answer.js';
import { PaymentDecisions } from '../operations/payment-decisions.js';
import { PaymentOperations } from '../operations/payment-operations.js';
import { PaymentRateGuard } from './payment-rate.guard.js';
import { outcomeOnly, viewPayment } from '../views/payment-view.js';
import {
  CompleteDto,
  EmptyDto,
  OtpDto,
  PaymentDto,
  PaymentListDto,
  PaymentsQueryDto,
  ResolveDto,
  TimelineDto,
  WaitQueryDto,
} from '../views/payment.dto.js';
import { PaymentsService } from './payments.service.js';
import { viewTimeline } from '../views/timeline-view.js';

const DEFAULT_LIMIT = 50;

@ApiTags('payments')
@Controller('v1/payments')
export class PaymentsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly operations: PaymentOperations,
    private readonly decisions: PaymentDecisions,
    private readonly inquiry: Inquiry,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Lists payments, the newest first. */
  @Get()
  @UseGuards(MerchantGuard)
  @ReadAccess()
  @ApiOkResponse({ type: PaymentListDto })
  async list(@Query() query: PaymentsQueryDto): Promise<PaymentListDto> {
    const { reference, status, needsAttention } = query;
    const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
    const attention = needsAttention === undefined ? undefined : needsAttention === 'true';
    const found = await this.payments.list(
      { reference, status, needsAttention: attention },
      limit,
      query.cursor,
    );
    return { data: found.payments.map((payment) => this.view(payment)), nextCursor: found.nextCursor };
  }

  /** One payment; with `wait`, as soon as its status or next action differs from now. */
  @Get(':id')
  @UseGuards(PaymentReadGuard)
  @ReadAccess()
  @ApiOkResponse({ type: PaymentDto })
  async find(
    @Param('id') id: string,
    @Query() query: WaitQueryDto,
    @CurrentReader() caller: Caller | PaymentReader,
  ): Promise<PaymentDto> {
    const payment = await this.payments.findChanged(id, caller, Number(query.wait ?? 0));
    return caller.kind === 'payment-reader' ? outcomeOnly(this.view(payment)) : this.view(payment);
  }

  /** A payment's timeline: its creation, every move, operation and timelineNote. */
  @Get(':id/events')
  @UseGuards(MerchantGuard)
  @ReadAccess()
  @ApiOkResponse({ type: TimelineDto })
  async timeline(@Param('id') id: string): Promise<TimelineDto> {
    return { data: (await this.payments.timeline(id)).map(viewTimeline) };
  }

  /** Sends the one-time code that the payer got from the bank. */
  @Post(':id/otp')
  @HttpCode(200)
  @UseGuards(ClientGuard, PaymentRateGuard)
  @ApiIdempotent()
  @ApiOkResponse({ type: PaymentDto })
  @ApiAcceptedResponse({ type: PaymentDto })
  async otp(
    @Param('id') id: string,
    @Body() dto: OtpDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CurrentCaller() caller: Caller,
  ): Promise<PaymentDto> {
    const otp = new Secret(dto.otp);
    const keyed = operationRequest(request, caller, id, 'otp', {});
    const payment = await this.payments.find(id, caller);
    return answerDone(await this.operations.otp(payment, otp, keyed), reply, this.livemode);
  }

  /** Cancels a payment that waits for its payer. The gateway is asked first. */
  @Post(':id/cancel')
  @HttpCode(200)
  @UseGuards(ClientOrMerchantGuard)
  @ApiIdempotent()
  @ApiOkResponse({ type: PaymentDto })
  async cancel(
    @Param('id') id: string,
    @Body() _: EmptyDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CurrentCaller() caller: Caller,
  ): Promise<PaymentDto> {
    const keyed = operationRequest(request, caller, id, 'cancel', {});
    const payment = await this.payments.find(id, caller);
    const outcome = await this.decisions.cancel(payment, keyed);
    if (outcome.replayed) reply.header('Idempotency-Replayed', 'true');
    return this.view(outcome.payment);
  }

  /** Takes what an authorized payment holds, or part of it. */
  @Post(':id/complete')
  @HttpCode(200)
  @UseGuards(MerchantGuard)
  @ApiIdempotent()
  @ApiOkResponse({ type: PaymentDto })
  @ApiAcceptedResponse({ type: PaymentDto })
  async complete(
    @Param('id') id: string,
    @Body() dto: CompleteDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CurrentCaller() caller: Caller,
  ): Promise<PaymentDto> {
    const keyed = operationRequest(request, caller, id, 'complete', dto);
    const payment = await this.payments.find(id, caller);
    const outcome = await this.operations.complete(payment, dto.amount, keyed);
    return answerDone(outcome, reply, this.livemode);
  }

  /** Gives an authorized payment's hold up, or a succeeded one's money back. */
  @Post(':id/void')
  @HttpCode(200)
  @UseGuards(MerchantGuard)
  @ApiIdempotent()
  @ApiOkResponse({ type: PaymentDto })
  @ApiAcceptedResponse({ type: PaymentDto })
  async void(
    @Param('id') id: string,
    @Body() _: EmptyDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CurrentCaller() caller: Caller,
  ): Promise<PaymentDto> {
    const keyed = operationRequest(request, caller, id, 'void', {});
    const payment = await this.payments.find(id, caller);
    return answerDone(await this.operations.void(payment, keyed), reply, this.livemode);
  }

  /** Records a person's word about a payment that needs attention. */
  @Post(':id/resolve')
  @HttpCode(200)
  @UseGuards(MerchantGuard)
  @ApiIdempotent()
  @ApiOkResponse({ type: PaymentDto })
  async resolve(
    @Param('id') id: string,
    @Body() dto: ResolveDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CurrentCaller() caller: Caller,
  ): Promise<PaymentDto> {
    const keyed = operationRequest(request, caller, id, 'resolve', dto);
    const payment = await this.payments.find(id, caller);
    const { status, note } = dto;
    const resolution = { status, note, amountReceived: amountReceived(dto, payment) };
    const outcome = await this.decisions.resolve(payment, resolution, keyed);
    if (outcome.replayed) reply.header('Idempotency-Replayed', 'true');
    return this.view(outcome.payment);
  }

  /** Asks the gateway now. */
  @Post(':id/refresh')
  @HttpCode(200)
  @UseGuards(MerchantGuard)
  @ApiOkResponse({ type: PaymentDto })
  async refresh(@Param('id') id: string, @Body() _: EmptyDto): Promise<PaymentDto> {
    const { payment } = await this.inquiry.ask(id);
    return this.view(payment);
  }

  private get livemode(): boolean {
    return this.config.gateway.mode === 'live';
  }

  private view(payment: PaymentRecord): PaymentDto {
    return viewPayment(payment, this.livemode);
  }
}

function amountReceived(dto: ResolveDto, payment: PaymentRecord): bigint | undefined {
  if (dto.amountReceived === undefined) return undefined;
  const amount = parseMajor(dto.amountReceived, payment.currency);
  if (amount === undefined || amount <= 0n) {
    throw validationFailed([
      { pointer: '/amountReceived', message: `must be an amount above zero in ${payment.currency}` },
    ]);
  }
  return amount;
}
