import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { RefundsController } from './refunds.controller.js';
import { Approvals } from './approvals.js';
import { ApprovalsController } from './approvals.controller.js';

@Module({
  imports: [PaymentsModule],
  controllers: [ApprovalsController, RefundsController],
  providers: [Approvals],
})
export class ApprovalsModule {}
