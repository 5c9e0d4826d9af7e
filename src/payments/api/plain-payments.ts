import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Gateway } from '../../gateway/gateway.js';
import type { PlainMethod } from '../../methods/method-descriptor.js';
import { holderFrom } from '../../sessions/payer-details.js';
import type { Payer } from '../../store/schema.js';
import { addressFingerprint } from '../operations/address-fingerprint.js';
import { assertMethodOffered } from '../operations/offered.js';
import type { Outcome } from '../operations/outcome.js';
import { payerFacts } from '../state/gateway-facts.js';
import { returnUrlOf } from '../state/return-token.js';
import { StartPayment } from '../operations/start-payment.js';
import type { StartRequest } from '../operations/start-request.js';

/** Starts payments by methods that take no card. */
@Injectable()
export class PlainPayments {
  constructor(
    private readonly starter: StartPayment,
    private readonly gateway: Gateway,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Throws `validation-failed`, or what the session does not allow. */
  pay<Body extends object, PayerField extends keyof Payer>(
    method: PlainMethod<Body, PayerField>,
    body: Body & { payer?: Payer },
    request: StartRequest,
  ): Promise<Outcome> {
    return this.starter.start(request, { ...body }, (session) => {
      assertMethodOffered(session, method.name, this.config);
      const { payer } = holderFrom(session, { payer: body.payer }, method.needs);
      return {
        method: method.name,
        addressFingerprint: addressFingerprint(request.address, this.config),
        sent: {
          words: [payer, body].flatMap((part): unknown[] => Object.values(part)).filter(isText),
          secrets: [body.payer?.email, body.payer?.phone].filter(isText),
        },
        send: ({ id, gatewayReference: clientRef, amount, currency }, gate) => {
          const order = {
            ...{ clientRef, amount, currency },
            ...payerFacts(session),
            payer: { ...session.payer, ...payer },
            payerAddress: request.address,
            returnUrl: returnUrlOf(id, this.config),
          };
          return method.begin(this.gateway, order, payer, body, gate);
        },
      };
    });
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
