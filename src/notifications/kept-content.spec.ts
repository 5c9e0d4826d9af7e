import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { firstBytes, keptContent } from './notifications.service.js';

const CARD = '5060990580000217499';
const body = (text: string) => Buffer.from(text);

describe('what is kept of a notification', () => {
  test('is scrubbed before it is cut, wherever the cut falls', () => {
    const text = JSON.stringify({ a: 'x'.repeat(20), card: CARD, b: 'y'.repeat(20) });
    for (let limit = 0; limit <= text.length; limit++) {
      const kept = keptContent(body(text), limit);
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(limit);
      expect(kept).not.toMatch(/[0-9]/);
    }
  });

  test.each([
    ['JSON', '{"client_ref":"A_1"}', '{"client_ref":"A_1"}'],
    ['a form', 'client_ref=A_1&cvv=123', 'client_ref=A_1&cvv=[redacted]'],
    ['nothing', '', ''],
    ['a NUL, which PostgreSQL does not take', 'a\0b', 'ab'],
  ])('of %s', (_, text, kept) => {
    expect(keptContent(body(text), 4_096)).toBe(kept);
  });

  test.each(['utf8', 'utf16le'] as const)('holds no card number that came in %s', (encoding) => {
    const kept = keptContent(Buffer.from('paid by 4111111111111111', encoding), 1_000);
    expect(kept).toContain('paid by');
    expect(kept.replace(/[^0-9]/g, '')).not.toContain('4111111111111111');
  });

  test('of bytes that are no text is text', () => {
    expect(keptContent(Buffer.from([0xff, 0xfe, 0x41]), 4_096)).toContain('A');
  });
});

test('the first bytes of a text are whole characters, as many as fit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(64), (made, limit) => {
      const text = made.toWellFormed();
      const kept = firstBytes(text, limit);
      expect(text.startsWith(kept)).toBe(true);
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(limit);
      const [next = ''] = text.slice(kept.length);
      if (next !== '') expect(Buffer.byteLength(kept) + Buffer.byteLength(next)).toBeGreaterThan(limit);
    }),
  );
});
