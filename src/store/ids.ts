import { randomBytes } from 'node:crypto';

export type IdPrefix = 'cs' | 'pay' | 'op' | 'evt' | 'tle' | 'ntf' | 'dcl' | 'own';

/** Random bytes are drawn in blocks: one system call for many ids. */
const BLOCK_IDS = 128;
/** 144 bits, so that no id can be guessed and none needs padding. Two letters standing in for two signs cost 2 of them. */
const ID_BYTES = 18;

let block = Buffer.alloc(0);
let used = 0;

/** A new unguessable identifier such as `pay_3q2x7wRr…`: a prefix that names the kind, letters and digits. */
export function newId(prefix: IdPrefix): string {
  if (used >= block.length) {
    block = randomBytes(BLOCK_IDS * ID_BYTES);
    used = 0;
  }
  const id = block
    .toString('base64url', used, used + ID_BYTES)
    .replaceAll('-', 'x')
    .replaceAll('_', 'y');
  used += ID_BYTES;
  return `${prefix}_${id}`;
}
