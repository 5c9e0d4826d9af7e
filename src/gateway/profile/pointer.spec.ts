import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parsePointer, readPointer } from './pointer.js';

/** The example of RFC 6901, part 5. */
const document: unknown = JSON.parse(
  '{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8}',
);

function at(text: string): unknown {
  const pointer = parsePointer(text);
  return pointer === undefined ? 'no pointer' : readPointer(document, pointer);
}

describe('a pointer', () => {
  test.each<[string, unknown]>([
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
    ['/nothing', undefined],
    ['/foo/2', undefined],
    ['/foo/-', undefined],
    ['/foo/01', undefined],
    ['/foo/length', undefined],
    ['/foo/0/length', undefined],
    ['/toString', undefined],
    ['foo', 'no pointer'],
    ['/m~n', 'no pointer'],
    ['/m~2n', 'no pointer'],
    ['/a~', 'no pointer'],
    ['/__proto__/a', 'no pointer'],
    ['/a/constructor', 'no pointer'],
  ])('%j', (text, expected) => {
    expect(at(text)).toEqual(expected);
  });

  test('finds every member under its own name', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (name, value) => {
        fc.pre(!['__proto__', 'constructor', 'prototype'].includes(name));
        const pointer = parsePointer(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
        expect(readPointer({ [name]: value }, pointer ?? [])).toEqual(value);
      }),
    );
  });
});
