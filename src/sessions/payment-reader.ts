import { isKeyedHash, keyedHash } from '../secrets/keyed-hash.js';
import type { Secret } from '../secrets/secret.js';

const PREFIX = 'crt_';
/** How long a payer who came back may read the payment's outcome. */
const LIFE_MS = 15 * 60_000;
/** How much the clocks of replicas may differ. */
const SKEW_MS = 60_000;

/** The holder of a payer's link back from the bank. May read one payment for a while, and nothing else. */
export interface PaymentReader {
  kind: 'payment-reader';
  paymentId: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/**
 * The bearer secret of such a look: `crt_<payment id>.<end, in seconds since the epoch>.<mac>`. Derived, and it carries its own end, so
 * it is stored nowhere.
 */
export function readerToken(paymentId: string, secretKeys: Secret<readonly string[]>, now: number): string {
  const [signing = ''] = secretKeys.unwrap();
  const content = `${paymentId}.${Math.floor((now + LIFE_MS) / 1000)}`;
  return `${PREFIX}${content}.${keyedHash(signing, 'payment-reader', content)}`;
}

/** Who a presented token is, or undefined where it is none of ours or its time is over. */
export function readerOfToken(
  token: string,
  secretKeys: Secret<readonly string[]>,
  now: number,
): PaymentReader | undefined {
  const [, content = '', paymentId = '', end = '', mac = ''] =
    /^crt_(([A-Za-z0-9_]{1,64})\.([0-9]{1,12}))\.([A-Za-z0-9_-]{1,64})$/.exec(token) ?? [];
  if (!isKeyedHash(secretKeys.unwrap(), 'payment-reader', content, mac)) return undefined;
  const expiresAt = Number(end) * 1000;
  // A token with too late an end was made before the clock was set back. It would last longer by as much.
  const isInForce = now < expiresAt && expiresAt <= now + LIFE_MS + SKEW_MS;
  return isInForce ? { kind: 'payment-reader', paymentId, expiresAt } : undefined;
}
