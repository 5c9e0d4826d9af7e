import type { Dependencies } from './app.module.js';
import type { Config } from './config/config.js';
import { Gateway } from './gateway/gateway.js';
import { hasNotificationSignature } from './gateway/notifications/notification-profile.js';
import type { Profile } from './gateway/profile/format.js';
import type { StartConfiguration } from './start-check.js';
import type { HistoryObserver } from './store/history/store-fault.js';
import { WitnessFile } from './store/history/witness-file.js';
import { Store } from './store/store.js';
import { logKind } from './telemetry/failure-log.js';
import { createLogger } from './telemetry/logger.js';
import { Metrics } from './telemetry/metrics.js';
import type { Telemetry } from './telemetry/telemetry.module.js';
import { createTracing } from './telemetry/traces.js';

/** By OpenTelemetry's names. */
const DATABASE_NAMES = { embedded: 'sqlite', postgres: 'postgresql' } as const;

/** Creates what the application depends on. Throws with a message for the operator. Nothing listens yet. */
export async function createDependencies(start: StartConfiguration): Promise<Dependencies> {
  const { config, profile, unconfirmed } = start;
  const tracing = await createTracing(config.telemetry.tracing);
  const metrics = new Metrics({ ofProcess: true });
  const logger = createLogger(config.telemetry, undefined, () => tracing.correlation());
  logger.info({ event: 'config.rules', mode: config.productionRules ? 'production' : 'trial' });
  if (unconfirmed.length > 0) logger.warn({ event: 'profile.unconfirmed', names: unconfirmed });
  if (config.payments.holdNewPayments) logger.warn({ event: 'config.payments_held' });
  const telemetry = { logger, metrics, tracing };
  return {
    config,
    profile,
    telemetry,
    gateway: openGateway(start, telemetry),
    store: openStore(config, telemetry),
  };
}

function openGateway(
  { config, profile }: StartConfiguration,
  { logger, metrics, tracing }: Telemetry,
): Gateway {
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
    if (result.kind !== 'not-sent' && result.kind !== 'unknown') return;
    if (result.reason === 'abandoned') return;
    const why = result.kind === 'unknown' ? { status: result.status } : { cause: result.cause };
    const { reason } = result;
    logKind(logger, { event: 'gateway.call_failed', operation, reason, ...given(why) });
  });
  return gateway;
}

function openStore(config: Config, { logger, metrics, tracing }: Telemetry): Store {
  const history: HistoryObserver = {
    fault: (fault) => {
      const { kind, message } = fault;
      metrics.restored.set(kind === 'loss' || kind === 'replaced' ? 1 : 0);
      // Named in full: which orders a loss concerns must not depend on the store that has lost them.
      const names = fault.kind === 'loss' ? fault.missing.map(({ reference }) => reference) : [];
      logger.error({ event: 'store.unusable', kind, reason: message, names });
    },
    whole: () => {
      metrics.restored.set(0);
      logger.info({ event: 'store.usable' });
    },
  };
  const { store, gateway } = config;
  const reason = store.kind === 'postgres' ? WitnessFile.makeFolder(store.dataDir) : undefined;
  if (reason !== undefined) logger.warn({ event: 'store.no_witness', reason });
  const attributes = { 'db.system.name': DATABASE_NAMES[store.kind] };
  return Store.connect({
    history,
    config: store,
    migrate: config.migrateOnStart,
    identity: { gatewayOrigin: new URL(gateway.baseUrl).origin, mode: gateway.mode },
    observer: {
      batch: () => undefined,
      ...(tracing.enabled && {
        around: (write) => tracing.span('store write', attributes, write, { role: 'client' }),
      }),
    },
  });
}

/**
 * Where the gateway is told to send its notifications. It is given the secret as the last segment, unless it signs them:
 * a gateway that only takes an address can send it in no other way.
 */
function notificationUrl(config: Config, { notification }: Profile): string {
  const address = `${config.http.publicBaseUrl}/v1/gateway/notifications`;
  const [secret] = hasNotificationSignature(notification) ? [] : (config.notificationSecrets?.unwrap() ?? []);
  return secret === undefined ? address : `${address}/${encodeURIComponent(secret)}`;
}

function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
