import { hash } from 'node:crypto';
import { isKeyedHash, keyedHash } from '../secrets/keyed-hash.js';
import { canonicalJson } from './canonical.js';

/** Names a secret key without revealing it: this much of a hash is enough to tell a few keys apart. */
const KEY_NAME_LENGTH = 12;

function keyName(secretKey: string): string {
  return hash('sha256', `tillfront/key-name/${secretKey}`, 'base64url').slice(0, KEY_NAME_LENGTH);
}

/**
 * A keyed hash of what a request asks for, with the name of the key that made it: `<key name>.<hash>`.
 * `content` must hold no cvv, pin and otp: a hash of so few digits could be guessed.
 */
export function fingerprint(secretKey: string, path: string, content: unknown): string {
  return `${keyName(secretKey)}.${keyedHash(secretKey, 'fingerprint', `${path}\n${canonicalJson(content)}`)}`;
}

/**
 * Whether a stored fingerprint belongs to this request. One that was made with a retired key cannot be compared and
 * counts as equal, since repeating the first answer never charges twice.
 */
export function isSameRequest(
  secretKeys: readonly string[],
  kept: string,
  path: string,
  content: unknown,
): boolean {
  const [name, mac = ''] = kept.split('.');
  const known = secretKeys.filter((secretKey) => keyName(secretKey) === name);
  if (known.length === 0) return true;
  return isKeyedHash(known, 'fingerprint', `${path}\n${canonicalJson(content)}`, mac);
}
