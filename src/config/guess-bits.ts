import { createRequire } from 'node:module';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

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
export function guessBits(secret: string): number {
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
