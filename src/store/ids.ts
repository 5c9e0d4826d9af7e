import { hash, randomBytes } from 'node:crypto';

/** What an id names. `own`: a process. */
export type IdPrefix =
  'cs' | 'pay' | 'op' | 'ref' | 'evt' | 'dcl' | 'aud' | 'own' | 'stl' | 'mov' | 'dif' | 'apr';

/** 96 bits, so that no id can be guessed and none needs padding. */
const RANDOM_BYTES = 12;
/** In base64url. */
const RANDOM_LENGTH = 16;
/** Random bytes are read in blocks: one system call for many ids. */
const BLOCK_BYTES = 128 * RANDOM_BYTES;
/** Milliseconds in base 36: eight signs last until 2059, and sort like the time in any collation. */
const TIME_LENGTH = 8;
/** Of the place of an id among those of one write. */
const PLACE_LENGTH = 2;
/** The last time of so many signs. One of nine would sort before all others. */
const LAST_TIME = 36 ** TIME_LENGTH - 1;

let block = Buffer.alloc(0);
let used = 0;

/**
 * A new unguessable id such as `pay_mi7v0s2k3q2x7wRrUtQ1yZ0a`: a prefix for the kind, the time, and random characters. The time comes
 * first so that new rows are stored next to each other.
 */
export function newId(prefix: IdPrefix, at = performance.timeOrigin + performance.now()): string {
  return `${prefix}_${inBase36(at)}${lettersOnly(randomText())}`;
}

/** 96 random bits as 16 characters. */
export function randomText(): string {
  if (used >= block.length) {
    block = randomBytes(BLOCK_BYTES);
    used = 0;
  }
  used += RANDOM_BYTES;
  return block.toString('base64url', used - RANDOM_BYTES, used);
}

/** A maker of ids. */
export type Mint = (prefix: IdPrefix) => string;

/**
 * The ids of one write, in the order in which they are asked for. The same seed and time give the same ids, so a `decide` that runs twice
 * names each thing once. The seed is random and secret; the time is the write's.
 */
export function mint(seed: string, now: number): Mint {
  const time = inBase36(now);
  let count = 0;
  return (prefix) => {
    count += 1;
    // Their order shows in them: what moved at one time is listed as it moved.
    const place = count.toString(36).padStart(PLACE_LENGTH, '0');
    const random = hash('sha256', `${seed}/${count}`, 'base64url').slice(PLACE_LENGTH, RANDOM_LENGTH);
    return `${prefix}_${time}${place}${lettersOnly(random)}`;
  };
}

/** Ids made at this time or later are not less than this, and those made before it are. Any time is taken. */
export function timeBound(prefix: IdPrefix, at: number): string {
  return `${prefix}_${inBase36(at)}`;
}

/** The time that an id begins with, in milliseconds since the epoch. */
export function timeOfId(id: string): number {
  return parseInt(id.slice(id.indexOf('_') + 1).slice(0, TIME_LENGTH), 36);
}

function lettersOnly(random: string): string {
  return random.replaceAll('-', 'x').replaceAll('_', 'y');
}

function inBase36(time: number): string {
  const within = Math.min(Math.max(0, Math.floor(time)), LAST_TIME);
  return within.toString(36).padStart(TIME_LENGTH, '0');
}
