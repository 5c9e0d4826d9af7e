import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Logger } from './logger.js';
import { Metrics } from './metrics.js';
import type { Tracing } from './traces.js';

/** Injection token of the structured {@link Logger}. */
export const LOGGER = Symbol('LOGGER');
/** Injection token of {@link Tracing}. */
export const TRACING = Symbol('TRACING');

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
    return {
      module: TelemetryModule,
      providers: [
        { provide: LOGGER, useValue: logger },
        { provide: Metrics, useValue: metrics },
        { provide: TRACING, useValue: tracing },
      ],
      exports: [LOGGER, Metrics, TRACING],
    };
  }
}
