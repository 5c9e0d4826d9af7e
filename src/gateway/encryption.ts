import {
  constants,
  createCipheriv,
  createPublicKey,
  type KeyObject,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import { CompactEncrypt } from 'jose';
import type { EncryptionProfile } from './profile/schema.js';

/** What `encrypt` gives: `{ciphertext}`, `{iv}`, `{tag}`, `{sealed}`. */
export type Sealed = Readonly<Record<string, string>>;

/** Encrypts one text. Every random part is fresh. */
export type Seal = (plaintext: string) => Sealed | Promise<Sealed>;

/** A key that the scheme cannot use. The message says what is expected and never repeats the key. */
export class EncryptionKeyError extends Error {
  override readonly name = 'EncryptionKeyError';
}

/** What encrypts by a profile's settings. Throws {@link EncryptionKeyError}. */
export function sealerOf(profile: EncryptionProfile, keyText: string | undefined): Seal {
  if (keyText === undefined) throw new EncryptionKeyError('is missing: the profile encrypts');
  const { scheme, encoding = 'base64' } = profile;
  const only = (ciphertext: string): Sealed => ({ ciphertext, sealed: ciphertext });
  switch (scheme) {
    case '3des-ecb': {
      const key = symmetricKey(keyText, 24);
      return (text) =>
        only(encipher('des-ede3-ecb', key, Buffer.alloc(0), text).ciphertext.toString(encoding));
    }
    case 'aes-256-cbc':
    case 'aes-256-gcm': {
      const key = symmetricKey(keyText, 32);
      const ivBytes = scheme === 'aes-256-cbc' ? 16 : (profile.ivBytes ?? 12);
      return (text) => writeParts(encipher(scheme, key, randomBytes(ivBytes), text), encoding);
    }
    case 'rsa-oaep-256':
    case 'rsa-pkcs1': {
      const key = rsaKey(keyText);
      return (text) => only(inBlocks(Buffer.from(text), key, PADDINGS[scheme]).toString(encoding));
    }
    case 'jwe': {
      const key = rsaKey(keyText);
      const kid = profile.keyId ?? kidOf(keyText);
      const header = { alg: 'RSA-OAEP-256', enc: 'A256GCM', ...(kid !== undefined && { kid }) };
      return async (text) =>
        only(
          await new CompactEncrypt(new TextEncoder().encode(text)).setProtectedHeader(header).encrypt(key),
        );
    }
  }
}

/** What a scheme gives besides `{ciphertext}` and `{sealed}`. */
export function partsOf({ scheme }: EncryptionProfile): readonly string[] {
  if (scheme === 'aes-256-gcm') return ['iv', 'tag'];
  return scheme === 'aes-256-cbc' ? ['iv'] : [];
}

interface Parts {
  readonly iv: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer | undefined;
}

function encipher(
  name: 'aes-256-gcm' | 'aes-256-cbc' | 'des-ede3-ecb',
  key: Buffer,
  iv: Buffer,
  text: string,
): Parts {
  if (name === 'aes-256-gcm') {
    const cipher = createCipheriv(name, key, iv, { authTagLength: 16 });
    const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return { iv, ciphertext, tag: cipher.getAuthTag() };
  }
  const cipher = createCipheriv(name, key, iv);
  return { iv, ciphertext: Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]), tag: undefined };
}

function writeParts(
  { iv, ciphertext, tag }: Parts,
  encoding: NonNullable<EncryptionProfile['encoding']>,
): Sealed {
  return {
    ciphertext: ciphertext.toString(encoding),
    iv: iv.toString(encoding),
    ...(tag && { tag: tag.toString(encoding) }),
    sealed: Buffer.concat(tag ? [iv, ciphertext, tag] : [iv, ciphertext]).toString(encoding),
  };
}

const PADDINGS = {
  'rsa-oaep-256': { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256', overhead: 2 * 32 + 2 },
  'rsa-pkcs1': { padding: constants.RSA_PKCS1_PADDING, oaepHash: undefined, overhead: 11 },
} as const;

/** As many blocks as the text needs, one after another: the receiver splits them by the key's length. */
function inBlocks(
  plain: Buffer,
  key: KeyObject,
  { overhead, ...padding }: (typeof PADDINGS)['rsa-pkcs1' | 'rsa-oaep-256'],
): Buffer {
  const room = bitsOf(key) / 8 - overhead;
  const blocks: Buffer[] = [];
  for (let at = 0; at === 0 || at < plain.length; at += room)
    blocks.push(publicEncrypt({ key, ...padding }, plain.subarray(at, at + room)));
  return Buffer.concat(blocks);
}

/** `hex:…`, `base64:…`, or a text of exactly the length. */
function symmetricKey(text: string, length: number): Buffer {
  const key = decoded(text) ?? Buffer.from(text, 'utf8');
  if (key.length !== length)
    throw new EncryptionKeyError(
      `must be a key of ${length} bytes: a text of that length, hex:… or base64:…`,
    );
  return key;
}

/** PEM (a key or a certificate), a JWK, or DER as `hex:…` or `base64:…`. */
function rsaKey(text: string): KeyObject {
  // A private key contains the public one, but it must not be kept here.
  if (/PRIVATE KEY/.test(text) || 'd' in jwkOf(text))
    throw new EncryptionKeyError('must be a public key, not a private one');
  let key: KeyObject;
  try {
    const der = decoded(text);
    if (text.trimStart().startsWith('{')) key = createPublicKey({ key: jwkOf(text), format: 'jwk' });
    else if (der) key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    // Variables often hold line breaks as the two characters `\n`.
    else key = createPublicKey(text.trim().replaceAll('\\n', '\n'));
  } catch {
    throw new EncryptionKeyError('must be an RSA public key: PEM, a certificate, or a JWK');
  }
  if (key.asymmetricKeyType !== 'rsa' || bitsOf(key) < 2048)
    throw new EncryptionKeyError('must be an RSA key of at least 2048 bits');
  return key;
}

function bitsOf(key: KeyObject): number {
  return key.asymmetricKeyDetails?.modulusLength ?? 0;
}

function jwkOf(text: string): Record<string, unknown> {
  if (!text.trimStart().startsWith('{')) return {};
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function kidOf(text: string): string | undefined {
  const { kid } = jwkOf(text);
  return typeof kid === 'string' ? kid : undefined;
}

function decoded(text: string): Buffer | undefined {
  const [, form, digits = ''] = /^(hex|base64):(.*)$/s.exec(text.trim()) ?? [];
  if (form === undefined) return undefined;
  const isRight =
    form === 'hex' ? /^(?:[0-9a-f]{2})+$/i.test(digits) : /^[A-Za-z0-9+/_-]+={0,2}$/.test(digits);
  if (!isRight) throw new EncryptionKeyError(`must have ${form} digits after ${form}:`);
  return Buffer.from(digits, form as 'hex' | 'base64');
}
