import { hash } from 'node:crypto';
import type { ReportRow } from './row.js';

/** Of a digest in base64url: 132 bits. */
const ID_LENGTH = 22;

/**
 * Names rows by what they say and by how many equal ones a file has before them: the second of three equal rows has one name in whatever
 * file it is. Rows are known by 64 bits of a digest in an open table, because a million texts would take ten times the memory.
 */
export class RowIds {
  /** Two words of a digest; the first one is odd, or 0 where nothing is. */
  #table = new Uint32Array(2 * 4_096);
  #used = 0;
  /** Of names that came more than once. */
  readonly #counts = new Map<string, number>();

  idOf({ identity }: ReportRow): string {
    const digest = hash('sha256', identity.join('\u001f'), 'buffer');
    const id = digest.toString('base64url').slice(0, ID_LENGTH);
    if (this.#add(digest.readUInt32LE(0) | 1, digest.readUInt32LE(4))) return id;
    const count = (this.#counts.get(id) ?? 1) + 1;
    this.#counts.set(id, count);
    return `${id}.${count}`;
  }

  /** False where it is there already. */
  #add(signed: number, high: number): boolean {
    // Bits come as a signed number.
    const low = signed >>> 0;
    if (3 * this.#used >= this.#table.length) this.#grow();
    const table = this.#table;
    let at = (2 * high) % table.length;
    for (; table[at] !== 0; at = (at + 2) % table.length)
      if (table[at] === low && table[at + 1] === high) return false;
    table.set([low, high], at);
    this.#used += 1;
    return true;
  }

  #grow(): void {
    const before = this.#table;
    this.#table = new Uint32Array(2 * before.length);
    this.#used = 0;
    for (let from = 0; from < before.length; from += 2) {
      const [low = 0, high = 0] = [before[from], before[from + 1]];
      if (low !== 0) this.#add(low, high);
    }
  }
}
