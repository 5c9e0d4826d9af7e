import type { KeyObject } from 'node:crypto';
import { CompactEncrypt } from 'jose';
import { readRsaKey } from './key-material.js';
import type { EncryptionScheme } from './scheme.js';

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
