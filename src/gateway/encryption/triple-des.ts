import { createCipheriv } from 'node:crypto';
import type { Encoding } from '../profile/format.js';
import { readSymmetricKey } from './key-material.js';
import type { EncryptionScheme } from './scheme.js';

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
