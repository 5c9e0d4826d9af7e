import { describe, expect, test } from '@jest/globals';
import { attentionSentence, attentionWords } from '../../browser/console/attention-words.js';
import { Searches } from '../../browser/console/searches.js';
import { keyIn } from '../../browser/console/sign-in.js';
import { refundedWord } from '../../browser/console/status-badge.js';
import { dayIn, monthWords } from '../../browser/console/words.js';
import { ATTENTION_REASONS } from '../../src/payments/core/payment.js';

/** The console's parts that need no browser. */

test('every reason for attention has words of its own', () => {
  const words = ATTENTION_REASONS.map(attentionWords);
  expect(words).not.toEqual(expect.arrayContaining([expect.stringMatching(/_|undefined/)]));
  expect(words.filter((said, index) => said === ATTENTION_REASONS[index]?.replaceAll('_', ' '))).toEqual([]);
  expect(new Set(words).size).toBe(words.length);
  expect(attentionSentence([])).toBe('');
  expect(attentionSentence(['differs', 'of_later'])).toBe(
    'The gateway named another amount, currency or reference; of later.',
  );
});

test.each([
  ['mk_test_7f2c91d0', 'mk_test_7f2c91d0'],
  [' ops-anna=mk_test_7f2c91d0\n', 'mk_test_7f2c91d0'],
  // A key may end in the sign itself, as base64 does.
  ['c2VjcmV0', 'c2VjcmV0'],
  ['c2VjcmV0cw==', 'c2VjcmV0cw=='],
  ['abc=', 'abc='],
  ['anna=c2VjcmV0cw==', 'c2VjcmV0cw=='],
])('the key in %j', (pasted, key) => {
  expect(keyIn(pasted)).toBe(key);
});

test.each([
  ['1500.00', null, undefined],
  ['1500.00', '0.00', undefined],
  ['1500.00', '0.01', 'Partly refunded'],
  ['1500.00', '1500.00', 'Refunded'],
  ['1500.00', '1600.00', 'Refunded'],
  ['1500', '1499', 'Partly refunded'],
] as const)('of %s were refunded %s: %s', (amountCaptured, amountRefunded, word) => {
  expect(refundedWord({ amountCaptured, amountRefunded })).toBe(word);
});

test('a search is found again by its number, and by no other', () => {
  const searches = new Searches();
  const first = searches.keep('ada@example.com');
  const second = searches.keep('1001');
  expect([first, second].map((number) => searches.wordsOf(number))).toEqual(['ada@example.com', '1001']);
  for (const other of [undefined, '0', '3', 'x', '-1']) expect(searches.wordsOf(other)).toBeUndefined();
});

describe('days', () => {
  test('are those of the books', () => {
    expect(dayIn('UTC', '2031-01-31T23:30:00.000Z')).toBe('2031-01-31');
    expect(dayIn('Africa/Lagos', '2031-01-31T23:30:00.000Z')).toBe('2031-02-01');
    expect(dayIn('America/New_York', '2031-02-01T03:30:00.000Z')).toBe('2031-01-31');
  });

  test('make months', () => {
    expect(monthWords('2031-01')).toMatch(/2031/);
  });
});
