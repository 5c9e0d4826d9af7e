import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parsePointer, readPointer, writePointer } from './pointer.js';

test.each<[string, unknown, unknown]>([
  ['/a/b', { a: { b: 1 } }, 1],
  ['/a/0', { a: ['x'] }, 'x'],
  ['/a/00', { a: ['x'] }, undefined],
  ['/a/length', { a: ['x'] }, undefined],
  ['/a~1b/m~0n', { 'a/b': { 'm~n': 2 } }, 2],
  ['', { a: 1 }, { a: 1 }],
  ['/', { '': 3 }, 3],
  ['/a/b', { a: '{"b":4}' }, 4],
  ['/a/0/b', { a: ' [{"b":5}]' }, 5],
  ['/a/b', { a: 'text' }, undefined],
  ['/a/b', { a: '{"b":' }, undefined],
  ['/a/b', { a: null }, undefined],
  ['/constructor', {}, undefined],
  ['/__proto__/x', {}, undefined],
])('%j of %j', (pointer, document, expected) => {
  expect(readPointer(document, parsePointer(pointer) ?? [])).toEqual(expected);
});

test('what begins with no slash, or escapes wrongly, is none', () => {
  for (const text of ['a', 'a/b', '/a~2', '/~']) expect(parsePointer(text)).toBeUndefined();
});

test('it comes back from its text, and finds its own value', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 5 }), fc.integer(), (steps, value) => {
      fc.pre(!steps.includes('__proto__'));
      expect(parsePointer(writePointer(steps))).toEqual(steps);
      const document = steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);
      expect(readPointer(document, steps)).toBe(value);
    }),
  );
});
