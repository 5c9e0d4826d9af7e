import type { Config } from '../../config/config.js';
import type { KeyedCall } from '../../auth/keyed-call.js';
import { keyedHash } from '../../secrets/keyed-hash.js';
import type { NewKey } from '../core/input.js';

/**
 * A call's idempotency key as an order records it. `content`: what was validated, without cvv, pin and otp. Its members are in the order
 * of their class, however the request has them.
 */
export function newKey(call: KeyedCall, content: object, { keys }: Pick<Config, 'keys'>): NewKey {
  const text = `${call.path}\n${JSON.stringify(content)}`;
  const [fingerprint = '', ...former] = keys.secretKeys
    .unwrap()
    .map((key) => keyedHash(key, 'fingerprint', text));
  return { caller: call.scope, key: call.key, path: call.path, fingerprint, former };
}
