import { expect, test } from '@jest/globals';
import { ReceivedBytes } from './body-parser.js';

const joined = (...chunks: string[]): ReceivedBytes => {
  const received = new ReceivedBytes();
  for (const chunk of chunks) received.add(Buffer.from(chunk));
  return received;
};

test.each([[[]], [['one']], [['', 'a', '', 'bc']], [['x'.repeat(900), 'y'.repeat(900), 'z'.repeat(9_000)]]])(
  'gives back what was added',
  (chunks) => {
    const received = joined(...chunks);
    expect(received.bytes.toString()).toBe(chunks.join(''));
    expect(received.length).toBe(chunks.join('').length);
  },
);

test('a hundred thousand chunks of one byte take little more than their bytes', () => {
  const received = new ReceivedBytes();
  const piece = Buffer.alloc(65_536, '7');
  for (let index = 0; index < 100_000; index++) received.add(piece.subarray(index % 65_536).subarray(0, 1));
  expect(received.bytes.equals(Buffer.alloc(100_000, '7'))).toBe(true);
  expect(received.bytes.buffer.byteLength).toBeLessThan(400_000);
});
