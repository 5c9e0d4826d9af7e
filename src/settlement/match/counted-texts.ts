import { hash } from 'node:crypto';

const FIRST_SIZE = 1 << 12;
/** How full the table may get before it grows. */
const FULLEST = 0.6;

/**
 * Counts texts in 12 bytes each. It knows them by 63 bits of a hash: among a million of them two different ones are taken for the same
 * with a chance of one in ten million.
 */
export class CountedTexts {
  #table = new Uint32Array(FIRST_SIZE * 3);
  #size = FIRST_SIZE;
  #count = 0;

  /** @param keyOf what a text is known by: of one that is a hash already, a part of it is enough */
  constructor(private readonly keyOf: (text: string) => Key = hashedKey) {}

  /** Counts a text once more. Says how often it was counted, this time included. */
  add(text: string): number {
    if (this.#count >= this.#size * FULLEST) this.#grow();
    const key = this.keyOf(text);
    const place = this.#find(key);
    if (this.#table[place] === 0) this.#count += 1;
    return this.#put(place, key, (this.#table[place + 2] ?? 0) + 1);
  }

  /** How often a text was counted. */
  count(text: string): number {
    return this.#table[this.#find(this.keyOf(text)) + 2] ?? 0;
  }

  /** Forgets all texts, and gives their memory back at once: the next collection may be a while. */
  clear(): void {
    this.#table.buffer.transfer(0);
    this.#table = new Uint32Array(FIRST_SIZE * 3);
    this.#size = FIRST_SIZE;
    this.#count = 0;
  }

  /** The place of a key, or the free one where it belongs. */
  #find([first, second]: Key): number {
    const table = this.#table;
    for (let slot = second & (this.#size - 1); ; slot = (slot + 1) & (this.#size - 1)) {
      const place = slot * 3;
      if (table[place] === 0 || (table[place] === first && table[place + 1] === second)) return place;
    }
  }

  #put(place: number, [first, second]: Key, count: number): number {
    this.#table[place] = first;
    this.#table[place + 1] = second;
    this.#table[place + 2] = count;
    return count;
  }

  #grow(): void {
    const former = this.#table;
    this.#size *= 2;
    this.#table = new Uint32Array(this.#size * 3);
    for (let place = 0; place < former.length; place += 3) {
      const first = former[place] ?? 0;
      if (first === 0) continue;
      const key: Key = [first, former[place + 1] ?? 0];
      this.#put(this.#find(key), key, former[place + 2] ?? 0);
    }
    former.buffer.transfer(0);
  }
}

type Key = readonly [first: number, second: number];

function hashedKey(text: string): Key {
  return keyOfHash(hash('sha256', text));
}

/** Of a text that is a hash in hexadecimal itself. The first word is never 0, which marks a free place. */
export function keyOfHash(text: string): Key {
  return [(parseInt(text.slice(0, 8), 16) | 1) >>> 0, parseInt(text.slice(8, 16), 16)];
}
