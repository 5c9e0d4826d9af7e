import { hash } from 'node:crypto';
import { isKeyedHash, keyedHash } from '../secrets/keyed-hash.js';
import { canonicalJson } from './canonical.js';
import { withPlainAmounts } from './plain-amounts.js';

/** Names a secret key without revealing it: this much of a hash is enough to tell a few keys apart. */
const KEY_NAME_LENGTH = 12;

function keyName(secretKey: string): string {
  return hash('sha256', `tillfront/key-name/${secretKey}`, 'base64url').slice(0, KEY_NAME_LENGTH);
}

/**
 * A keyed hash of what a request asks for, with the name of the key that made it: `<key name>.<hash>`. The same money is the same
 * request, however its amount is written.
 * `content` must hold no cvv, pin and otp: a hash of so few digits could be guessed.
 */
export function fingerprint(secretKey: string, path: string, content: unknown): string {
  const text = textOf(path, withPlainAmounts(content));
  return `${keyName(secretKey)}.${keyedHash(secretKey, 'fingerprint', text)}`;
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
  const plain = textOf(path, withPlainAmounts(content));
  const asSent = textOf(path, content);
  // Former versions kept amounts as they were sent.
  return (
    isKeyedHash(known, 'fingerprint', plain, mac) ||
    (asSent !== plain && isKeyedHash(known, 'fingerprint', asSent, mac))
  );
}

const textOf = (path: string, content: unknown): string => `${path}\n${canonicalJson(content)}`;
