import { createApp } from './app.js';
import type { Config } from './config/config.js';
import { watchFiles } from './config/watch-files.js';
import { createDependencies } from './dependencies.js';
import { EndOfProcess } from './end-of-process.js';
import type { StartConfiguration } from './start-configuration.js';
import { PlainRefusal, refuse } from './refuse.js';
import { listenRefusal } from './listen-refusal.js';
import { DataDirInUse } from './store/data-dir-lock.js';
import { StoreElsewhere } from './store/history/store-elsewhere.js';
import { SchemaMismatch } from './store/migrations.js';
import { ForeignStore } from './store/store-identity.js';
import { StoreUnavailable } from './store/store-unavailable.js';
import type { Dependencies } from './app.module.js';

/** How often an unreachable database is tried at the start. */
const TRY_STORE_EVERY_MS = 1_000;

/** Store errors whose message tells the operator everything, so that a stack would not help. */
const PLAIN = [DataDirInUse, SchemaMismatch, ForeignStore, StoreElsewhere, StoreUnavailable];

/**
 * Runs the service until a signal stops it. Resolves when it listens and its store is ready. Throws {@link PlainRefusal}
 * where the store cannot be used as it is.
 */
export async function serve(configuration: StartConfiguration): Promise<void> {
  try {
    await start(configuration);
  } catch (error) {
    const refusal = listenRefusal(error, configuration.config.http);
    throw refusal === undefined ? asRefusal(error) : new PlainRefusal(refusal);
  }
}

async function start(configuration: StartConfiguration): Promise<void> {
  const { config } = configuration;
  const dependencies = await createDependencies(configuration);
  const { store } = dependencies;
  warnOfUnusableFiles(configuration, dependencies);
  const prepared = await tryToPrepare(dependencies);
  const application = await createApp(dependencies);
  new EndOfProcess(application, dependencies).watch();
  await application.listen();
  announce(config, dependencies);
  if (!prepared) keepPreparing(dependencies);
  await store.prepared;
}

/** A file that was replaced by something unusable is said at once, and not when its secret is next used. */
function warnOfUnusableFiles({ config, secretFiles }: StartConfiguration, { telemetry }: Dependencies): void {
  watchFiles({ secretFiles, tls: config.gateway.tls }, ({ variable, reason }) => {
    telemetry.logger.warn(
      { event: 'config.file_unusable', variable, reason },
      'the last good content stays in use',
    );
  });
}

/** False where the database is unreachable. The service then starts without being ready, and keeps trying. */
async function tryToPrepare({ store, telemetry }: Dependencies): Promise<boolean> {
  try {
    await store.prepare();
    return true;
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || store.kind === 'embedded') throw error;
    telemetry.logger.error({ event: 'store.unavailable', reason: error.message });
    return false;
  }
}

function keepPreparing(dependencies: Dependencies): void {
  setTimeout(() => {
    tryToPrepare(dependencies).then(
      (prepared) => {
        if (!prepared) keepPreparing(dependencies);
      },
      (error: unknown) => void refuse(asRefusal(error)),
    );
  }, TRY_STORE_EVERY_MS);
}

function announce(config: Config, { telemetry, store }: Dependencies): void {
  const { publicBaseUrl, port, host, merchantPort } = config.http;
  telemetry.logger.info({
    event: 'service.listening',
    host,
    port,
    ...(merchantPort !== undefined && { merchantPort }),
    publicBaseUrl,
    mode: config.gateway.mode,
    store: store.kind,
  });
  if (config.keys.generated.includes('MERCHANT_API_KEY')) {
    // Written past the log, which would scrub it. Without the key nobody could call the service.
    process.stderr.write(
      `MERCHANT_API_KEY was not set; for this run it is ${config.merchant.apiKeys.current()[0] ?? ''}\n`,
    );
  }
}

function asRefusal(error: unknown): unknown {
  return error instanceof Error && PLAIN.some((kind) => error instanceof kind)
    ? new PlainRefusal(error.message)
    : error;
}
