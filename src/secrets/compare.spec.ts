import { describe, expect, test } from '@jest/globals';
import { indexOfMatch, matchesSecret } from './compare.js';

describe('presented secrets', () => {
  test.each([
    ['first', 0],
    ['second', 1],
    ['third', -1],
    ['firs', -1],
    ['first ', -1],
    ['First', -1],
    ['', -1],
    ['first,second', -1],
  ])('%j among two: %i', (presented, expected) => {
    const secrets = ['first', 'second'];
    expect(indexOfMatch(presented, secrets)).toBe(expected);
    expect(indexOfMatch(presented, Object.freeze([...secrets]))).toBe(expected);
  });

  test('nothing matches where nothing is valid', () => {
    expect(indexOfMatch('', [])).toBe(-1);
    expect(matchesSecret('', undefined)).toBe(false);
  });

  test('one secret matches itself alone', () => {
    expect(matchesSecret('first', 'first')).toBe(true);
    expect(matchesSecret('firsT', 'first')).toBe(false);
  });

  test('a list that changes is compared as it stands', () => {
    const secrets = ['first'];
    expect(indexOfMatch('second', secrets)).toBe(-1);
    secrets.push('second');
    expect(indexOfMatch('second', secrets)).toBe(1);
  });
});
