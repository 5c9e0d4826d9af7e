import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { ApprovalsController } from './approvals.controller.js';

@Module({ imports: [PaymentsModule], controllers: [ApprovalsController] })
export class ApprovalsModule {}
