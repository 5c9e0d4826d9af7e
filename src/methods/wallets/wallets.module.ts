import { Module } from '@nestjs/common';
import { PaymentsModule } from '../../payments/payments.module.js';
import { WalletsController } from './wallets.controller.js';

@Module({
  imports: [PaymentsModule],
  controllers: [WalletsController],
})
export class WalletsModule {}
