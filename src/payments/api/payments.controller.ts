import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { Audited } from '../../audit/audited.js';
import { Access } from '../../auth/access.guard.js';
import { CurrentCaller, CurrentReader, type Caller } from '../../auth/caller.js';
import type { PaymentReader } from '../../auth/tokens.js';
import { CONFIG, type Config } from '../../config/config.js';
import { CallerGone } from '../../http/request.js';
import type { Answer } from '../../http/server/answer.js';
import { Secret } from '../../secrets/secret.js';
import { Store } from '../../store/store.js';
import type { Details } from '../asks.js';
import { PaymentDto } from '../core/payment.dto.js';
import type { Payment } from '../core/payment.js';
import { paymentView, timelineView } from '../core/view.js';
import { cursorOf, PaymentsRepository } from '../payments.repository.js';
import { PaymentsService, type Later, type Settled } from '../payments.service.js';
import { Waiters } from '../waiters.js';
import { operationAnswer, paymentAnswer } from './answers.js';
import { newKey } from './keyed.js';
import {
  Acts,
  Calling,
  Idempotent,
  LimitsPayers,
  OperatesPayment,
  type ObjectCall,
} from './payment-calls.js';
import { pageOf, rowsOf } from './paging.dto.js';
import { emailHash, placeAt, timeRangeOf } from './payment-lists.js';
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
    private readonly stored: PaymentsRepository,
    private readonly store: Store,
    private readonly waiters: Waiters,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Lists payments, newest first. */
  @Get()
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: PaymentListDto })
  async list(@Query() { limit, cursor, from, to, ...equal }: PaymentsQueryDto): Promise<PaymentListDto> {
    const filter = { ...equal, ...timeRangeOf({ from, to }, this.config.booksTimeZone) };
    return this.page(await this.stored.list(filter, rowsOf(limit), placeAt(cursor)), limit);
  }

  /** Finds payments by what is known of them, newest first. */
  @Post('search')
  @HttpCode(200)
  @Access('full', 'read')
  @ApiOkResponse({ type: PaymentListDto })
  async search(@Body() { query, limit, cursor }: PaymentSearchDto): Promise<PaymentListDto> {
    const hashes = this.config.keys.secretKeys.unwrap().map((key) => emailHash(query, key));
    return this.page(await this.stored.search(query.trim(), hashes, rowsOf(limit), placeAt(cursor)), limit);
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
    const found = await this.payments.find(id, caller);
    if (wait !== '0') await this.waiters.changed(found.stored, id, Number(wait), gone);
    const now = wait === '0' ? found : await this.payments.find(id, caller);
    return paymentView(now.stored, now.payment, this.payments.livemode);
  }

  /** A payment's timeline: every move, operation and finding, oldest first. */
  @Get(':id/events')
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: TimelineDto })
  async timeline(@Param('id') id: string, @CurrentCaller() caller: Caller): Promise<TimelineDto> {
    const { payment } = await this.payments.find(id, caller);
    return { data: timelineView(payment) };
  }

  /** Sends the one-time code that the payer got from the bank. */
  @Post(':id/otp')
  @HttpCode(200)
  @ApiParam({ name: 'id', type: String })
  @Access('client')
  @LimitsPayers()
  @OperatesPayment()
  otp(@Body() dto: OtpDto, @Calling() call: ObjectCall): Promise<Answer<PaymentDto>> {
    return this.perform(call, {}, { do: 'otp' }, { code: new Secret(dto.otp) });
  }

  /** Cancels a payment that waits for its payer. The gateway is asked first; a card that is being charged is not canceled. */
  @Post(':id/cancel')
  @HttpCode(200)
  @ApiParam({ name: 'id', type: String })
  @Access('full', 'client')
  @LimitsPayers()
  @Audited('cancel')
  @Idempotent()
  @ApiOkResponse({ type: PaymentDto })
  async cancel(@Body() dto: EmptyDto, @Calling() call: ObjectCall): Promise<Answer<PaymentDto>> {
    const key = newKey(call.keyed(), dto, this.config);
    const found = await this.payments.find(call.id, call.caller);
    return this.settled(call, await this.payments.cancel(found, key, call.actor));
  }

  /** Takes what an authorized payment holds, or a part of it. */
  @Acts(':id/complete', PaymentDto)
  @OperatesPayment()
  complete(@Body() dto: CompleteDto, @Calling() call: ObjectCall): Promise<Answer<PaymentDto>> {
    return this.perform(call, dto, { do: 'complete', amount: dto.amount });
  }

  /** Releases what an authorized payment holds, or reverses a succeeded one. */
  @Acts(':id/void', PaymentDto)
  @OperatesPayment()
  void(@Body() dto: EmptyDto, @Calling() call: ObjectCall): Promise<Answer<PaymentDto>> {
    return this.perform(call, dto, { do: 'void' });
  }

  /** Records a person's word about a payment that needs attention, or about an operation whose outcome nobody knows. */
  @Acts(':id/resolve', PaymentDto)
  @Idempotent()
  async resolve(@Body() dto: ResolveDto, @Calling() call: ObjectCall): Promise<Answer<PaymentDto>> {
    const key = newKey(call.keyed(), dto, this.config);
    const found = await this.payments.find(call.id, call.caller);
    const as = resolutionOf(dto, found.payment.currency);
    return this.settled(call, await this.payments.resolve(found, as, dto.note, key, call.actor));
  }

  /** Asks the gateway now, and answers with the payment as it then is. */
  @Acts(':id/refresh', PaymentDto)
  async refresh(@Body() _: EmptyDto, @Calling() call: ObjectCall): Promise<Answer<PaymentDto>> {
    const state = await this.payments.refresh(await this.payments.find(call.id, call.caller));
    return this.settled(call, { state, isReplay: false });
  }

  /** `content`: what a repeated call is compared by. */
  private async perform(
    { id, caller, actor, keyed }: ObjectCall,
    content: object,
    what: Later,
    details: Details = {},
  ): Promise<Answer<PaymentDto>> {
    const key = newKey(keyed(), content, this.config);
    const found = await this.payments.find(id, caller);
    const performed = await this.payments.perform(found, what, details, key, actor);
    return operationAnswer(performed, this.payments.livemode);
  }

  private async page(found: Payment[], limit: string | number | undefined): Promise<PaymentListDto> {
    const { rows, nextCursor } = pageOf(found, limit, cursorOf);
    const data = rows.map(async (payment) =>
      paymentView(await this.store.read(payment.reference), payment, this.config.livemode),
    );
    return { data: await Promise.all(data), nextCursor };
  }

  private settled({ id }: ObjectCall, { state, isReplay }: Settled): Answer<PaymentDto> {
    return paymentAnswer(state, id, this.payments.livemode, isReplay);
  }
}
