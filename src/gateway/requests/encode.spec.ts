import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeBody, encodeForm, encodeQuery, sortedJson } from './encode.js';
import { readField } from './payment-fields.js';

const writing = {
  amountUnit: 'major-number',
  card: { expiryYear: 'YYYY', omit: [], colorDepths: [24] },
} as const;
const amount = readField('amount', { amount: 150_000n, currency: 'NGN' }, writing);

describe('a body', () => {
  test('has a number with all its minor digits, in every form', () => {
    expect(encodeBody({ amount }, 'json').text).toBe('{"amount":1500.00}');
    expect(encodeBody({ b: 1, amount }, 'json-sorted').text).toBe('{"amount":1500.00,"b":1}');
    expect(encodeForm({ amount })).toBe('amount=1500.00');
    expect(encodeQuery({ amount })).toBe('amount=1500.00');
  });

  test.each<[unknown, string]>([
    [
      { b: 1, a: { d: [2, { z: 1, y: null }], c: 'ä"' } },
      '{"a":{"c":"ä\\"","d":[2,{"y":null,"z":1}]},"b":1}',
    ],
    // By code unit: capitals first, and digits as texts.
    [{ a: 1, B: 2, '10': 3, '9': 4 }, '{"10":3,"9":4,"B":2,"a":1}'],
    [{ a: undefined, b: true }, '{"b":true}'],
  ])('is sorted: %j', (value, expected) => {
    expect(sortedJson(value)).toBe(expected);
  });

  test('sorted says the same as unsorted', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
        expect(JSON.parse(sortedJson(body))).toEqual(JSON.parse(JSON.stringify(body)));
      }),
    );
  });

  test('is flat in a form and in a query', () => {
    const body = { a: 'x y&z', b: { c: true, d: [1, 2] }, e: null };
    expect(encodeForm(body)).toBe('a=x+y%26z&b%5Bc%5D=true&b%5Bd%5D%5B0%5D=1&b%5Bd%5D%5B1%5D=2&e=');
    expect(encodeQuery(body)).toBe('a=x%20y%26z&b%5Bc%5D=true&b%5Bd%5D%5B0%5D=1&b%5Bd%5D%5B1%5D=2&e=');
  });

  test('in a form is read back as it was', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string()), (body) => {
        expect(Object.fromEntries(new URLSearchParams(encodeForm(body)))).toEqual({ ...body });
      }),
    );
  });
});
