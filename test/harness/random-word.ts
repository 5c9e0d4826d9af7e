import { randomBytes } from 'node:crypto';

/** Small letters alone: hexadecimal ones hold twelve digits in a row now and then, which is scrubbed as a card number. */
export function randomWord(length: number): string {
  return [...randomBytes(length)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');
}
