import {
  createPublicKey,
  type KeyObject,
  createCipheriv,
  randomBytes,
  constants,
  publicEncrypt,
} from 'node:crypto';
import { CompactEncrypt } from 'jose';
import type { Encoding, SealedLayout } from '../profile/format.js';

/** Shorter RSA keys can be broken. */
const MIN_RSA_BITS = 2048;

/** Reads a symmetric key: `hex:…`, `base64:…`, or a raw text of exactly `length` bytes. */
function readSymmetricKey(text: string, length: number): Buffer {
  const key = decodePrefixed(text) ?? Buffer.from(text, 'utf8');
  if (key.length !== length) {
    throw new EncryptionKeyError(
      `must be a key of ${length} bytes: a text of that length, hex:… or base64:…`,
    );
  }
  return key;
}

/** Reads an RSA public key: PEM (key or certificate), a JWK, or DER as `hex:…` or `base64:…`. */
function readRsaKey(text: string): KeyObject {
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
function modulusBytes(key: KeyObject): number {
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

/** An encrypted text as it is sent: the members of the envelope by name. */
type Sealed = Readonly<Record<string, string>>;

/** An encryption scheme with the profile's settings applied. */
export interface EncryptionScheme<K> {
  /** Names of the envelope's members. The first one carries the ciphertext. */
  readonly members: readonly [string, ...string[]];
  /** Parses the configured key. Throws {@link EncryptionKeyError}. */
  readKey(text: string): K;
  /** Encrypts a text. Every random part is fresh for each call. */
  seal(plaintext: string, key: K): Sealed | Promise<Sealed>;
}

/** A key that the scheme cannot use. The message says what is expected and never repeats the key. */
export class EncryptionKeyError extends Error {
  override readonly name = 'EncryptionKeyError';
}

const KEY_BYTES = 32;
const CBC_IV_BYTES = 16;
const TAG_BYTES = 16;

/**
 * AES-256 in CBC mode with PKCS#7 padding and a fresh IV. It does not detect tampering, so use it only in addition to
 * TLS.
 */
export function aes256Cbc(layout: Layout): EncryptionScheme<Buffer> {
  return {
    members: membersOf(layout, ['iv']),
    readKey: (text) => readSymmetricKey(text, KEY_BYTES),
    seal: (plaintext, key) => {
      const iv = randomBytes(CBC_IV_BYTES);
      const cipher = createCipheriv('aes-256-cbc', key, iv);
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return writeParts({ iv, ciphertext }, layout);
    },
  };
}

/** AES-256 in Galois/counter mode with a fresh IV and a tag of 16 bytes. */
export function aes256Gcm(layout: Layout, ivBytes: number): EncryptionScheme<Buffer> {
  return {
    members: membersOf(layout, ['iv', 'tag']),
    readKey: (text) => readSymmetricKey(text, KEY_BYTES),
    seal: (plaintext, key) => writeParts(encryptGcm(plaintext, key, randomBytes(ivBytes)), layout),
  };
}

/** The parts of a text encrypted with AES-256-GCM. An IV must never be used twice with the same key. */
export function encryptGcm(
  plaintext: string,
  key: Buffer,
  iv: Buffer,
): { iv: Buffer; ciphertext: Buffer; tag: Buffer } {
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return { iv, ciphertext, tag: cipher.getAuthTag() };
}

function membersOf({ layout, envelope }: Layout, besides: readonly string[]): readonly [string, ...string[]] {
  return layout === 'fields' ? [envelope, ...besides] : [envelope];
}

/** The parts of an encrypted text, in the order in which they are written. */
interface Parts {
  readonly iv: Buffer;
  readonly ciphertext: Buffer;
  readonly tag?: Buffer;
}

/** How the parts of an encrypted text are laid out in a body. */
interface Layout {
  readonly layout: SealedLayout;
  readonly encoding: Encoding;
  /** Name of the member that holds the ciphertext. */
  readonly envelope: string;
}

/** Writes the parts as one text with colons, as one text of all bytes concatenated, or as one member each. */
function writeParts({ iv, ciphertext, tag }: Parts, { layout, encoding, envelope }: Layout): Sealed {
  const parts = tag ? [iv, ciphertext, tag] : [iv, ciphertext];
  switch (layout) {
    case 'iv:ciphertext:tag':
      return { [envelope]: parts.map((part) => part.toString(encoding)).join(':') };
    case 'iv+ciphertext+tag':
      return { [envelope]: Buffer.concat(parts).toString(encoding) };
    case 'fields':
      return {
        [envelope]: ciphertext.toString(encoding),
        iv: iv.toString(encoding),
        ...(tag && { tag: tag.toString(encoding) }),
      };
  }
}

/**
 * Triple DES in ECB mode with PKCS#7 padding, which older gateways ask for. Equal blocks of eight bytes encrypt to
 * equal text, and tampering is not detected, so use it only in addition to TLS.
 */
export function tripleDesEcb(envelope: string, encoding: Encoding): EncryptionScheme<Buffer> {
  return {
    members: [envelope],
    readKey: (text) => readSymmetricKey(text, 24),
    seal: (plaintext, key) => {
      const cipher = createCipheriv('des-ede3-ecb', key, null);
      return {
        [envelope]: Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]).toString(encoding),
      };
    },
  };
}

interface Padding {
  readonly padding: number;
  readonly oaepHash?: string;
  /** How many bytes of each block the padding takes. */
  readonly overhead: number;
}

const oaep256: Padding = {
  padding: constants.RSA_PKCS1_OAEP_PADDING,
  oaepHash: 'sha256',
  overhead: 2 * 32 + 2,
};
const pkcs1: Padding = { padding: constants.RSA_PKCS1_PADDING, overhead: 11 };

/** RSA with OAEP over SHA-256 (and MGF1 over SHA-256). */
export function rsaOaep256(envelope: string, encoding: Encoding): EncryptionScheme<KeyObject> {
  return rsa(oaep256, envelope, encoding);
}

/** RSA with PKCS#1 v1.5 padding, which older gateways ask for. */
export function rsaPkcs1(envelope: string, encoding: Encoding): EncryptionScheme<KeyObject> {
  return rsa(pkcs1, envelope, encoding);
}

/** AES-256-GCM with a fresh key for each call. The key is sent along, encrypted with RSA-OAEP over SHA-256. */
export function rsaWrappedAes256Gcm(
  envelope: string,
  encoding: Encoding,
  ivBytes: number,
): EncryptionScheme<KeyObject> {
  return {
    members: [envelope, 'key', 'iv', 'tag'],
    readKey: readRsaKey,
    seal: (plaintext, publicKey) => {
      const key = randomBytes(32);
      const { iv, ciphertext, tag } = encryptGcm(plaintext, key, randomBytes(ivBytes));
      return {
        key: encrypt(key, publicKey, oaep256).toString(encoding),
        iv: iv.toString(encoding),
        [envelope]: ciphertext.toString(encoding),
        tag: tag.toString(encoding),
      };
    },
  };
}

function rsa(padding: Padding, envelope: string, encoding: Encoding): EncryptionScheme<KeyObject> {
  return {
    members: [envelope],
    readKey: readRsaKey,
    seal: (plaintext, key) => ({
      [envelope]: encrypt(Buffer.from(plaintext), key, padding).toString(encoding),
    }),
  };
}

/**
 * Encrypts in as many blocks as the text needs, one after another. A card body of 26 fields does not fit into one
 * block of any usual key. Gateways that use plain RSA do it this way; the receiver splits the blocks by the key's
 * length.
 */
function encrypt(plaintext: Buffer, key: KeyObject, { overhead, ...padding }: Padding): Buffer {
  const room = modulusBytes(key) - overhead;
  const blocks: Buffer[] = [];
  for (let at = 0; at === 0 || at < plaintext.length; at += room) {
    blocks.push(publicEncrypt({ key, ...padding }, plaintext.subarray(at, at + room)));
  }
  return Buffer.concat(blocks);
}

interface JweKey {
  readonly key: KeyObject;
  readonly kid: string | undefined;
}

/** A compact JWE (RFC 7516) with `RSA-OAEP-256` and `A256GCM`. `kid` comes from the profile, or else from the JWK. */
export function jwe(envelope: string, keyId: string | undefined): EncryptionScheme<JweKey> {
  return {
    members: [envelope],
    readKey: (text) => ({ key: readRsaKey(text), kid: keyId ?? kidOf(text) }),
    seal: async (plaintext, { key, kid }) => ({
      [envelope]: await new CompactEncrypt(new TextEncoder().encode(plaintext))
        .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', ...(kid !== undefined && { kid }) })
        .encrypt(key),
    }),
  };
}

function kidOf(text: string): string | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  const { kid } = JSON.parse(text) as { kid?: unknown };
  return typeof kid === 'string' ? kid : undefined;
}
