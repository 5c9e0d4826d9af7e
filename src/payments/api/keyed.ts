import type { Config } from '../../config/config.js';
import type { KeyedCall } from '../../auth/keyed-call.js';
import { keyedHash } from '../../secrets/keyed-hash.js';
import type { NewKey } from '../core/input.js';
import { contentText } from '../core/keys.js';

/** A call's idempotency key as an order records it. `content`: without cvv, pin and otp. */
export function newKey(call: KeyedCall, content: unknown, { keys }: Pick<Config, 'keys'>): NewKey {
  const text = `${call.path}\n${contentText(content)}`;
  const [fingerprint = '', ...former] = keys.secretKeys
    .unwrap()
    .map((key) => keyedHash(key, 'fingerprint', text));
  return { caller: call.scope, key: call.key, path: call.path, fingerprint, former };
}
