import { getMetadataStorage, IsOptional, ValidateBy } from 'class-validator';
import { Transform } from 'class-transformer';
import { isTimeZone } from '../calendar/date-pattern.js';
import { minorDigits, parseMajor } from '../money/money.js';
import { KeyMaterialError, parsePrivateKeys } from '../secrets/key-material.js';
import { parseNamedKey } from '../secrets/named-keys.js';
import { isAddress, isAddressRange, parseBaseUrl, parseHttpUrl, parseOrigin } from './addresses.js';

/** Says what is wrong with a value, without showing it. Undefined where it is valid. */
export type Check = (value: string) => string | undefined;

const rule =
  (isValid: (value: string) => boolean, message: string): Check =>
  (value) =>
    isValid(value) ? undefined : message;

/** The entries of a comma-separated value, without the spaces around them. */
export function entriesOf(value: string | undefined): string[] {
  return value === undefined ? [] : value.split(',').map((entry) => entry.trim());
}

const each =
  (check: Check): Check =>
  (value) => {
    const entries = entriesOf(value);
    if (entries.includes('')) return 'has an empty entry between its commas';
    return entries.map(check).find((problem) => problem !== undefined);
  };

export const headerSafe = rule(
  (value) => /^[\x21-\x7e]+$/.test(value),
  'must be visible ASCII characters without spaces',
);
export const headerSafeList = each(headerSafe);
export const anyText = rule(
  (value) => value.trim() !== '' && !value.includes('\0'),
  'must not be blank or hold NUL',
);
export const baseUrl = rule(
  (value) => parseBaseUrl(value) !== undefined,
  'must be an http or https address without credentials, query and fragment',
);
export const httpUrl = rule(
  (value) => parseHttpUrl(value) !== undefined,
  'must be an http or https address without credentials',
);
export const proxyUrl = rule(
  (value) => /^https?:\/\/[^/\\\s]+\/?$/.test(value) && URL.canParse(value),
  'must be the address of an HTTP proxy, like http://proxy.internal:3128',
);
export const origins = each(
  rule(
    (value) => parseOrigin(value) !== undefined,
    'must hold origins like https://shop.example or https://shop.example:8443, without a path',
  ),
);
export const hostName = rule(
  (value) => isAddress(value) || /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(value),
  'must be an address or a host name',
);
export const proxies = rule(
  (value) =>
    value === 'false' || /^(?:[0-9]|[12][0-9]|3[0-2])$/.test(value) || entriesOf(value).every(isAddressRange),
  'must be false, a number of hops up to 32, or comma-separated addresses and CIDR ranges',
);
export const merchantName = rule(
  (value) => value.trim() === value && value.length <= 60 && !/\p{Cc}/u.test(value),
  'must be at most 60 characters, without line breaks, and without spaces at either end',
);
export const color = rule((value) => /^#[0-9a-f]{6}$/i.test(value), 'must be a colour like #8a4b1f');
export const timeZone = rule(isTimeZone, 'must be an IANA time zone such as Africa/Lagos');
export const databaseUrl = rule(
  (value) =>
    /^postgres(?:ql)?:\/\/\S+$/.test(value) &&
    URL.canParse(value) &&
    // `postgres:///name?host=/run/postgresql` connects through a socket.
    (new URL(value).hostname !== '' || new URL(value).searchParams.has('host')),
  'must be an address like postgres://user@host:5432/name',
);

/** A list of a few words. */
export const wordsOf = (words: readonly string[]): Check =>
  each(rule((value) => words.includes(value), `may hold only ${words.join(', ')}`));

export const secretKeys = each(
  rule(
    (value) => Buffer.byteLength(value) >= 32,
    'must have at least 32 bytes (each, where there are several)',
  ),
);

/** Between 24 and 64 bytes, as the Standard Webhooks specification asks. */
export const webhookSecrets = each(
  rule((value) => {
    const [, text = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? [];
    const bytes = Buffer.from(text, 'base64');
    return bytes.toString('base64') === text && bytes.length >= 24 && bytes.length <= 64;
  }, 'must be whsec_ followed by the base64 of 24 to 64 bytes: echo "whsec_$(openssl rand -base64 32)"'),
);

/** Each name stands for one key, so that every call can be traced to one person. */
export const namedKeys: Check = (value) => {
  const entries = entriesOf(value).map(parseNamedKey);
  if (entries.includes(undefined))
    return 'has an entry with "=" that is neither name=key (a name is 1 to 32 of a-z, 0-9 and -) nor a key that ends in "="';
  const keys = entries.map((entry) => entry?.key);
  const names = entries.flatMap((entry) => entry?.name ?? []);
  if (new Set(keys).size !== keys.length) return 'has the same key twice';
  return new Set(names).size === names.length ? headerSafeList(value) : 'has the same name twice';
};

export const privateKeys: Check = (value) => {
  try {
    parsePrivateKeys(value);
    return undefined;
  } catch (error) {
    return error instanceof KeyMaterialError ? error.message : 'holds no usable key';
  }
};

/** Above which amount a second person approves, in minor units by currency. A currency that is missing needs nobody. */
export type ApprovalBounds = ReadonlyMap<string, bigint>;

/** Reads `NGN:500000.00,USD:1000.00`. An entry that is malformed has no amount. */
export function approvalBounds(text: string | undefined): Map<string, bigint | undefined> {
  return new Map(
    entriesOf(text).map((entry) => {
      const [currency = '', amount = '', ...rest] = entry.split(':');
      const isKnown = rest.length === 0 && minorDigits(currency) !== undefined;
      return [currency, isKnown ? parseMajor(amount, currency) : undefined];
    }),
  );
}

export const approvalAbove = rule((value) => {
  const bounds = approvalBounds(value);
  return bounds.size === entriesOf(value).length && ![...bounds.values()].includes(undefined);
}, 'must hold each currency of ISO 4217 once with an amount, such as NGN:500000.00,USD:1000.00');

/** A text that passes a check. */
export function Text(check: Check): PropertyDecorator {
  return converted((value) => value, check);
}

/** A whole number within a range, in plain decimal digits. The property is a number. */
export function WholeNumber(min: number, max: number): PropertyDecorator {
  const isNumber = (value: string): boolean => /^(?:0|[1-9][0-9]{0,14})$/.test(value);
  const isInRange = (value: string): boolean =>
    isNumber(value) && Number(value) >= min && Number(value) <= max;
  return converted(Number, rule(isInRange, `must be a whole number from ${min} to ${max}`));
}

/** Exactly `true` or `false`. The property is a boolean. */
export function TrueOrFalse(): PropertyDecorator {
  const check = rule((value) => value === 'true' || value === 'false', 'must be exactly true or false');
  return converted((value) => value === 'true', check);
}

/** Exactly one of a few words. */
export function OneOf(words: readonly string[]): PropertyDecorator {
  return Text(rule((value) => words.includes(value), `must be one of ${words.join(', ')}`));
}

/** A value that is no text any more when it is validated has been converted, and was valid. */
function converted(convert: (value: string) => unknown, check: Check): PropertyDecorator {
  const problemOf = (value: unknown): string | undefined =>
    typeof value === 'string' ? check(value) : undefined;
  const decorators = [
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && check(value) === undefined ? convert(value) : value,
    ),
    IsOptional(),
    ValidateBy({
      name: 'check',
      validator: {
        validate: (value: unknown) => problemOf(value) === undefined,
        defaultMessage: (argument) => problemOf(argument?.value) ?? 'is malformed',
      },
    }),
  ];
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

/** The properties of a class that have a check, in their order. */
export function checkedProperties(type: abstract new () => unknown): string[] {
  const found = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return [...new Set(found.map(({ propertyName }) => propertyName))];
}
