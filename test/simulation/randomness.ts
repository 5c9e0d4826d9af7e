import crypto, { type RandomUUIDOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { Random } from '../chaos/random.ts';
import type { Engine } from './engine.ts';

/** Every chance in a world comes from its seed. */

let random = new Random(1);
let filled = 0;

/** From now on Node's chance is the world's. */
export function tameChance(): void {
  Math.random = () => random.next();
  Object.assign(crypto, {
    randomBytes: (size: number): Buffer => {
      filled += 1;
      const bytes = Buffer.alloc(size);
      for (let at = 0; at < size; at++) bytes[at] = random.whole(0, 255);
      return bytes;
    },
    randomUUID: (_?: RandomUUIDOptions): string =>
      `00000000-0000-4000-8000-${String(random.whole(0, 1e9)).padStart(12, '0')}`,
  });
  syncBuiltinESMExports();
}

/** A world's chance, from its beginning. Ids come from a block of chance, of which former worlds have left a part. */
export function drawFrom(engine: Engine, seed: number): void {
  random = new Random(seed);
  const before = filled;
  while (filled === before) engine.ids.newId('op');
}
