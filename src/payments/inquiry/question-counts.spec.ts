import { expect, test } from '@jest/globals';
import { QuestionCounts } from './payer-questions.js';

const SECOND = 1_000;

test('lets so many questions about a payment through in any minute', () => {
  const counts = new QuestionCounts(12);
  const asked: number[] = [];
  for (let now = 0; now < 300 * SECOND; now += 700) {
    if (counts.wait('pay_1', now) > 0) continue;
    counts.count('pay_1', now);
    asked.push(now);
  }
  for (const from of asked) {
    const within = asked.filter((at) => at >= from && at < from + 60 * SECOND);
    expect(within.length).toBeLessThanOrEqual(12);
  }
  expect(asked.length).toBeGreaterThanOrEqual(5 * 12);
});

test('says how long to wait, and asks each payment for itself', () => {
  const counts = new QuestionCounts(2);
  counts.count('pay_1', 0);
  counts.count('pay_1', 10 * SECOND);
  expect(counts.wait('pay_1', 15 * SECOND)).toBe(45 * SECOND);
  expect(counts.wait('pay_2', 15 * SECOND)).toBe(0);
  expect(counts.wait('pay_1', 60 * SECOND)).toBe(0);
});
