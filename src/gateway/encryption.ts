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
  const { scheme, encoding = 'base64', ivBytes = 12 } = profile;
  const only = (ciphertext: string): Sealed => ({ ciphertext, sealed: ciphertext });
  if (scheme === 'rsa-oaep-256' || scheme === 'rsa-pkcs1') {
    const key = rsaKey(keyText);
    return (text) => only(inBlocks(Buffer.from(text), key, scheme).toString(encoding));
  }
  if (scheme === 'jwe') {
    const key = rsaKey(keyText);
    const kid = profile.keyId ?? jwkOf(keyText)['kid'];
    const header = { alg: 'RSA-OAEP-256', enc: 'A256GCM', ...(typeof kid === 'string' && { kid }) };
    return async (text) =>
      only(await new CompactEncrypt(Buffer.from(text)).setProtectedHeader(header).encrypt(key));
  }
  const key = symmetricKey(keyText, scheme === '3des-ecb' ? 24 : 32);
  const ivLength = { '3des-ecb': 0, 'aes-256-cbc': 16, 'aes-256-gcm': ivBytes }[scheme];
  return (text) => {
    const parts = encipher(scheme, key, randomBytes(ivLength), text);
    const sealed = Buffer.concat([parts.iv, parts.ciphertext, ...(parts.tag ? [parts.tag] : [])]).toString(
      encoding,
    );
    const written = Object.entries(parts).flatMap(([name, bytes]: [string, Buffer?]) =>
      bytes ? [[name, bytes.toString(encoding)]] : [],
    );
    return { ...(Object.fromEntries(written) as Sealed), sealed };
  };
}

/** What a scheme gives besides `{ciphertext}` and `{sealed}`. */
export function ivAndTagOf({ scheme }: EncryptionProfile): readonly string[] {
  if (scheme === 'aes-256-gcm') return ['iv', 'tag'];
  return scheme === 'aes-256-cbc' ? ['iv'] : [];
}

function encipher(scheme: '3des-ecb' | 'aes-256-cbc' | 'aes-256-gcm', key: Buffer, iv: Buffer, text: string) {
  if (scheme === 'aes-256-gcm') {
    const cipher = createCipheriv(scheme, key, iv, { authTagLength: 16 });
    const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return { iv, ciphertext, tag: cipher.getAuthTag() };
  }
  const cipher = createCipheriv(scheme === '3des-ecb' ? 'des-ede3-ecb' : scheme, key, iv);
  return { iv, ciphertext: Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]), tag: undefined };
}

const PADDINGS = {
  'rsa-oaep-256': { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256', overhead: 2 * 32 + 2 },
  'rsa-pkcs1': { padding: constants.RSA_PKCS1_PADDING, oaepHash: undefined, overhead: 11 },
} as const;

/** As many blocks as the text needs, one after another: the receiver splits them by the key's length. */
function inBlocks(plain: Buffer, key: KeyObject, scheme: keyof typeof PADDINGS): Buffer {
  const { overhead, ...padding } = PADDINGS[scheme];
  const room = bitsOf(key) / 8 - overhead;
  const blocks = Array.from({ length: Math.max(Math.ceil(plain.length / room), 1) }, (_, n) =>
    publicEncrypt({ key, ...padding }, plain.subarray(n * room, (n + 1) * room)),
  );
  return Buffer.concat(blocks);
}

/** `hex:…`, `base64:…`, or a text of exactly the length. */
function symmetricKey(text: string, length: number): Buffer {
  const key = decoded(text) ?? Buffer.from(text, 'utf8');
  if (key.length === length) return key;
  throw new EncryptionKeyError(`must be a key of ${length} bytes: a text of that length, hex:… or base64:…`);
}

/** PEM (a key or a certificate), a JWK, or DER as `hex:…` or `base64:…`. */
function rsaKey(text: string): KeyObject {
  const jwk = jwkOf(text);
  // A private key contains the public one, but it must not be kept here.
  if (/PRIVATE KEY/.test(text) || 'd' in jwk)
    throw new EncryptionKeyError('must be a public key, not a private one');
  const der = decoded(text);
  let key: KeyObject;
  try {
    if ('kty' in jwk) key = createPublicKey({ key: jwk, format: 'jwk' });
    else if (der) key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    // Variables often hold line breaks as the two characters `\n`.
    else key = createPublicKey(text.trim().replaceAll('\\n', '\n'));
  } catch {
    throw new EncryptionKeyError('must be an RSA public key: PEM, a certificate, or a JWK');
  }
  if (key.asymmetricKeyType === 'rsa' && bitsOf(key) >= 2048) return key;
  throw new EncryptionKeyError('must be an RSA key of at least 2048 bits');
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

function decoded(text: string): Buffer | undefined {
  const [, form, digits = ''] = /^(hex|base64):(.*)$/s.exec(text.trim()) ?? [];
  if (form === undefined) return undefined;
  const isRight =
    form === 'hex' ? /^(?:[0-9a-f]{2})+$/i.test(digits) : /^[A-Za-z0-9+/_-]+={0,2}$/.test(digits);
  if (!isRight) throw new EncryptionKeyError(`must have ${form} digits after ${form}:`);
  return Buffer.from(digits, form as 'hex' | 'base64');
}
