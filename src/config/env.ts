import * as check from './checks.js';
import { checkedProperties, OneOf, Text, TrueOrFalse, WholeNumber } from './checks.js';
import { PAYMENT_METHODS, type PaymentMethod } from './payment-method.js';

/** From the most severe to the most detailed. `silent` logs nothing. */
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * One property for each environment variable, under its own name; docs/configuration.md explains each. An absent property is
 * an unset variable, an initial value is the default. It holds secrets as plain text, so it lives only while the start reads it.
 */
export class Env {
  @OneOf(['production', 'development', 'test']) NODE_ENV = 'development';
  @WholeNumber(1, 65_535) PORT = 3000;
  @Text(check.hostName) HOST = '0.0.0.0';
  @Text(check.baseUrl) PUBLIC_BASE_URL?: string;
  @WholeNumber(1, 65_535) MERCHANT_PORT?: number;
  @WholeNumber(1, 65_535) MANAGEMENT_PORT?: number;

  @Text(check.baseUrl) GATEWAY_BASE_URL?: string;
  @Text(check.headerSafe) GATEWAY_API_KEY?: string;
  @Text(check.headerSafe) GATEWAY_ACCESS_TOKEN?: string;
  @OneOf(['test', 'live']) GATEWAY_MODE: 'test' | 'live' = 'test';
  @Text(check.anyText) GATEWAY_PROFILE?: string;
  @Text(check.anyText) GATEWAY_ENCRYPTION_KEY?: string;
  @WholeNumber(1, 600_000) GATEWAY_TIMEOUT_MS = 30_000;
  @Text(check.anyText) GATEWAY_CLIENT_CERT_FILE?: string;
  @Text(check.anyText) GATEWAY_CLIENT_KEY_FILE?: string;
  @WholeNumber(0, 10_000) GATEWAY_STATUS_QUERIES_PER_SECOND = 20;
  @Text(check.proxyUrl) EGRESS_PROXY_URL?: string;
  @WholeNumber(0, 604_800) NOT_FOUND_GRACE_SECONDS = 900;

  @Text(check.databaseUrl) DATABASE_URL?: string;
  @Text(check.anyText) DATA_DIR = './data';
  @TrueOrFalse() MIGRATE_ON_START = true;

  @Text(check.namedKeys) MERCHANT_API_KEY?: string;
  @Text(check.namedKeys) MERCHANT_READ_API_KEY?: string;
  @Text(check.namedKeys) MERCHANT_BOOKS_API_KEY?: string;
  @Text(check.secretKeys) SECRET_KEY?: string;
  @Text(check.privateKeys) CARD_ENCRYPTION_KEY?: string;
  @Text(check.origins) ALLOWED_ORIGINS?: string;
  @Text(check.origins) ALLOWED_RETURN_ORIGINS?: string;
  /** By default all that the profile has. */
  @Text(check.wordsOf(PAYMENT_METHODS)) PAYMENT_METHODS?: string;
  @Text(check.httpUrl) MERCHANT_WEBHOOK_URL?: string;
  @Text(check.webhookSecrets) MERCHANT_WEBHOOK_SECRET?: string;
  @Text(check.headerSafeList) NOTIFICATION_SECRET?: string;
  @Text(check.merchantName) MERCHANT_NAME?: string;
  @Text(check.anyText) MERCHANT_LOGO_FILE?: string;
  @Text(check.color) MERCHANT_ACCENT_COLOR?: string;

  @OneOf(['announce', 'void']) DUPLICATE_POLICY: 'announce' | 'void' = 'announce';
  @Text(check.proxies) TRUST_PROXY = 'false';
  @WholeNumber(0, 1_000_000) RATE_LIMIT_PER_MINUTE = 60;
  @WholeNumber(0, 100_000) CARD_TESTING_LIMIT = 10;
  @WholeNumber(0, 1_000) MAX_DECLINES_PER_SESSION = 5;
  @WholeNumber(0, 10_000) MAX_PAYMENTS_PER_SESSION = 20;
  @TrueOrFalse() REQUIRE_ENCRYPTED_CARD = false;
  @Text(check.approvalAbove) APPROVAL_ABOVE?: string;
  @Text(check.timeZone) BOOKS_TIME_ZONE = 'UTC';
  @WholeNumber(0, 365) SETTLEMENT_EXPECTED_DAYS = 5;
  @WholeNumber(0, 36_500) PAYER_RETENTION_DAYS = 0;
  @WholeNumber(0, 36_500) EVENT_RETENTION_DAYS = 0;
  @TrueOrFalse() HOLD_NEW_PAYMENTS = false;
  @WholeNumber(0, 3_600_000) SHUTDOWN_GRACE_MS = 40_000;
  @OneOf(LOG_LEVELS) LOG_LEVEL: string = 'info';
  @Text(check.httpUrl) OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /** The enabled methods, in the order in which they are offered. */
  get methods(): PaymentMethod[] {
    const enabled = check.entriesOf(this.PAYMENT_METHODS);
    return PAYMENT_METHODS.filter((method) => enabled.includes(method));
  }
}

/** Every variable that the service reads. */
export const VARIABLE_NAMES: readonly string[] = checkedProperties(Env);

/** The variables that hold a secret. Each may be given as `NAME_FILE` instead. */
export const SECRET_VARIABLES = [
  ...(['GATEWAY_API_KEY', 'GATEWAY_ACCESS_TOKEN', 'GATEWAY_ENCRYPTION_KEY', 'EGRESS_PROXY_URL'] as const),
  ...(['DATABASE_URL', 'MERCHANT_API_KEY', 'MERCHANT_READ_API_KEY', 'MERCHANT_BOOKS_API_KEY'] as const),
  ...(['SECRET_KEY', 'CARD_ENCRYPTION_KEY', 'MERCHANT_WEBHOOK_SECRET', 'NOTIFICATION_SECRET'] as const),
] satisfies readonly (keyof Env)[];
