import { constants, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Problem } from '../problems/problem.js';
import { MOST_UNPACKED_BYTES, unpacked } from './unpack.js';

async function unpack(bytes: Buffer, size = 65_536, mustBePacked = false): Promise<string | Buffer> {
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size)
      yield await Promise.resolve(bytes.subarray(at, at + size));
  }
  const found: Buffer[] = [];
  try {
    for await (const piece of unpacked(pieces(), mustBePacked)) found.push(piece);
    return Buffer.concat(found);
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

describe('a file', () => {
  test('is what was packed, in whatever pieces it comes, or what it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 5_000 }),
        fc.integer({ min: 1, max: 400 }),
        async (some, size) => {
          const bytes = Buffer.from(some);
          expect(await unpack(gzipSync(bytes), size)).toEqual(bytes);
          expect(await unpack(gzipSync(bytes), size, true)).toEqual(bytes);
          if (bytes[0] !== 0x1f) expect(await unpack(bytes, size)).toEqual(bytes);
        },
      ),
    );
  });

  test('may be packed in several parts, and end in zeros', async () => {
    const parts = Buffer.concat([gzipSync('one,'), gzipSync('two'), Buffer.alloc(20)]);
    for (const size of [1, 7, 1_000]) expect(String(await unpack(parts, size))).toBe('one,two');
  });

  test('is refused where it is cut, changed or goes on with something else', async () => {
    const packed = gzipSync(Buffer.from('reference,amount\n'.repeat(1_000)));
    for (let length = 2; length < packed.length; length++)
      expect(await unpack(packed.subarray(0, length), 16)).toBe('validation-failed');
    for (const size of [1, packed.length, 10_000])
      expect(await unpack(Buffer.concat([packed, Buffer.from('more')]), size)).toBe('validation-failed');
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 10, max: packed.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const changed = Buffer.from(packed);
          changed[at] = (changed[at] ?? 0) ^ by;
          expect(await unpack(changed, 50)).toBe('validation-failed');
        },
      ),
    );
  });

  test('is refused where its sender says that it is packed, and it is not', async () => {
    for (const text of ['', 'r', 'reference\n'])
      expect(await unpack(Buffer.from(text), 1, true)).toBe('validation-failed');
  });
});

test('what comes to too much is refused as soon as it does, and takes no memory of that size', async () => {
  const zeros = 16 * 1_048_576;
  const part = gzipSync(Buffer.alloc(zeros), { level: constants.Z_BEST_SPEED });
  const packed = Array.from({ length: MOST_UNPACKED_BYTES / zeros + 1 }, () => part);
  const before = process.memoryUsage().rss;
  let [most, bytes] = [0, 0];
  async function* pieces(): AsyncGenerator<Buffer> {
    for (const piece of packed) yield await Promise.resolve(piece);
  }
  await expect(
    (async () => {
      for await (const piece of unpacked(pieces())) {
        bytes += piece.length;
        most = Math.max(most, process.memoryUsage().rss);
      }
    })(),
  ).rejects.toMatchObject({ code: 'body-too-large' });
  expect(bytes).toBeGreaterThan(MOST_UNPACKED_BYTES - 10 * 1_048_576);
  expect((most - before) / 1_048_576).toBeLessThan(100);
}, 60_000);
