import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Problem } from '../problems/problem.js';
import { parseStrictJson } from './strict-json.js';

function refusal(body: string | Buffer): string {
  try {
    parseStrictJson(Buffer.from(body));
  } catch (error) {
    if (error instanceof Problem && error.code === 'malformed-json') return error.detail;
    throw error;
  }
  return 'accepted';
}

describe('accepts', () => {
  test.each([
    ['{}', {}],
    ['[]', []],
    ['null', null],
    ['"text"', 'text'],
    [' \t\r\n{ "a" : 1 } ', { a: 1 }],
    ['{"a":{"a":1},"b":[{"a":2},{"a":3}]}', { a: { a: 1 }, b: [{ a: 2 }, { a: 3 }] }],
    ['{"a":"b:c,\\"d\\":{"}', { a: 'b:c,"d":{' }],
    ['{"\\u0061":"\\u00e9é😀\\ud83d\\ude00"}', { a: 'éé😀😀' }],
    ['{"":0}', { '': 0 }],
    ['{"proto":1,"Constructor":2}', { proto: 1, Constructor: 2 }],
    ['{"a":"\\\\"}', { a: '\\' }],
    ['['.repeat(20) + ']'.repeat(20), JSON.parse('['.repeat(20) + ']'.repeat(20)) as unknown],
    ['{"a":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["}', { a: '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[' }],
  ])('%s', (body, value) => {
    expect(parseStrictJson(Buffer.from(body))).toEqual(value);
  });
});

describe('refuses', () => {
  test.each([
    ['', 'empty'],
    ['   ', 'not valid JSON'],
    ['{', 'not valid JSON'],
    ['{"a":1,}', 'not valid JSON'],
    ["{'a':1}", 'not valid JSON'],
    ['{"a":01}', 'not valid JSON'],
    ['{"a":NaN}', 'not valid JSON'],
    ['{"a":1}{"b":2}', 'not valid JSON'],
    ['{"a":1}é', 'not valid JSON'],
    ['{"a":"\u0001"}', 'not valid JSON'],
    ['{"a":"line\nbreak"}', 'not valid JSON'],
    ['\ufeff{}', 'not valid JSON'],
    ['{"a":1,"a":1}', 'same key twice'],
    ['{"a":1,"\\u0061":2}', 'same key twice'],
    ['{"b":[{"é":1,"\\u00E9":2}]}', 'same key twice'],
    ['{"__proto__":{}}', 'not allowed'],
    ['{"__pr\\u006fto__":1}', 'not allowed'],
    ['{"a":[{"constructor":1}]}', 'not allowed'],
    ['{"c\\u006fnstructor":{"prototype":{}}}', 'not allowed'],
    ['{"prototype":1}', 'not allowed'],
    ['{"a":"\\u0000"}', 'control character'],
    ['{"a":"\\n"}', 'control character'],
    ['{"a":"x\\tx"}', 'control character'],
    ['{"a":"\u007f"}', 'control character'],
    ['{"a":"\\u007F"}', 'control character'],
    ['{"a":"\u0085"}', 'control character'],
    ['{"\\u0000a":1}', 'control character'],
    ['["\\ud800"]', 'surrogate'],
    ['["\\udc00\\ud800"]', 'surrogate'],
    ['{"\\udfff":1}', 'surrogate'],
    ['['.repeat(21) + ']'.repeat(21), 'deeper than 20'],
    ['['.repeat(30_000), 'deeper than 20'],
    ['{"a":'.repeat(21) + '1' + '}'.repeat(21), 'deeper than 20'],
  ])('%j', (body, reason) => {
    expect(refusal(body)).toContain(reason);
  });

  test.each([
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['a cut sequence', [0x22, 0xe2, 0x82, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['Latin-1', [0x22, 0xe9, 0x22]],
  ])('%s', (_name, bytes) => {
    expect(refusal(Buffer.from(bytes))).toContain('UTF-8');
  });

  test('UTF-16', () => {
    expect(refusal(Buffer.from('{"a":1}', 'utf16le'))).not.toBe('accepted');
  });

  test('without repeating the body', () => {
    expect(refusal('{"number":5060990580000217499 "')).not.toContain('5060');
  });
});

/** Any of the ways in which JSON can write the same character. */
function written(text: string, escape: boolean): string {
  if (!escape) return JSON.stringify(text);
  const units = Array.from({ length: text.length }, (_, at) =>
    text.charCodeAt(at).toString(16).padStart(4, '0'),
  );
  return `"${units.map((unit) => `\\u${unit}`).join('')}"`;
}

function hasControlCharacter(text: string): boolean {
  return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)).some(
    (unit) => unit <= 0x1f || (unit >= 0x7f && unit <= 0x9f),
  );
}

const key = fc.oneof(
  fc.constantFrom('a', 'b', 'ab', '__proto__', 'constructor', 'é'),
  fc.string({ unit: 'binary', maxLength: 5 }),
);

interface Written {
  text: string;
  /** Whether an object in it has the same key twice. */
  duplicate: boolean;
  /** All its strings, keys included. */
  strings: string[];
  keys: string[];
}

const { json } = fc.letrec<{ json: Written }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc
      .oneof(
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
      )
      .map((value): Written => ({ text: JSON.stringify(value), duplicate: false, strings: [], keys: [] })),
    fc.tuple(fc.string({ unit: 'binary' }), fc.boolean()).map(([value, escape]): Written => ({
      text: written(value, escape),
      duplicate: false,
      strings: [value],
      keys: [],
    })),
    fc.array(tie('json'), { maxLength: 4 }).map((items): Written => ({
      text: `[${items.map((item) => item.text).join(' , ')}]`,
      duplicate: items.some((item) => item.duplicate),
      strings: items.flatMap((item) => item.strings),
      keys: items.flatMap((item) => item.keys),
    })),
    fc.array(fc.tuple(key, fc.boolean(), tie('json')), { maxLength: 5 }).map((members): Written => ({
      text: `{${members.map(([name, escape, item]) => `${written(name, escape)}\n: ${item.text}`).join(',')}}`,
      duplicate:
        new Set(members.map(([name]) => name)).size < members.length ||
        members.some(([, , item]) => item.duplicate),
      strings: members.flatMap(([name, , item]) => [name, ...item.strings]),
      keys: members.flatMap(([name, , item]) => [name, ...item.keys]),
    })),
  ),
}));

test('refuses exactly duplicates, unsafe keys, control characters and lone surrogates, and reads the rest as JSON.parse does', () => {
  let accepted = 0;
  fc.assert(
    fc.property(json, ({ text, duplicate, strings, keys }) => {
      const bad =
        duplicate ||
        keys.some((name) => ['__proto__', 'constructor', 'prototype'].includes(name)) ||
        strings.some((value) => !value.isWellFormed() || hasControlCharacter(value));
      if (bad) {
        expect(refusal(text)).not.toBe('accepted');
      } else {
        accepted++;
        expect(parseStrictJson(Buffer.from(text))).toEqual(JSON.parse(text));
      }
    }),
    { numRuns: 2000 },
  );
  expect(accepted).toBeGreaterThan(200);
});

test('bytes that JSON.parse refuses are refused', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'a', '1', ' ', 'é', '\\u0061'),
      }),
      (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        if (!valid) expect(refusal(text)).not.toBe('accepted');
      },
    ),
    { numRuns: 5000 },
  );
});
