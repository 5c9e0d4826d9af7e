import {
  constants,
  createCipheriv,
  createPublicKey,
  type CipherGCM,
  type KeyObject,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import { CompactEncrypt } from 'jose';
import type { EncryptionProfile } from './profile/schema.js';

/** What `encrypt` gives: `{ciphertext}`, `{iv}`, `{tag}`, `{sealed}`. */
type Sealed = Readonly<Record<string, string>>;

/** Encrypts one text. Every random part is fresh. */
export type Seal = (plaintext: string) => Sealed | Promise<Sealed>;

/** A key that the scheme cannot use. The message says what is expected and never repeats the key. */
export class EncryptionKeyError extends Error {
  override readonly name = 'EncryptionKeyError';
}

const CIPHERS = {
  '3des-ecb': { name: 'des-ede3-ecb', keyBytes: 24, ivBytes: 0 },
  'aes-256-cbc': { name: 'aes-256-cbc', keyBytes: 32, ivBytes: 16 },
  'aes-256-gcm': { name: 'aes-256-gcm', keyBytes: 32, ivBytes: 12 },
} as const;
const PADDINGS = {
  'rsa-oaep-256': { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256', overhead: 2 * 32 + 2 },
  'rsa-pkcs1': { padding: constants.RSA_PKCS1_PADDING, oaepHash: undefined, overhead: 11 },
} as const;

/** What encrypts by a profile's settings. Throws {@link EncryptionKeyError}. */
export function sealerOf(profile: EncryptionProfile, keyText: string | undefined): Seal {
  if (keyText === undefined) throw new EncryptionKeyError('is missing: the profile encrypts');
  const { scheme, encoding = 'base64', keyId } = profile;
  if (scheme === 'jwe') {
    const key = rsaKey(keyText);
    const kid = keyId ?? jwkOf(keyText)['kid'];
    const header = { alg: 'RSA-OAEP-256', enc: 'A256GCM', ...(typeof kid === 'string' && { kid }) };
    return async (text) => {
      const jwe = new CompactEncrypt(Buffer.from(text)).setProtectedHeader(header);
      const ciphertext = await jwe.encrypt(key);
      return { ciphertext, sealed: ciphertext };
    };
  }
  if (scheme === 'rsa-oaep-256' || scheme === 'rsa-pkcs1') {
    const key = rsaKey(keyText);
    return (text) => {
      const ciphertext = inBlocks(Buffer.from(text), key, scheme).toString(encoding);
      return { ciphertext, sealed: ciphertext };
    };
  }
  const { name, keyBytes, ivBytes } = CIPHERS[scheme];
  const key = symmetricKey(keyText, keyBytes);
  return (text) => {
    const iv = randomBytes(scheme === 'aes-256-gcm' ? (profile.ivBytes ?? ivBytes) : ivBytes);
    const cipher = createCipheriv(name, key, iv);
    const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const tag = scheme === 'aes-256-gcm' ? (cipher as CipherGCM).getAuthTag() : Buffer.alloc(0);
    const parts = { iv, ciphertext, tag, sealed: Buffer.concat([iv, ciphertext, tag]) };
    return Object.fromEntries(Object.entries(parts).map(([part, bytes]) => [part, bytes.toString(encoding)]));
  };
}

/** As many blocks as the text needs, one after another: the receiver splits them by the key's length. */
function inBlocks(plain: Buffer, key: KeyObject, scheme: keyof typeof PADDINGS): Buffer {
  const { overhead, ...padding } = PADDINGS[scheme];
  const room = bitsOf(key) / 8 - overhead;
  const blocks = Array.from({ length: Math.max(Math.ceil(plain.length / room), 1) }, (_, n) =>
    publicEncrypt({ key, ...padding }, plain.subarray(n * room, (n + 1) * room)),
  );
  return Buffer.concat(blocks);
}

function symmetricKey(text: string, length: number): Buffer {
  const key = decoded(text) ?? Buffer.from(text, 'utf8');
  if (key.length === length) return key;
  throw new EncryptionKeyError(`must be a key of ${length} bytes: a text of that length, hex:… or base64:…`);
}

/** PEM (a key or a certificate), a JWK, or DER as `hex:…` or `base64:…`. */
function rsaKey(text: string): KeyObject {
  const jwk = jwkOf(text);
  // A private key contains the public one, but it must not be kept here.
  if (text.includes('PRIVATE KEY') || 'd' in jwk)
    throw new EncryptionKeyError('must be a public key, not a private one');
  const der = decoded(text);
  try {
    let key: KeyObject;
    if ('kty' in jwk) key = createPublicKey({ key: jwk, format: 'jwk' });
    else if (der) key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    // Variables often hold line breaks as the two characters `\n`.
    else key = createPublicKey(text.trim().replaceAll('\\n', '\n'));
    if (key.asymmetricKeyType === 'rsa' && bitsOf(key) >= 2048) return key;
  } catch {
    // It is none, as below.
  }
  throw new EncryptionKeyError(
    'must be an RSA public key of at least 2048 bits: PEM, a certificate or a JWK',
  );
}

function bitsOf(key: KeyObject): number {
  return key.asymmetricKeyDetails?.modulusLength ?? 0;
}

function jwkOf(text: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(text) as object) };
  } catch {
    return {};
  }
}

/** Digits that are none decode to fewer bytes, which make no key. */
function decoded(text: string): Buffer | undefined {
  const [, form, digits = ''] = /^(hex|base64):(.*)$/s.exec(text.trim()) ?? [];
  return form === undefined ? undefined : Buffer.from(digits, form as 'hex' | 'base64');
}
