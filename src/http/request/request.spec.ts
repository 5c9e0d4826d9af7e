import { expect, test } from '@jest/globals';
import { chooseRequestId } from './request.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test.each([
  [{ 'x-request-id': 'order-1.2_A' }, 'order-1.2_A'],
  [{ 'x-request-id': 'a'.repeat(128) }, 'a'.repeat(128)],
  [{ 'x-request-id': 'mine', traceparent: TRACE }, 'mine'],
  [{ traceparent: TRACE }, '4bf92f3577b34da6a3ce929d0e0e4736'],
  [{ 'x-request-id': 'not good', traceparent: TRACE }, '4bf92f3577b34da6a3ce929d0e0e4736'],
])('%j gives %s', (headers, id) => {
  expect(chooseRequestId({ headers })).toBe(id);
});

test.each([
  [{}],
  [{ 'x-request-id': '' }],
  [{ 'x-request-id': 'a'.repeat(129) }],
  [{ 'x-request-id': 'a b' }],
  [{ 'x-request-id': 'é' }],
  [{ 'x-request-id': 'one, two' }],
  [{ traceparent: '00-00000000000000000000000000000000-00f067aa0ba902b7-01' }],
  [{ traceparent: '00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01' }],
  [{ traceparent: 'garbage' }],
  [{ 'x-request-id': '4111111111111111' }],
  [{ 'x-request-id': 'order-4111-1111-1111-1111' }],
])('%j gives a random one', (headers) => {
  const id = chooseRequestId({ headers });
  expect(id).toMatch(UUID);
  expect(chooseRequestId({ headers })).not.toBe(id);
});
