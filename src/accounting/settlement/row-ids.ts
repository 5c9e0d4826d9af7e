import { createHash } from 'node:crypto';
import type { ReportRow } from './row.js';

/** Of a digest in base64url: 132 bits. */
const ID_LENGTH = 22;

/**
 * Names rows by what they say and by how many equal ones a file has before them: the second of three equal rows has one name in whatever
 * file it is. Counts by 64 bits of a digest in an open table, because a million texts would take ten times the memory.
 */
export class RowIds {
  #words = new Uint32Array(2 * 4_096);
  #counts = new Uint16Array(4_096);
  #used = 0;

  idOf({ identity }: ReportRow): string {
    const digest = createHash('sha256').update(identity.join('\u001f')).digest();
    const count = this.#count(digest.readUInt32LE(0) | 1, digest.readUInt32LE(4));
    const id = digest.toString('base64url').slice(0, ID_LENGTH);
    return count === 1 ? id : `${id}.${count}`;
  }

  #count(low: number, high: number): number {
    if (2 * this.#used >= this.#counts.length) this.#grow();
    const at = this.#place(low, high);
    if (this.#words[2 * at] === 0) {
      this.#used += 1;
      this.#words[2 * at] = low;
      this.#words[2 * at + 1] = high;
    }
    // More equal rows than can be counted have one name.
    const count = Math.min((this.#counts[at] ?? 0) + 1, 65_535);
    this.#counts[at] = count;
    return count;
  }

  #place(low: number, high: number): number {
    const mask = this.#counts.length - 1;
    let at = high & mask;
    while (this.#words[2 * at] !== 0 && (this.#words[2 * at] !== low || this.#words[2 * at + 1] !== high))
      at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const [words, counts] = [this.#words, this.#counts];
    this.#words = new Uint32Array(2 * words.length);
    this.#counts = new Uint16Array(2 * counts.length);
    for (let from = 0; from < counts.length; from += 1) {
      const [low = 0, high = 0] = [words[2 * from], words[2 * from + 1]];
      if (low === 0) continue;
      const at = this.#place(low, high);
      this.#words[2 * at] = low;
      this.#words[2 * at + 1] = high;
      this.#counts[at] = counts[from] ?? 0;
    }
  }
}
