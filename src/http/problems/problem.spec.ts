import { describe, expect, test } from '@jest/globals';
import {
  Problem,
  problemCodes,
  problemDocument,
  problemInstance,
  problemStatus,
  problemType,
} from './problem.js';

test('a problem carries status and title of its code, and only the members that it has', () => {
  const problem = new Problem('session-paid', 'This session is paid.', { paymentId: 'pay_1', errors: [] });
  expect(problem).toBeInstanceOf(Error);
  expect(problemDocument(problem, { instance: '/v1/payments/card', requestId: 'r1' })).toEqual({
    type: 'urn:tillfront:problem:session-paid',
    title: 'Already paid',
    status: 409,
    detail: 'This session is paid.',
    instance: '/v1/payments/card',
    code: 'session-paid',
    requestId: 'r1',
    paymentId: 'pay_1',
  });
});

test.each([
  ['malformed-request', 400],
  ['malformed-json', 400],
  ['validation-failed', 400],
  ['idempotency-key-missing', 400],
  ['unauthorized', 401],
  ['forbidden', 403],
  ['origin-not-allowed', 403],
  ['not-found', 404],
  ['method-not-allowed', 405],
  ['request-timeout', 408],
  ['idempotency-in-flight', 409],
  ['payment-in-progress', 409],
  ['session-paid', 409],
  ['session-expired', 409],
  ['session-closed', 409],
  ['reference-in-use', 409],
  ['operation-in-progress', 409],
  ['gateway-refused', 409],
  ['not-supported', 409],
  ['outcome-unknown', 409],
  ['invalid-state', 409],
  ['body-too-large', 413],
  ['uri-too-long', 414],
  ['unsupported-media-type', 415],
  ['idempotency-key-reused', 422],
  ['rate-limited', 429],
  ['header-too-large', 431],
  ['internal-error', 500],
  ['gateway-credentials-rejected', 502],
  ['gateway-unavailable', 503],
  ['gateway-busy', 503],
  ['store-unavailable', 503],
  ['payments-held', 503],
  ['overloaded', 503],
  ['shutting-down', 503],
] as const)('%s is %i', (code, status) => {
  expect(problemStatus(code)).toBe(status);
  expect(problemType(code)).toBe(`urn:tillfront:problem:${code}`);
});

test('there is no code beside those', () => {
  expect(problemCodes).toHaveLength(35);
});

describe('problemInstance', () => {
  test.each([
    ['/v1/payments/card', '/v1/payments/card'],
    ['/v1/payments/pay_01J9ABC/otp?x=1', '/v1/payments/pay_01J9ABC/otp'],
    ['/v1/payments/pay_1/return/abcdef', '/v1/payments/pay_1/return/redacted'],
    ['/v1/gateway/notifications/letters', '/v1/gateway/notifications/redacted'],
    ['/v1/gateway/notifications', '/v1/gateway/notifications'],
    ['/v1/payments/4111111111111111', '/v1/payments/redacted'],
    ['/v1/payments/pay_4111111111111111', '/v1/payments/redacted'],
    ['/v1/cst_cs_1.mac', '/v1/redacted'],
    ['/%2e%2e/<script>', '/redacted/redacted'],
    ['/', '/'],
    ['*', '/'],
    ['http://evil.example/x?y', '/x'],
    ['', '/'],
    ['/console/', '/console/'],
    ['/openapi.json', '/openapi.json'],
  ])('%s is shown as %s', (target, shown) => {
    expect(problemInstance(target)).toBe(shown);
  });
});
