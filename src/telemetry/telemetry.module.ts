import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Logger } from './logger.js';
import { Metrics } from './metrics.js';
import { Tracing } from './traces.js';

/** Injection token of the structured {@link Logger}. */
export const LOGGER = Symbol('LOGGER');

export interface Telemetry {
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
}

/** Provides log, metrics and traces to every module. They exist before the application, which logs its own start. */
@Global()
@Module({})
export class TelemetryModule {
  static forRoot({ logger, metrics, tracing }: Telemetry): DynamicModule {
    const providers = [
      { provide: LOGGER, useValue: logger },
      { provide: Metrics, useValue: metrics },
      { provide: Tracing, useValue: tracing },
    ];
    return { module: TelemetryModule, providers, exports: providers };
  }
}
