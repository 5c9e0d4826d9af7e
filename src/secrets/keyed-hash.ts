import { createHmac, timingSafeEqual, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** A keyed hash (HMAC-SHA256, base64url) of a text for one purpose. */
export function keyedHash(secretKey: string, purpose: KeyPurpose, text: string): string {
  return createHmac('sha256', derivedKey(secretKey, purpose)).update(text).digest('base64url');
}

/** Whether a presented hash was made of this text with any of the keys. Old keys stay valid during a rotation. */
export function isKeyedHash(
  secretKeys: readonly string[],
  purpose: KeyPurpose,
  text: string,
  presented: string,
): boolean {
  const given = Buffer.from(presented);
  let matched = false;
  for (const secretKey of secretKeys) {
    const known = Buffer.from(keyedHash(secretKey, purpose, text));
    if (known.length === given.length && timingSafeEqual(known, given)) matched = true;
  }
  return matched;
}

/** What a derived key is for. Each purpose has its own key, so a tag made for one never passes for another. */
export type KeyPurpose = 'client-token' | 'return-token' | 'payment-reader' | 'fingerprint' | 'search';

const KEY_BYTES = 32;

const derived = new Map<string, Partial<Record<KeyPurpose, KeyObject>>>();

/**
 * The 32-byte key for one purpose, from a `SECRET_KEY` by HKDF-SHA256: the same on every replica and at every start. Kept as
 * a key object, because each request needs several.
 */
function derivedKey(secretKey: string, purpose: KeyPurpose): KeyObject {
  const keys = derived.get(secretKey) ?? {};
  derived.set(secretKey, keys);
  return (keys[purpose] ??= createSecretKey(
    Buffer.from(hkdfSync('sha256', secretKey, '', `tillfront/v1/${purpose}`, KEY_BYTES)),
  ));
}
