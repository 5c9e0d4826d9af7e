import { Module } from '@nestjs/common';
import { PaymentsModule } from '../../payments/payments.module.js';
import { TransfersController } from './transfers.controller.js';

@Module({
  imports: [PaymentsModule],
  controllers: [TransfersController],
})
export class TransfersModule {}
