import { expect, test } from '@jest/globals';
import { holdsSecurityCode } from './holds-security-code.js';

test.each([
  ['cvv 123'],
  ['The payer said: CVV=123.'],
  ['cvc2: 1234'],
  ['cvv was 123, and it worked'],
  ['security code 123'],
  ['card-security code: 123'],
  ['cvv code is 123'],
  ['"cvv":"123"'],
  ['card pin 1234'],
  ['cvv123'],
])('%s', (text) => {
  expect(holdsSecurityCode(text)).toBe(true);
});

test.each([
  ['cvv was wrong'],
  ['cvv wrong, 500 NGN went back'],
  ['the CVV failed 100 times'],
  ['cvv 500.00'],
  ['cvv 2026-11-22'],
  ['cvv 12'],
  ['cvv 12345'],
  ['ACVV 123'],
  ['PIN 560001'],
  ['promo code 123'],
  ['123'],
  [''],
])('not in %j', (text) => {
  expect(holdsSecurityCode(text)).toBe(false);
});
