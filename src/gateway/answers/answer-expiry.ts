import type { GatewayAnswer } from '../gateway-result.js';

/** When the gateway lets the payment end by itself, in milliseconds since the epoch, where the answer says so. */
export function answerExpiry({ expiresAt }: GatewayAnswer): number | undefined {
  if (expiresAt === undefined) return undefined;
  const at = Date.parse(expiresAt);
  return Number.isNaN(at) ? undefined : at;
}
