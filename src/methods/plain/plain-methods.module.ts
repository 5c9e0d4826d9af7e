import { Module } from '@nestjs/common';
import { PaymentsModule } from '../../payments/payments.module.js';
import { SessionsModule } from '../../sessions/sessions.module.js';
import { PlainMethodsController } from './plain-methods.controller.js';
import { UssdBanks, UssdBanksController } from './ussd-banks.controller.js';

@Module({
  imports: [PaymentsModule, SessionsModule],
  controllers: [PlainMethodsController, UssdBanksController],
  providers: [UssdBanks],
})
export class PlainMethodsModule {}
