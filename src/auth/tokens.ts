import { isKeyedHash, keyedHash } from '../secrets/keyed-hash.js';
import type { Secret } from '../secrets/secret.js';

/** How long a payer who came back from the bank may read the payment's outcome. */
const READER_MS = 15 * 60_000;
/** How much the clocks of replicas may differ. */
const SKEW_MS = 60_000;

/** Whether a bearer secret looks like a payer's token, valid or not. No merchant key begins like one. */
export function isPayersToken(bearer: string): boolean {
  return bearer.startsWith('cst_') || bearer.startsWith('crt_');
}

/** The browser's bearer secret for one session: `cst_<session id>.<mac>`. Derived, so it is stored nowhere. */
export function clientToken(sessionId: string, secretKeys: Secret<readonly string[]>): string {
  const [signing = ''] = secretKeys.unwrap();
  return `cst_${sessionId}.${keyedHash(signing, 'client-token', sessionId)}`;
}

/** The session of a token. Undefined where the token is not genuine. */
export function sessionOfToken(token: string, secretKeys: Secret<readonly string[]>): string | undefined {
  const [, sessionId = '', mac = ''] = /^cst_(\w{1,64})\.([\w-]{1,64})$/.exec(token) ?? [];
  return isKeyedHash(secretKeys.unwrap(), 'client-token', sessionId, mac) ? sessionId : undefined;
}

/** The holder of a payer's link back from the bank. May read one payment for a while, and nothing else. */
export interface PaymentReader {
  kind: 'reader';
  paymentId: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** Their bearer secret: `crt_<payment id>.<end, in seconds since the epoch>.<mac>`. */
export function readerToken(paymentId: string, secretKeys: Secret<readonly string[]>, now: number): string {
  const [signing = ''] = secretKeys.unwrap();
  const content = `${paymentId}.${Math.floor((now + READER_MS) / 1000)}`;
  return `crt_${content}.${keyedHash(signing, 'payment-reader', content)}`;
}

/** Who a presented token is. Undefined where it is not genuine or its time is over. */
export function readerOfToken(
  token: string,
  secretKeys: Secret<readonly string[]>,
  now: number,
): PaymentReader | undefined {
  const [, content = '', paymentId = '', end = '', mac = ''] =
    /^crt_((\w{1,64})\.(\d{1,12}))\.([\w-]{1,64})$/.exec(token) ?? [];
  if (!isKeyedHash(secretKeys.unwrap(), 'payment-reader', content, mac)) return undefined;
  const expiresAt = Number(end) * 1000;
  // A token with too late an end was made before the clock was set back.
  const inForce = now < expiresAt && expiresAt <= now + READER_MS + SKEW_MS;
  return inForce ? { kind: 'reader', paymentId, expiresAt } : undefined;
}
