import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '../../store/ids.js';
import { readCursor, writeCursor } from './payment-filter.js';

test('reads what it wrote, and fits into a query', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 50 }), (createdAt) => {
      const cursor = { createdAt, id: newId('pay') };
      expect(readCursor(writeCursor(cursor))).toEqual(cursor);
      expect(writeCursor(cursor)).toMatch(/^[A-Za-z0-9_-]{1,120}$/);
    }),
  );
});

test.each([
  '',
  'x',
  writeCursor({ createdAt: 1, id: 'evt_1' }),
  Buffer.from('1').toString('base64url'),
  Buffer.from('-1.pay_1').toString('base64url'),
  Buffer.from("1.pay_1' or 1=1").toString('base64url'),
  Buffer.from('zzzzzzzzzzzz.pay_1').toString('base64url'),
])('%j is none', (text) => {
  expect(() => readCursor(text)).toThrow(
    expect.objectContaining({
      code: 'validation-failed',
      extra: { errors: [expect.objectContaining({ pointer: '/cursor' })] },
    }),
  );
});
