import { setTimeout as pause } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import { createApp, type Application } from './app.js';
import type { Dependencies } from './app.module.js';
import type { Config } from './config/config.js';
import { createDependencies } from './dependencies.js';
import { StartRefused, type StartConfiguration } from './start-check.js';
import { isPlainRefusal } from './store/plain-refusal.js';
import { StoreUnavailable } from './store/store-unavailable.js';
import { logKind } from './telemetry/failure-log.js';

/** How often an unreachable database is tried at the start. */
const TRY_STORE_EVERY_MS = 1_000;

/**
 * Runs the service until a signal stops it. Resolves when it listens and its store is ready. Throws {@link StartRefused}
 * where the store or a port cannot be used as it is.
 */
export async function serve(configuration: StartConfiguration): Promise<void> {
  const { config } = configuration;
  try {
    const dependencies = await createDependencies(configuration);
    const isPrepared = await tryToPrepare(dependencies);
    const application = await createApp(dependencies);
    endInOrder(application, dependencies);
    await application.listen();
    announce(config, dependencies);
    if (!isPrepared) await keepPreparing(dependencies);
    await dependencies.store.prepared;
  } catch (error) {
    const refusal = isPlainRefusal(error) ? error.message : listenRefusal(error, config.http);
    throw refusal === undefined ? error : new StartRefused(refusal);
  }
}

/** False where the database is unreachable. The service then starts without being ready, and keeps trying. */
async function tryToPrepare({ store, telemetry }: Dependencies): Promise<boolean> {
  try {
    await store.prepare();
    return true;
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || store.kind === 'embedded') throw error;
    const { message: reason, causeCode: cause } = error;
    const kind = { event: 'store.unavailable', reason, ...(cause !== undefined && { cause }) };
    logKind(telemetry.logger, kind, {}, 'error');
    return false;
  }
}

async function keepPreparing(dependencies: Dependencies): Promise<void> {
  do await pause(TRY_STORE_EVERY_MS);
  while (!(await tryToPrepare(dependencies)));
}

function announce({ http, gateway, keys }: Config, { telemetry, store }: Dependencies): void {
  const { port, host, merchantPort } = http;
  telemetry.logger.info({
    event: 'service.listening',
    ...{ host, port, mode: gateway.mode, store: store.kind, origin: new URL(http.publicBaseUrl).origin },
    ...(merchantPort !== undefined && { merchantPort }),
  });
  if (keys.merchantKeyFile !== undefined)
    process.stderr.write(`MERCHANT_API_KEY was not set; the generated one is in ${keys.merchantKeyFile}\n`);
}

/** What only a debugger or a crash sends is left to the system. */
const LEFT_ALONE = [
  ...(['SIGHUP', 'SIGQUIT', 'SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV'] as const),
  ...(['SIGUSR2', 'beforeExit'] as const),
];

/**
 * Ends the process in order, by SIGTERM or SIGINT with 0, by an error that nothing caught with 1: it is not ready any more,
 * refuses new work and finishes what is in flight within `SHUTDOWN_GRACE_MS`.
 */
function endInOrder(application: Pick<Application, 'stop'>, { config, telemetry }: Dependencies): void {
  const { logger, tracing } = telemetry;
  const uncaught = (error: unknown): void => {
    logger.fatal({ event: 'process.uncaught', error });
  };
  const options = { delay: null, logger: null, skip: LEFT_ALONE, onSecondError: uncaught };
  closeWithGrace(options, async ({ err, signal }) => {
    if (err) uncaught(err);
    else logger.info({ event: 'shutdown.begun', ...(signal && { signal }) });
    // A supervisor that repeats its signal must not cut short what is in flight.
    for (const repeated of ['SIGTERM', 'SIGINT'] as const)
      process.removeAllListeners(repeated).on(repeated, () => undefined);
    await Promise.race([application.stop(), pause(config.http.shutdownGraceMs)]);
    await tracing.shutdown();
    logger.info({ event: 'shutdown.ended', exitCode: err ? 1 : 0 });
  });
}

/** The settings that say where the service listens. */
type Where = Pick<Config['http'], 'host' | 'port' | 'merchantPort' | 'managementPort'>;

/**
 * What an operator has to change so that the service can listen: one line that names the variable. Undefined where the
 * error is about something else.
 */
export function listenRefusal(error: unknown, where: Where): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { syscall, code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (syscall === 'getaddrinfo') return `HOST ${where.host} cannot be resolved to an address.`;
  const variables = {
    PORT: where.port,
    MERCHANT_PORT: where.merchantPort,
    MANAGEMENT_PORT: where.managementPort,
  };
  const [variable] = Object.entries(variables).find(([, one]) => one === port) ?? [];
  if (syscall !== 'listen' || port === undefined || variable === undefined) return undefined;
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: stop what uses it, or set ${variable} to another port.`;
  if (code === 'EACCES')
    return `This user may not listen on port ${port}: set ${variable} to a port of 1024 or more.`;
  return code === 'EADDRNOTAVAIL' ? `HOST ${where.host} is not an address of this machine.` : undefined;
}
