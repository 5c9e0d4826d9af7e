import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { parseNamedKey } from '../secrets/named-keys.js';
import { splitSecretList } from '../secrets/secret-source.js';
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
  MERCHANT_BOOKS_API_KEY: each(longEnough(MIN_MERCHANT_KEY, MIN_BITS), keyOf),
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

type Zxcvbn = typeof import('@zxcvbn-ts/core');
type Dictionaries = typeof import('@zxcvbn-ts/language-common');

/** Words that somebody who guesses a secret of a payment service tries first. */
const OUR_WORDS = [
  ...['tillfront', 'merchant', 'payment', 'payments', 'gateway', 'notification', 'webhook', 'checkout'],
  ...['key', 'api', 'secret', 'token', 'password', 'live', 'test', 'prod', 'production', 'sandbox', 'demo'],
  ...['shop', 'store', 'server', 'read', 'books', 'whsec', 'mk', 'sk', 'pk'],
];

/** How much of a secret is judged, as the time that it takes grows with it. A random text is far beyond every bound by then. */
const READ_CHARACTERS = 48;

/** Held weakly, so that the dictionaries do not stay in memory for a few checks at the start. */
let held: WeakRef<ZxcvbnFactory> | undefined;

/**
 * How hard a secret is to guess, in bits: the binary logarithm of the guesses that a guesser needs who knows common
 * passwords, words, sequences and keyboards. What separates words adds little, so the text without its separators counts
 * if it is the easier one. Loads the estimator at the first call, which takes some 50 ms.
 */
function guessBits(secret: string): number {
  const text = secret.slice(0, READ_CHARACTERS);
  const joined = text.replace(/[^A-Za-z0-9]/g, '');
  const texts = joined === '' || joined === text ? [text] : [text, joined];
  const zxcvbn = estimator();
  return Math.min(...texts.map((one) => zxcvbn.check(one, OUR_WORDS).guessesLog10 * Math.log2(10)));
}

function estimator(): ZxcvbnFactory {
  const found = held?.deref();
  if (found) return found;
  // Configuration is read without waiting, and most processes never need this, so it is no import.
  const require = createRequire(import.meta.url);
  const { ZxcvbnFactory: Factory } = require('@zxcvbn-ts/core') as Zxcvbn;
  const { dictionary, adjacencyGraphs } = require('@zxcvbn-ts/language-common') as Dictionaries;
  const made = new Factory({ dictionary, graphs: adjacencyGraphs });
  held = new WeakRef(made);
  return made;
}

/**
 * Keys that the documents, the examples and the demo print, and that no estimate of their strength can be trusted with:
 * everybody can read them. Secrets of the sandbox are not here, because they open nothing of a merchant.
 */
const PRINTED: ReadonlySet<string> = new Set([
  'a-key-that-i-have-chosen',
  'demo-merchant-key-for-loopback-only',
  `whsec_${Buffer.from('a secret that is fit for the demo only').toString('base64')}`,
]);

/** Whether a key, without its name, is one that our documents print. */
function isPrinted(key: string): boolean {
  return PRINTED.has(key);
}
