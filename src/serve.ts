import { setTimeout as pause } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import { createApp, type Application } from './app.js';
import type { Dependencies } from './app.module.js';
import type { Config } from './config/config.js';
import { createDependencies } from './dependencies.js';
import { StartRefused, type StartConfiguration } from './start-check.js';
import { StoreRefused } from './store/prepare.js';

/**
 * Runs the service until a signal stops it. Resolves when it listens and its store is ready. Throws {@link StartRefused}
 * where the store or a port cannot be used as it is.
 */
export async function serve(configuration: StartConfiguration): Promise<void> {
  const { config } = configuration;
  try {
    const dependencies = await createDependencies(configuration);
    const application = await createApp(dependencies);
    endInOrder(application, dependencies);
    await application.listen();
    announce(config, dependencies);
  } catch (error) {
    // What the operating system says of a port or a host needs no stack.
    const isPlain = error instanceof StoreRefused || (error instanceof Error && 'syscall' in error);
    throw isPlain ? new StartRefused(error.message) : error;
  }
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
