import { setTimeout as pause } from 'node:timers/promises';
import { createApp, type Application } from './app.js';
import type { Config } from './config/config.js';
import { watchFiles } from './config/watch-files.js';
import { createDependencies } from './dependencies.js';
import type { StartConfiguration } from './start-configuration.js';
import { PlainRefusal, refuse } from './refuse.js';
import { isPlainRefusal } from './store/plain-refusal.js';
import { StoreUnavailable } from './store/store-unavailable.js';
import { logKind } from './telemetry/failure-log.js';
import type { Dependencies } from './app.module.js';
import { flushLog } from './telemetry/logger.js';

/** How often an unreachable database is tried at the start. */
const TRY_STORE_EVERY_MS = 1_000;

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
    const { message: reason, causeCode: cause } = error;
    logKind(telemetry.logger, { event: 'store.unavailable', reason, cause }, {}, 'error');
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
  return isPlainRefusal(error) ? new PlainRefusal(error.message) : error;
}

/** The settings that say where the service listens. */
type Where = Pick<Config['http'], 'host' | 'port' | 'merchantPort' | 'managementPort'>;

/**
 * What an operator has to change so that the service can listen: one line that names the variable. Undefined where the
 * error is about something else.
 */
export function listenRefusal(error: unknown, where: Where): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  if (error.syscall === 'getaddrinfo') return `HOST ${where.host} cannot be resolved to an address.`;
  if (error.syscall !== 'listen' || !('port' in error)) return undefined;
  const variable = variableOf(error.port, where);
  if (variable === undefined) return undefined;
  const port = String(error.port);
  if (error.code === 'EADDRINUSE')
    return `Port ${port} is in use: stop what uses it, or set ${variable} to another port.`;
  if (error.code === 'EACCES')
    return `This user may not listen on port ${port}: set ${variable} to a port of 1024 or more.`;
  if (error.code === 'EADDRNOTAVAIL') return `HOST ${where.host} is not an address of this machine.`;
  return undefined;
}

function variableOf(port: unknown, where: Where): string | undefined {
  if (port === where.port) return 'PORT';
  if (port === where.merchantPort) return 'MERCHANT_PORT';
  return port === where.managementPort ? 'MANAGEMENT_PORT' : undefined;
}

/**
 * Ends the process in order, by a signal or by an error that nothing caught: it is not ready any more, refuses new work, finishes what is in
 * flight within `SHUTDOWN_GRACE_MS`, and exits. After a signal it first serves everything for `SHUTDOWN_DRAIN_MS`, without being ready.
 */
class EndOfProcess {
  #ending = false;
  #exitCode = 0;
  readonly #drain = new AbortController();

  constructor(
    private readonly application: Pick<Application, 'leave' | 'stop'>,
    private readonly dependencies: Pick<Dependencies, 'config' | 'telemetry'>,
  ) {}

  /** Listens for signals and errors from now on. Call it once. */
  watch(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#onSignal(signal));
    // Rejected promises that nobody handles come here too.
    process.on('uncaughtException', (error, origin) => this.#onUncaught(error, origin));
  }

  /** The first signal stops the service gracefully. Further signals have no effect. */
  #onSignal(signal: NodeJS.Signals): void {
    if (this.#ending) return;
    const { config, telemetry } = this.dependencies;
    const drainMs = config.http.shutdownDrainMs;
    telemetry.logger.info({ event: 'shutdown.begun', signal, drainMs });
    this.#end(drainMs);
  }

  /** Nobody knows what such an error has left undone, so the process must not go on for long. */
  #onUncaught(error: unknown, origin: NodeJS.UncaughtExceptionOrigin): void {
    this.#exitCode = 1;
    this.dependencies.telemetry.logger.fatal({ event: 'process.uncaught', origin, error });
    this.#drain.abort();
    if (!this.#ending) this.#end(0);
  }

  #end(drainMs: number): void {
    this.#ending = true;
    this.#stop(drainMs).catch(refuse);
  }

  async #stop(drainMs: number): Promise<void> {
    const { config, telemetry } = this.dependencies;
    this.application.leave();
    if (drainMs > 0) await pause(drainMs, undefined, { signal: this.#drain.signal }).catch(() => undefined);
    const grace = pause(config.http.shutdownGraceMs);
    await Promise.race([this.application.stop(), grace]);
    telemetry.logger.info({ event: 'shutdown.ended', exitCode: this.#exitCode });
    await telemetry.tracing.shutdown();
    await flushLog(telemetry.logger);
    process.exit(this.#exitCode);
  }
}
