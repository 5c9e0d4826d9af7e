import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { TransfersController } from './transfers.controller.js';
import { TransfersService } from './transfers.service.js';

@Module({
  imports: [PaymentsModule],
  controllers: [TransfersController],
  providers: [TransfersService],
})
export class TransfersModule {}
