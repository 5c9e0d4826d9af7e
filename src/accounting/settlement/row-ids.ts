import { hash } from 'node:crypto';
import type { ReportRow } from './row.js';

/** Of a digest in base64url: 132 bits. */
const ID_LENGTH = 22;

/**
 * Names rows by what they say and by how many equal ones a file has before them: the second of three equal rows has one name in whatever
 * file it is. Counts by 64 bits of a digest in an open table, because a million texts would take ten times the memory.
 */
export class RowIds {
  /** Two words of a digest and the count, which is 0 where nothing is. */
  #table = new Uint32Array(3 * 4_096);
  #used = 0;

  idOf({ identity }: ReportRow): string {
    const digest = hash('sha256', identity.join('\u001f'), 'buffer');
    if (6 * this.#used >= this.#table.length) this.#grow();
    const [low, high] = [digest.readUInt32LE(0), digest.readUInt32LE(4)];
    const at = this.#place(low, high);
    const count = (this.#table[at + 2] ?? 0) + 1;
    if (count === 1) this.#used += 1;
    this.#table.set([low, high, count], at);
    const id = digest.toString('base64url').slice(0, ID_LENGTH);
    return count === 1 ? id : `${id}.${count}`;
  }

  #place(low: number, high: number): number {
    const table = this.#table;
    let at = 3 * (high % (table.length / 3));
    while (table[at + 2] !== 0 && (table[at] !== low || table[at + 1] !== high)) at = (at + 3) % table.length;
    return at;
  }

  #grow(): void {
    const before = this.#table;
    this.#table = new Uint32Array(2 * before.length);
    for (let from = 0; from < before.length; from += 3) {
      const [low = 0, high = 0, count = 0] = before.subarray(from, from + 3);
      if (count > 0) this.#table.set([low, high, count], this.#place(low, high));
    }
  }
}
