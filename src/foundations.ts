import type { Foundations } from './app.module.js';
import type { Config } from './config/config.js';
import { Gateway } from './gateway/gateway.js';
import { profileAssumptions } from './gateway/profile-assumptions.js';
import { hasNotificationSignature } from './gateway/notification-profile.js';
import { loadProfile, type Profile } from './gateway/profile.js';
import { OPERATION_KEYS } from './gateway/profile-format.js';
import { Store } from './store/store.js';
import { createLogger } from './telemetry/logger.js';
import { Metrics } from './telemetry/metrics.js';
import { createTracing } from './telemetry/traces.js';

/** As OpenTelemetry names them. */
const DATABASE_NAMES = { embedded: 'sqlite', postgres: 'postgresql' } as const;

/** The configuration and the gateway profile do not go together. */
export class StartRefused extends Error {
  constructor(readonly reasons: readonly string[]) {
    super(reasons.join('\n'));
    this.name = 'StartRefused';
  }
}

/** Makes what the application stands on. Throws a message for a person; nothing is listening yet. */
export async function layFoundations(config: Config): Promise<Foundations> {
  const profile = loadProfile(config.gateway.profilePath);
  const unconfirmed = assertProfileFits(config, profile);
  const tracing = await createTracing(config.telemetry.otel);
  const logger = createLogger(config.telemetry, undefined, () => tracing.correlation());
  if (unconfirmed.length > 0) {
    logger.warn({ event: 'profile.unconfirmed', assumptions: unconfirmed.join(' ') });
  }
  const metrics = new Metrics({ processMetrics: true });
  metrics.expect({ operations: OPERATION_KEYS });
  const gateway = new Gateway({
    config: config.gateway,
    profile,
    observe: ({ operation, outcome, seconds }) => {
      metrics.gatewayCall(operation, outcome, seconds);
    },
    tracing,
  });
  const store = Store.connect({
    config: config.store,
    migrate: config.migrateOnStart,
    identity: { gatewayOrigin: new URL(config.gateway.baseUrl).origin, mode: config.gateway.mode },
    observer: {
      batch: (size, seconds) => {
        metrics.storeWrite(size, seconds);
      },
      ...(tracing.enabled && {
        around: (write) =>
          tracing.span('store write', { 'db.system.name': DATABASE_NAMES[config.store.kind] }, write, {
            role: 'client',
          }),
      }),
    },
  });
  return { config, profile, gateway, store, telemetry: { logger, metrics, tracing } };
}

/** Returns the assumptions that nobody has confirmed; with real money there may be none. */
function assertProfileFits(config: Config, profile: Profile): string[] {
  const { notificationSecret, gateway, payments } = config;
  const signed = hasNotificationSignature(profile.notification);
  if (signed && notificationSecret === undefined) {
    throw new StartRefused([
      'NOTIFICATION_SECRET: is needed as the key of the notification signature that the gateway profile names',
    ]);
  }
  const unconfirmed = profileAssumptions(profile, payments.methods, {
    notificationSecretSet: notificationSecret !== undefined,
  });
  if (gateway.mode === 'live' && unconfirmed.length > 0) {
    throw new StartRefused(
      unconfirmed.map(
        (name) =>
          `GATEWAY_PROFILE: "${name}" is an assumption that the enabled methods use: ` +
          'check it against the gateway and list it as confirmed',
      ),
    );
  }
  return unconfirmed;
}
