import { hkdfSync } from 'node:crypto';

/** What a derived key is for. One key per purpose, so that a tag made for one can never pass for another. */
export type KeyPurpose = 'client-token' | 'return-token' | 'fingerprint';

const KEY_BYTES = 32;

/** A few secrets while rotating, times the purposes; far below this, so the bound is only a net. */
const MAX_CACHED = 64;
const cache = new Map<string, Buffer>();

/**
 * The 32-byte key of one purpose, derived from a `SECRET_KEY` by HKDF-SHA256.
 * The same on every replica and at every start. Derived keys are kept, for they are needed at each request: do not write into them.
 */
export function deriveKey(secretKey: string, purpose: KeyPurpose): Buffer {
  const name = `${purpose}\n${secretKey}`;
  const known = cache.get(name);
  if (known) return known;
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', `tillfront/v1/${purpose}`, KEY_BYTES));
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(name, key);
  return key;
}
