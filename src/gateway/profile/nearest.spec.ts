import { expect, test } from '@jest/globals';
import { nearest } from './nearest.js';

test.each([
  ['pth', ['path', 'method'], 'path'],
  ['credentails', ['credentials', 'constants'], 'credentials'],
  ['payerEmial', ['payerEmail', 'payerPhone'], 'payerEmail'],
  ['PATH', ['path'], 'path'],
  ['colour', ['path', 'method'], undefined],
  ['x'.repeat(100), ['x'.repeat(99)], undefined],
  ['', ['a'], 'a'],
])('%s of %j is %s', (word, candidates, expected) => {
  expect(nearest(word, candidates)).toBe(expected);
});
