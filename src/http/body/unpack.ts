import { createGunzip, type Gunzip } from 'node:zlib';
import { Problem } from '../problems/problem.js';

/** The first bytes of everything that gzip has packed. */
const MAGIC = Buffer.from([0x1f, 0x8b]);

/** So little is unpacked at once: it comes to at most 4 MiB. */
const PACKED_AT_ONCE = 4_096;

/** The most that may be unpacked of one file. */
export const MOST_UNPACKED_BYTES = 512 * 1_048_576;

export function fileTooLarge(): Problem {
  return new Problem('body-too-large', 'A file is at most 64 MiB, and 512 MiB when it is unpacked.');
}

/**
 * The pieces of a file as they are, or unpacked where it begins as what gzip packs does. They throw `validation-failed` where what is packed is
 * cut or broken, and `body-too-large` where it comes to too much: both when all of it was read, so that its sender can read the answer.
 * @param mustBePacked whether the sender says that it is.
 */
export async function* unpacked(
  pieces: AsyncIterable<Buffer>,
  mustBePacked = false,
): AsyncGenerator<Buffer, void, undefined> {
  let begun: Buffer = Buffer.alloc(0);
  /** Null where it is not packed. */
  let gunzip: Unpacking | null | undefined;
  let refusal: Error | undefined;
  try {
    for await (const piece of pieces) {
      if (refusal) continue;
      let next: Buffer = piece;
      if (gunzip === undefined) {
        next = begun = begun.length === 0 ? piece : Buffer.concat([begun, piece]);
        if (begun.length < MAGIC.length) continue;
        gunzip = begun.subarray(0, MAGIC.length).equals(MAGIC) ? new Unpacking() : null;
      }
      try {
        if (gunzip) yield* gunzip.push(next);
        else if (mustBePacked) throw broken();
        else yield next;
      } catch (error) {
        refusal = error instanceof Error ? error : broken();
      }
    }
    if (refusal) throw refusal;
    if (gunzip) yield* gunzip.end();
    // It is shorter than anything that is packed.
    else if (gunzip === undefined && mustBePacked) throw broken();
    else if (gunzip === undefined && begun.length > 0) yield begun;
  } finally {
    gunzip?.close();
  }
}

/** Unpacks pieces one after the other, and nothing ahead of what is asked for. */
class Unpacking {
  readonly #gunzip: Gunzip = createGunzip();
  readonly #out: Buffer[] = [];
  #given = 0;
  #bytes = 0;
  #hasEnded = false;
  #hasFailed = false;
  /** Goes on with whoever waits for the library, which does not call back once it has ended or failed. */
  #goOn: () => void = () => undefined;

  constructor() {
    this.#gunzip
      .on('data', (piece: Buffer) => void this.#out.push(piece))
      .once('end', () => {
        this.#hasEnded = true;
        this.#goOn();
      })
      .on('error', () => {
        this.#hasFailed = true;
        this.#goOn();
      });
  }

  async *push(piece: Buffer): AsyncGenerator<Buffer, void, undefined> {
    for (let at = 0; at < piece.length; at += PACKED_AT_ONCE) {
      const some = piece.subarray(at, at + PACKED_AT_ONCE);
      let rest = some;
      if (!this.#hasEnded) {
        this.#given += some.length;
        await this.#wait((done) => this.#gunzip.write(some, done));
        rest = some.subarray(some.length - (this.#given - this.#gunzip.bytesWritten));
      }
      yield* this.#take();
      // Some programs fill the last block with zeros.
      if (this.#hasEnded && rest.some((byte) => byte !== 0)) throw broken();
    }
  }

  async *end(): AsyncGenerator<Buffer, void, undefined> {
    if (!this.#hasEnded) await this.#wait(() => this.#gunzip.end());
    yield* this.#take();
  }

  close(): void {
    this.#gunzip.destroy();
  }

  async #wait(begin: (done: (error?: Error | null) => void) => void): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#goOn = resolve;
      if (this.#gunzip.destroyed) resolve();
      else begin(() => resolve());
    });
    if (this.#gunzip.destroyed && !this.#hasEnded) this.#hasFailed = true;
  }

  *#take(): Generator<Buffer, void, undefined> {
    if (this.#hasFailed) throw broken();
    for (const piece of this.#out.splice(0)) {
      this.#bytes += piece.length;
      if (this.#bytes > MOST_UNPACKED_BYTES) throw fileTooLarge();
      yield piece;
    }
  }
}

function broken(): Problem {
  const message = 'is not what gzip packs, or it is cut';
  return new Problem('validation-failed', `The file ${message}. Nothing of it was kept.`, {
    errors: [{ pointer: '', message }],
  });
}
