import type { Dependencies } from './app.module.js';
import { Gateway } from './gateway/gateway.js';
import { notificationUrl } from './notification-url.js';
import { OPERATION_KEYS } from './gateway/profile/format.js';
import type { StartConfiguration } from './start-configuration.js';
import type { HistoryObserver } from './store/history/store-fault.js';
import { Store } from './store/store.js';
import { createLogger } from './telemetry/logger.js';
import { Metrics } from './telemetry/metrics.js';
import { createTracing } from './telemetry/traces.js';

/** By OpenTelemetry's names. */
const DATABASE_NAMES = { embedded: 'sqlite', postgres: 'postgresql' } as const;

/** Creates what the application depends on. Throws with a message for the operator. Nothing listens yet. */
export async function createDependencies({
  config,
  profile,
  rules,
  unconfirmed,
  misnamed,
}: StartConfiguration): Promise<Dependencies> {
  const tracing = await createTracing(config.telemetry.otel);
  const logger = createLogger(config.telemetry, undefined, () => tracing.correlation());
  logger.info({
    event: 'config.rules',
    rules: rules.production ? 'production' : 'trial',
    ...(rules.production && { because: rules.because }),
  });
  if (unconfirmed.length > 0) {
    logger.warn({ event: 'profile.unconfirmed', assumptions: unconfirmed.join(' ') });
  }
  for (const { given, meant } of misnamed)
    logger.warn({ event: 'config.misnamed_variable', variable: given, meant });
  const metrics = new Metrics({ processMetrics: true });
  metrics.expect({ operations: OPERATION_KEYS });
  const gateway = new Gateway({
    config: config.gateway,
    profile,
    notificationUrl: () => notificationUrl(config, profile),
    observe: ({ operation, outcome, seconds }) => {
      metrics.gatewayCall(operation, outcome, seconds);
    },
    tracing,
  });
  const history: HistoryObserver = {
    fault: ({ kind, message }) => {
      metrics.storeForgot(kind === 'loss' || kind === 'replaced');
      logger.error({ event: 'store.unusable', kind, reason: message }, 'not ready');
    },
    whole: ({ moved, accepted }) => {
      metrics.storeForgot(false);
      logger.info({ event: 'store.usable', moved, lossAccepted: accepted }, 'the store may be used');
    },
  };
  const store = Store.connect({
    history,
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
