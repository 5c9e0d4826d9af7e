import { Body, Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.guard.js';
import { clientSession } from '../../auth/caller.js';
import { CONFIG, type Config } from '../../config/config.js';
import { EdgeRoute } from '../../http/route.js';
import type { Answer } from '../../http/server/answer.js';
import { operationAnswer, startAnswer } from '../../payments/api/answers.js';
import { newKey } from '../../payments/api/keyed.js';
import { Calling, LimitsPayers, OperatesPayment, type ObjectCall } from '../../payments/api/payment-calls.js';
import { PaymentDto } from '../../payments/core/payment.dto.js';
import { PaymentsService } from '../../payments/payments.service.js';
import { Starting, type ReadStartCall } from '../start.js';
import { StartsPayment } from '../starts-payment.js';
import { CardEncryption } from './card-encryption.js';
import { CardsService } from './cards.service.js';
import { CardEncryptionKeyDto, PayCardDto, PinDto } from './pay-card.dto.js';

@ApiTags('browser')
@Controller('v1')
export class CardsController {
  constructor(
    private readonly cards: CardsService,
    private readonly encryption: CardEncryption,
    private readonly payments: PaymentsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Pays the session by card. */
  @Post('payments/card')
  @StartsPayment()
  @ApiBody({ type: PayCardDto })
  async pay(@Body() body: object, @Starting() starting: ReadStartCall): Promise<Answer<PaymentDto>> {
    const dto = this.cards.read(body);
    return startAnswer(await this.cards.pay(dto, starting()), this.payments.livemode);
  }

  /** Sends the card's PIN, where the gateway asks for it after the card. */
  @Post('payments/:id/pin')
  @HttpCode(200)
  @ApiParam({ name: 'id', type: String })
  @Access('client')
  @LimitsPayers()
  @OperatesPayment()
  async pin(
    @Body() dto: PinDto,
    @Calling() { id, caller, actor, keyed }: ObjectCall,
  ): Promise<Answer<PaymentDto>> {
    const { pin: code, refusal } = await this.cards.openPin(dto, clientSession(caller));
    const key = newKey(keyed(), {}, this.config);
    const found = await this.payments.find(id, caller);
    const admit = () => {
      if (refusal) throw refusal;
    };
    return operationAnswer(
      await this.payments.perform(found, { do: 'pin' }, { code }, key, actor, { admit }),
      this.payments.livemode,
    );
  }

  /** The public key with which a browser encrypts a card, so that nothing on the way sees it. */
  @Get('card-encryption-key')
  @EdgeRoute({ openAt: 'payers' })
  @ApiOkResponse({ type: CardEncryptionKeyDto })
  async key(): Promise<CardEncryptionKeyDto> {
    const { kty = '', n = '', e = '', kid = '', use = '', alg = '' } = await this.encryption.publicKey();
    return { kty, n, e, kid, use, alg };
  }
}
