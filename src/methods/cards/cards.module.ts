import { Module } from '@nestjs/common';
import { PaymentsModule } from '../../payments/payments.module.js';
import { CardEncryption } from './card-encryption.js';
import { CardEncryptionKeyController, CardPinController, CardsController } from './cards.controller.js';
import { CardPinService, CardsService } from './cards.service.js';

@Module({
  imports: [PaymentsModule],
  controllers: [CardsController, CardPinController, CardEncryptionKeyController],
  providers: [CardsService, CardPinService, CardEncryption],
})
export class CardsModule {}
