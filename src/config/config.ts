import { resolve } from 'node:path';
import { TimeZone } from '../calendar/time-zone.js';
import { NamedKeyList, type NamedKeySource } from '../secrets/named-keys.js';
import { Secret } from '../secrets/secret.js';
import {
  FixedSecret,
  SecretList,
  type SecretListSource,
  type SecretSource,
} from '../secrets/secret-source.js';
import { parseBaseUrl, parseOrigin } from './addresses.js';
import { approvalBounds } from './approval-above.js';
import { readLogo } from './brand.js';
import type { ConfigProblem } from './config-error.js';
import { crossCheck } from './cross-check.js';
import type { Env } from './env.js';
import { PAYMENT_METHODS, type PaymentMethod } from './payment-method.js';
import type { KeysConfig } from './generated-keys.js';
import { rulesInForce } from './production-rules.js';
import type { SecretSources } from './read-env.js';

/** Every setting that an operator may choose, checked and in the units that the code uses. Built once, at the start. */
export interface Config extends ConfigDraft {
  keys: KeysConfig;
}

/** The configuration before its keys are complete. Its types follow from the variables; `env.ts` says what they mean. */
export type ConfigDraft = ReturnType<typeof draftOf>;

/** Nests the variables and checks them against each other. Adds to `problems`, and returns undefined if there are any. */
export function buildConfig(
  env: Env,
  sources: SecretSources,
  problems: ConfigProblem[],
): ConfigDraft | undefined {
  crossCheck(env, sources, problems);
  return problems.length > 0 ? undefined : draftOf(env, sources);
}

function draftOf(env: Env, sources: SecretSources) {
  return {
    /** Whether production's rules apply. `NODE_ENV=production` or `GATEWAY_MODE=live` is enough. */
    productionRules: rulesInForce(env).production,
    http: httpConfig(env),
    gateway: gatewayConfig(env, sources),
    store: storeConfig(env, sources),
    migrateOnStart: env.MIGRATE_ON_START,
    merchant: merchantConfig(env, sources),
    brand: brandConfig(env),
    /** If absent, every notification is taken as a hint. */
    ...given({ notificationSecret: sources.NOTIFICATION_SECRET }),
    /** 0: for ever. */
    notificationRetentionDays: env.NOTIFICATION_RETENTION_DAYS,
    /** 0: for ever. */
    eventRetentionDays: env.EVENT_RETENTION_DAYS,
    booksTimeZone: TimeZone.of(env.BOOKS_TIME_ZONE),
    /** 0: nothing that is unsettled is looked for. */
    settlementExpectedDays: env.SETTLEMENT_EXPECTED_DAYS,
    payments: paymentsConfig(env),
    telemetry: telemetryConfig(env),
  };
}

function httpConfig(env: Env) {
  const publicBaseUrl = parseBaseUrl(env.PUBLIC_BASE_URL ?? `http://localhost:${env.PORT}`) ?? '';
  const own = new URL(publicBaseUrl).origin;
  const origins = (list: readonly string[]) =>
    Object.freeze([...new Set([own, ...list.map((text) => parseOrigin(text) ?? '')])]);
  const allowed = env.ALLOWED_ORIGINS ?? [];
  return {
    port: env.PORT,
    host: env.HOST,
    /** Without a trailing slash. */
    publicBaseUrl,
    trustProxy: trustProxy(env.TRUST_PROXY),
    /** Canonical origins, including the service's own. Compare with `new URL(x).origin`. */
    allowedOrigins: origins(allowed),
    /** Canonical origins, including the service's own. */
    allowedReturnOrigins: origins(env.ALLOWED_RETURN_ORIGINS ?? allowed),
    /** 0: no limit. */
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
    /** 0: no limit. */
    maxConnections: env.MAX_CONNECTIONS,
    /** 0: no limit. */
    maxConnectionsPerAddress: env.MAX_CONNECTIONS_PER_ADDRESS,
    ...given({ managementPort: env.MANAGEMENT_PORT, merchantPort: env.MERCHANT_PORT }),
    shutdownGraceMs: env.SHUTDOWN_GRACE_MS,
    /** How long everything is still served, without being ready, before the grace begins. */
    shutdownDrainMs: env.SHUTDOWN_DRAIN_MS,
  };
}

function gatewayConfig(env: Env, sources: SecretSources) {
  return {
    /** Without a trailing slash. */
    baseUrl: parseBaseUrl(env.GATEWAY_BASE_URL ?? '') ?? '',
    mode: env.GATEWAY_MODE,
    apiKey: sources.GATEWAY_API_KEY ?? unset,
    accessToken: sources.GATEWAY_ACCESS_TOKEN ?? unset,
    /** The timeout of a whole call. */
    timeoutMs: env.GATEWAY_TIMEOUT_MS,
    /** Without a path, the built-in profile is used. */
    ...given({ profilePath: env.GATEWAY_PROFILE, encryptionKey: sources.GATEWAY_ENCRYPTION_KEY }),
    tls: given({
      caFile: env.GATEWAY_CA_FILE,
      clientCertFile: env.GATEWAY_CLIENT_CERT_FILE,
      clientKeyFile: env.GATEWAY_CLIENT_KEY_FILE,
    }),
    notFoundGraceSeconds: env.NOT_FOUND_GRACE_SECONDS,
    /** Those that no payer waits for, in any second. 0: no limit. */
    statusQueriesPerSecond: env.GATEWAY_STATUS_QUERIES_PER_SECOND,
  };
}

export type StoreConfig =
  | { kind: 'embedded'; dataDir: string }
  | {
      kind: 'postgres';
      /** The address at the start. */
      url: Secret;
      /** The current address. Its password may change while the service runs, if it comes from a file. */
      currentUrl: SecretSource;
      /** Whether a pooler stands between that gives out connections by the transaction. */
      pooler: boolean;
      dataDir: string;
    };

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

function merchantConfig(env: Env, sources: SecretSources) {
  const keys = (source = unset): NamedKeySource => new NamedKeyList(source);
  const webhookSecrets: SecretListSource = new SecretList(sources.MERCHANT_WEBHOOK_SECRET ?? unset);
  return {
    apiKeys: keys(sources.MERCHANT_API_KEY),
    /** May be empty. */
    readApiKeys: keys(sources.MERCHANT_READ_API_KEY),
    /** May be empty. */
    booksApiKeys: keys(sources.MERCHANT_BOOKS_API_KEY),
    ...given({ webhookUrl: env.MERCHANT_WEBHOOK_URL }),
    /** `whsec_…`. Empty only where there is no address. */
    webhookSecrets,
    webhookAllowPrivate: env.WEBHOOK_ALLOW_PRIVATE ?? !rulesInForce(env).production,
  };
}

function brandConfig(env: Env) {
  const logo = env.MERCHANT_LOGO_FILE === undefined ? undefined : readLogo(env.MERCHANT_LOGO_FILE);
  return given({
    name: env.MERCHANT_NAME,
    logo: typeof logo === 'string' ? undefined : logo,
    accentColor: env.MERCHANT_ACCENT_COLOR?.toLowerCase(),
  });
}

function paymentsConfig(env: Env) {
  return {
    methods: enabledMethods(env),
    maxDeclinesPerSession: env.MAX_DECLINES_PER_SESSION,
    /** 0: no limit. */
    maxPaymentsPerSession: env.MAX_PAYMENTS_PER_SESSION,
    holdNewPayments: env.HOLD_NEW_PAYMENTS,
    duplicatePolicy: env.DUPLICATE_POLICY,
    /** A currency that is missing needs nobody's approval. */
    approvalAbove: approvalBounds(env.APPROVAL_ABOVE),
    /** Limit 0: off. */
    cardTesting: { limit: env.CARD_TESTING_LIMIT, mode: env.CARD_TESTING_MODE },
    requireEncryptedCard: env.REQUIRE_ENCRYPTED_CARD,
    /** 0: kept. */
    payerRetentionDays: env.PAYER_RETENTION_DAYS,
  };
}

/** The enabled methods, in the order in which they are offered. */
export function enabledMethods(env: Env): readonly PaymentMethod[] {
  return PAYMENT_METHODS.filter((method) => env.PAYMENT_METHODS.includes(method));
}

function telemetryConfig(env: Env) {
  const traced = env.OTEL_SDK_DISABLED ? undefined : env;
  return {
    logLevel: env.LOG_LEVEL,
    /** Without an endpoint there are no traces. */
    otel: given({
      endpoint: traced?.OTEL_EXPORTER_OTLP_ENDPOINT,
      tracesEndpoint: traced?.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
    }),
  };
}

function trustProxy(text: string): false | number | string[] {
  if (text === 'false' || text === '0') return false;
  return /^[0-9]+$/.test(text) ? Number(text) : text.split(',').map((entry) => entry.trim());
}

const unset: SecretSource = new FixedSecret(undefined);

/** The same object without undefined members, so that an unset variable leaves no property. */
function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
