import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { CheckoutService } from './checkout.service.js';
import { SessionsController } from './sessions.controller.js';

@Module({
  imports: [PaymentsModule, SessionsModule],
  controllers: [SessionsController],
  providers: [CheckoutService],
})
export class CheckoutModule {}
