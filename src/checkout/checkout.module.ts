import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { BrowserSessionController, SessionsController } from './sessions.controller.js';
import { CheckoutService } from './checkout.service.js';

@Module({
  imports: [SessionsModule, PaymentsModule],
  controllers: [SessionsController, BrowserSessionController],
  providers: [CheckoutService],
})
export class CheckoutModule {}
