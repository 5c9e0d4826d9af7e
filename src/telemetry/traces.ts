import type { Config } from '../config/config.js';
import type { ActiveSpan, Tracing } from './tracing.js';

export type { ActiveSpan, SpanAttributes, SpanOptions, SpanRole, Tracing } from './tracing.js';

const noSpan: ActiveSpan = { set: () => undefined, fail: () => undefined };

/** Does the work and records nothing. */
export const noTracing: Tracing = {
  enabled: false,
  span: (_name, _attributes, work) => work(noSpan),
  root: (_name, _attributes, work) => work(noSpan),
  correlation: () => ({}),
  shutdown: () => Promise.resolve(),
};

/**
 * Tracing to the configured collector, or tracing that does nothing. The libraries are loaded only if there is a collector.
 */
export async function createTracing(config: Config['telemetry']['otel']): Promise<Tracing> {
  if (config.endpoint === undefined) return noTracing;
  const { OtelTracing } = await import('./otel-tracing.js');
  return OtelTracing.to(config.tracesEndpoint ?? `${config.endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`);
}
