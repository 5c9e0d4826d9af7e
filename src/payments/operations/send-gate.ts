import type { KeptValues, SendGate } from '../../gateway/gateway.js';

/**
 * An intent that was not sent within this time is never sent: after a takeover of its lease the payer may already have
 * been told something else.
 */
const SEND_WITHIN_MS = 5_000;

/**
 * Lets a request out only while its intent is fresh. After a call before the call the time begins anew, once `prepared` has
 * committed what that brought and confirmed that the payment is still held.
 *
 * @param intendedAt a reading of `performance.now()`
 */
export function sendGate(intendedAt: number, prepared: (kept: KeptValues) => Promise<boolean>): SendGate {
  let since = intendedAt;
  return {
    beforeSend: () => performance.now() - since <= SEND_WITHIN_MS,
    afterPreparation: async (kept) => {
      const mayGo = await prepared(kept);
      since = performance.now();
      return mayGo;
    },
  };
}
