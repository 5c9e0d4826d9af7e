import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** Every chance in a world comes from its seed. */
export class Chance {
  private state: number;

  constructor(seed: number) {
    this.state = (seed * 2654435761) >>> 0;
    for (let count = 0; count < 8; count++) this.next();
  }

  /** Below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  is(probability: number): boolean {
    return this.next() < probability;
  }

  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** Mostly short, sometimes long. */
  wait(mean: number): number {
    return -Math.log(1 - this.next()) * mean;
  }

  of<T>(list: readonly T[]): T {
    const found = list[Math.floor(this.next() * list.length)];
    if (found === undefined) throw new Error('nothing to choose from');
    return found;
  }

  /** A key, as often as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    return this.of(entries)[0];
  }
}

let drawn = new Chance(1);

/** From now on Node's chance is the world's. */
export function tameChance(): void {
  Object.assign(crypto, {
    randomBytes: (size: number): Buffer =>
      Buffer.from(Array.from({ length: size }, () => drawn.whole(0, 255))),
  });
  syncBuiltinESMExports();
}

export function drawIdsFrom(seed: number): void {
  drawn = new Chance(seed + 1_000_003);
}
