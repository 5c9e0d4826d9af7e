import { readFileSync } from 'node:fs';
import type { Dependencies } from './app.module.js';
import type { Config } from './config/config.js';
import { Gateway } from './gateway/gateway.js';
import type { Profile } from './gateway/profile/schema.js';
import { notifyUrlOf } from './gateway/settings.js';
import { Secret } from './secrets/secret.js';
import type { StartConfiguration } from './start-check.js';
import { openStore } from './store/open-store.js';
import { createLogger } from './telemetry/logger.js';
import { Metrics } from './telemetry/metrics.js';
import { createTracing } from './telemetry/traces.js';

/** Creates what the application depends on. Throws with a message for the operator. Nothing listens yet. */
export async function createDependencies({
  config,
  profile,
  unconfirmed,
}: StartConfiguration): Promise<Dependencies> {
  const tracing = await createTracing(config.telemetry.tracing);
  const metrics = new Metrics({ ofProcess: true });
  const logger = createLogger(config.telemetry, undefined, () => tracing.correlation());
  logger.info({ event: 'config.rules', mode: config.productionRules ? 'production' : 'trial' });
  if (unconfirmed.length > 0) logger.warn({ event: 'profile.unconfirmed', names: unconfirmed });
  if (config.payments.holdNewPayments) logger.warn({ event: 'config.payments_held' });
  const gateway = openGateway(config, profile, metrics);
  return { config, telemetry: { logger, metrics, tracing }, gateway, store: await openStore(config) };
}

/** The gateway of a configuration and a profile. `metrics` counts its calls. */
export function openGateway(
  config: Pick<Config, 'gateway' | 'http' | 'notificationSecrets'>,
  profile: Profile,
  metrics?: Metrics,
): Gateway {
  const { apiKey, accessToken, encryptionKey, timeoutMs, mode, baseUrl, tls, egressProxy } = config.gateway;
  const secrets = (config.notificationSecrets?.unwrap() ?? []).map((text) => new Secret(text));
  const { clientCertFile: cert, clientKeyFile: key } = tls;
  return new Gateway(
    profile,
    {
      ...{ baseUrl, timeoutMs, mode, encryptionKey, apiKey, accessToken },
      ...(cert && key && { tls: { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') } }),
      proxyUrl: egressProxy?.unwrap(),
      notifyUrl: notifyUrlOf(profile, config.http.publicBaseUrl, secrets),
      notificationSecrets: secrets,
    },
    ({ operation, outcome, seconds }) => metrics?.gatewayCalls.observe({ operation, outcome }, seconds),
  );
}
