import { describe, expect, test } from '@jest/globals';
import { matchesAny, matchesSecret } from './compare.js';

describe('presented secrets', () => {
  test.each([
    ['first', true],
    ['second', true],
    ['third', false],
    ['firs', false],
    ['first ', false],
    ['First', false],
    ['', false],
    ['first,second', false],
  ])('%j among two: %s', (presented, expected) => {
    const secrets = ['first', 'second'];
    expect(matchesAny(presented, secrets)).toBe(expected);
    expect(matchesAny(presented, Object.freeze([...secrets]))).toBe(expected);
  });

  test('nothing matches where nothing is valid', () => {
    expect(matchesAny('', [])).toBe(false);
    expect(matchesSecret('', undefined)).toBe(false);
  });

  test('one secret matches itself alone', () => {
    expect(matchesSecret('first', 'first')).toBe(true);
    expect(matchesSecret('firsT', 'first')).toBe(false);
  });

  test('a list that changes is compared as it stands', () => {
    const secrets = ['first'];
    expect(matchesAny('second', secrets)).toBe(false);
    secrets.push('second');
    expect(matchesAny('second', secrets)).toBe(true);
  });
});
