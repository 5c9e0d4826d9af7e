import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Secret } from '../../secrets/secret.js';
import type { PaymentFacts } from '../payment-facts.js';
import { parseTemplate, templateOf } from '../profile/template.js';
import { compileAddress } from './address.js';
import { compileSample, encodeForm } from './body.js';
import { compileText } from './text.js';
import { WORDS, type Scope } from './words.js';

const scopeOf = (facts: Partial<PaymentFacts> = {}, digits = {}): Scope => ({
  facts: { clientRef: 'O_1', currency: 'NGN', ...facts },
  ...{ digits, notifyUrl: '', apiKey: undefined, accessToken: undefined, now: new Date(1_700_000_000_500) },
});

function fill(
  sample: unknown,
  facts?: Partial<PaymentFacts>,
  digits?: Record<string, number>,
): string | undefined {
  const compiled = compileSample(sample);
  return JSON.stringify('write' in compiled ? compiled.write(scopeOf(facts, digits)) : compiled.constant);
}

describe('a sample with words', () => {
  test.each<[unknown, Partial<PaymentFacts>, string | undefined]>([
    [
      { a: '{amount}', b: '{amountNumber}', c: '{amountMinor}', d: '{amountMinorText}' },
      { amount: 150000n },
      '{"a":"1500.00","b":1500.00,"c":150000,"d":"150000"}',
    ],
    [{ a: '{amountNumber}' }, { amount: 5n, currency: 'JPY' }, '{"a":5}'],
    [
      { a: '{javaEnabled}', b: '{colorDepth}', c: '{screenWidth}' },
      { device: { javaEnabled: false, colorDepth: 30, screenWidth: 1920 } },
      '{"a":false,"b":24,"c":1920}',
    ],
    [
      { a: 'x{amountNumber}y', b: '{javaEnabled}!' },
      { amount: 150000n, device: { javaEnabled: true } },
      '{"a":"x1500.00y","b":"true!"}',
    ],
    [{ mode: 'pin', pin: '{card_pin}' }, {}, undefined],
    [{ r: '{client_ref}', auth: { mode: 'pin', pin: '{card_pin}' } }, {}, '{"r":"O_1"}'],
    [
      { r: '{client_ref}', auth: { mode: 'pin', pin: '{card_pin}' } },
      { card: { number: new Secret('4'), pin: new Secret('1111') } },
      '{"r":"O_1","auth":{"mode":"pin","pin":"1111"}}',
    ],
    [
      { r: '{client_ref}', list: ['a', '{payerEmail}'], other: ['{payerPhone}', '{client_ref}'] },
      {},
      '{"r":"O_1","other":["O_1"]}',
    ],
    [
      { r: '{client_ref}', constant: { empty: {}, none: null, n: 1.5, list: [] } },
      {},
      '{"r":"O_1","constant":{"empty":{},"none":null,"n":1.5,"list":[]}}',
    ],
    [
      { a: '{lastName|-}', b: '{lastName?}', c: '{billingPostCode|}', d: '{colorDepth|24}' },
      {},
      '{"a":"-","c":"","d":"24"}',
    ],
    [{ a: '{lastName|-}' }, { payer: { lastName: 'Obi' } }, '{"a":"Obi"}'],
    [{ a: '{colorDepth|0}' }, { device: { colorDepth: 24 } }, '{"a":"24"}'],
    [{ a: 'Order {client_ref} of {payerName}' }, {}, '{"a":"Order O_1 of "}'],
    [
      { a: '{payerName}', b: '{payerName} x' },
      { payer: { firstName: 'Ada', lastName: '' } },
      '{"a":"Ada","b":"Ada x"}',
    ],
    [{ a: '{{"x":1}', b: '}', c: '{{{client_ref}}}' }, {}, '{"a":"{\\"x\\":1}","b":"}","c":"{O_1}}"}'],
    [
      { a: '{expiryYear}', b: '{expiryYY}' },
      { card: { number: new Secret('4'), expiryYear: '30' } },
      '{"a":"2030","b":"30"}',
    ],
    [
      { a: '{billingCountry}', b: '{billingCountry2}' },
      { billing: { country: 'NGA' } },
      '{"a":"NGA","b":"NG"}',
    ],
    [{ a: '{timestamp}', b: '{epoch}' }, {}, '{"a":"2023-11-14T22:13:20.500Z","b":"1700000000"}'],
    [{ a: '{flw}' }, { kept: { flw: '7' } }, '{"a":"7"}'],
    [{ a: '{constructor}' }, { kept: {} }, undefined],
  ])('%j', (sample, facts, expected) => {
    expect(fill(sample, facts)).toBe(expected);
  });

  test('digits of a gateway that counts otherwise', () => {
    const all = { a: '{amount}', b: '{amountMinor}' };
    expect(fill(all, { amount: 1500n, currency: 'UGX' }, { UGX: 2 })).toBe('{"a":"1500.00","b":150000}');
    expect(fill(all, { amount: 150000n, currency: 'IDR' }, { IDR: 0 })).toBe('{"a":"1500","b":1500}');
    expect(fill(all, { amount: 150050n, currency: 'IDR' }, { IDR: 0 })).toBeUndefined();
  });

  test('one nonce in all of a request', () => {
    const scope = scopeOf();
    const write = compileText(templateOf('{nonce}'));
    expect(write(scope)).toBe(write(scope));
    expect(write(scope)).not.toBe(write(scopeOf()));
  });
});

describe('properties', () => {
  const word = fc.constantFrom(...Object.keys(WORDS));
  const constant = fc.jsonValue({ maxDepth: 3 }).map(
    (value) =>
      JSON.parse(
        JSON.stringify(value)
          .replaceAll('{', '{')
          .replace(/"((?:[^"\\]|\\.)*)"/g, (text) => text.replaceAll('{', '{{')),
      ) as unknown,
  );

  test('what has no words is sent as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const escaped: unknown = JSON.parse(JSON.stringify(value), (_key, inner: unknown) =>
          typeof inner === 'string' ? inner.replaceAll('{', '{{') : inner,
        );
        expect(fill(escaped)).toBe(JSON.stringify(value));
      }),
    );
  });

  test('a text comes back from its template', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const template = parseTemplate(text.replaceAll('{', '{{'));
        expect(
          typeof template === 'string'
            ? template
            : template.map((part) => ('text' in part ? part.text : '')).join(''),
        ).toBe(text);
      }),
    );
  });

  test('what has words and no values leaves nothing, whatever stands beside them', () => {
    fc.assert(
      fc.property(word, constant, (name, beside) => {
        if (
          [
            'client_ref',
            'currency',
            'timestamp',
            'epoch',
            'nonce',
            'basic:apiKey:accessToken',
            'basic:apiKey:',
          ].includes(name)
        )
          return;
        expect(fill({ list: [{ beside, value: `{${name}}` }] })).toBeUndefined();
        expect(fill({ list: [{ beside, value: `{${name}?}` }] })).toBeUndefined();
        expect(fill({ value: `{${name}|x}` })).toBe('{"value":"x"}');
      }),
    );
  });

  test('a value in an address adds no step and no parameter', () => {
    const write = compileAddress('/a/{client_ref}/b?x={payerEmail}&y=1');
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (clientRef, email) => {
        fc.pre(clientRef.isWellFormed() && email.isWellFormed() && !/^\.{1,2}$/.test(clientRef));
        const url = new URL(`https://gw.example${write(scopeOf({ clientRef, payer: { email } }))}`);
        expect(url.pathname.split('/').map(decodeURIComponent)).toEqual(['', 'a', clientRef, 'b']);
        expect([...url.searchParams]).toEqual([
          ['x', email],
          ['y', '1'],
        ]);
      }),
    );
  });

  test('a form comes back as it was', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.stringMatching(/^[a-z]{1,5}$/),
          fc.string().filter((text) => text.isWellFormed()),
        ),
        (fields) => {
          expect(Object.fromEntries(new URLSearchParams(encodeForm({ f: fields })))).toEqual(
            Object.fromEntries(Object.entries(fields).map(([name, value]) => [`f[${name}]`, value])),
          );
        },
      ),
    );
  });
});

test('addresses', () => {
  const of = (address: string, facts?: Partial<PaymentFacts>): string | undefined =>
    compileAddress(address)(scopeOf(facts));
  expect(of('/v3/{client_ref}?a={amount}&b={lastName|-}&c=x y')).toBe('/v3/O_1?b=-&c=x%20y');
  expect(of('/v3?only={amount}')).toBe('/v3');
  expect(of('/v3/{amount}')).toBeUndefined();
  expect(of('/v3/{amount?}/x')).toBeUndefined();
  expect(of('/v3/{client_ref}', { clientRef: '..' })).toBeUndefined();
  expect(of('/v3?q={client_ref}.{currency}')).toBe('/v3?q=O_1.NGN');
});
