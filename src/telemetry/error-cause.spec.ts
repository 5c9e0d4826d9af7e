import { expect, test } from '@jest/globals';
import { connect as connectTcp } from 'node:net';
import { lookup } from 'node:dns/promises';
import { causeOf } from './error-fields.js';

test('a refused connection, a name that does not exist', async () => {
  const refused = await new Promise((resolve) => connectTcp(1, '127.0.0.1').once('error', resolve));
  expect(causeOf(refused)).toBe('ECONNREFUSED');
  const unresolved = await lookup('tillfront.invalid').catch((error: unknown) => error);
  expect(causeOf(unresolved)).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
});

test('of several addresses the first, of nested causes the innermost with a code', () => {
  const denied = Object.assign(new Error('connect to db.example'), { code: 'EHOSTUNREACH' });
  expect(causeOf(new AggregateError([denied, new Error('x')]))).toBe('EHOSTUNREACH');
  expect(causeOf(new Error('failed', { cause: denied }))).toBe('EHOSTUNREACH');
  expect(causeOf(Object.assign(new Error('away'), { code: 'store-unavailable', causeCode: '53100' }))).toBe(
    '53100',
  );
});

test.each([
  ['a code that could be a value', Object.assign(new Error('x'), { code: 'order of Ada' })],
  ['our own words', Object.assign(new Error('away'), { code: 'store-unavailable' })],
  ['no error at all', 'ECONNREFUSED'],
  ['an error without a code', new TypeError('x')],
])('%s is no cause', (_name, error) => {
  expect(causeOf(error)).toBeUndefined();
});

test('a cause that leads back to itself is left', () => {
  const error = new Error('x');
  error.cause = error;
  expect(causeOf(error)).toBeUndefined();
});
