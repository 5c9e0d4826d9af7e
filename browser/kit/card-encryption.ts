import { TillfrontError } from './tillfront-error.js';
import type { Card } from './types.js';

/** A public RSA key in the form that the service provides (RFC 7517). */
export interface CardEncryptionKey {
  kid: string;
  n: string;
  e: string;
}

export interface SealingContext {
  key: CardEncryptionKey;
  /** The session that what is encrypted is bound to. */
  sessionId: string;
  /** Seconds since 1970, by the service's clock if it is known. */
  issuedAt: number;
}

/** Encrypts a card for the service alone. */
export function encryptCard(card: Card, context: SealingContext): Promise<string> {
  return seal(cardMembers(card), context);
}

/** Encrypts a card's PIN for the service alone. */
export function encryptPin(pin: string, context: SealingContext): Promise<string> {
  return seal({ pin }, context);
}

/**
 * Encrypts a content for the service alone: a compact JWE (RFC 7516), `RSA-OAEP-256` and `A256GCM`, by the browser's own
 * WebCrypto. Proxies and monitoring on the way see only this.
 */
async function seal(content: object, { key, sessionId, issuedAt }: SealingContext): Promise<string> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (subtle === undefined) {
    throw new TillfrontError(
      'insecure-context',
      'Cards can only be entered on a page that is served over https.',
    );
  }
  const header = base64url(
    encodeText(
      JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: key.kid, sid: sessionId, iat: issuedAt }),
    ),
  );
  const contentKey = crypto.getRandomValues(new Uint8Array(32));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const [wrappingKey, sealingKey] = await Promise.all([
    subtle.importKey(
      'jwk',
      { kty: 'RSA', n: key.n, e: key.e, alg: 'RSA-OAEP-256', ext: true },
      { name: 'RSA-OAEP', hash: 'SHA-256' },
      false,
      ['encrypt'],
    ),
    subtle.importKey('raw', contentKey, 'AES-GCM', false, ['encrypt']),
  ]);
  const [wrapped, sealed] = await Promise.all([
    subtle.encrypt({ name: 'RSA-OAEP' }, wrappingKey, contentKey),
    subtle.encrypt(
      { name: 'AES-GCM', iv, additionalData: encodeText(header), tagLength: 128 },
      sealingKey,
      encodeText(JSON.stringify(content)),
    ),
  ]);
  contentKey.fill(0);
  const tagStart = sealed.byteLength - 16;
  return [
    header,
    base64url(new Uint8Array(wrapped)),
    base64url(iv),
    base64url(new Uint8Array(sealed, 0, tagStart)),
    base64url(new Uint8Array(sealed, tagStart)),
  ].join('.');
}

/** Copied member by member, because the service refuses unknown members. */
function cardMembers(card: Card): Card {
  const { number, expiryMonth, expiryYear, cvv, pin, nameOnCard } = card;
  const all = { number: number.replace(/[\s-]/g, ''), expiryMonth, expiryYear, cvv, pin, nameOnCard };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value)) as unknown as Card;
}

function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function base64url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
