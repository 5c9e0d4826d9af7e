import { createHash } from 'node:crypto';
import { parseNamedKey } from '../secrets/named-keys.js';
import { splitSecretList } from '../secrets/secret-source.js';
import { guessBits } from './guess-bits.js';
import { isPrinted } from './printed-keys.js';
import type { Check, SecretVariable } from './secret-variables.js';

const MIN_MERCHANT_KEY = 24;
const MIN_NOTIFICATION_SECRET = 16;

/** Below this a secret can be guessed by somebody who tries many at once. */
const MIN_BITS = 60;
/** A shorter secret that is random throughout has fewer. */
const MIN_NOTIFICATION_BITS = 40;

const REPEATED = 'must not be one character over and over';

const notRepeated: Check = (value) => (/^(.)\1*$/su.test(value) ? REPEATED : undefined);

/**
 * Digests of what was judged to be strong. A list of keys that changes while the service runs is judged on the thread that
 * serves, and of most lists only one entry is new.
 */
const judgedStrong = new Set<string>();

function isGuessable(value: string, bits: number): boolean {
  const digest = `${bits} ${createHash('sha256').update(value).digest('base64')}`;
  if (judgedStrong.has(digest)) return false;
  if (guessBits(value) < bits) return true;
  judgedStrong.add(digest);
  return false;
}

/** A text that an attacker cannot easily guess, and that no document of ours prints. */
const unguessable =
  (bits: number): Check =>
  (value) => {
    if (isPrinted(value)) return 'must not be a key that the documents or the demo print';
    return (
      notRepeated(value) ??
      (isGuessable(value, bits)
        ? 'can be guessed: it must be random, not made of words or sequences'
        : undefined)
    );
  };

const longEnough =
  (length: number, bits: number): Check =>
  (value) =>
    value.length < length ? `must have at least ${length} characters` : unguessable(bits)(value);

/** What an encoded text says where it is one. Bytes that are none are no words. */
const ofWords: Check = (value) => {
  const text = Buffer.from(value.replace(/^whsec_/, ''), 'base64').toString('latin1');
  return /^[\x20-\x7e]+$/.test(text) ? unguessable(MIN_BITS)(text) : undefined;
};

/** Where a text encodes bytes, neither the text nor the bytes may repeat a single character or byte. */
const encoded =
  (prefix: RegExp, encodingOf: (value: string) => BufferEncoding): Check =>
  (value) => {
    const text = value.replace(prefix, '');
    const bytes = Buffer.from(text, encodingOf(value));
    return notRepeated(text) ?? (new Set(bytes).size === 1 ? REPEATED : undefined);
  };

const each =
  (check: Check, partOf = (entry: string): string => entry): Check =>
  (value) =>
    splitSecretList(value)
      .map((entry) => check(partOf(entry)))
      .find((problem) => problem !== undefined);

/** The key alone counts, because a name does not make it harder to guess. */
const keyOf = (entry: string): string => parseNamedKey(entry)?.key ?? entry;

/**
 * What production's rules require of a secret besides its form. `CARD_ENCRYPTION_KEY` is strong by its form, and the
 * database decides about the password in `DATABASE_URL`. The gateway decides how long its credentials are.
 */
const STRENGTH: Partial<Record<SecretVariable, Check>> = {
  GATEWAY_API_KEY: notRepeated,
  GATEWAY_ACCESS_TOKEN: notRepeated,
  GATEWAY_ENCRYPTION_KEY: encoded(/^(?:hex|base64):/, (value) =>
    value.startsWith('hex:') ? 'hex' : value.startsWith('base64:') ? 'base64' : 'utf8',
  ),
  MERCHANT_API_KEY: each(longEnough(MIN_MERCHANT_KEY, MIN_BITS), keyOf),
  MERCHANT_READ_API_KEY: each(longEnough(MIN_MERCHANT_KEY, MIN_BITS), keyOf),
  // Its minimum length is part of its form.
  SECRET_KEY: each(unguessable(MIN_BITS)),
  MERCHANT_WEBHOOK_SECRET: each(
    (value) => encoded(/^whsec_/, () => 'base64')(value) ?? unguessable(MIN_BITS)(value) ?? ofWords(value),
  ),
  NOTIFICATION_SECRET: longEnough(MIN_NOTIFICATION_SECRET, MIN_NOTIFICATION_BITS),
};

/** Says why a well-formed secret is too weak for production, without showing it. Undefined where it is strong enough. */
export function weaknessOf(name: SecretVariable, value: string): string | undefined {
  return STRENGTH[name]?.(value);
}
