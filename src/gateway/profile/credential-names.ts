import { partsIn, type Spot } from './uses.js';

/** Anywhere in the name of a header. A false alarm is better than a miss, and an idempotency key is none. */
const HEADER =
  /auth(?!or)|authori[sz]|bearer|cookie|credential|hmac|jwt|key|passphrase|passw|pwd|secret|signature|token/i;
const IDEMPOTENCY_KEY = /^(?:x-)?idempotency-?key$/i;

/** The last word of a name decides what a field is: a `tokenType` is no token, a `clientSecret` is a secret. */
const FIELD =
  /^(?:authorization|bearer|cookie|credentials?|jwt|passphrase|passwd|password|pwd|secret|token)$/;
const KEY_BEFORE =
  /^(?:access|api|auth|encryption|hmac|master|merchant|private|secret|service|shared|signing|sign)$/;

/** Whether a text under a credential's name is one in plain sight: it has no word in it that could be it. */
export function looksLikeCredential(name: string, text: string, spot: Spot): boolean {
  return text !== '' && isCredentialName(name, spot) && partsIn(text).length === 0;
}

function isCredentialName(name: string, spot: Spot): boolean {
  if (spot === 'header' || spot === 'credentials') return HEADER.test(name) && !IDEMPOTENCY_KEY.test(name);
  if (spot !== 'body' && spot !== 'form') return false;
  const words = name
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  return (
    FIELD.test(last) ||
    /^(?:apikey|accesskey|privatekey|secretkey)$/.test(last) ||
    (last === 'key' && KEY_BEFORE.test(words.at(-2) ?? ''))
  );
}
