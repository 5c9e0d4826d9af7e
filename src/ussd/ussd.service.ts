import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Gateway } from '../gateway/gateway.js';
import { addressFingerprint } from '../payments/address-fingerprint.js';
import { assertMethodOffered } from '../payments/offered.js';
import { PaymentStarter, type Outcome } from '../payments/payment-starter.js';
import type { StartRequest } from '../payments/start-request.js';
import { payerFrom } from '../sessions/payer-details.js';
import type { PayUssdDto } from './pay-ussd.dto.js';

/** Pays by USSD. */
@Injectable()
export class UssdService {
  constructor(
    private readonly starter: PaymentStarter,
    private readonly gateway: Gateway,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Throws `validation-failed`, or what the session does not allow. */
  pay(dto: PayUssdDto, request: StartRequest): Promise<Outcome> {
    return this.starter.start(request, { ...dto }, (session) => {
      assertMethodOffered(session, 'ussd', this.config);
      const payer = payerFrom(session, dto.payer, ['email']);
      return {
        method: 'ussd',
        addressFingerprint: addressFingerprint(request.address, this.config),
        sent: [...Object.values(payer), dto.bankCode],
        send: ({ gatewayReference: clientRef, amount, currency }, gate) =>
          this.gateway.generateUssdCode(
            { clientRef, amount, currency, payerEmail: payer.email, bankCode: dto.bankCode },
            gate,
          ),
      };
    });
  }
}
