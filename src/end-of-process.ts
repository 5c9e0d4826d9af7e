import { setTimeout } from 'node:timers/promises';
import type { Application } from './app.js';
import type { Dependencies } from './app.module.js';
import { refuse } from './refuse.js';
import { flushLog } from './telemetry/logger.js';

/**
 * Ends the process in order, by a signal or by an error that nothing caught: it is not ready any more, refuses new work, finishes what is in
 * flight within `SHUTDOWN_GRACE_MS`, and exits. After a signal it first serves everything for `SHUTDOWN_DRAIN_MS`, without being ready.
 */
export class EndOfProcess {
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
    if (drainMs > 0)
      await setTimeout(drainMs, undefined, { signal: this.#drain.signal }).catch(() => undefined);
    const grace = setTimeout(config.http.shutdownGraceMs);
    await Promise.race([this.application.stop(), grace]);
    telemetry.logger.info({ event: 'shutdown.ended', exitCode: this.#exitCode });
    await telemetry.tracing.shutdown();
    await flushLog(telemetry.logger);
    process.exit(this.#exitCode);
  }
}
