import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export type Encoding = 'hex' | 'base64' | 'base64url';

/**
 * Opens AES-256-GCM in one text: `iv:ciphertext:tag`, or the three concatenated with an IV of 12 or 16 bytes. Throws where
 * it cannot be opened.
 */
export function openGcm(key: Buffer, text: string, encoding?: Encoding): string {
  const parts = text.split(':').map((part) => decodeText(part, encoding));
  if (parts.length === 3) return open(key, parts[0], parts[1], parts[2]);
  const [whole = Buffer.alloc(0)] = parts;
  const attempts = [12, 16].map(
    (ivBytes) => () =>
      open(key, whole.subarray(0, ivBytes), whole.subarray(ivBytes, -16), whole.subarray(-16)),
  );
  return firstThatWorks(attempts);
}

/** `hex(iv):hex(ciphertext):hex(tag)`. */
export function sealGcm(key: Buffer, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return [iv, sealed, cipher.getAuthTag()].map((part) => part.toString('hex')).join(':');
}

/** Decodes hex, base64 or base64url: the agreed encoding, or the only one that fits. Throws where none fits. */
export function decodeText(text: string, encoding?: Encoding): Buffer {
  const isHex = /^(?:[0-9a-fA-F]{2})+$/.test(text);
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  const isUrl = /^[A-Za-z0-9_-]+$/.test(text);
  if (isHex && (encoding ?? 'hex') === 'hex') return Buffer.from(text, 'hex');
  if (isBase64 && (encoding ?? 'base64') === 'base64') return Buffer.from(text, 'base64');
  if (isUrl && (encoding ?? 'base64url') === 'base64url') return Buffer.from(text, 'base64url');
  throw new Error('not in the expected encoding');
}

function open(key: Buffer, iv?: Buffer, sealed?: Buffer, tag?: Buffer): string {
  if (!iv || !sealed || !tag) throw new Error('a part is missing');
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 }).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
}

function firstThatWorks(attempts: (() => string)[]): string {
  for (const attempt of attempts.slice(0, -1)) {
    try {
      return attempt();
    } catch {
      continue;
    }
  }
  const last = attempts.at(-1);
  if (!last) throw new Error('nothing to try');
  return last();
}
