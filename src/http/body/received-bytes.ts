/** The least that is set aside for a body of several chunks, in bytes. */
const LEAST = 1_024;

/**
 * What has arrived of a body, in one piece. A list of its chunks would cost some 200 bytes for each, and a client may send chunks
 * of one byte.
 */
export class ReceivedBytes {
  #first: Buffer | undefined;
  #copied: Buffer | undefined;
  #length = 0;

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** All of them, in memory that is shared with the chunk where there was only one. */
  get bytes(): Buffer {
    return this.#copied?.subarray(0, this.#length) ?? this.#first ?? Buffer.alloc(0);
  }

  /** Adds what has arrived next. Most bodies are one chunk, which is not copied. */
  add(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (this.#length === 0) {
      this.#first = chunk;
    } else {
      this.#copied = this.#withRoomFor(length);
      chunk.copy(this.#copied, this.#length);
    }
    this.#length = length;
  }

  #withRoomFor(length: number): Buffer {
    if (this.#copied !== undefined && this.#copied.length >= length) return this.#copied;
    const space = Buffer.alloc(Math.max(LEAST, 2 * length));
    this.bytes.copy(space);
    return space;
  }
}
