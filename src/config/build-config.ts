import { TimeZone } from '../calendar/time-zone.js';
import { resolve } from 'node:path';
import { NamedKeyList } from '../secrets/named-keys.js';
import { Secret } from '../secrets/secret.js';
import { FixedSecret, SecretList } from '../secrets/secret-source.js';
import { parseBaseUrl, parseOrigin } from './addresses.js';
import { approvalBounds } from './approval-above.js';
import { readLogo } from './brand.js';
import type {
  BrandConfig,
  Config,
  GatewayConfig,
  HttpConfig,
  MerchantConfig,
  PaymentsConfig,
  StoreConfig,
  TelemetryConfig,
} from './config.js';
import type { ConfigProblem } from './config-error.js';
import { crossCheck } from './cross-check.js';
import { rulesInForce } from './production-rules.js';
import { type Env, PAYMENT_METHODS } from './env.js';
import type { SecretSources } from './read-env.js';

const unset = new FixedSecret(undefined);

/** The configuration before its keys are complete. */
export type ConfigDraft = Omit<Config, 'keys'>;

/** Nests the variables and checks them against each other. Adds to `problems`, and returns undefined if there are any. */
export function buildConfig(
  env: Env,
  sources: SecretSources,
  problems: ConfigProblem[],
): ConfigDraft | undefined {
  crossCheck(env, sources, problems);
  if (problems.length > 0) return undefined;
  const draft: ConfigDraft = {
    productionRules: rulesInForce(env).production,
    http: httpConfig(env),
    gateway: gatewayConfig(env, sources),
    store: storeConfig(env, sources),
    migrateOnStart: env.MIGRATE_ON_START,
    merchant: merchantConfig(env, sources),
    brand: brandConfig(env),
    notificationRetentionDays: env.NOTIFICATION_RETENTION_DAYS,
    eventRetentionDays: env.EVENT_RETENTION_DAYS,
    booksTimeZone: TimeZone.of(env.BOOKS_TIME_ZONE),
    settlementConfirmSeconds: env.SETTLEMENT_CONFIRM_SECONDS,
    settlementExpectedDays: env.SETTLEMENT_EXPECTED_DAYS,
    payments: paymentsConfig(env),
    telemetry: { logLevel: env.LOG_LEVEL, otel: env.OTEL_SDK_DISABLED ? {} : otelConfig(env) },
  };
  if (sources.NOTIFICATION_SECRET) draft.notificationSecret = sources.NOTIFICATION_SECRET;
  return draft;
}

function httpConfig(env: Env): HttpConfig {
  const publicBaseUrl = parseBaseUrl(env.PUBLIC_BASE_URL ?? `http://localhost:${env.PORT}`) ?? '';
  const own = new URL(publicBaseUrl).origin;
  const origins = (list: readonly string[]) =>
    Object.freeze([...new Set([own, ...list.map((text) => parseOrigin(text) ?? '')])]);
  const allowed = env.ALLOWED_ORIGINS ?? [];
  return {
    port: env.PORT,
    host: env.HOST,
    publicBaseUrl,
    trustProxy: trustProxy(env.TRUST_PROXY),
    allowedOrigins: origins(allowed),
    allowedReturnOrigins: origins(env.ALLOWED_RETURN_ORIGINS ?? allowed),
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
    maxConnections: env.MAX_CONNECTIONS,
    maxConnectionsPerAddress: env.MAX_CONNECTIONS_PER_ADDRESS,
    ...given({ managementPort: env.MANAGEMENT_PORT, merchantPort: env.MERCHANT_PORT }),
    shutdownGraceMs: env.SHUTDOWN_GRACE_MS,
    shutdownDrainMs: env.SHUTDOWN_DRAIN_MS,
  };
}

function gatewayConfig(env: Env, sources: SecretSources): GatewayConfig {
  return {
    baseUrl: parseBaseUrl(env.GATEWAY_BASE_URL ?? '') ?? '',
    mode: env.GATEWAY_MODE,
    apiKey: sources.GATEWAY_API_KEY ?? unset,
    accessToken: sources.GATEWAY_ACCESS_TOKEN ?? unset,
    timeoutMs: env.GATEWAY_TIMEOUT_MS,
    ...given({ profilePath: env.GATEWAY_PROFILE, encryptionKey: sources.GATEWAY_ENCRYPTION_KEY }),
    tls: given({
      caFile: env.GATEWAY_CA_FILE,
      clientCertFile: env.GATEWAY_CLIENT_CERT_FILE,
      clientKeyFile: env.GATEWAY_CLIENT_KEY_FILE,
    }),
    notFoundGraceSeconds: env.NOT_FOUND_GRACE_SECONDS,
    statusQueriesPerSecond: env.GATEWAY_STATUS_QUERIES_PER_SECOND,
  };
}

function storeConfig(env: Env, sources: SecretSources): StoreConfig {
  const dataDir = resolve(env.DATA_DIR);
  const currentUrl = sources.DATABASE_URL;
  if (!currentUrl || env.DATABASE_URL === undefined) return { kind: 'embedded', dataDir };
  return {
    kind: 'postgres',
    url: new Secret(env.DATABASE_URL),
    currentUrl,
    pooler: env.DATABASE_POOLER === 'transaction',
    dataDir,
  };
}

function merchantConfig(env: Env, sources: SecretSources): MerchantConfig {
  return {
    apiKeys: new NamedKeyList(sources.MERCHANT_API_KEY ?? unset),
    readApiKeys: new NamedKeyList(sources.MERCHANT_READ_API_KEY ?? unset),
    booksApiKeys: new NamedKeyList(sources.MERCHANT_BOOKS_API_KEY ?? unset),
    ...given({ webhookUrl: env.MERCHANT_WEBHOOK_URL }),
    webhookSecrets: new SecretList(sources.MERCHANT_WEBHOOK_SECRET ?? unset),
    webhookAllowPrivate: env.WEBHOOK_ALLOW_PRIVATE ?? !rulesInForce(env).production,
  };
}

function brandConfig(env: Env): BrandConfig {
  const logo = env.MERCHANT_LOGO_FILE === undefined ? undefined : readLogo(env.MERCHANT_LOGO_FILE);
  return given({
    name: env.MERCHANT_NAME,
    logo: typeof logo === 'string' ? undefined : logo,
    accentColor: env.MERCHANT_ACCENT_COLOR?.toLowerCase(),
  });
}

function paymentsConfig(env: Env): PaymentsConfig {
  return {
    methods: enabledMethods(env),
    maxDeclinesPerSession: env.MAX_DECLINES_PER_SESSION,
    maxPaymentsPerSession: env.MAX_PAYMENTS_PER_SESSION,
    holdNewPayments: env.HOLD_NEW_PAYMENTS,
    duplicatePolicy: env.DUPLICATE_POLICY,
    approvalAbove: approvalBounds(env.APPROVAL_ABOVE),
    cardTesting: { limit: env.CARD_TESTING_LIMIT, mode: env.CARD_TESTING_MODE },
    requireEncryptedCard: env.REQUIRE_ENCRYPTED_CARD,
    payerRetentionDays: env.PAYER_RETENTION_DAYS,
  };
}

/** The enabled methods, in the order in which they are offered. */
export function enabledMethods(env: Env): PaymentsConfig['methods'] {
  return PAYMENT_METHODS.filter((method) => env.PAYMENT_METHODS.includes(method));
}

function otelConfig(env: Env): TelemetryConfig['otel'] {
  return given({
    endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    tracesEndpoint: env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
  });
}

function trustProxy(text: string): false | number | string[] {
  if (text === 'false' || text === '0') return false;
  return /^[0-9]+$/.test(text) ? Number(text) : text.split(',').map((entry) => entry.trim());
}

/** The same object without undefined members, so that an unset variable leaves no property. */
function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
