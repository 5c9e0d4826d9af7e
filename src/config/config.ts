import { resolve } from 'node:path';
import { TimeZone } from '../calendar/time-zone.js';
import { NamedKeys } from '../secrets/named-keys.js';
import { Secret } from '../secrets/secret.js';
import { parseBaseUrl, parseOrigin } from './addresses.js';
import { readLogo } from './brand.js';
import { approvalBounds, entriesOf, type ApprovalBounds } from './checks.js';
import type { Env } from './env.js';
import { readSecretFile } from './read-env.js';
import { productionBecause } from './rules.js';

export interface Keys {
  /** At least one. The first signs, all verify. */
  secretKeys: Secret<readonly string[]>;
  /** PEM private RSA keys in one text, newest first. */
  cardEncryptionKeys: Secret;
  /** Where the merchant key is, if the service made it: shown at the start, as nobody could call otherwise. */
  merchantKeyFile: string | undefined;
}

/** Every setting that an operator may choose, checked and in the units that the code uses. Built once, at the start. */
export type Config = ConfigDraft & { keys: Keys };

/** Injection token of the checked {@link Config}: `@Inject(CONFIG) config: Config`. */
export const CONFIG = Symbol('CONFIG');

/** The configuration before its keys are complete. */
export type ConfigDraft = ReturnType<typeof draftOf>;

/** Nests the checked variables. `databaseUrlFile`: where a connection finds the present address of the database. */
export function configDraft(env: Env, databaseUrlFile: string | undefined): ConfigDraft {
  return draftOf(env, databaseUrlFile);
}

function draftOf(env: Env, databaseUrlFile: string | undefined) {
  return {
    /** Whether real money moves. */
    livemode: env.GATEWAY_MODE === 'live',
    /** Whether production's rules apply. */
    productionRules: productionBecause(env) !== undefined,
    http: httpConfig(env),
    gateway: gatewayConfig(env),
    store: storeConfig(env, databaseUrlFile),
    migrateOnStart: env.MIGRATE_ON_START,
    merchant: merchantConfig(env),
    brand: brandConfig(env),
    /** The first stands in `{notifyUrl}`, all are valid. If absent, every notification is taken as a hint. */
    notificationSecrets: listOf(env.NOTIFICATION_SECRET),
    /** 0: for ever. */
    eventRetentionDays: env.EVENT_RETENTION_DAYS,
    booksTimeZone: TimeZone.of(env.BOOKS_TIME_ZONE),
    /** 0: nothing that is unsettled is looked for. */
    settlementExpectedDays: env.SETTLEMENT_EXPECTED_DAYS,
    payments: paymentsConfig(env),
    telemetry: { logLevel: env.LOG_LEVEL, tracing: env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined },
  };
}

function httpConfig(env: Env) {
  const publicBaseUrl = parseBaseUrl(env.PUBLIC_BASE_URL ?? `http://localhost:${env.PORT}`) ?? '';
  const origins = (list: string | undefined): readonly string[] => [
    ...new Set([new URL(publicBaseUrl).origin, ...entriesOf(list).map((text) => parseOrigin(text) ?? '')]),
  ];
  return {
    port: env.PORT,
    host: env.HOST,
    /** Without a trailing slash. */
    publicBaseUrl,
    trustProxy: trustProxy(env.TRUST_PROXY),
    /** Canonical origins, including the service's own. Compare with `new URL(x).origin`. */
    allowedOrigins: origins(env.ALLOWED_ORIGINS),
    /** Canonical origins, including the service's own. */
    allowedReturnOrigins: origins(env.ALLOWED_RETURN_ORIGINS ?? env.ALLOWED_ORIGINS),
    /** 0: no limit. */
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
    managementPort: env.MANAGEMENT_PORT,
    merchantPort: env.MERCHANT_PORT,
    shutdownGraceMs: env.SHUTDOWN_GRACE_MS,
  };
}

function gatewayConfig(env: Env) {
  return {
    /** Without a trailing slash. */
    baseUrl: parseBaseUrl(env.GATEWAY_BASE_URL ?? '') ?? '',
    mode: env.GATEWAY_MODE,
    apiKey: secretOf(env.GATEWAY_API_KEY),
    accessToken: secretOf(env.GATEWAY_ACCESS_TOKEN),
    /** The timeout of a whole call. */
    timeoutMs: env.GATEWAY_TIMEOUT_MS,
    encryptionKey: secretOf(env.GATEWAY_ENCRYPTION_KEY),
    /** The forward proxy, for the webhook too. */
    egressProxy: secretOf(env.EGRESS_PROXY_URL),
    tls: { clientCertFile: env.GATEWAY_CLIENT_CERT_FILE, clientKeyFile: env.GATEWAY_CLIENT_KEY_FILE },
    notFoundGraceSeconds: env.NOT_FOUND_GRACE_SECONDS,
    /** In any second. 0: no limit. */
    statusQueriesPerSecond: env.GATEWAY_STATUS_QUERIES_PER_SECOND,
  };
}

export type StoreConfig =
  | { kind: 'embedded'; dataDir: string }
  | {
      kind: 'postgres';
      /** The present address, for a new connection: its password may change where it comes from a file. */
      currentUrl: () => string;
      dataDir: string;
    };

function storeConfig(env: Env, file: string | undefined): StoreConfig {
  const dataDir = resolve(env.DATA_DIR);
  if (env.DATABASE_URL === undefined) return { kind: 'embedded', dataDir };
  const url = new Secret(env.DATABASE_URL);
  return { kind: 'postgres', dataDir, currentUrl: () => presentUrl(file) ?? url.unwrap() };
}

/** Undefined while the file is being replaced: the last known address may still be right. */
function presentUrl(file: string | undefined): string | undefined {
  try {
    return file === undefined ? undefined : readSecretFile(file) || undefined;
  } catch {
    return undefined;
  }
}

function merchantConfig(env: Env) {
  return {
    apiKeys: new NamedKeys(env.MERCHANT_API_KEY),
    /** May be empty. */
    readApiKeys: new NamedKeys(env.MERCHANT_READ_API_KEY),
    /** May be empty. */
    booksApiKeys: new NamedKeys(env.MERCHANT_BOOKS_API_KEY),
    webhookUrl: env.MERCHANT_WEBHOOK_URL,
    /** `whsec_…`. Empty only where there is no address. */
    webhookSecrets: new Secret<readonly string[]>(entriesOf(env.MERCHANT_WEBHOOK_SECRET)),
  };
}

function brandConfig(env: Env) {
  const logo = env.MERCHANT_LOGO_FILE === undefined ? undefined : readLogo(env.MERCHANT_LOGO_FILE);
  return {
    name: env.MERCHANT_NAME,
    logo: typeof logo === 'string' ? undefined : logo,
    accentColor: env.MERCHANT_ACCENT_COLOR?.toLowerCase(),
  };
}

function paymentsConfig(env: Env) {
  return {
    methods: env.methods,
    /** 0: no limit. */
    maxDeclinesPerSession: env.MAX_DECLINES_PER_SESSION,
    /** 0: no limit. */
    maxPaymentsPerSession: env.MAX_PAYMENTS_PER_SESSION,
    holdNewPayments: env.HOLD_NEW_PAYMENTS,
    duplicatePolicy: env.DUPLICATE_POLICY,
    approvalAbove: approvalBounds(env.APPROVAL_ABOVE) as ApprovalBounds,
    /** 0: off. */
    cardTestingLimit: env.CARD_TESTING_LIMIT,
    requireEncryptedCard: env.REQUIRE_ENCRYPTED_CARD,
    /** 0: kept. */
    payerRetentionDays: env.PAYER_RETENTION_DAYS,
  };
}

function trustProxy(text: string): false | number | string[] {
  if (text === 'false' || text === '0') return false;
  return /^[0-9]+$/.test(text) ? Number(text) : entriesOf(text);
}

function secretOf(text: string | undefined): Secret | undefined {
  return text === undefined ? undefined : new Secret(text);
}

function listOf(text: string | undefined): Secret<readonly string[]> | undefined {
  return text === undefined ? undefined : new Secret(entriesOf(text));
}
