import type { SendGate } from '../../gateway/gateway.js';

/**
 * An intent that was not sent within this time is never sent: after a takeover of its lease the payer may already have
 * been told something else.
 */
const SEND_WITHIN_MS = 5_000;

/** Lets a request out only while its intent is fresh. `intendedAt` is a reading of `performance.now()`. */
export function sendGate(intendedAt: number): SendGate {
  return { beforeSend: () => performance.now() - intendedAt <= SEND_WITHIN_MS };
}
