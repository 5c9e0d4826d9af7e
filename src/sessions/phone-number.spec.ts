import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { getCountries, getExampleNumber } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.min';
import examples from 'libphonenumber-js/mobile/examples';
import countries from 'i18n-iso-countries/index.js';
import { e164 } from './payer-details.js';

const nigeria = { country: 'NGA', currency: 'NGN' };

describe('a telephone number as E.164', () => {
  test.each<[string, { country: string | undefined; currency: string }, string | undefined]>([
    ['+2348012345678', nigeria, '+2348012345678'],
    ['08012345678', nigeria, '+2348012345678'],
    ['8012345678', nigeria, '+2348012345678'],
    ['2348012345678', nigeria, '+2348012345678'],
    ['08012345678', { country: undefined, currency: 'NGN' }, '+2348012345678'],
    // The billing country comes first.
    ['08012345678', { country: 'NGA', currency: 'USD' }, '+2348012345678'],
    ['0241234567', { country: 'GHA', currency: 'NGN' }, '+233241234567'],
    ['08012345678', { country: 'USA', currency: 'NGN' }, undefined],
    ['08012345678', { country: undefined, currency: 'USD' }, undefined],
    // No country's currency.
    ['08012345678', { country: undefined, currency: 'EUR' }, undefined],
    ['08012345678', { country: undefined, currency: 'XOF' }, undefined],
    ['+33612345678', { country: undefined, currency: 'EUR' }, '+33612345678'],
    // A number of another country, with its code.
    ['+14155552671', nigeria, '+14155552671'],
    ['12345678', nigeria, undefined],
    ['00000000', nigeria, undefined],
    ['+2348012', nigeria, undefined],
    ['+999123456789', nigeria, undefined],
    ['+', nigeria, undefined],
    ['', nigeria, undefined],
    ['call me', nigeria, undefined],
  ])('%s in %j is %s', (text, place, expected) => {
    expect(e164(text, place)).toBe(expected);
  });

  test('every country’s own number, typed as there, is the same as with its code', () => {
    const known = getCountries(metadata).flatMap((alpha2) => {
      const example = getExampleNumber(alpha2, examples, metadata);
      const country = countries.alpha2ToAlpha3(alpha2);
      return example && country !== undefined ? [{ country, example }] : [];
    });
    expect(known.length).toBeGreaterThan(200);
    for (const { country, example } of known) {
      const place = { country, currency: 'EUR' };
      const typed = example.formatNational().replace(/\D/g, '');
      expect([country, e164(typed, place)]).toEqual([country, example.number]);
      expect(e164(example.number, nigeria)).toBe(example.number);
    }
  });

  test('what was read once is read as the same again, in any country', () => {
    const anyPlace = fc.record({
      country: fc.constantFrom('NGA', 'GHA', 'USA', 'GBR', undefined),
      currency: fc.constantFrom('NGN', 'EUR'),
    });
    const digits = fc.stringMatching(/^\+?[0-9]{7,15}$/);
    fc.assert(
      fc.property(digits, anyPlace, anyPlace, (text, place, other) => {
        const once = e164(text, place);
        if (once === undefined) return;
        expect(once).toMatch(/^\+[1-9][0-9]{5,14}$/);
        expect(e164(once, other)).toBe(once);
      }),
    );
  });
});
