import { Body, Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Answer } from '../../http/server/answer.js';
import { PaymentAnswers } from '../../payments/api/payment-answers.js';
import { OperatesPayment } from '../../payments/api/payment-calls.js';
import { PaymentRateGuard } from '../../payments/api/payment-rate.guard.js';
import { PaymentsService } from '../../payments/api/payments.service.js';
import type { PaymentDto } from '../../payments/views/payment.dto.js';
import { SubmitCode } from '../../payments/operations/submit-code.js';
import { clientSession, CurrentCaller, type Caller } from '../../sessions/caller.js';
import { ClientGuard } from '../../sessions/client.guard.js';
import { Keyed, type ReadKeyedCall } from '../../sessions/keyed-call.js';
import { PinDto } from './card-pin.dto.js';
import { CardPinService } from './card-pin.service.js';

@ApiTags('payments')
@Controller('v1/payments')
export class CardPinController {
  constructor(
    private readonly pins: CardPinService,
    private readonly payments: PaymentsService,
    private readonly codes: SubmitCode,
    private readonly answers: PaymentAnswers,
  ) {}

  /** Sends the card's PIN, where the gateway asks for it after the card. */
  @Post(':id/pin')
  @HttpCode(200)
  @UseGuards(ClientGuard, PaymentRateGuard)
  @OperatesPayment()
  async pin(
    @Param('id') id: string,
    @Body() dto: PinDto,
    @Keyed() keyed: ReadKeyedCall,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<PaymentDto>> {
    const { pin, assertFresh } = await this.pins.open(dto, clientSession(caller));
    const request = keyed({});
    const payment = await this.payments.find(id, caller);
    return this.answers.sent(await this.codes.submit(payment, 'pin', pin, request, assertFresh));
  }
}
