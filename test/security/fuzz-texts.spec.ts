import { describe, expect, test } from '@jest/globals';
import { maskCards } from '../../src/telemetry/logger.js';
import { hostileTexts, ofLength, PIECES, type HostileText } from './fuzz/hostile-texts.js';
import { readBy, textReaders } from './fuzz/text-readers.js';

/** A long run sets these: `npm run fuzz -- --texts 1000000 --seed 1`. */
const TEXTS = Number(process.env['FUZZ_TEXTS'] ?? 3_000);
/** A usual run has the same texts each time, so that a failing test fails for everybody; a long one has others. */
const SEED = Number(
  process.env['FUZZ_SEED'] ?? (process.env['FUZZ_TEXTS'] === undefined ? 1 : Date.now() % 1_000_000),
);

const LENGTH = 4_096;
const WARM_TRIES = 200;
/** What reads by the square of the length needs milliseconds for each KiB; what reads once needs a tenth of this. */
const SUSPICIOUS_MS_A_KIB = 0.25;
const TRIES = 5;
const MOST_GROWTH = 8;
const ENOUGH_MS = 60;
/** What grows by the square does so each time that it is measured; what the machine adds does not. */
const MEASURED = 3;

const readers = Object.entries(textReaders);
const worst = new Map<string, { ms: number; text: HostileText }>();

/** In milliseconds; the least of some tries, for what else the machine does only ever adds to it. */
function costOf(read: () => void, tries: number): number {
  let least = Infinity;
  for (let each = 0; each < tries; each++) {
    const began = performance.now();
    read();
    least = Math.min(least, performance.now() - began);
  }
  return least;
}

/**
 * The costs of growing lengths, where four times the length takes more than eight times the time: linear is four, the square sixteen.
 * Taken in CPU, which a busy machine does not add to, over so many readings that its coarse clock does not matter.
 */
function growthOf(reader: (text: string) => unknown, text: HostileText): number[] | undefined {
  const costs = [1, 2, 4].map((times) => {
    const long = ofLength(text, LENGTH * times);
    const before = process.threadCpuUsage();
    let readings = 0;
    let spent: number;
    do {
      readBy(reader, long);
      readings++;
      const { user, system } = process.threadCpuUsage(before);
      spent = (user + system) / 1_000;
    } while (spent < ENOUGH_MS);
    return spent / readings;
  });
  const [first = 0, , last = 0] = costs;
  return last <= first * MOST_GROWTH ? undefined : costs;
}

function check(name: string, reader: (text: string) => unknown, text: HostileText): void {
  const short = ofLength(text, LENGTH);
  const kib = short.length / 1_024;
  let cost = costOf(() => readBy(reader, short), 1) / kib;
  if (cost <= (worst.get(name)?.ms ?? 0)) return;
  cost = costOf(() => readBy(reader, short), TRIES) / kib;
  if (cost > (worst.get(name)?.ms ?? 0)) worst.set(name, { ms: cost, text });
  if (cost > SUSPICIOUS_MS_A_KIB) {
    let costs: number[] | undefined = [];
    for (let times = 0; times < MEASURED && costs; times++) costs = growthOf(reader, text);
    expect({ seed: SEED, reader: name, text, costs }).toMatchObject({ costs: undefined });
  }
}

describe('no text costs more than its length', () => {
  test('of any one piece over and over, each reader', () => {
    for (const [name, reader] of readers) {
      for (const unit of PIECES)
        for (const head of ['', '"', 'cvv:']) check(name, reader, { head, unit, tail: '!' });
    }
  });

  test(
    'of many at random, a reader each',
    () => {
      let turn = 0;
      for (const text of hostileTexts(SEED, TEXTS)) {
        const [name = '', reader = maskCards] = readers[turn++ % readers.length] ?? [];
        check(name, reader, text);
      }
      const lasting = [...worst].map(([name, { text }]): [string, number, HostileText] => {
        const long = ofLength(text, LENGTH);
        const reader = textReaders[name] ?? maskCards;
        // Most were found when the reader was not compiled yet.
        return [name, (costOf(() => readBy(reader, long), WARM_TRIES) * 1_024) / long.length, text];
      });
      if (process.env['FUZZ_TEXTS'] !== undefined) {
        const lines = lasting
          .sort(([, one], [, other]) => other - one)
          .map(
            ([name, ms, text]) => `${(ms * 1_000).toFixed(1)} µs a KiB: ${name}, ${JSON.stringify(text)}\n`,
          );
        process.stdout.write(`${TEXTS} texts, seed ${SEED}\n${lines.join('')}`);
      }
    },
    24 * 3_600_000,
  );
});
