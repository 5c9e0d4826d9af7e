import type { SendGate } from '../../gateway/gateway.js';

/**
 * An intent that was not sent within this time is not sent at all: whoever recovers it may already have told the payer
 * something else.
 */
const SEND_WITHIN_MS = 5_000;

/** Lets a request out only while its intent is fresh. `intendedAt` is a reading of `performance.now()`. */
export function sendGate(intendedAt: number): SendGate {
  return { beforeSend: () => performance.now() - intendedAt <= SEND_WITHIN_MS };
}
