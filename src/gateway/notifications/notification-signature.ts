import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { indexOfMatch } from '../../secrets/compare.js';
import { Secret } from '../../secrets/secret.js';
import { readText } from '../answers/answer-values.js';
import type { NotificationProfile, SignatureScheme } from '../profile/format.js';
import { parsePointer } from '../profile/pointer.js';
import { compileTemplate, fillTemplate } from '../templates/template.js';
import { NotificationContent } from './notification-content.js';

type Signature = NotificationProfile['signature'];
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const HMACS: Partial<Record<SignatureScheme, string>> = {
  'hmac-sha256': 'sha256',
  'hmac-sha512': 'sha512',
  'hmac-sha3-512': 'sha3-512',
};

/** How the notification secret is used. With `none`, the service's own rules for the secret apply. */
export function hasNotificationSignature(profile: NotificationProfile): boolean {
  return profile.signature.scheme !== 'none';
}

/**
 * Whether a notification is authenticated as the profile says: by the secret itself, an HMAC, or a hash of a text that
 * holds the secret. Compared in constant time. Always false for `none`.
 *
 * @param headers keyed by lower-case name, as Node provides them.
 * @param body the raw body; of a GET the raw query.
 */
export function verifyNotification(
  { signature }: NotificationProfile,
  secret: string,
  headers: Headers,
  body: Uint8Array,
): boolean {
  const { scheme, prefix, encoding } = signature;
  if (scheme === 'none' || secret === '') return false;
  const content = needsContent(signature) ? new NotificationContent(body) : undefined;
  const value = presented(signature, headers, content);
  if (value === undefined || !value.startsWith(prefix)) return false;
  const given = value.slice(prefix.length).trim();
  if (scheme === 'header-secret') return indexOfMatch(given, new Secret([secret])) === 0;
  const text = signedText(signature, secret, body, content);
  if (text === undefined) return false;
  const hmac = HMACS[scheme];
  const digest = (hmac === undefined ? createHash('sha512') : createHmac(hmac, secret)).update(text).digest();
  return equal(decode(given, encoding), digest);
}

function needsContent({ at = 'header', over = 'body' }: Signature): boolean {
  return at !== 'header' || over !== 'body';
}

function presented(
  { at = 'header', header }: Signature,
  headers: Headers,
  content: NotificationContent | undefined,
): string | undefined {
  if (at === 'header') {
    const value = headers[header.toLowerCase()];
    return typeof value === 'string' ? value : undefined;
  }
  const pointer = parsePointer(at);
  return pointer && readText(content?.at(pointer));
}

/** What is signed. Undefined where the notification lacks it. */
function signedText(
  { over = 'body' }: Signature,
  secret: string,
  body: Uint8Array,
  content: NotificationContent | undefined,
): Uint8Array | string | undefined {
  if (over === 'body') return body;
  if (over.startsWith('/')) {
    const pointer = parsePointer(over);
    const value = pointer && content?.asItCame(pointer);
    return typeof value === 'string' ? value : typeof value === 'boolean' ? String(value) : undefined;
  }
  return fillTemplate(compileTemplate(over), {
    word: (name) => (name === 'secret' ? secret : undefined),
    pointer: (pointer) => content?.asItCame(pointer),
  });
}

/** Invalid digits decode to fewer bytes, which never equal a digest. */
function decode(text: string, encoding: 'hex' | 'base64'): Buffer {
  const valid = encoding === 'hex' ? /^[0-9a-fA-F]*$/ : /^[A-Za-z0-9+/_-]*={0,2}$/;
  return valid.test(text) ? Buffer.from(text, encoding) : Buffer.alloc(0);
}

function equal(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
