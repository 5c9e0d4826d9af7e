import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** What a derived key is for. One key per purpose, so that a tag made for one can never pass for another. */
export type KeyPurpose = 'client-token' | 'return-token' | 'payment-reader' | 'fingerprint';

const KEY_BYTES = 32;

/** A few secrets while rotating; far below this, so the bound is only a net. */
const MAX_SECRETS = 32;
const derived = new Map<string, Partial<Record<KeyPurpose, KeyObject>>>();

/**
 * The 32-byte key of one purpose, derived from a `SECRET_KEY` by HKDF-SHA256. The same on every replica and at every start.
 */
export function deriveKey(secretKey: string, purpose: KeyPurpose): Buffer {
  return derivedKey(secretKey, purpose).export();
}

/** The same, ready for use and kept: several are needed at each request. */
export function derivedKey(secretKey: string, purpose: KeyPurpose): KeyObject {
  let keys = derived.get(secretKey);
  if (!keys) {
    if (derived.size >= MAX_SECRETS) derived.clear();
    derived.set(secretKey, (keys = {}));
  }
  return (keys[purpose] ??= createSecretKey(
    Buffer.from(hkdfSync('sha256', secretKey, '', `tillfront/v1/${purpose}`, KEY_BYTES)),
  ));
}
