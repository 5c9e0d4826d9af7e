import type { Dependencies } from './app.module.js';
import { Gateway } from './gateway/gateway.js';
import { OPERATION_KEYS, type Profile } from './gateway/profile/format.js';
import type { StartConfiguration } from './start-configuration.js';
import type { HistoryObserver } from './store/history/store-fault.js';
import { WitnessFile } from './store/history/witness-file.js';
import { Store } from './store/store.js';
import { logKind } from './telemetry/failure-log.js';
import { createLogger } from './telemetry/logger.js';
import { Metrics } from './telemetry/metrics.js';
import { createTracing } from './telemetry/traces.js';
import type { Config } from './config/config.js';
import { hasNotificationSignature } from './gateway/notifications/notification-profile.js';

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
  const metrics = new Metrics({ processMetrics: true });
  const logger = createLogger(config.telemetry, undefined, {
    correlate: () => tracing.correlation(),
    lost: (lines) => {
      metrics.logLinesLost.inc(lines);
    },
  });
  logger.info({
    event: 'config.rules',
    rules: rules.production ? 'production' : 'trial',
    ...(rules.production && { because: rules.because }),
  });
  if (unconfirmed.length > 0) {
    logger.warn({ event: 'profile.unconfirmed', assumptions: unconfirmed.join(' ') });
  }
  if (config.payments.holdNewPayments) logger.warn({ event: 'config.payments_held' });
  for (const { given, meant } of misnamed)
    logger.warn({ event: 'config.misnamed_variable', variable: given, meant });
  // Shown as 0 before they occur, as a rise from nothing is not seen.
  for (const operation of OPERATION_KEYS)
    metrics.gatewayCalls.zero({ operation, outcome: 'credentials-rejected' });
  const gateway = new Gateway({
    config: config.gateway,
    profile,
    notificationUrl: () => notificationUrl(config, profile),
    observe: ({ operation, outcome, seconds }) => {
      metrics.gatewayCalls.observe({ operation, outcome }, seconds);
    },
    tracing,
  });
  gateway.onResult((operation, result) => {
    if (result.kind === 'not-sent' && result.reason !== 'abandoned') {
      const { reason, cause } = result;
      logKind(logger, { event: 'gateway.call_failed', operation, reason, cause });
    } else if (result.kind === 'unknown') {
      const { reason, status } = result;
      logKind(logger, { event: 'gateway.call_failed', operation, reason, status });
    }
  });
  const history: HistoryObserver = {
    fault: (fault) => {
      const { kind, message } = fault;
      metrics.storeLoss.set(kind === 'loss' || kind === 'replaced' ? 1 : 0);
      // Named in full: which orders a loss concerns must not depend on the store that has lost them.
      const missing = fault.kind === 'loss' ? fault.missing.map(({ reference }) => reference) : [];
      logger.error(
        { event: 'store.unusable', kind, reason: message, ...(missing.length > 0 && { missing }) },
        'not ready',
      );
    },
    whole: ({ moved, accepted }) => {
      metrics.storeLoss.set(0);
      logger.info({ event: 'store.usable', moved, lossAccepted: accepted }, 'the store may be used');
    },
  };
  const unwritable =
    config.store.kind === 'postgres' ? WitnessFile.makeFolder(config.store.dataDir) : undefined;
  if (unwritable !== undefined)
    logger.warn(
      { event: 'store.no_witness', reason: unwritable },
      'DATA_DIR cannot be written: after a restart of all processes a commit that the database has lost would not be seen',
    );
  const store = Store.connect({
    history,
    config: config.store,
    migrate: config.migrateOnStart,
    identity: { gatewayOrigin: new URL(config.gateway.baseUrl).origin, mode: config.gateway.mode },
    observer: {
      batch: (size, seconds) => {
        metrics.storeBatch.observe(size);
        metrics.storeWrites.observe(seconds);
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

/**
 * Where the gateway is told to send its notifications. It is given the secret as the last segment, unless it signs them:
 * a gateway that only takes an address can send it in no other way.
 */
function notificationUrl(config: Config, { notification }: Profile): string {
  const address = `${config.http.publicBaseUrl}/v1/gateway/notifications`;
  const secret = hasNotificationSignature(notification) ? undefined : config.notificationSecret?.current();
  return secret === undefined ? address : `${address}/${encodeURIComponent(secret)}`;
}
