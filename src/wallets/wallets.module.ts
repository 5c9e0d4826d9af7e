import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { WalletsController } from './wallets.controller.js';
import { WalletsService } from './wallets.service.js';

@Module({
  imports: [PaymentsModule],
  controllers: [WalletsController],
  providers: [WalletsService],
})
export class WalletsModule {}
