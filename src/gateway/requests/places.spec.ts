import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findLists, makeLists, targetOf, writeAt } from './places.js';

function write(members: Record<string, unknown>): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) writeAt(body, targetOf(name), value);
  }
  makeLists(body, findLists(Object.keys(members).map(targetOf)).places);
  return body;
}

function faults(...names: string[]): string[] {
  return findLists(names.map(targetOf)).faults.map((target) => `/${target.join('/')}`);
}

describe('what a profile writes', () => {
  test.each<[Record<string, unknown>, unknown]>([
    [
      { a: 1, '/b/c': 2, '/b/d': 3 },
      { a: 1, b: { c: 2, d: 3 } },
    ],
    [{ '/items/0': 'x', '/items/1': 'y' }, { items: ['x', 'y'] }],
    [{ '/items/1/a': 1, '/items/0/a': 0, '/items/0/b': 2 }, { items: [{ a: 0, b: 2 }, { a: 1 }] }],
    [{ '/a/0/0': 1, '/a/0/1': 2 }, { a: [[1, 2]] }],
    // What the payment lacks leaves no gap.
    [{ '/items/0': undefined, '/items/1': 'y' }, { items: ['y'] }],
    [{ '/items/0': undefined }, {}],
    [{ '/a~1b/c~0d': 1 }, { 'a/b': { 'c~d': 1 } }],
    // A name is a name, even one of digits.
    [{ '0': 'x' }, { '0': 'x' }],
  ])('%j', (members, expected) => {
    expect(write(members)).toEqual(expected);
  });

  test.each([
    [['/items/1'], ['/items/1']],
    [
      ['/items/0', '/items/2'],
      ['/items/0', '/items/2'],
    ],
    [['/items/0', '/items/name'], ['/items/0']],
    [['/items/-'], ['/items/-']],
    [['/items/0', '/items/1'], []],
    [['/items/0/x', '/items/1'], []],
  ])('an index that makes no list: %j', (names, expected) => {
    expect(faults(...names)).toEqual(expected);
  });

  test('a list of any length holds its members in order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 15 }), (numbers) => {
        const members = numbers.map((number, index) => [`/list/${index}`, number] as const);
        expect(write(Object.fromEntries([...members].reverse()))).toEqual({ list: numbers });
      }),
    );
  });
});
