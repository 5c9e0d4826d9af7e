import type { GatewayAnswer } from '../gateway-result.js';

/**
 * When the payment expires at the gateway, in milliseconds since the epoch. Undefined where the answer does not say.
 */
export function answerExpiry({ expiresAt }: GatewayAnswer): number | undefined {
  if (expiresAt === undefined) return undefined;
  const at = Date.parse(expiresAt);
  return Number.isNaN(at) ? undefined : at;
}
