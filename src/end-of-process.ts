import type { Application } from './app.js';
import type { Dependencies } from './app.module.js';
import { refuse } from './refuse.js';
import { flushLog } from './telemetry/logger.js';

/**
 * Ends the process in order, by a signal or by an error that nothing caught: it is not ready any more, refuses new work, finishes what is in
 * flight within `SHUTDOWN_GRACE_MS`, and exits.
 */
export class EndOfProcess {
  #ending = false;
  #exitCode = 0;

  constructor(
    private readonly application: Pick<Application, 'stop'>,
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
    this.dependencies.telemetry.logger.info({ event: 'shutdown.begun', signal });
    this.#end();
  }

  /** Nobody knows what such an error has left undone, so the process must not go on for long. */
  #onUncaught(error: unknown, origin: NodeJS.UncaughtExceptionOrigin): void {
    this.#exitCode = 1;
    this.dependencies.telemetry.logger.fatal({ event: 'process.uncaught', origin, error });
    if (!this.#ending) this.#end();
  }

  #end(): void {
    this.#ending = true;
    this.#stop().catch(refuse);
  }

  async #stop(): Promise<void> {
    const { config, telemetry } = this.dependencies;
    const grace = new Promise((resolve) => setTimeout(resolve, config.http.shutdownGraceMs));
    await Promise.race([this.application.stop(), grace]);
    telemetry.logger.info({ event: 'shutdown.ended', exitCode: this.#exitCode });
    await telemetry.tracing.shutdown();
    await flushLog(telemetry.logger);
    process.exit(this.#exitCode);
  }
}
