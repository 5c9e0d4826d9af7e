import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from './fingerprint.js';

test.each([
  [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
  [{ a: { d: null, c: [3, 'x', true] } }, '{"a":{"c":[3,"x",true],"d":null}}'],
  [{ a: undefined, b: 'c' }, '{"b":"c"}'],
  [[{ b: 1, a: 2 }, []], '[{"a":2,"b":1},[]]'],
  ['text "quoted"', '"text \\"quoted\\""'],
  [null, 'null'],
  [undefined, 'null'],
  [{}, '{}'],
])('%j', (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

test('is the same for the same content in another order, and JSON of that content', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (content) => {
      const turned = Object.fromEntries(Object.entries(content).reverse());
      expect(canonicalJson(turned)).toBe(canonicalJson(content));
      expect(JSON.parse(canonicalJson(content))).toEqual(JSON.parse(JSON.stringify(content)));
    }),
  );
});

test('tells different contents apart', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const same =
        JSON.stringify(JSON.parse(canonicalJson(one))) === JSON.stringify(JSON.parse(canonicalJson(other)));
      expect(canonicalJson(one) === canonicalJson(other)).toBe(same);
    }),
  );
});
