import type { Hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Problem, validationFailed } from '../../http/problems/problem.js';

const MiB = 1024 * 1024;
const MOST_PACKED = 64 * MiB;
const MOST_UNPACKED = 512 * MiB;
/** A sender from whom nothing comes for so long is given up. */
const PATIENCE_MS = 10_000;

export type Bytes = AsyncIterable<Uint8Array>;

/** Refuses a whole file. `message` names no value of it. */
export function refusal(line: number, message: string): Problem {
  return validationFailed([{ pointer: `/${line}`, message }]);
}

/**
 * The bytes of an upload, unpacked; they go into `digest` as well. Throws `request-timeout`, `body-too-large` or `validation-failed`.
 *
 * @param isPacked the header says so; otherwise the first bytes do
 */
export async function* uploaded(source: Bytes, isPacked: boolean, digest: Hash): Bytes {
  const { start, whole } = await peeked(patiently(source), 2);
  const packed = start[0] === 0x1f && start[1] === 0x8b;
  if (isPacked && !packed) throw refusal(1, 'is not packed with gzip, though the header says so');
  const bytes = packed ? unpacked(bounded(whole, MOST_PACKED)) : whole;
  for await (const some of bounded(bytes, MOST_UNPACKED)) {
    digest.update(some);
    yield some;
  }
}

/** The first bytes, so many or more if there are, and all of them. They may come one by one. */
export async function peeked(bytes: Bytes, size: number): Promise<{ start: Buffer; whole: Bytes }> {
  const rest = bytes[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < size) {
    const next = await rest.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  async function* whole(): Bytes {
    yield start;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { start, whole: whole() };
}

async function* patiently(source: Bytes): Bytes {
  const bytes = source[Symbol.asyncIterator]();
  for (;;) {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      late.reject(new Problem('request-timeout', 'No byte of the report came for 10 seconds.'));
    }, PATIENCE_MS);
    const next = await Promise.race([bytes.next(), late.promise]).finally(() => clearTimeout(timer));
    if (next.done) return;
    yield next.value;
  }
}

async function* bounded(bytes: Bytes, most: number): Bytes {
  let size = 0;
  for await (const some of bytes) {
    size += some.length;
    if (size > most) throw new Problem('body-too-large', `The report is over ${most / MiB} MiB.`);
    yield some;
  }
}

async function* unpacked(bytes: Bytes): Bytes {
  const gunzip = createGunzip();
  // Its error destroys the stream, so the loop throws it.
  pipeline(bytes, gunzip).catch(() => undefined);
  try {
    for await (const some of gunzip as Bytes) yield some;
  } catch (error) {
    if (/^Z_/.test(String((error as { code?: unknown }).code))) throw refusal(1, 'is broken gzip');
    throw error;
  }
}
