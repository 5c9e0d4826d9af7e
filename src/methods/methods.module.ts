import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { CardEncryption } from './cards/card-encryption.js';
import { CardsController } from './cards/cards.controller.js';
import { CardsService } from './cards/cards.service.js';
import { PlainMethodsController } from './plain-methods.controller.js';
import { Starter } from './start.js';
import { UssdBanks } from './ussd-banks.js';

@Module({
  imports: [PaymentsModule, SessionsModule],
  controllers: [CardsController, PlainMethodsController],
  providers: [Starter, CardEncryption, CardsService, UssdBanks],
})
export class MethodsModule {}
