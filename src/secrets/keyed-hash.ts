import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey, type KeyPurpose } from './derive-key.js';

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
