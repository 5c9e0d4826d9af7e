import { createHmac, timingSafeEqual } from 'node:crypto';
import { matchesSecret } from '../../secrets/compare.js';
import { readText } from '../answers/answer-values.js';
import { parsePointer, readPointer } from '../profile/pointer.js';
import type { NotificationProfile } from '../profile/format.js';

/** No reference that this service gives out is longer. */
const MAX_REFERENCE = 255;

/** How a form begins: a name and an equals sign, without what would make it JSON or XML. */
const FORM = /^[^\s{}[\]"<>]*=/;

/**
 * The payment reference that a notification names: by the profile's pointers into a JSON body, or by its names of the
 * fields of a form (a pointer of one step is such a name too). The media type is not asked, for gateways get it wrong.
 * Undefined where there is none. What it says is a hint and never proof.
 */
export function notificationReference(profile: NotificationProfile, body: Uint8Array): string | undefined {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  const read = readerOf(text);
  if (!read) return undefined;
  for (const name of profile.reference) {
    const reference = readText(read(name));
    if (reference !== undefined && reference.length <= MAX_REFERENCE) return reference;
  }
  return undefined;
}

/** What the secret of notifications is used for. With `none`, the service's own rules for the secret hold instead. */
export function hasNotificationSignature(profile: NotificationProfile): boolean {
  return profile.signature.scheme !== 'none';
}

/**
 * Whether a notification is signed as the profile says: the secret itself in the named header, or an HMAC of the raw
 * body by it. Compared in constant time. `none` is signed by nobody: false.
 *
 * @param headers by their names in lower case, as Node hands them out.
 */
export function verifyNotification(
  profile: NotificationProfile,
  secret: string,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  body: Uint8Array,
): boolean {
  const { scheme, header, encoding, prefix } = profile.signature;
  const value = headers[header.toLowerCase()];
  if (scheme === 'none' || secret === '' || typeof value !== 'string' || !value.startsWith(prefix))
    return false;
  const given = value.slice(prefix.length).trim();
  if (scheme === 'header-secret') return matchesSecret(given, secret);
  const digest = createHmac(scheme === 'hmac-sha256' ? 'sha256' : 'sha512', secret)
    .update(body)
    .digest();
  return equal(decode(given, encoding), digest);
}

/** Reads a name of the profile in whatever the body is; undefined where it is neither JSON nor a form. */
function readerOf(text: string): ((name: string) => unknown) | undefined {
  const document = parseJson(text.replace(/^\uFEFF/, ''));
  if (document !== undefined) {
    return (name) => {
      const pointer = parsePointer(name);
      return pointer && readPointer(document, pointer);
    };
  }
  if (!FORM.test(text)) return undefined;
  const form = new URLSearchParams(text);
  return (name) => {
    const [field, ...rest] = name.startsWith('/') ? (parsePointer(name) ?? []) : [name];
    return field === undefined || rest.length > 0 ? undefined : (form.get(field) ?? undefined);
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undecodable digits decode to something shorter, which equals no digest. */
function decode(text: string, encoding: 'hex' | 'base64'): Buffer {
  const valid = encoding === 'hex' ? /^[0-9a-fA-F]*$/ : /^[A-Za-z0-9+/_-]*={0,2}$/;
  return valid.test(text) ? Buffer.from(text, encoding) : Buffer.alloc(0);
}

function equal(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
