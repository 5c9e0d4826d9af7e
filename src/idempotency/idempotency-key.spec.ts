import { expect, test } from '@jest/globals';
import { idempotencyKey } from './idempotent.js';

const read = (...rawHeaders: string[]): string => idempotencyKey({ raw: { rawHeaders } });

test.each([['a'], ['0c3f8f3e-6b5c-4f0e-9f0a-1d2c3b4a5968'], ['!~,;"quoted"'], ['x'.repeat(255)]])(
  '%s is a key',
  (key) => {
    expect(read('Host', 'h', 'Idempotency-Key', key, 'Accept', '*/*')).toBe(key);
    expect(read('IDEMPOTENCY-KEY', key)).toBe(key);
  },
);

test.each([
  ['none', []],
  ['another header', ['X-Idempotency-Key', 'a']],
  ['an empty one', ['Idempotency-Key', '']],
  ['a long one', ['Idempotency-Key', 'x'.repeat(256)]],
  ['a blank inside', ['Idempotency-Key', 'a b']],
  ['two joined by a proxy', ['Idempotency-Key', 'a, b']],
  ['a control character', ['Idempotency-Key', 'a\u007f']],
  ['not ASCII', ['Idempotency-Key', 'é']],
  ['two headers', ['Idempotency-Key', 'a', 'idempotency-key', 'b']],
  ['the same header twice', ['Idempotency-Key', 'a', 'Idempotency-Key', 'a']],
])('%s is refused', (_name, headers) => {
  expect(() => read(...headers)).toThrow(
    expect.objectContaining({ code: 'idempotency-key-missing', status: 400 }),
  );
});

test('one that holds a card number is refused, and not repeated', () => {
  for (const key of ['4111111111111111', 'order-4111-1111-1111-1111']) {
    expect(() => read('Idempotency-Key', key)).toThrow(
      expect.objectContaining({
        code: 'validation-failed',
        extra: { errors: [{ pointer: '/Idempotency-Key', message: 'must hold no card number' }] },
      }),
    );
  }
});
