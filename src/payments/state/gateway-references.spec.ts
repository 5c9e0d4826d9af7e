import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { clientRefOf } from '../../gateway/requests/client-ref.js';
import { merchantReferences } from './gateway-references.js';

const reference = fc.stringMatching(/^[A-Za-z0-9.-]{1,40}$/);
const separator = fc.stringMatching(/^[!#$%&*+,./:;=?@^_|~-]{1,8}$/);

test('whatever the separator, the merchant’s reference is among those that a gateway’s may be made of', () => {
  fc.assert(
    fc.property(reference, separator, fc.integer({ min: 1, max: 999_999 }), (own, between, n) => {
      const found = merchantReferences(clientRefOf(own, n, { separator: between }));
      expect(found).toContain(own);
      expect(found.length).toBeLessThanOrEqual(8);
    }),
  );
});

test.each([
  ['ORDER-1001_2', ['ORDER-1001']],
  ['ORDER-1001-2', ['ORDER-1001']],
  ['ORDER--2', ['ORDER', 'ORDER-']],
  ['ORDER', []],
  ['', []],
])('%s', (gatewayReference, expected) => {
  expect(merchantReferences(gatewayReference)).toEqual(expected);
});
