import { parsePointer } from './pointer.js';

/** Why a profile must not hold credentials, and where they belong. */
export const CREDENTIAL_IN_PROFILE =
  'looks like a credential, and a profile is passed round: set GATEWAY_API_KEY and GATEWAY_ACCESS_TOKEN, which "credentials": true sends as x-api-key and access-token, or name them {apiKey} and {accessToken} in a set of "credentials" of the profile';

/** Matched anywhere in a name. A false alarm is better than a miss, and a header can nearly always be renamed. */
const CREDENTIAL =
  /auth(?!or)|authori[sz]|bearer|cookie|credential|hmac|jwt|key|passphrase|passw|pwd|secret|signature|token/i;

const IDEMPOTENCY_KEY = /^(?:x-)?idempotency-?key$/i;

/** Whether a header of this name may carry a credential. An idempotency key is not a credential. */
export function isCredentialHeader(name: string): boolean {
  return CREDENTIAL.test(name) && !IDEMPOTENCY_KEY.test(name);
}

/** The last word decides what a name stands for: a `tokenType` is not a token, but a `clientSecret` is a secret. */
const SECRETS: ReadonlySet<string> = new Set([
  ...['authorization', 'bearer', 'cookie', 'credential', 'credentials', 'jwt', 'passphrase', 'passwd'],
  ...['password', 'pwd', 'secret', 'token', 'apikey', 'accesskey', 'privatekey', 'secretkey', 'signingkey'],
]);
/** "Key" alone may mean a name, an identifier or a public key. After one of these words it is a secret. */
const KEYS: ReadonlySet<string> = new Set([
  ...['access', 'api', 'auth', 'encryption', 'hmac', 'master', 'merchant', 'private', 'secret', 'service'],
  ...['shared', 'sign', 'signing'],
]);

/** Whether a constant in a body or a query can only be a credential. It is one if its name says so and it is a text. */
export function isCredentialConstant(name: string, value: unknown): boolean {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).some(([inner, part]) =>
      isCredentialConstant(Array.isArray(value) ? name : inner, part),
    );
  }
  if (typeof value !== 'string' || value === '') return false;
  const words = wordsOf(name.startsWith('/') ? (parsePointer(name)?.at(-1) ?? name) : name);
  const last = words.at(-1) ?? '';
  return SECRETS.has(last) || (last === 'key' && KEYS.has(words.at(-2) ?? ''));
}

/** Splits a name into words. `apiKey`, `API_KEY`, `x-api-key` and `APIKey` are the same two words. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Shown instead of a hidden value. */
export const NOT_SHOWN = '(not shown)';

/** Whether a place is the value of a header, or of a member of the request for a token. */
function isOfHeader(place: readonly string[]): boolean {
  const headers = place.indexOf('headers');
  if (headers >= 0 && headers < place.length - 1) return true;
  const [part, name, member] = place;
  if (part === 'token') return name === 'body' || name === 'form';
  return part === 'credentials' && member !== undefined && (member !== 'sign' || place.length === 3);
}

/**
 * The value at a place in a profile, safe to show to a person. The values of headers are hidden, and so are constants
 * whose names suggest a credential.
 */
export function shownValue(place: readonly string[], value: unknown): unknown {
  if (value === undefined) return undefined;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, shownValue([...place, name], part)]),
    );
  }
  if (isOfHeader(place)) return NOT_SHOWN;
  const constants = place.findIndex((step) => step === 'constants' || step === 'siblings');
  const hidden = constants >= 0 && place.slice(constants + 1).some((step) => CREDENTIAL.test(step));
  return hidden ? NOT_SHOWN : value;
}
