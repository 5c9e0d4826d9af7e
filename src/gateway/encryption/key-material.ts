import { createPublicKey, type KeyObject } from 'node:crypto';
import { EncryptionKeyError } from './scheme.js';

/** Shorter RSA keys can be broken. */
const MIN_RSA_BITS = 2048;

/** Reads a symmetric key: `hex:…`, `base64:…`, or a raw text of exactly `length` bytes. */
export function readSymmetricKey(text: string, length: number): Buffer {
  const key = decodePrefixed(text) ?? Buffer.from(text, 'utf8');
  if (key.length !== length) {
    throw new EncryptionKeyError(
      `must be a key of ${length} bytes: a text of that length, hex:… or base64:…`,
    );
  }
  return key;
}

/** Reads an RSA public key: PEM (key or certificate), a JWK, or DER as `hex:…` or `base64:…`. */
export function readRsaKey(text: string): KeyObject {
  // A private key would work, because it contains the public one, but it must not be stored here.
  if (/PRIVATE KEY/.test(text)) throw new EncryptionKeyError('must be a public key, not a private one');
  let key: KeyObject;
  try {
    key = publicKeyOf(text);
  } catch {
    throw new EncryptionKeyError('must be an RSA public key: PEM, a certificate, or a JWK');
  }
  if (key.asymmetricKeyType !== 'rsa') throw new EncryptionKeyError('must be an RSA key');
  if (modulusBytes(key) * 8 < MIN_RSA_BITS)
    throw new EncryptionKeyError(`must have at least ${MIN_RSA_BITS} bits`);
  return key;
}

/** The length of an RSA key's modulus in bytes, which is also the length of every encrypted block. */
export function modulusBytes(key: KeyObject): number {
  return Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
}

function publicKeyOf(text: string): KeyObject {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) {
    const jwk = JSON.parse(trimmed) as Record<string, unknown>;
    if ('d' in jwk) throw new EncryptionKeyError('must be a public key, not a private one');
    return createPublicKey({ key: jwk, format: 'jwk' });
  }
  const der = decodePrefixed(trimmed);
  if (der) return createPublicKey({ key: der, format: 'der', type: 'spki' });
  // Environment variables often hold line breaks as the two characters `\n`.
  return createPublicKey(trimmed.replaceAll('\\n', '\n'));
}

function decodePrefixed(text: string): Buffer | undefined {
  const [, form, digits = ''] = /^(hex|base64):(.*)$/s.exec(text) ?? [];
  if (form === undefined) return undefined;
  const valid = form === 'hex' ? /^(?:[0-9a-f]{2})+$/i.test(digits) : /^[A-Za-z0-9+/_-]+={0,2}$/.test(digits);
  if (!valid) throw new EncryptionKeyError(`must have ${form} digits after ${form}:`);
  return Buffer.from(digits, form as 'hex' | 'base64');
}
