import { expect, test } from '@jest/globals';
import { gatewayAnswer } from '../../../test/harness/records.js';
import { answerExpiry } from '../gateway-result.js';

test('the gateway’s own end', () => {
  expect(answerExpiry(gatewayAnswer('processing'))).toBeUndefined();
  expect(answerExpiry(gatewayAnswer('processing', { expiresAt: 'soon' }))).toBeUndefined();
  expect(answerExpiry(gatewayAnswer('processing', { expiresAt: '2026-11-21T12:30:00Z' }))).toBe(
    Date.UTC(2026, 10, 21, 12, 30),
  );
});
