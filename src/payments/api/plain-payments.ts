import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Gateway } from '../../gateway/gateway.js';
import type { PlainMethod } from '../../methods/method-descriptor.js';
import type { Billing, Payer } from '../../store/schema.js';
import { addressFingerprint, type StartRequest } from '../operations/start-request.js';
import type { Outcome } from '../operations/command.js';
import { Engine } from '../operations/engine.js';

/** Starts payments by methods that take no card. */
@Injectable()
export class PlainPayments {
  constructor(
    private readonly engine: Engine,
    private readonly gateway: Gateway,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Throws `validation-failed`, or what the session does not allow. */
  pay<Body extends object>(
    method: PlainMethod<Body>,
    body: Body & { payer?: Payer; billing?: Billing },
    { sessionId, address, userAgent: _, ...call }: StartRequest,
  ): Promise<Outcome> {
    const { payer, billing } = body;
    return this.engine.run({
      type: 'pay',
      call: { ...call, content: body },
      sessionId,
      method,
      given: { payer, billing },
      addressFingerprint: addressFingerprint(address, this.config),
      payerAddress: address,
      sent: {
        words: [payer ?? {}, billing ?? {}, body]
          .flatMap((part): unknown[] => Object.values(part))
          .filter(isText),
        secrets: [payer?.email, payer?.phone].filter(isText),
      },
      send: (order, gate) => method.begin(this.gateway, order, body, gate),
    });
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
