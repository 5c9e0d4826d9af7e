import { partsIn, type Spot } from './uses.js';

export const PLAIN_SIGHT =
  'looks like a credential in plain sight: write {apiKey} or {accessToken} in its place';

/** Anywhere in the name of a header. A false alarm is better than a miss, and an idempotency key is none. */
const HEADER =
  /auth(?!or)|authori[sz]|bearer|cookie|credential|hmac|jwt|key|passphrase|passw|pwd|secret|signature|token/i;
const IDEMPOTENCY_KEY = /^(?:x-)?idempotency-?key$/i;

/** The end of a name decides what a field is: a `tokenType` is no token, a `clientSecret` is a secret. */
const FIELD =
  /(?:^|[^a-z])(?:authorization|bearer|cookie|credentials?|jwt|passphrase|passwd|password|pwd|secret|token)$/;
const KEY =
  /(?:access|api|auth|encryption|hmac|master|merchant|private|secret|service|shared|sign|signing) ?key$/;

/** Whether a text under a credential's name is one in plain sight: it has no word in it that could be it. */
export function looksLikeCredential(name: string, text: string, spot: Spot): boolean {
  if (text === '' || partsIn(text).length > 0) return false;
  if (spot === 'headers' || spot === 'credentials') return HEADER.test(name) && !IDEMPOTENCY_KEY.test(name);
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .toLowerCase();
  return (spot === 'body' || spot === 'form') && (FIELD.test(words) || KEY.test(words));
}
