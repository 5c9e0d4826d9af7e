import { describe, expect, test } from '@jest/globals';
import { linearPattern } from './linear-pattern.js';

const matches = (expression: string, text: string): boolean => {
  const pattern = linearPattern(expression);
  if (typeof pattern === 'string') throw new Error(pattern);
  return pattern(text);
};

describe('a pattern of a profile', () => {
  test.each([
    ['^0+$', '000', true],
    ['^0+$', '0001', false],
    ['^0+$', '0\n', false],
    ['SUCC', 'a SUCCESS', true],
    ['^(?:00|10)$', '10', true],
    ['^\\d{2}-[A-Z]+$', '00-OK', true],
    ['^\\u0041\\/\\p{L}+$', 'A/é', true],
    ['^(?<code>[0-9]+)$', '12', true],
    ['^.$', '\u{1f600}', true],
    ['^[^\\]]+$', 'a]', false],
  ])('%j on %j: %j, as ECMAScript has it', (expression, text, expected) => {
    expect(matches(expression, text)).toBe(expected);
    expect(new RegExp(expression, 'u').test(text)).toBe(expected);
  });

  test.each(['(?=a)', '(?!a)', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>', 'a{1001}'])(
    '%s cannot be run in linear time',
    (expression) => {
      expect(linearPattern(expression)).toMatch(/linear time/);
    },
  );

  test.each(['(', '[', 'a**', '\\'])('%s is none', (expression) => {
    expect(linearPattern(expression)).toBe('is not a regular expression');
  });

  test('a long one is none', () => {
    expect(linearPattern('a'.repeat(501))).toBe('is longer than 500 signs');
  });

  test.each([
    ['^(a+)+$', 'a'],
    ['^(a|a)*$', 'a'],
    ['(.*,){12}x', ','],
    ['^(\\w+\\s?)*$', 'a '],
    ['(x+x+)+y', 'x'],
  ])('%s takes no longer than its text', (expression, unit) => {
    const pattern = linearPattern(expression);
    if (typeof pattern === 'string') throw new Error(pattern);
    const before = process.threadCpuUsage();
    pattern(`${unit.repeat(2_047)}!`);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(500);
  });
});
