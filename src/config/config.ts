import type { TimeZone } from '../calendar/time-zone.js';
import type { Secret } from '../secrets/secret.js';
import type { NamedKeySource } from '../secrets/named-keys.js';
import type { SecretListSource, SecretSource } from '../secrets/secret-source.js';
import type { ApprovalBounds } from './approval-above.js';
import type { Logo } from './brand.js';
import type { PAYMENT_METHODS } from './env.js';

/** A payment method. */
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Every setting that an operator may choose, checked and in the units that the code uses. Built once, at the start. */
export interface Config {
  /** Whether production's rules apply. `NODE_ENV=production` or `GATEWAY_MODE=live` is enough. */
  productionRules: boolean;
  http: HttpConfig;
  gateway: GatewayConfig;
  store: StoreConfig;
  /** Whether the start migrates an older schema, instead of refusing to start on it. */
  migrateOnStart: boolean;
  keys: KeysConfig;
  merchant: MerchantConfig;
  brand: BrandConfig;
  /**
   * The secret that notifications of the gateway must carry, or the key of their signature. If absent, every notification
   * is taken as a hint.
   */
  notificationSecret?: SecretSource;
  /** Days for which a notification is kept after nothing waits for it any more. 0: for ever. */
  notificationRetentionDays: number;
  /** Days for which an event is kept that waits for no delivery. 0: for ever. */
  eventRetentionDays: number;
  /** In which days and months begin. */
  booksTimeZone: TimeZone;
  /** How long the gateway has to confirm what a settlement report claims. */
  settlementConfirmSeconds: number;
  /** After so many days a movement that no settlement report has is a difference; 0: none is looked for. */
  settlementExpectedDays: number;
  payments: PaymentsConfig;
  telemetry: TelemetryConfig;
}

export interface HttpConfig {
  port: number;
  host: string;
  /** The service's address for payers and the gateway, without a trailing slash. */
  publicBaseUrl: string;
  /** Whose `X-Forwarded-For` is trusted: nobody's, the last n hops', or that of proxies in these ranges. */
  trustProxy: false | number | string[];
  /** Canonical origins, including the service's own. Compare with `new URL(x).origin`. */
  allowedOrigins: readonly string[];
  /** Canonical origins, including the service's own. */
  allowedReturnOrigins: readonly string[];
  /** 0: no limit. */
  rateLimitPerMinute: number;
  /** The most connections of all callers at once. 0: no limit. */
  maxConnections: number;
  /** The most connections of one address at once, those of trusted proxies apart. 0: no limit. */
  maxConnectionsPerAddress: number;
  /** If set, health and metrics answer only on this port. */
  managementPort?: number;
  /** If set, merchant keys, the console and the API's documentation work only on this port, and payers only on `port`. */
  merchantPort?: number;
  shutdownGraceMs: number;
  /** How long everything is still served, without being ready, before the grace begins. */
  shutdownDrainMs: number;
}

export interface GatewayConfig {
  /** Without a trailing slash. */
  baseUrl: string;
  mode: 'test' | 'live';
  apiKey: SecretSource;
  accessToken: SecretSource;
  /** The timeout of a whole call. */
  timeoutMs: number;
  /** Path of a profile. If absent, the built-in one is used. */
  profilePath?: string;
  encryptionKey?: SecretSource;
  /** Paths of PEM files. Certificate and key come together. */
  tls: { caFile?: string; clientCertFile?: string; clientKeyFile?: string };
  notFoundGraceSeconds: number;
  /** Questions that no payer waits for, in any second. 0: no limit. */
  statusQueriesPerSecond: number;
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

export interface KeysConfig {
  /** At least one. The first signs, all verify. */
  secretKeys: SecretListSource;
  /** PEM private RSA keys in one text, newest first. */
  cardEncryptionKeys: SecretSource;
  /**
   * Variables whose value was generated at this start, for a notice that is shown once. Always empty under production's
   * rules.
   */
  generated: string[];
}

export interface MerchantConfig {
  apiKeys: NamedKeySource;
  /** May be empty. */
  readApiKeys: NamedKeySource;
  /** Of people who keep the books. May be empty. */
  booksApiKeys: NamedKeySource;
  webhookUrl?: string;
  /** `whsec_…`. Empty only where there is no address. */
  webhookSecrets: SecretListSource;
  webhookAllowPrivate: boolean;
}

/** Who is paid, as payers see it. */
export interface BrandConfig {
  name?: string;
  logo?: Logo;
  /** `#rrggbb`, lower case. White text on it is readable. */
  accentColor?: string;
}

export interface PaymentsConfig {
  /** At least one. */
  methods: readonly PaymentMethod[];
  maxDeclinesPerSession: number;
  /** 0: no limit. */
  maxPaymentsPerSession: number;
  /** No payment is started; everything else works. */
  holdNewPayments: boolean;
  duplicatePolicy: 'announce' | 'void';
  /** Above which amounts a second person approves. A currency that is missing needs nobody. */
  approvalAbove: ApprovalBounds;
  /** Limit 0: off. */
  cardTesting: { limit: number; mode: 'enforce' | 'shadow' };
  /** Whether a clear card or card PIN is refused. */
  requireEncryptedCard: boolean;
  /** 0: kept. */
  payerRetentionDays: number;
}

export interface TelemetryConfig {
  logLevel: string;
  /**
   * Without an endpoint there are no traces. `tracesEndpoint` is the complete address, if it is not `endpoint` +
   * `/v1/traces`.
   */
  otel: { endpoint?: string; tracesEndpoint?: string };
}
