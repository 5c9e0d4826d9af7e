import { KeyMaterialError, parsePrivateKeys } from '../secrets/key-material.js';
import { parseNamedKey } from '../secrets/named-keys.js';
import { splitSecretList } from '../secrets/secret-source.js';

/** Says what is wrong with a value, without showing it. Undefined where it is valid. */
export type Check = (value: string) => string | undefined;

const MIN_SECRET_KEY_BYTES = 32;

/** The sizes that the Standard Webhooks specification allows. */
const WEBHOOK_SECRET_BYTES = { min: 24, max: 64 };

/** Characters that can stand in a header unchanged and can be typed: visible ASCII without spaces. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

const headerSafe: Check = (value) =>
  VISIBLE_ASCII.test(value) ? undefined : 'must be visible ASCII characters without spaces';

const each =
  (check: Check): Check =>
  (value) => {
    const entries = splitSecretList(value);
    if (entries.includes('')) return 'has an empty entry between its commas';
    if (new Set(entries).size !== entries.length) return 'has the same entry twice';
    for (const entry of entries) {
      const problem = check(entry);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

/** Names and keys must each be unique, so that every use of a key can be traced to one person. */
const namedKeys: Check = (value) => {
  const problem = each(headerSafe)(value);
  if (problem !== undefined) return problem;
  const entries = splitSecretList(value).map((entry) => parseNamedKey(entry));
  const keys = entries.flatMap((entry) => (entry ? [entry.key] : []));
  if (keys.length < entries.length) {
    return 'has an entry with "=" that is neither name=key (a name is 1 to 32 of a-z, 0-9 and -) nor a key that ends in "=" or "=="';
  }
  const names = entries.flatMap((entry) => entry?.name ?? []);
  if (new Set(keys).size !== keys.length) return 'has the same key twice';
  return new Set(names).size === names.length ? undefined : 'has the same name twice';
};

const secretKey: Check = (value) =>
  Buffer.byteLength(value) >= MIN_SECRET_KEY_BYTES
    ? undefined
    : `must have at least ${MIN_SECRET_KEY_BYTES} bytes (each, where there are several)`;

const webhookSecret: Check = (value) => {
  const match = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(value);
  if (!match) return 'must be whsec_ followed by base64';
  const bytes = Buffer.from(match[1] ?? '', 'base64').length;
  return bytes >= WEBHOOK_SECRET_BYTES.min && bytes <= WEBHOOK_SECRET_BYTES.max
    ? undefined
    : `must be the base64 of ${WEBHOOK_SECRET_BYTES.min} to ${WEBHOOK_SECRET_BYTES.max} bytes after whsec_`;
};

const privateKeys: Check = (value) => {
  try {
    parsePrivateKeys(value);
    return undefined;
  } catch (error) {
    return error instanceof KeyMaterialError ? error.message : 'holds no usable key';
  }
};

const databaseUrl: Check = (value) =>
  parsePostgresUrl(value) ? undefined : 'must be an address like postgres://user@host:5432/name';

/** The form of the gateway's encryption key depends on the profile's scheme, so only a blank one is refused here. */
const anyText: Check = (value) => (value.trim() === '' ? 'must not be blank' : undefined);

/**
 * The variables that hold a secret. Each may be given as `NAME_FILE` instead, and new content of that file must pass the
 * same check.
 */
export const SECRET_VARIABLES = {
  GATEWAY_API_KEY: headerSafe,
  GATEWAY_ACCESS_TOKEN: headerSafe,
  GATEWAY_ENCRYPTION_KEY: anyText,
  DATABASE_URL: databaseUrl,
  MERCHANT_API_KEY: namedKeys,
  MERCHANT_READ_API_KEY: namedKeys,
  MERCHANT_BOOKS_API_KEY: namedKeys,
  SECRET_KEY: each(secretKey),
  CARD_ENCRYPTION_KEY: privateKeys,
  MERCHANT_WEBHOOK_SECRET: each(webhookSecret),
  NOTIFICATION_SECRET: headerSafe,
} as const satisfies Record<string, Check>;

export type SecretVariable = keyof typeof SECRET_VARIABLES;

/** Reads a `postgres://` or `postgresql://` address that names a host. Undefined for anything else. */
function parsePostgresUrl(text: string): URL | undefined {
  if (!/^postgres(?:ql)?:\/\/\S+$/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  // `postgres:///name?host=/run/postgresql` connects through a socket.
  return url.hostname || url.searchParams.has('host') ? url : undefined;
}
