import { randomBytes } from 'node:crypto';

export type IdPrefix =
  'cs' | 'pay' | 'op' | 'ref' | 'evt' | 'ntf' | 'dcl' | 'aud' | 'own' | 'stl' | 'mov' | 'txt' | 'dif' | 'apr';

/** Random bytes are read in blocks: one system call for many ids. */
const BLOCK_IDS = 128;
/**
 * 96 bits, so that no id can be guessed and none needs padding. Two letters standing in for two signs cost 2 of them. More would
 * only be more to store: a payment's rows and indexes hold some forty ids.
 */
const RANDOM_BYTES = 12;
/** Milliseconds in base 36: eight signs last until 2059, and sort like the time in any collation. */
const TIME_LENGTH = 8;
/** The last time of so many signs. One of nine would sort before all others. */
const LAST_TIME = 36 ** TIME_LENGTH - 1;

let block = Buffer.alloc(0);
let used = 0;
let lastTime = 0;
let lastTimeText = '';

/**
 * A new unguessable id such as `pay_mi7v0s2k3q2x7wRrUtQ1yZ0a`: a prefix for the kind, the time, and random
 * characters. The time comes first so that new rows are stored next to each other. With random ids alone every row
 * changed other pages of every index, which was most of the cost of a commit. `at` is the time that its row bears, where ids
 * are looked for by it.
 */
export function newId(prefix: IdPrefix, at?: number): string {
  if (used >= block.length) {
    block = randomBytes(BLOCK_IDS * RANDOM_BYTES);
    used = 0;
  }
  const random = block.toString('base64url', used, used + RANDOM_BYTES);
  used += RANDOM_BYTES;
  return `${prefix}_${at === undefined ? timeText() : inBase36(at)}${random.includes('-') || random.includes('_') ? lettersOnly(random) : random}`;
}

/**
 * Ids made at this time or later are not less than this, and those made before it are. Any time may be asked for: one before 1970
 * counts as its beginning, and one after 2059 as the last that an id can bear.
 */
export function timeBound(prefix: IdPrefix, at: number): string {
  return `${prefix}_${inBase36(Math.min(Math.max(0, at), LAST_TIME))}`;
}

/** The time that an id begins with, in milliseconds since the epoch. */
export function timeOfId(id: string): number {
  return parseInt(id.slice(id.indexOf('_') + 1).slice(0, TIME_LENGTH), 36);
}

/** The id of the operation that began a payment. */
export function payOperationId(paymentId: string): string {
  return `op${paymentId.slice('pay'.length)}`;
}

/** The id of a payment's n-th timeline entry. */
export function timelineId(paymentId: string, sequence: number): string {
  return `tle${paymentId.slice('pay'.length)}_${sequence}`;
}

function timeText(): string {
  // The wall clock may be set back while the process runs. Its own time cannot.
  const now = Math.floor(performance.timeOrigin + performance.now());
  if (now !== lastTime) {
    lastTime = now;
    lastTimeText = inBase36(now);
  }
  return lastTimeText;
}

function lettersOnly(random: string): string {
  return random.replaceAll('-', 'x').replaceAll('_', 'y');
}

function inBase36(time: number): string {
  return Math.floor(time).toString(36).padStart(TIME_LENGTH, '0');
}
