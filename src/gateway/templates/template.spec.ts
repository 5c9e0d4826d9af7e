import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readPointer } from '../profile/pointer.js';
import { compileTemplate, fillTemplate, fillWhole, parseTemplate } from './template.js';

const values = { a: 'A', empty: '' };
const document = { order: { id: 7, paid: true, note: 'x/y?' } };

function fill(text: string): string {
  return fillTemplate(compileTemplate(text), {
    word: (name) => (values as Record<string, string>)[name],
    pointer: (pointer) => readPointer(document, pointer),
  });
}

describe('a template', () => {
  test.each([
    ['plain', 'plain'],
    ['', ''],
    ['{a}', 'A'],
    ['x{a}y{a}', 'xAyA'],
    ['{missing}', ''],
    ['{{a}', '{a}'],
    ['{{{a}}', '{A}'],
    ['a } b', 'a } b'],
    ['}}', '}}'],
    ['{/order/id}', '7'],
    ['{/order/nothing}', ''],
    ['{/order}', ''],
    ['{/order/paid?t:f}', 't'],
    ['{/order/id?t:f}', ''],
    ['{{Amount:"{/order/id}",Refunded:{/order/paid?t:f}}', '{Amount:"7",Refunded:t}'],
  ])('%s is %s', (text, expected) => {
    expect(fill(text)).toBe(expected);
  });

  test.each(['{', 'a{b', '{}', '{a{b}}', '{/a~2}', '{/__proto__}'])('%s is none', (text) => {
    expect(typeof parseTemplate(text)).toBe('string');
  });

  test('text without braces is itself, and doubled braces always stand for one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(fill(text.replaceAll('{', '{{'))).toBe(text);
      }),
    );
  });

  test('is whole or nothing, where half of it would lead astray', () => {
    const whole = (text: string): string | undefined =>
      fillWhole(
        compileTemplate(text),
        {
          word: (name) => (values as Record<string, string>)[name],
          pointer: (at) => readPointer(document, at),
        },
        encodeURIComponent,
      );
    expect(whole('/x/{a}/{/order/note}')).toBe('/x/A/x%2Fy%3F');
    expect(whole('/x/{empty}')).toBeUndefined();
    expect(whole('/x/{/order/nothing}')).toBeUndefined();
  });
});
