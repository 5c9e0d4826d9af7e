import { expect, test } from '@jest/globals';
import { Problem, problemAnswer, problemCodes, problemStatus, validationFailed } from './problem.js';

/** The contract's list. */
const CODES = {
  400: ['malformed-request', 'malformed-json', 'validation-failed', 'idempotency-key-missing'],
  401: ['unauthorized'],
  403: ['forbidden', 'origin-not-allowed'],
  404: ['not-found'],
  405: ['method-not-allowed'],
  408: ['request-timeout'],
  409: [
    ...['idempotency-in-flight', 'payment-in-progress', 'session-paid', 'session-expired', 'session-closed'],
    ...['reference-in-use', 'operation-in-progress', 'gateway-refused', 'outcome-unknown', 'not-supported'],
    'invalid-state',
  ],
  413: ['body-too-large'],
  415: ['unsupported-media-type'],
  422: ['idempotency-key-reused'],
  429: ['rate-limited'],
  431: ['header-too-large'],
  500: ['internal-error'],
  502: ['gateway-credentials-rejected'],
  503: [
    ...['gateway-unavailable', 'gateway-busy', 'store-unavailable', 'overloaded', 'payments-held'],
    'shutting-down',
  ],
};

test('the codes are those of the contract, with its statuses', () => {
  const listed = Object.entries(CODES).flatMap(([status, codes]) =>
    codes.map((code) => [code, Number(status)]),
  );
  expect(problemCodes.map((code) => [code, problemStatus(code)]).sort()).toEqual(listed.sort());
});

test('an answer carries only the members and headers that it has', () => {
  const { headers, body } = problemAnswer(
    new Problem('session-paid', 'This session is paid.', { paymentId: 'pay_1', errors: [] }),
    'r1',
  );
  expect(headers).toEqual({ 'content-type': 'application/problem+json' });
  expect(JSON.parse(body)).toEqual({
    type: 'urn:tillfront:problem:session-paid',
    title: 'Already paid',
    status: 409,
    detail: 'This session is paid.',
    code: 'session-paid',
    requestId: 'r1',
    paymentId: 'pay_1',
  });
});

test.each([
  [new Problem('overloaded', ''), { 'retry-after': '1' }],
  [new Problem('rate-limited', '', { retryAfterSeconds: 2.1 }), { 'retry-after': '3' }],
  [new Problem('unauthorized', ''), { 'www-authenticate': 'Bearer' }],
  [new Problem('method-not-allowed', '', { allow: ['GET', 'HEAD'] }), { allow: 'GET, HEAD' }],
  [new Problem('body-too-large', ''), { connection: 'close' }],
])('%s has its headers', (problem, expected) => {
  expect(problemAnswer(problem, 'r1').headers).toEqual({
    'content-type': 'application/problem+json',
    ...expected,
  });
});

test('a single fault stands in the detail too', () => {
  expect(validationFailed([{ pointer: '/amount', message: 'is required' }]).detail).toBe(
    '/amount is required.',
  );
  expect(validationFailed([{ pointer: '', message: 'must be an object' }]).detail).toBe(
    'The request must be an object.',
  );
  const many = validationFailed(
    Array.from({ length: 60 }, () => ({ pointer: '/a', message: 'is required' })),
  );
  expect([many.detail, many.extra.errors?.length]).toEqual(['60 values are not valid; see errors.', 50]);
});
