import type { Config } from '../../config/config.js';
import { addressGroup, addressNetwork } from '../../http/request/client-address.js';
import { keyedHash } from '../../secrets/keyed-hash.js';

/** How many recent addresses are cached: a hash costs more than a look-up, and one address makes many calls. */
const MAX_KEPT = 5_000;
const kept = new Map<string, string>();
let keptFor = '';

/** A keyed hash of where a request came from. Addresses are never stored themselves. */
export function addressFingerprint(address: string, config: Config): string {
  return fingerprintOf(addressGroup(address), config);
}

/** A keyed hash of the /48 that an IPv6 address belongs to; null for any other address. */
export function networkFingerprint(address: string, config: Config): string | null {
  const network = addressNetwork(address);
  return network === undefined ? null : fingerprintOf(network, config);
}

function fingerprintOf(place: string, config: Config): string {
  const [signing = ''] = config.keys.secretKeys.current();
  if (signing !== keptFor || kept.size >= MAX_KEPT) {
    kept.clear();
    keptFor = signing;
  }
  let fingerprint = kept.get(place);
  if (fingerprint === undefined) {
    fingerprint = keyedHash(signing, 'fingerprint', `address\n${place}`);
    kept.set(place, fingerprint);
  }
  return fingerprint;
}
