import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** The smallest RSA key that is still considered safe. */
const MIN_RSA_BITS = 2048;

const PEM_BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;

/** Key text that cannot be used. The message reveals nothing of it. */
export class KeyMaterialError extends Error {
  override readonly name = 'KeyMaterialError';
}

/**
 * Reads a bundle of PEM private RSA keys in order, newest first. Line breaks may be written as `\n`, which one-line
 * environment files need. A duplicate key counts once. Throws {@link KeyMaterialError} if there is no key, if there is
 * other text between the keys, or if a key is not RSA, is encrypted or public, or has fewer than 2048 bits.
 */
export function parsePrivateKeys(bundle: string): KeyObject[] {
  const text = bundle.includes('\n') ? bundle : bundle.replaceAll('\\n', '\n');
  const blocks = [...text.matchAll(PEM_BLOCK)].map((match) => match[0]);
  if (blocks.length === 0) throw new KeyMaterialError('holds no PEM private key');
  if (text.replace(PEM_BLOCK, '').trim() !== '')
    throw new KeyMaterialError('holds text that is not a PEM key');
  const keys = new Map<string, KeyObject>();
  for (const block of blocks) {
    const key = parsePrivateKey(block);
    keys.set(createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64'), key);
  }
  return [...keys.values()];
}

function parsePrivateKey(pem: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    // OpenSSL's own message may quote the key text.
    throw new KeyMaterialError('holds a PEM block that is not an unencrypted private key');
  }
  if (key.asymmetricKeyType !== 'rsa') throw new KeyMaterialError('holds a key that is not RSA');
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS) {
    throw new KeyMaterialError(`holds an RSA key of less than ${MIN_RSA_BITS} bits`);
  }
  return key;
}
