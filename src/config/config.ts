import type { Secret } from '../secrets/secret.js';
import type { NamedKeySource } from '../secrets/named-keys.js';
import type { SecretListSource, SecretSource } from '../secrets/secret-source.js';
import type { PAYMENT_METHODS } from './env.js';

/** A way to pay. */
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Everything that an operator may choose, checked and in the units that the code uses. Made once, at the start. */
export interface Config {
  /** Whether production's rules hold: with `NODE_ENV=production` as with `GATEWAY_MODE=live`. */
  productionRules: boolean;
  http: HttpConfig;
  gateway: GatewayConfig;
  store: StoreConfig;
  /** Whether an older schema is brought up to date at the start, instead of refusing to start on it. */
  migrateOnStart: boolean;
  keys: KeysConfig;
  merchant: MerchantConfig;
  /** What notifications of the gateway must carry, or the key of their signature; absent: any is taken as a hint. */
  notificationSecret?: SecretSource;
  /** How long notifications are kept that wait for nothing any more. 0: for ever. */
  notificationRetentionDays: number;
  payments: PaymentsConfig;
  telemetry: TelemetryConfig;
}

export interface HttpConfig {
  port: number;
  host: string;
  /** The service's address as payers and the gateway see it, without a trailing slash. */
  publicBaseUrl: string;
  /** Whose `X-Forwarded-For` counts: nobody's, the last n hops', or that of proxies in these ranges. */
  trustProxy: false | number | string[];
  /** Canonical origins, the service's own among them. Compare with `new URL(x).origin`. */
  allowedOrigins: readonly string[];
  /** Canonical origins, the service's own among them. */
  allowedReturnOrigins: readonly string[];
  /** 0: no limit. */
  rateLimitPerMinute: number;
  /** Set: health and metrics answer only there. */
  managementPort?: number;
  /** Set: merchant keys, the console and the API's documentation answer only there, and payers only on `port`. */
  merchantPort?: number;
  shutdownGraceMs: number;
}

export interface GatewayConfig {
  /** Without a trailing slash. */
  baseUrl: string;
  mode: 'test' | 'live';
  apiKey: SecretSource;
  accessToken: SecretSource;
  /** For a whole call. */
  timeoutMs: number;
  /** Path of a profile; absent: the built-in one. */
  profilePath?: string;
  encryptionKey?: SecretSource;
  /** Paths of PEM files. Certificate and key come together. */
  tls: { caFile?: string; clientCertFile?: string; clientKeyFile?: string };
  notFoundGraceSeconds: number;
}

export type StoreConfig =
  | { kind: 'embedded'; dataDir: string }
  | {
      kind: 'postgres';
      /** The address at the start. */
      url: Secret;
      /** The address now: its password may change while the service runs, where it comes from a file. */
      currentUrl: SecretSource;
      dataDir: string;
    };

export interface KeysConfig {
  /** At least one; the first signs, all verify. */
  secretKeys: SecretListSource;
  /** PEM private RSA keys in one text, the newest first. */
  cardEncryptionKeys: SecretSource;
  /** Names of the variables whose value was made at this start, for the one-time notice. Always empty under production's rules. */
  generated: string[];
}

export interface MerchantConfig {
  apiKeys: NamedKeySource;
  /** May be empty. */
  readApiKeys: NamedKeySource;
  webhookUrl?: string;
  /** `whsec_…`; empty only where there is no address. */
  webhookSecrets: SecretListSource;
  webhookAllowPrivate: boolean;
}

export interface PaymentsConfig {
  /** At least one. */
  methods: readonly PaymentMethod[];
  maxDeclinesPerSession: number;
  duplicatePolicy: 'announce' | 'void';
  /** Limit 0: off. */
  cardTesting: { limit: number; mode: 'enforce' | 'shadow' };
  /** 0: kept. */
  payerRetentionDays: number;
}

export interface TelemetryConfig {
  logLevel: string;
  /** Without an endpoint there are no traces. `tracesEndpoint` is the whole address, where it differs from `endpoint` + `/v1/traces`. */
  otel: { endpoint?: string; tracesEndpoint?: string };
}
