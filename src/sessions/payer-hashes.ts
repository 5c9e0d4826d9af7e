import { keyedHash } from '../secrets/keyed-hash.js';
import type { Payer, SessionRecord } from '../store/schema.js';

/** What a session is found by, as long as its payer is known. */
export type PayerHashes = Pick<SessionRecord, 'emailHash' | 'phoneHash'>;

/** 132 bits: two payers never share one. */
const HASH_LENGTH = 22;
/** With fewer digits it is no phone, and with these a phone is told from others, however its country and area are written. */
const PHONE_DIGITS = 8;

export const NO_HASHES: PayerHashes = { emailHash: null, phoneHash: null };

/** The keyed hashes that stand beside a payer. Pure. */
export function payerHashes(payer: Payer | null, secretKey: string): PayerHashes {
  const { email, phone } = payer ?? {};
  const digits = digitsOf(phone ?? '');
  return {
    emailHash: email === undefined ? null : emailHash(email, secretKey),
    phoneHash: digits.length < PHONE_DIGITS ? null : phoneHash(digits, secretKey),
  };
}

/** By what an e-mail is looked for, in whatever letters it was written: its hashes by all keys in use. Pure. */
export function emailHashes(text: string, secretKeys: readonly string[]): string[] {
  return secretKeys.map((secretKey) => emailHash(text, secretKey));
}

/** The same for a phone; none where the text is no phone. Pure. */
export function phoneHashes(text: string, secretKeys: readonly string[]): string[] {
  const digits = digitsOf(text);
  if (!/^\+?[0-9 ().-]+$/.test(text.trim()) || digits.length < PHONE_DIGITS) return [];
  return secretKeys.map((secretKey) => phoneHash(digits, secretKey));
}

/** Whether two ways to write a phone can be the same: one is the end of the other, but for what is dialled before it. Pure. */
export function isSamePhone(one: string, other: string): boolean {
  const [a, b] = [digitsOf(one), digitsOf(other)].map((digits) => digits.replace(/^0+/, ''));
  return a !== undefined && b !== undefined && (a.endsWith(b) || b.endsWith(a));
}

const digitsOf = (text: string): string => text.replace(/[^0-9]/g, '');

const emailHash = (email: string, secretKey: string): string =>
  hashOf(`email\n${email.trim().toLowerCase()}`, secretKey);

const phoneHash = (digits: string, secretKey: string): string =>
  hashOf(`phone\n${digits.slice(-PHONE_DIGITS)}`, secretKey);

const hashOf = (text: string, secretKey: string): string =>
  keyedHash(secretKey, 'search', text).slice(0, HASH_LENGTH);
