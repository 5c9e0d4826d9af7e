import { randomBytes } from 'node:crypto';

/** Lower-case letters only. Hexadecimal text sometimes has twelve digits in a row, which are scrubbed as a card number. */
export function randomWord(length: number): string {
  return [...randomBytes(length)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');
}
