import { Body, Controller, Post, UseGuards, HttpCode, Param, Get } from '@nestjs/common';
import { ApiBody, ApiTags, ApiOkResponse } from '@nestjs/swagger';
import type { Answer } from '../../http/server/answer.js';
import { Starting, type ReadStartRequest } from '../../payments/operations/start-request.js';
import { PaymentAnswers } from '../../payments/api/payment-answers.js';
import { StartsPayment, OperatesPayment, PaymentRateGuard } from '../../payments/api/payment-calls.js';
import type { PaymentDto } from '../../payments/views/payment.dto.js';
import { CardsService, CardPinService } from './cards.service.js';
import { PayCardDto, CardEncryptionKeyDto, PinDto } from './pay-card.dto.js';
import { PaymentsService } from '../../payments/api/payments.service.js';
import { Engine } from '../../payments/operations/engine.js';
import { clientSession, CurrentCaller, type Caller } from '../../auth/caller.js';
import { Keyed, type ReadKeyedCall } from '../../auth/keyed-call.js';
import { CardEncryption } from './card-encryption.js';
import { Access } from '../../auth/access.guard.js';
import { EdgeRoute } from '../../http/route.js';

@ApiTags('browser')
@Controller('v1/payments/card')
export class CardsController {
  constructor(
    private readonly service: CardsService,
    private readonly answers: PaymentAnswers,
  ) {}

  /** Pays the session by card. */
  @Post()
  @Access('client')
  @StartsPayment()
  @ApiBody({ type: PayCardDto })
  async pay(@Body() body: object, @Starting() starting: ReadStartRequest): Promise<Answer<PaymentDto>> {
    // Which fields it must have is known by the profile alone.
    const dto = this.service.read(body);
    return this.answers.sent(await this.service.pay(dto, starting()));
  }
}

@ApiTags('payments')
@Controller('v1/payments')
export class CardPinController {
  constructor(
    private readonly pins: CardPinService,
    private readonly payments: PaymentsService,
    private readonly engine: Engine,
    private readonly answers: PaymentAnswers,
  ) {}

  /** Sends the card's PIN, where the gateway asks for it after the card. */
  @Post(':id/pin')
  @Access('client')
  @HttpCode(200)
  @UseGuards(PaymentRateGuard)
  @OperatesPayment()
  async pin(
    @Param('id') id: string,
    @Body() dto: PinDto,
    @Keyed() keyed: ReadKeyedCall,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<PaymentDto>> {
    const { pin: code, refusal } = await this.pins.open(dto, clientSession(caller));
    const call = keyed(dto);
    const payment = await this.payments.find(id, caller);
    return this.answers.sent(
      await this.engine.run({ type: 'pin', payment, actor: call.actor, call, code, refusal }),
    );
  }
}

@ApiTags('browser')
@Controller('v1/card-encryption-key')
export class CardEncryptionKeyController {
  constructor(private readonly encryption: CardEncryption) {}

  /** The public key with which a browser encrypts a card, so that nothing on the way sees it. */
  @Get()
  @EdgeRoute({ openAt: 'payers' })
  @ApiOkResponse({ type: CardEncryptionKeyDto })
  async key(): Promise<CardEncryptionKeyDto> {
    const { kty, n, e, kid, use, alg } = await this.encryption.publicKey();
    return { kty: kty ?? '', n: n ?? '', e: e ?? '', kid: kid ?? '', use: use ?? '', alg: alg ?? '' };
  }
}
