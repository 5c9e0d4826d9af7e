import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Gateway } from '../../gateway/gateway.js';
import type { PaymentFacts } from '../../gateway/gateway-input.js';
import type { OperationKey } from '../../gateway/profile/format.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import type { PaymentRecord, SessionRecord } from '../../store/schema.js';
import { gatewayReferences } from './gateway-references.js';
import { isKeyedHash, keyedHash } from '../../secrets/keyed-hash.js';

/** What any later call about a payment carries. */
export type LaterFacts = ReturnType<typeof gatewayReferences> & PaymentFacts;

/** Gathers what a profile may have a call carry: what is stored of the payment, and of its payer only where it is asked for. */
@Injectable()
export class GatewayFacts {
  constructor(
    private readonly gateway: Gateway,
    private readonly sessions: SessionsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Never throws: what cannot be read now is left empty, like what was erased. */
  async of(payment: PaymentRecord, operation: OperationKey): Promise<LaterFacts> {
    const facts = { ...gatewayReferences(payment), returnUrl: returnUrlOf(payment.id, this.config) };
    if (!this.gateway.namesPayer(operation)) return facts;
    const session = await this.sessions.find(payment.sessionId).catch(() => undefined);
    return { ...facts, ...payerFacts(session) };
  }
}

/** The payer as a session knows them. */
function payerFacts(
  session: Pick<SessionRecord, 'payer' | 'billing'> | undefined,
): Pick<PaymentFacts, 'payer' | 'billing'> {
  return {
    ...(session?.payer && { payer: session.payer }),
    ...(session?.billing && { billing: session.billing }),
  };
}

/** Where the payer comes back to after a bank's or a wallet's page: the service's own address, with a token a payment. */
export function returnUrlOf(paymentId: string, config: Config): string {
  const [signing = ''] = config.keys.secretKeys.unwrap();
  return `${config.http.publicBaseUrl}/v1/payments/${paymentId}/return/${keyedHash(signing, 'return-token', paymentId)}`;
}

/** Whether a token is this payment's. */
export function isReturnToken(paymentId: string, token: string, config: Config): boolean {
  return isKeyedHash(config.keys.secretKeys.unwrap(), 'return-token', paymentId, token);
}
