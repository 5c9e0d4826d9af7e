import { Module } from '@nestjs/common';
import { PaymentsModule } from '../../payments/payments.module.js';
import { SessionsModule } from '../../sessions/sessions.module.js';
import { UssdBanks } from './ussd-banks.js';
import { UssdBanksController } from './ussd-banks.controller.js';
import { UssdController } from './ussd.controller.js';

@Module({
  imports: [PaymentsModule, SessionsModule],
  controllers: [UssdController, UssdBanksController],
  providers: [UssdBanks],
})
export class UssdModule {}
