import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { listOf, type NotificationProfile } from '../profile/schema.js';
import { parsePointer } from '../profile/pointer.js';
import { choose, templateOf } from '../profile/template.js';
import { firstAt, scalarText } from '../answer/values.js';
import type { Content, RawNotification } from './content.js';

type SignatureProfile = NonNullable<NotificationProfile['signature']>;

/** Whether one notification, of several in a body perhaps, is signed with a secret. */
export type Verify = (raw: RawNotification, content: Content | undefined, secret: string) => boolean;

const HASHES = { 'hmac-sha256': 'sha256', 'hmac-sha512': 'sha512', 'hmac-sha3-512': 'sha3-512' } as const;

/** Compiles how notifications are verified. Everything is compared in constant time. */
export function compileSignature(profile: SignatureProfile): Verify {
  const { scheme, header, at, prefix = '', encoding = 'hex' } = profile;
  const textOf = compileOver(profile.over);
  return (raw, content, secret) => {
    const value = at
      ? firstAt((pointer) => content?.at(pointer), at, scalarText)
      : raw.headers[header?.toLowerCase() ?? ''];
    if (secret === '' || typeof value !== 'string' || !value.startsWith(prefix)) return false;
    const given = value.slice(prefix.length).trim();
    if (scheme === 'header-secret') return equal(Buffer.from(given), Buffer.from(secret));
    const text = textOf(raw, content, secret);
    if (!text) return false;
    const hash = scheme === 'sha512' ? createHash('sha512') : createHmac(HASHES[scheme], secret);
    return equal(decoded(given, encoding), hash.update(text).digest());
  };
}

type Over = (raw: RawNotification, content: Content | undefined, secret: string) => Uint8Array | undefined;

/** What is signed: the raw body, or the first of the profile's that the notification has. */
function compileOver(over: SignatureProfile['over']): Over {
  if (over === undefined) return ({ body, query = '' }) => (body.length > 0 ? body : Buffer.from(query));
  const all = listOf(over).map(compileOne);
  return (...of) => all.map((one) => one(...of)).find((bytes) => bytes !== undefined);
}

/** A member as it came, or a text of several. */
function compileOne(over: string): Over {
  if (over.startsWith('/')) {
    const pointer = parsePointer(over) ?? [];
    return (_raw, content) => content?.bytesAt(pointer);
  }
  const template = templateOf(over);
  return (_raw, content, secret) => {
    const pieces = template.map((part): Uint8Array => {
      if ('text' in part) return Buffer.from(part.text);
      if ('word' in part) return Buffer.from(part.word === 'secret' ? secret : '');
      if (part.choice) return Buffer.from(scalarText(choose(part, content?.at(part.pointer))) ?? '');
      return content?.bytesAt(part.pointer) ?? Buffer.alloc(0);
    });
    return Buffer.concat(pieces);
  };
}

/** Invalid digits decode to fewer bytes, which equal no digest. */
function decoded(text: string, encoding: 'hex' | 'base64'): Buffer {
  const isRight = encoding === 'hex' ? /^[0-9a-fA-F]*$/ : /^[A-Za-z0-9+/_-]*={0,2}$/;
  return isRight.test(text) ? Buffer.from(text, encoding) : Buffer.alloc(0);
}

function equal(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
