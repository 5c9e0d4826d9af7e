import type { Config } from '../../config/config.js';
import { isKeyedHash, keyedHash } from '../../secrets/keyed-hash.js';

/** Where the payer comes back to after a bank's or a wallet's page: the service's own address, with a token a payment. */
export function returnUrlOf(paymentId: string, config: Config): string {
  const [signing = ''] = config.keys.secretKeys.current();
  return `${config.http.publicBaseUrl}/v1/payments/${paymentId}/return/${keyedHash(signing, 'return-token', paymentId)}`;
}

/** Whether a token is this payment's. */
export function isReturnToken(paymentId: string, token: string, config: Config): boolean {
  return isKeyedHash(config.keys.secretKeys.current(), 'return-token', paymentId, token);
}
