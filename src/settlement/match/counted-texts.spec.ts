import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { CountedTexts, keyOfHash } from './counted-texts.js';

const hashOf = (n: number): string => createHash('sha256').update(`${n}`).digest('hex').slice(0, 32);

describe.each([
  ['texts', new CountedTexts(), (n: number) => `ORDER-${n}_1`],
  ['hashes', new CountedTexts(keyOfHash), hashOf],
])('counting %s', (_, counted, textOf) => {
  test('each by itself, over several growths, and from the beginning once they are forgotten', () => {
    for (let round = 0; round < 2; round += 1) {
      const once = Array.from({ length: 20_000 }, (_one, n) => counted.add(textOf(n)));
      const twice = Array.from({ length: 2_000 }, (_one, n) => counted.add(textOf(n * 7)));
      expect([new Set(once), new Set(twice)]).toEqual([new Set([1]), new Set([2])]);
      expect([counted.count(textOf(7)), counted.count(textOf(8)), counted.count(textOf(-1))]).toEqual([
        2, 1, 0,
      ]);
      counted.clear();
      expect(counted.count(textOf(7))).toBe(0);
    }
  });

  test('needs little more than its 12 bytes a text, twice while it is not full, and gives them back', () => {
    const before = process.memoryUsage().arrayBuffers;
    for (let n = 0; n < 150_000; n += 1) counted.add(textOf(n));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(150_000 * 12 * 2 * 1.5);
    counted.clear();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000);
  });
});
