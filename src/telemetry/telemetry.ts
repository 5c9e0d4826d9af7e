import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import type { Tracing } from './traces.js';

/** Log, metrics and traces. They exist before the application, which logs its own start. */
export interface Telemetry {
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
}
