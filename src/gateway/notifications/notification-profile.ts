import { createHmac, timingSafeEqual } from 'node:crypto';
import { matchesSecret } from '../../secrets/compare.js';
import { foldCase, readText } from '../answers/answer-values.js';
import { parsePointer, readPointer } from '../profile/pointer.js';
import {
  MEANING_NAMES,
  type MeaningName,
  type NotificationProfile,
  type OutcomeProfile,
} from '../profile/format.js';

/** No reference that this service creates is longer. */
const MAX_REFERENCE = 255;

/** How a form begins: a name and an equals sign, without the characters that begin JSON or XML. */
const FORM = /^[^\s{}[\]"<>]*=/;

/**
 * The payment reference that a notification names. It is found by the profile's pointers into a JSON body, or by its
 * field names in a form (a pointer with one step also counts as a field name). The media type is ignored, because
 * gateways get it wrong. Undefined where there is none. The reference is a hint and never proof.
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

/**
 * What a notification claims of its payment, by the profile's status pointers and meanings. Undefined where it cannot be
 * read or contradicts itself. A claim moves nothing: it only tells whether the gateway's answers agree with it yet.
 */
export function notificationClaim(outcome: OutcomeProfile, body: Uint8Array): MeaningName | undefined {
  const read = readerOf(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
  if (!read) return undefined;
  const claims = outcome.status.flatMap((name) => meaningOf(outcome, read(name)) ?? []);
  return new Set(claims).size > 1 ? undefined : claims[0];
}

function meaningOf({ meanings }: OutcomeProfile, value: unknown): MeaningName | undefined {
  const text = readText(value);
  if (text === undefined) return undefined;
  const folded = foldCase(text);
  return MEANING_NAMES.find((name) => meanings[name].some((word) => foldCase(word) === folded));
}

/** How the notification secret is used. With `none`, the service's own rules for the secret apply. */
export function hasNotificationSignature(profile: NotificationProfile): boolean {
  return profile.signature.scheme !== 'none';
}

/**
 * Whether a notification is authenticated as the profile says: by the secret itself in the named header, or by an
 * HMAC of the raw body. Compared in constant time. Always false for `none`.
 *
 * @param headers keyed by lower-case name, as Node provides them.
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

/** Reads a field by the profile's name from a JSON or form body. Undefined where the body is neither. */
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

/** Invalid digits decode to fewer bytes, which never equal a digest. */
function decode(text: string, encoding: 'hex' | 'base64'): Buffer {
  const valid = encoding === 'hex' ? /^[0-9a-fA-F]*$/ : /^[A-Za-z0-9+/_-]*={0,2}$/;
  return valid.test(text) ? Buffer.from(text, encoding) : Buffer.alloc(0);
}

function equal(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
