import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Gateway } from '../gateway/gateway.js';
import { addressFingerprint } from '../payments/address-fingerprint.js';
import { assertMethodOffered } from '../payments/offered.js';
import { PaymentStarter, type Outcome } from '../payments/payment-starter.js';
import type { StartRequest } from '../payments/start-request.js';
import { payerFrom } from '../sessions/payer-details.js';
import type { PayWalletDto } from './pay-wallet.dto.js';

/** Pays with the partner wallet. */
@Injectable()
export class WalletsService {
  constructor(
    private readonly starter: PaymentStarter,
    private readonly gateway: Gateway,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Throws `validation-failed`, or what the session does not allow. */
  pay(dto: PayWalletDto, request: StartRequest): Promise<Outcome> {
    return this.starter.start(request, { ...dto }, (session) => {
      assertMethodOffered(session, 'wallet', this.config);
      const payer = payerFrom(session, dto.payer, ['email']);
      return {
        method: 'wallet',
        addressFingerprint: addressFingerprint(request.address, this.config),
        sent: Object.values(payer),
        send: ({ gatewayReference: clientRef, amount, currency }, gate) =>
          this.gateway.initiateWallet({ clientRef, amount, currency, payerEmail: payer.email }, gate),
      };
    });
  }
}
