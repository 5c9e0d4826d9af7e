import type { Config } from '../config/config.js';
import { addressGroup } from '../http/client-address.js';
import { keyedHash } from '../secrets/keyed-hash.js';

/** A keyed hash of where a request came from. Addresses are never stored themselves. */
export function addressFingerprint(address: string, config: Config): string {
  const [signing = ''] = config.keys.secretKeys.current();
  return keyedHash(signing, 'fingerprint', `address\n${addressGroup(address)}`);
}
