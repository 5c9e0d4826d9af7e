/** The one source of chance of a trial: the same seed decides the same things. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A generator that depends on this seed and a number alone, such as that of a trial. */
  static of(seed: number, part: number): Random {
    return new Random(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(part + 1, 0xc2b2ae35));
  }

  /** From [0, 1). Mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.whole(0, from.length - 1)] as T;
  }

  /** Picks by weight. */
  weighted<T>(from: readonly (readonly [T, number])[]): T {
    const sum = from.reduce((total, [, weight]) => total + weight, 0);
    let at = this.next() * sum;
    for (const [value, weight] of from) {
      at -= weight;
      if (at < 0) return value;
    }
    return (from.at(-1) as readonly [T, number])[0];
  }

  shuffled<T>(from: readonly T[]): T[] {
    const all = [...from];
    for (let last = all.length - 1; last > 0; last--) {
      const other = this.whole(0, last);
      [all[last], all[other]] = [all[other] as T, all[last] as T];
    }
    return all;
  }
}
