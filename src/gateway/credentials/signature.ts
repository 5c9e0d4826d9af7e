import { createHmac } from 'node:crypto';
import type { SigningProfile } from '../profile/format.js';

const ALGORITHMS: Readonly<Record<SigningProfile['scheme'], string>> = {
  'hmac-sha256': 'sha256',
  'hmac-sha512': 'sha512',
};

/** Signs a text, as UTF-8, with a key as it is configured. */
export function sign(
  text: string,
  key: string,
  { scheme, encoding = 'hex' }: Pick<SigningProfile, 'scheme' | 'encoding'>,
): string {
  return createHmac(ALGORITHMS[scheme], key).update(text).digest(encoding);
}
