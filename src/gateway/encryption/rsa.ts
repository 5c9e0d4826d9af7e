import { constants, publicEncrypt, randomBytes, type KeyObject } from 'node:crypto';
import type { Encoding } from '../profile/format.js';
import { encryptGcm } from './aes.js';
import { modulusBytes, readRsaKey } from './key-material.js';
import type { EncryptionScheme } from './scheme.js';

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
