import { parseNamedKey } from '../secrets/named-keys.js';
import { splitSecretList } from '../secrets/secret-source.js';
import type { Check, SecretVariable } from './secret-variables.js';

const MIN_MERCHANT_KEY = 24;
const MIN_NOTIFICATION_SECRET = 16;

const REPEATED = 'must not be one character over and over';

const notRepeated: Check = (value) => (/^(.)\1*$/su.test(value) ? REPEATED : undefined);

/** A text that an attacker cannot easily guess. */
const longEnough =
  (length: number): Check =>
  (value) =>
    value.length < length ? `must have at least ${length} characters` : notRepeated(value);

/** Where a text encodes bytes, neither the text nor the bytes may repeat a single character or byte. */
const encoded =
  (prefix: RegExp, encodingOf: (value: string) => BufferEncoding): Check =>
  (value) => {
    const text = value.replace(prefix, '');
    const bytes = Buffer.from(text, encodingOf(value));
    return notRepeated(text) ?? (new Set(bytes).size === 1 ? REPEATED : undefined);
  };

const each =
  (check: Check, partOf = (entry: string): string => entry): Check =>
  (value) =>
    splitSecretList(value)
      .map((entry) => check(partOf(entry)))
      .find((problem) => problem !== undefined);

/** The length of the key alone counts, because a name does not make it harder to guess. */
const keyOf = (entry: string): string => parseNamedKey(entry)?.key ?? entry;

/**
 * What production's rules require of a secret besides its form. `CARD_ENCRYPTION_KEY` is strong by its form, and the
 * database decides about the password in `DATABASE_URL`. The gateway decides how long its credentials are.
 */
const STRENGTH: Partial<Record<SecretVariable, Check>> = {
  GATEWAY_API_KEY: notRepeated,
  GATEWAY_ACCESS_TOKEN: notRepeated,
  GATEWAY_ENCRYPTION_KEY: encoded(/^(?:hex|base64):/, (value) =>
    value.startsWith('hex:') ? 'hex' : value.startsWith('base64:') ? 'base64' : 'utf8',
  ),
  MERCHANT_API_KEY: each(longEnough(MIN_MERCHANT_KEY), keyOf),
  MERCHANT_READ_API_KEY: each(longEnough(MIN_MERCHANT_KEY), keyOf),
  // Its minimum length is part of its form.
  SECRET_KEY: each(notRepeated),
  MERCHANT_WEBHOOK_SECRET: each(encoded(/^whsec_/, () => 'base64')),
  NOTIFICATION_SECRET: longEnough(MIN_NOTIFICATION_SECRET),
};

/** Says why a well-formed secret is too weak for production, without showing it. Undefined where it is strong enough. */
export function weaknessOf(name: SecretVariable, value: string): string | undefined {
  return STRENGTH[name]?.(value);
}
