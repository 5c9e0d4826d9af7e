import { createCipheriv, randomBytes } from 'node:crypto';
import { readSymmetricKey } from './key-material.js';
import { writeParts, type Layout } from './layout.js';
import type { EncryptionScheme } from './scheme.js';

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
