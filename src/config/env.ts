import {
  getMetadataStorage,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  Max,
  Min,
  ValidateBy,
} from 'class-validator';
import { Transform } from 'class-transformer';
import { isTimeZone } from '../calendar/time-zone.js';
import { isAddress, isAddressRange, parseBaseUrl, parseHttpUrl, parseOrigin } from './addresses.js';
import { approvalAbove } from './approval-above.js';
import { problemOfAccentColor } from './brand.js';
import { PAYMENT_METHODS } from './payment-method.js';
import { SECRET_VARIABLES, type Check } from './secret-variables.js';

/** From the most severe to the most detailed. `silent` logs nothing. */
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const hostNameOrAddress: Check = (value) =>
  isAddress(value) || /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(value)
    ? undefined
    : 'must be an address or a host name';

const baseUrl: Check = (value) =>
  parseBaseUrl(value)
    ? undefined
    : 'must be an http or https address without credentials, query and fragment';

const httpUrl: Check = (value) =>
  parseHttpUrl(value) ? undefined : 'must be an http or https address without credentials';

const origin: Check = (value) =>
  parseOrigin(value)
    ? undefined
    : 'must hold origins like https://shop.example or https://shop.example:8443, without a path';

const paymentMethod: Check = (value) =>
  PAYMENT_METHODS.some((method) => method === value)
    ? undefined
    : `may hold only ${PAYMENT_METHODS.join(', ')}`;

const proxies: Check = (value) =>
  value === 'false' ||
  /^(?:[0-9]|[12][0-9]|3[0-2])$/.test(value) ||
  value.split(',').every((entry) => isAddressRange(entry.trim()))
    ? undefined
    : 'must be false, a number of hops up to 32, or comma-separated addresses and CIDR ranges';

const merchantName: Check = (value) =>
  value.trim() === value && value.length <= 60 && !/\p{Cc}/u.test(value)
    ? undefined
    : 'must be at most 60 characters, without line breaks, and without spaces at either end';

const timeZone: Check = (value) =>
  isTimeZone(value) ? undefined : 'must be an IANA time zone such as Africa/Lagos';

const path: Check = (value) => (value.includes('\0') ? 'must be a path' : undefined);

/**
 * One property for each environment variable, under its own name. An absent property is an unset variable, and an initial
 * value is the default. Secrets are plain text here only while the start checks them.
 */
export class Env {
  /** `production` brings production's rules into force, as `GATEWAY_MODE=live` does; with `test` and `development` (the default) keys are made that nobody gave. */
  @OneOf(['production', 'development', 'test'])
  NODE_ENV = 'development';

  /** TCP port where the service listens. */
  @WholeNumber(1, 65_535)
  PORT = 3000;

  /** Address or name of the interface where the service listens. */
  @Text(hostNameOrAddress)
  HOST = '0.0.0.0';

  /** The service's address as payers and the gateway see it; `http://localhost:PORT` unless set. Its origin is always an allowed one. */
  @Text(baseUrl)
  PUBLIC_BASE_URL?: string;

  /** The gateway's base address, as its documentation's `{base_url}`. Required. */
  @Text(baseUrl)
  GATEWAY_BASE_URL?: string;

  /** Whether money is real: `test` or `live`. `live` brings production's rules into force, and starts only with a profile whose assumptions are confirmed. */
  @OneOf(['test', 'live'])
  GATEWAY_MODE: 'test' | 'live' = 'test';

  /** Sent to the gateway as `x-api-key`. Secret. Required where the profile sends it. */
  @Text(SECRET_VARIABLES.GATEWAY_API_KEY)
  GATEWAY_API_KEY?: string;

  /** Sent to the gateway as `access-token`. Secret. Required where the profile sends it. */
  @Text(SECRET_VARIABLES.GATEWAY_ACCESS_TOKEN)
  GATEWAY_ACCESS_TOKEN?: string;

  /** Milliseconds for a whole call of the gateway; after them the outcome is unknown. */
  @WholeNumber(1, 600_000)
  GATEWAY_TIMEOUT_MS = 30_000;

  /** Path of a JSON gateway profile; the built-in one unless set. */
  @Text(path)
  GATEWAY_PROFILE?: string;

  /** Key of the profile's encryption scheme: raw text of the exact length, `hex:…`, `base64:…`, or PEM. Secret. */
  @Text(SECRET_VARIABLES.GATEWAY_ENCRYPTION_KEY)
  GATEWAY_ENCRYPTION_KEY?: string;

  /** Path of further CA certificates (PEM) that may vouch for the gateway. */
  @Text(path)
  GATEWAY_CA_FILE?: string;

  /** Path of the client certificate (PEM) that is shown to the gateway; goes with `GATEWAY_CLIENT_KEY_FILE`. */
  @Text(path)
  GATEWAY_CLIENT_CERT_FILE?: string;

  /** Path of the client certificate's private key (PEM, not encrypted). */
  @Text(path)
  GATEWAY_CLIENT_KEY_FILE?: string;

  /** Seconds over which the gateway must say that it does not know a payment before the service believes it. */
  @WholeNumber(0, 604_800)
  NOT_FOUND_GRACE_SECONDS = 900;

  /** `postgres://…`; unset: the embedded store in `DATA_DIR`. Under production's rules it must ask for TLS with a checked certificate, loopback apart. Secret. */
  @Text(SECRET_VARIABLES.DATABASE_URL)
  DATABASE_URL?: string;

  /** `transaction`: `DATABASE_URL` is that of a pooler such as PgBouncer in transaction mode, so nothing is kept in a database session. */
  @OneOf(['none', 'transaction'])
  DATABASE_POOLER: 'none' | 'transaction' = 'none';

  /** Folder of the embedded store and of generated keys. */
  @Text(path)
  DATA_DIR = './data';

  /** Bearer secrets of the merchant's server and people, comma-separated, each `key` or `name=key`. Secret. Required under production's rules, else generated and printed at the start. */
  @Text(SECRET_VARIABLES.MERCHANT_API_KEY)
  MERCHANT_API_KEY?: string;

  /** The same, for reading only. Secret. */
  @Text(SECRET_VARIABLES.MERCHANT_READ_API_KEY)
  MERCHANT_READ_API_KEY?: string;

  /** The same for people who keep the books: they read with payer data masked, upload reports, and note and close differences. Secret. */
  @Text(SECRET_VARIABLES.MERCHANT_BOOKS_API_KEY)
  MERCHANT_BOOKS_API_KEY?: string;

  /** At least 32 bytes, the same on every replica; comma-separated: the first signs, all verify. Secret. Required under production's rules, else generated into `DATA_DIR`. */
  @Text(SECRET_VARIABLES.SECRET_KEY)
  SECRET_KEY?: string;

  /** PEM private RSA keys (at least 2048 bits) for encrypted cards, the newest first. Secret. Required under production's rules, else generated into `DATA_DIR`. */
  @Text(SECRET_VARIABLES.CARD_ENCRYPTION_KEY)
  CARD_ENCRYPTION_KEY?: string;

  /** Browser origins that may call, comma-separated. Under production's rules https only, loopback apart. */
  @List(origin)
  ALLOWED_ORIGINS?: string[];

  /** Origins where payers may be sent back to, comma-separated; `ALLOWED_ORIGINS` unless set. Under production's rules https only, loopback apart. */
  @List(origin)
  ALLOWED_RETURN_ORIGINS?: string[];

  /** The methods offered, comma-separated. */
  @List(paymentMethod)
  PAYMENT_METHODS: string[] = [...PAYMENT_METHODS];

  /** Where the merchant's events are posted to; https under production's rules. Needs `MERCHANT_WEBHOOK_SECRET`. */
  @Text(httpUrl)
  MERCHANT_WEBHOOK_URL?: string;

  /** `whsec_…` with the base64 of 24 to 64 bytes; two, comma-separated, both sign while rotating. Secret. */
  @Text(SECRET_VARIABLES.MERCHANT_WEBHOOK_SECRET)
  MERCHANT_WEBHOOK_SECRET?: string;

  /** What the gateway's notifications must carry, or the key of their signature. Secret. Required under production's rules. */
  @Text(SECRET_VARIABLES.NOTIFICATION_SECRET)
  NOTIFICATION_SECRET?: string;

  /** What happens to the second paid payment of a reference: `announce` it only, or `void` it. */
  @OneOf(['announce', 'void'])
  DUPLICATE_POLICY: 'announce' | 'void' = 'announce';

  /** Whose `X-Forwarded-For` counts: `false`, a number of hops, or comma-separated addresses and CIDR ranges. */
  @Text(proxies)
  TRUST_PROXY = 'false';

  /** Payers' calls per address and minute that start, confirm or cancel a payment or come back, per process; `0` turns the limit off. */
  @WholeNumber(0, 1_000_000)
  RATE_LIMIT_PER_MINUTE = 60;

  /** Connections of all callers at once, per process; `0` turns the limit off. */
  @WholeNumber(0, 1_000_000)
  MAX_CONNECTIONS = 10_000;

  /** Connections of one address at once, per process, trusted proxies apart; `0` turns the limit off. */
  @WholeNumber(0, 1_000_000)
  MAX_CONNECTIONS_PER_ADDRESS = 256;

  /** Questions to the gateway in any second, per process: so many that nobody waits for, ten times as many others; `0`: no limit. */
  @WholeNumber(0, 10_000)
  GATEWAY_STATUS_QUERIES_PER_SECOND = 10;

  /** Issuer declines after which a session closes. */
  @WholeNumber(1, 1_000)
  MAX_DECLINES_PER_SESSION = 5;

  /** Payments of one session, whatever became of them; then it closes. `0` turns the limit off. */
  @WholeNumber(0, 10_000)
  MAX_PAYMENTS_PER_SESSION = 20;

  /** Whether no payment is started, as while what a restored store lacks is taken over. */
  @TrueOrFalse()
  HOLD_NEW_PAYMENTS = false;

  /** Amounts by currency, such as `NGN:500000.00,USD:1000.00`: a refund, a resolution as paid, a write-off or a take-over above one waits until a second named key approves it. */
  @Text(approvalAbove)
  APPROVAL_ABOVE?: string;

  /** How many cards declined from one address, or declines of one card, are let through in 10 minutes; `0` turns the watch off. */
  @WholeNumber(0, 100_000)
  CARD_TESTING_LIMIT = 10;

  /** `enforce` refuses what looks like card testing, `shadow` only counts it. */
  @OneOf(['enforce', 'shadow'])
  CARD_TESTING_MODE: 'enforce' | 'shadow' = 'enforce';

  /** Whether cards and card PINs must come encrypted by the browser; `true`: a clear one is refused. */
  @TrueOrFalse()
  REQUIRE_ENCRYPTED_CARD = false;

  /** Whether `MERCHANT_WEBHOOK_URL` may be a private or loopback address; `false` under production's rules, else `true`, unless set. */
  @TrueOrFalse()
  WEBHOOK_ALLOW_PRIVATE?: boolean;

  /** Whether the start brings an older schema up to date; `false`: it refuses to start on one. */
  @TrueOrFalse()
  MIGRATE_ON_START = true;

  /** Days after which payer data of finished sessions is erased; `0` keeps it. */
  @WholeNumber(0, 36_500)
  PAYER_RETENTION_DAYS = 0;

  /** Days after which notifications of the gateway that nothing waits for are removed; `0` keeps them. */
  @WholeNumber(0, 36_500)
  NOTIFICATION_RETENTION_DAYS = 90;

  /** Days after which events that wait for no delivery are removed, but for the newest; `0` keeps them. */
  @WholeNumber(0, 36_500)
  EVENT_RETENTION_DAYS = 0;

  /** The IANA time zone in which days and months of the ledger, of reports and of the console begin. */
  @Text(timeZone)
  BOOKS_TIME_ZONE = 'UTC';

  /** Days after which an entry of the ledger that no settlement report has is a difference; `0`: none is looked for. */
  @WholeNumber(0, 365)
  SETTLEMENT_EXPECTED_DAYS = 5;

  /** Milliseconds within which work in flight is finished after SIGTERM and the drain. */
  @WholeNumber(0, 3_600_000)
  SHUTDOWN_GRACE_MS = 30_000;

  /** Milliseconds after SIGTERM in which the service is not ready and still serves everything; then its ports close. */
  @WholeNumber(0, 3_600_000)
  SHUTDOWN_DRAIN_MS = 0;

  /** TCP port where alone `/health` and `/metrics` answer; on `PORT` unless set. */
  @WholeNumber(1, 65_535)
  MANAGEMENT_PORT?: number;

  /** TCP port where alone merchant keys, `/console` and `/docs` answer, and payers do not; all on `PORT` unless set. */
  @WholeNumber(1, 65_535)
  MERCHANT_PORT?: number;

  /** Who is paid, as payers read it on the checkout page: at most 60 characters. */
  @Text(merchantName)
  MERCHANT_NAME?: string;

  /** Path of the logo on the checkout page: SVG or PNG, at most 100 KB. */
  @Text(path)
  MERCHANT_LOGO_FILE?: string;

  /** Colour of buttons and of what is chosen on the checkout page: `#rrggbb`, dark enough for white text (contrast 4.5 to 1). */
  @Text(problemOfAccentColor)
  MERCHANT_ACCENT_COLOR?: string;

  /** Where traces are sent by OTLP over HTTP (JSON), at `/v1/traces` below it; none unless set. The other `OTEL_*` variables mean what OpenTelemetry says. */
  @Text(httpUrl)
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /** The whole address for traces, where it is not `/v1/traces` below `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  @Text(httpUrl)
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string;

  /** `true` sends no traces, whatever else is set. */
  @TrueOrFalse()
  OTEL_SDK_DISABLED = false;

  /** The least severe level that is logged. */
  @OneOf(LOG_LEVELS)
  LOG_LEVEL: string = 'info';
}

/** Every variable that the service reads, in the order above. */
export const VARIABLE_NAMES: readonly string[] = [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(Env, '', false, false)
      .map(({ propertyName }) => propertyName),
  ),
];

/** Combines several property decorators. */
function all(...decorators: PropertyDecorator[]): PropertyDecorator {
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

/** A whole number within a range, in plain decimal digits. The property is a number. */
export function WholeNumber(min: number, max: number): PropertyDecorator {
  const message = `must be a whole number from ${min} to ${max}`;
  return all(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^(?:0|[1-9][0-9]{0,14})$/.test(value) ? Number(value) : value,
    ),
    IsOptional(),
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
  );
}

/** Exactly `true` or `false`. The property is a boolean. */
export function TrueOrFalse(): PropertyDecorator {
  return all(
    Transform(({ value }: { value: unknown }) =>
      value === 'true' ? true : value === 'false' ? false : value,
    ),
    IsOptional(),
    IsBoolean({ message: 'must be exactly true or false' }),
  );
}

/** Exactly one of a few words. */
export function OneOf(words: readonly string[]): PropertyDecorator {
  return all(IsOptional(), IsIn([...words], { message: `must be one of ${words.join(', ')}` }));
}

/** A text that passes a check. */
export function Text(check: Check): PropertyDecorator {
  return all(
    IsOptional(),
    Satisfies((value) => (typeof value === 'string' ? check(value) : 'must be a text')),
  );
}

/**
 * Comma-separated entries that each pass a check, without duplicates. The property is a list. Spaces around an entry are
 * dropped.
 */
export function List(check: Check): PropertyDecorator {
  return all(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.split(',').map((entry) => entry.trim()) : value,
    ),
    IsOptional(),
    Satisfies((value) => problemOfList(value, check)),
  );
}

function problemOfList(value: unknown, check: Check): string | undefined {
  if (!Array.isArray(value)) return 'must be a comma-separated list';
  const entries = value.filter((entry) => typeof entry === 'string');
  if (entries.includes('')) return 'has an empty entry between its commas';
  if (new Set(entries).size !== value.length) return 'has the same entry twice';
  return entries.map(check).find((problem) => problem !== undefined);
}

function Satisfies(problemOf: (value: unknown) => string | undefined): PropertyDecorator {
  return ValidateBy({
    name: 'satisfies',
    validator: {
      validate: (value: unknown) => problemOf(value) === undefined,
      defaultMessage: (argument) => problemOf(argument?.value) ?? 'is malformed',
    },
  });
}
