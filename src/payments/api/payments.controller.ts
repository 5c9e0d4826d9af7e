import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Audited } from '../../audit/audited.js';
import { Access } from '../../auth/access.guard.js';
import { actorOf, CurrentCaller, CurrentReader, type Caller } from '../../auth/caller.js';
import { Keyed, type ReadKeyedCall } from '../../auth/keyed-call.js';
import type { PaymentReader } from '../../auth/tokens.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { CallerGone } from '../../http/request.js';
import type { Answer } from '../../http/server/answer.js';
import { Secret } from '../../secrets/secret.js';
import { PaymentDto } from '../core/payment.dto.js';
import { paymentView, timelineView } from '../core/view.js';
import { PaymentsService } from '../payments.service.js';
import { Waiters } from '../waiters.js';
import { operationAnswer, paymentAnswer } from './answers.js';
import { newKey } from './keyed.js';
import { Idempotent, LimitsPayers, OperatesPayment } from './payment-calls.js';
import { PaymentLists } from './payment-lists.js';
import {
  CompleteDto,
  EmptyDto,
  OtpDto,
  PaymentListDto,
  PaymentSearchDto,
  PaymentsQueryDto,
  ResolveDto,
  TimelineDto,
  WaitQueryDto,
} from './requests.dto.js';
import { resolutionOf } from './resolution.js';

@ApiTags('payments')
@Controller('v1/payments')
export class PaymentsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly lists: PaymentLists,
    private readonly waiters: Waiters,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Lists payments, newest first. */
  @Get()
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: PaymentListDto })
  list(@Query() query: PaymentsQueryDto): Promise<PaymentListDto> {
    return this.lists.list(query);
  }

  /** Finds payments by what is known of them, newest first. */
  @Post('search')
  @HttpCode(200)
  @Access('full', 'read')
  @ApiOkResponse({ type: PaymentListDto })
  search(@Body() dto: PaymentSearchDto): Promise<PaymentListDto> {
    return this.lists.search(dto);
  }

  /** One payment. With `wait`, as soon as its status or next action changes. */
  @Get(':id')
  @Access('full', 'read', 'books', 'client', 'reader')
  @ApiOkResponse({ type: PaymentDto })
  async find(
    @Param('id') id: string,
    @Query() { wait = '0' }: WaitQueryDto,
    @CurrentReader() caller: Caller | PaymentReader,
    @CallerGone() gone: AbortSignal,
  ): Promise<PaymentDto> {
    const { payment } = await this.payments.find(id, caller);
    if (wait !== '0') await this.waiters.changed(payment, Number(wait), gone);
    const now = await this.payments.find(id, caller);
    return paymentView(now.stored, now.payment, this.payments.livemode);
  }

  /** A payment's timeline: every move, operation and finding, oldest first. */
  @Get(':id/events')
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: TimelineDto })
  async timeline(@Param('id') id: string, @CurrentCaller() caller: Caller): Promise<TimelineDto> {
    const { payment } = await this.payments.find(id, caller);
    return { data: payment.timeline.map(timelineView) };
  }

  /** Sends the one-time code that the payer got from the bank. */
  @Post(':id/otp')
  @HttpCode(200)
  @Access('client')
  @LimitsPayers()
  @OperatesPayment()
  async otp(
    @Param('id') id: string,
    @Body() dto: OtpDto,
    @Keyed() keyed: ReadKeyedCall,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<PaymentDto>> {
    const code = new Secret(dto.otp);
    const key = newKey(keyed(dto), {}, this.config);
    const found = await this.payments.find(id, caller);
    return this.operated(await this.payments.perform(found, { do: 'otp' }, { code }, key, actorOf(caller)));
  }

  /** Cancels a payment that waits for its payer. The gateway is asked first; a card that is being charged is not canceled. */
  @Post(':id/cancel')
  @HttpCode(200)
  @Access('full', 'client')
  @LimitsPayers()
  @Audited('cancel')
  @Idempotent()
  @ApiOkResponse({ type: PaymentDto })
  async cancel(
    @Param('id') id: string,
    @Body() dto: EmptyDto,
    @Keyed() keyed: ReadKeyedCall,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<PaymentDto>> {
    const key = newKey(keyed(dto), dto, this.config);
    const { state, isReplay } = await this.payments.cancel(
      await this.payments.find(id, caller),
      key,
      actorOf(caller),
    );
    return paymentAnswer(state, id, this.payments.livemode, isReplay);
  }

  /** Takes what an authorized payment holds, or a part of it. */
  @Post(':id/complete')
  @HttpCode(200)
  @Access('full')
  @Audited('complete')
  @OperatesPayment()
  async complete(
    @Param('id') id: string,
    @Body() dto: CompleteDto,
    @Keyed() keyed: ReadKeyedCall,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<PaymentDto>> {
    const key = newKey(keyed(dto), dto, this.config);
    const found = await this.payments.find(id, caller);
    const what = { do: 'complete' as const, amount: dto.amount };
    return this.operated(await this.payments.perform(found, what, {}, key, actorOf(caller)));
  }

  /** Releases what an authorized payment holds, or reverses a succeeded one. */
  @Post(':id/void')
  @HttpCode(200)
  @Access('full')
  @Audited('void')
  @OperatesPayment()
  async void(
    @Param('id') id: string,
    @Body() dto: EmptyDto,
    @Keyed() keyed: ReadKeyedCall,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<PaymentDto>> {
    const key = newKey(keyed(dto), dto, this.config);
    const found = await this.payments.find(id, caller);
    return this.operated(await this.payments.perform(found, { do: 'void' }, {}, key, actorOf(caller)));
  }

  /** Records a person's word about a payment that needs attention, or about an operation whose outcome nobody knows. */
  @Post(':id/resolve')
  @HttpCode(200)
  @Access('full')
  @Audited('resolve')
  @Idempotent()
  @ApiOkResponse({ type: PaymentDto })
  async resolve(
    @Param('id') id: string,
    @Body() dto: ResolveDto,
    @Keyed() keyed: ReadKeyedCall,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<PaymentDto>> {
    const key = newKey(keyed(dto), dto, this.config);
    const found = await this.payments.find(id, caller);
    const as = resolutionOf(dto, found.payment.currency);
    const { state, isReplay } = await this.payments.resolve(found, as, dto.note, key, actorOf(caller));
    return paymentAnswer(state, id, this.payments.livemode, isReplay);
  }

  /** Asks the gateway now, and answers with the payment as it then is. */
  @Post(':id/refresh')
  @HttpCode(200)
  @Access('full')
  @Audited('refresh')
  @ApiOkResponse({ type: PaymentDto })
  async refresh(
    @Param('id') id: string,
    @Body() _: EmptyDto,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<PaymentDto>> {
    const state = await this.payments.refresh(await this.payments.find(id, caller));
    return paymentAnswer(state, id, this.payments.livemode);
  }

  private operated(performed: Parameters<typeof operationAnswer>[0]): Answer<PaymentDto> {
    return operationAnswer(performed, this.payments.livemode);
  }
}
