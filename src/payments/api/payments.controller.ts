import { validationFailed } from '../../http/problems/problem.js';
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { CallerGone } from '../../http/request.js';
import { Answer } from '../../http/server/answer.js';
import { parseMajor } from '../../money/money.js';
import { Secret } from '../../secrets/secret.js';
import { Audited } from '../../audit/audited.js';
import { CurrentCaller, CurrentReader, type Caller } from '../../auth/caller.js';
import { Keyed, type ReadKeyedCall } from '../../auth/keyed-call.js';
import type { PaymentReader } from '../../auth/tokens.js';
import type { PaymentRecord } from '../../store/schema.js';
import { PayerQuestions } from '../inquiry/payer-questions.js';
import { RefundInquiry } from '../inquiry/refund-inquiry.js';
import { paymentFilter } from './payment-filter.js';
import { PaymentAnswers } from './payment-answers.js';
import { DecidesPayment, OperatesPayment, PaymentRateGuard } from './payment-calls.js';
import { CancelPayment } from '../operations/cancel.js';
import { Engine } from '../operations/engine.js';
import type { RefundResolution, Resolution } from '../interpret/interpret-resolution.js';
import { ResolvePayment } from '../operations/resolve.js';
import { outcomeOnly, viewPayment, viewTimeline } from '../views/payment-view.js';
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
import { Access } from '../../auth/access.guard.js';

const DEFAULT_LIMIT = 50;

@ApiTags('payments')
@Controller('v1/payments')
export class PaymentsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly engine: Engine,
    private readonly cancellations: CancelPayment,
    private readonly resolutions: ResolvePayment,
    private readonly questions: PayerQuestions,
    private readonly refunds: RefundInquiry,
    private readonly answers: PaymentAnswers,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Lists payments, the newest first. */
  @Get()
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: PaymentListDto })
  async list(@Query() query: PaymentsQueryDto): Promise<PaymentListDto> {
    const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
    const found = await this.payments.list(
      paymentFilter(query, this.config.booksTimeZone),
      limit,
      query.cursor,
    );
    return { data: found.payments.map((payment) => this.view(payment)), nextCursor: found.nextCursor };
  }

  /** One payment; with `wait`, as soon as its status, next action or `amountReceived` differs from now, or from what was `seen`. */
  @Get(':id')
  @Access('client', 'reader', 'full', 'read', 'books')
  @ApiOkResponse({
    type: PaymentDto,
    headers: {
      'Retry-After': {
        description:
          'Only where `wait` was asked for and too many wait already (8 a token, 200 a merchant key): seconds after which to ask again. The answer came at once.',
        schema: { type: 'integer', minimum: 1 },
      },
    },
  })
  async find(
    @Param('id') id: string,
    @Query() query: WaitQueryDto,
    @CurrentReader() caller: Caller | PaymentReader,
    @CallerGone() gone: AbortSignal,
  ): Promise<Answer<PaymentDto>> {
    const wait = { seconds: Number(query.wait ?? 0), seen: query.seen };
    const { payment, retryAfterSeconds } = await this.payments.findChanged(id, caller, wait, gone);
    const view = this.view(payment);
    return new Answer(
      caller.kind === 'reader' ? outcomeOnly(view) : view,
      retryAfterSeconds === undefined ? {} : { headers: { 'Retry-After': String(retryAfterSeconds) } },
    );
  }

  /** A payment's timeline: its creation, every move, operation and finding. */
  @Get(':id/events')
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: TimelineDto })
  async timeline(@Param('id') id: string): Promise<TimelineDto> {
    return { data: (await this.payments.timeline(id)).map(viewTimeline) };
  }

  /** Sends the one-time code that the payer got from the bank. */
  @Post(':id/otp')
  @Access('client')
  @HttpCode(200)
  @UseGuards(PaymentRateGuard)
  @OperatesPayment()
  async otp(
    @Param('id') id: string,
    @Body() dto: OtpDto,
    @Keyed() keyed: ReadKeyedCall,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<PaymentDto>> {
    const code = new Secret(dto.otp);
    const call = keyed(dto);
    const payment = await this.payments.find(id, caller);
    return this.answers.sent(await this.engine.run({ type: 'otp', payment, actor: call.actor, call, code }));
  }

  /**
   * Cancels a payment that waits for its payer. The gateway is asked first; more than 12 times a minute for one payment is answered
   * with `rate-limited`. A card that is being charged is not canceled (409 `outcome-unknown`).
   */
  @Post(':id/cancel')
  @Access('client', 'full')
  @HttpCode(200)
  @UseGuards(PaymentRateGuard)
  @Audited('cancel')
  @DecidesPayment()
  async cancel(
    @Param('id') id: string,
    @Body() dto: EmptyDto,
    @Keyed() keyed: ReadKeyedCall,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<PaymentDto>> {
    const request = keyed(dto);
    const payment = await this.payments.find(id, caller);
    return this.answers.decided(await this.cancellations.cancel(payment, request));
  }

  /** Takes what an authorized payment holds, or part of it. */
  @Post(':id/complete')
  @Access('full')
  @HttpCode(200)
  @Audited('complete')
  @OperatesPayment()
  async complete(
    @Param('id') id: string,
    @Body() dto: CompleteDto,
    @Keyed() keyed: ReadKeyedCall,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<PaymentDto>> {
    const call = keyed(dto);
    const payment = await this.payments.find(id, caller);
    const { amount } = dto;
    return this.answers.sent(
      await this.engine.run({ type: 'complete', payment, actor: call.actor, call, amount }),
    );
  }

  /**
   * Releases the hold of an authorized payment, or reverses a succeeded one. If another payment of the reference is paid,
   * that one counts from then on.
   */
  @Post(':id/void')
  @Access('full')
  @HttpCode(200)
  @Audited('void')
  @OperatesPayment()
  async void(
    @Param('id') id: string,
    @Body() dto: EmptyDto,
    @Keyed() keyed: ReadKeyedCall,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<PaymentDto>> {
    const call = keyed(dto);
    const payment = await this.payments.find(id, caller);
    return this.answers.sent(await this.engine.run({ type: 'void', payment, actor: call.actor, call }));
  }

  /** Records what a person found out about a payment that needs attention. */
  @Post(':id/resolve')
  @Access('full')
  @HttpCode(200)
  @Audited('resolve')
  @DecidesPayment()
  async resolve(
    @Param('id') id: string,
    @Body() dto: ResolveDto,
    @Keyed() keyed: ReadKeyedCall,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<PaymentDto>> {
    const request = keyed(dto);
    const payment = await this.payments.find(id, caller);
    return this.answers.decided(await this.resolutions.resolve(payment, resolutionOf(dto, payment), request));
  }

  /**
   * Asks the gateway now. Where more is asked than `GATEWAY_STATUS_QUERIES_PER_SECOND` has room for within 5 s, the answer is the payment
   * as it was last known.
   */
  @Post(':id/refresh')
  @Access('full')
  @HttpCode(200)
  @Audited('refresh')
  @ApiOkResponse({ type: PaymentDto })
  async refresh(
    @Param('id') id: string,
    @Body() _: EmptyDto,
    @CurrentCaller() caller: Caller,
  ): Promise<PaymentDto> {
    const asked = await this.questions.askForMerchant(id);
    if (!asked) return this.view(await this.payments.find(id, caller));
    const { payment } = asked;
    const followed = this.refunds.canAsk(payment) ? await this.refunds.ask(payment) : payment;
    return this.view(await this.refunds.askAgain(followed));
  }

  private view(payment: PaymentRecord): PaymentDto {
    return viewPayment(payment, this.config.gateway.mode === 'live');
  }
}

/** Throws `validation-failed` where a refund is resolved as what only a payment can be. */
function resolutionOf(dto: ResolveDto, payment: PaymentRecord): Resolution | RefundResolution {
  const { status, note, refundId } = dto;
  if (refundId === undefined) {
    if (dto.amountReceived !== undefined && status !== 'succeeded')
      throw validationFailed([{ pointer: '/amountReceived', message: 'goes with the status succeeded' }]);
    return { status, note, amountReceived: amountReceived(dto, payment) };
  }
  if (dto.amountReceived !== undefined) {
    throw validationFailed([{ pointer: '/amountReceived', message: 'does not go with a refundId' }]);
  }
  if (status === 'voided') {
    throw validationFailed([{ pointer: '/status', message: 'must be succeeded or failed for a refund' }]);
  }
  return { refundId, status, note };
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
