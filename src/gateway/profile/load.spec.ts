import { expect, test } from '@jest/globals';
import { loadProfile, readProfile } from './load.js';

test('the built-in profile has no faults', () => {
  expect(loadProfile().operations.payCard?.post).toBe('/payment/card');
});

test('faults', () => {
  const { faults } = readProfile(
    JSON.stringify({
      operations: { payCard: { post: 'x', boddy: {}, body: { a: '{foo}', b: '{' } } },
      answer: { statuss: '/a', status: 'x', words: { foo: [1] } },
    }),
  );
});
