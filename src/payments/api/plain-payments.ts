import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Gateway } from '../../gateway/gateway.js';
import type { PlainMethod } from '../../methods/method-descriptor.js';
import { holderFrom } from '../../sessions/payer-details.js';
import type { Payer } from '../../store/schema.js';
import { addressFingerprint } from '../operations/address-fingerprint.js';
import type { Outcome } from '../operations/command.js';
import { Engine } from '../operations/engine.js';
import type { StartRequest } from '../operations/start-request.js';

/** Starts payments by methods that take no card. */
@Injectable()
export class PlainPayments {
  constructor(
    private readonly engine: Engine,
    private readonly gateway: Gateway,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Throws `validation-failed`, or what the session does not allow. */
  pay<Body extends object, PayerField extends keyof Payer>(
    method: PlainMethod<Body, PayerField>,
    body: Body & { payer?: Payer },
    { sessionId, address, userAgent: _, ...call }: StartRequest,
  ): Promise<Outcome> {
    const given = { payer: body.payer };
    return this.engine.run({
      type: 'pay',
      call: { ...call, content: body },
      sessionId,
      method,
      given,
      addressFingerprint: addressFingerprint(address, this.config),
      payerAddress: address,
      sent: {
        words: [body.payer ?? {}, body].flatMap((part): unknown[] => Object.values(part)).filter(isText),
        secrets: [body.payer?.email, body.payer?.phone].filter(isText),
      },
      send: (order, session, gate) => {
        const { payer } = holderFrom(session, given, method.needs);
        return method.begin(this.gateway, { ...order, payer }, payer, body, gate);
      },
    });
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
