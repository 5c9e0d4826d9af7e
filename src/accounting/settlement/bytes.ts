import { createHash, type Hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Problem } from '../../http/problems/problem.js';
import { refusal } from './text.js';

const MiB = 1024 * 1024;
const MOST_PACKED = 64 * MiB;
const MOST_UNPACKED = 512 * MiB;
/** A sender from whom nothing comes for so long is given up. */
const PATIENCE_MS = 10_000;

type Bytes = AsyncIterable<Uint8Array>;

/** The bytes of an upload, unpacked, with a digest of them. */
export class UploadedBytes {
  readonly #digest: Hash = createHash('sha256');

  /** @param isPacked the header says so; otherwise the first bytes do */
  constructor(
    private readonly source: Bytes,
    private readonly isPacked: boolean,
  ) {}

  /** Throws `request-timeout`, `body-too-large` or `validation-failed`. */
  async *read(): Bytes {
    const rest = patiently(this.source);
    let start = Buffer.alloc(0);
    // The first bytes may come one by one.
    while (start.length < 2) {
      const next = await rest.next();
      if (next.done) break;
      start = Buffer.concat([start, next.value]);
    }
    async function* whole(): Bytes {
      yield start;
      yield* rest;
    }
    const packed = start[0] === 0x1f && start[1] === 0x8b;
    if (this.isPacked && !packed) throw refusal(1, 'is not packed with gzip, though the header says so');
    for await (const some of bounded(
      packed ? unpacked(bounded(whole(), MOST_PACKED)) : whole(),
      MOST_UNPACKED,
    )) {
      this.#digest.update(some);
      yield some;
    }
  }

  /** To be read once, behind the last byte. */
  digest(): string {
    return this.#digest.digest('base64url');
  }
}

async function* patiently(source: Bytes): AsyncGenerator<Uint8Array> {
  const bytes = source[Symbol.asyncIterator]();
  for (;;) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new Problem('request-timeout', 'No byte of the report came for 10 seconds.'));
      }, PATIENCE_MS);
    });
    try {
      const next = await Promise.race([bytes.next(), late]);
      if (next.done) return;
      yield next.value;
    } finally {
      clearTimeout(timer);
    }
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
