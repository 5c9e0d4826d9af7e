import { propagation, ROOT_CONTEXT, SpanKind, trace, type Attributes, type Span } from '@opentelemetry/api';

/** A collector that does not answer must not delay a shutdown. */
const SHUTDOWN_MS = 2_000;

/** Times requests and sends that to a collector. Attributes never hold a payer's data, a card or a credential. */
export class Tracing {
  /** Without a provider nothing is recorded, and every method does next to nothing. */
  constructor(private readonly provider?: { shutdown(): Promise<void> }) {}

  get enabled(): boolean {
    return this.provider !== undefined;
  }

  /** Runs `work`, which never rejects, in a span of its own trace, or of that of a caller who may decide about sampling. */
  async request(
    name: string,
    attributes: Attributes,
    traceparent: string | undefined,
    work: (span: Span) => Promise<void>,
  ): Promise<void> {
    const parent = traceparent ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT;
    const options = { attributes, kind: SpanKind.SERVER };
    await trace.getTracer('tillfront').startActiveSpan(name, options, parent, async (span) => {
      await work(span);
      span.end();
    });
  }

  /** `traceId` and `spanId` of the active span, for the log. Empty where there is none. */
  correlation(): { traceId?: string; spanId?: string } {
    const active = this.provider && trace.getActiveSpan()?.spanContext();
    return active ? { traceId: active.traceId, spanId: active.spanId } : {};
  }

  /** Sends the remaining spans within a bounded time and stops. Never throws. */
  async shutdown(): Promise<void> {
    const late = new Promise((resolve) => setTimeout(resolve, SHUTDOWN_MS).unref());
    await Promise.race([this.provider?.shutdown().catch(() => undefined), late]);
  }
}

/** Traces by OTLP over HTTP, as the usual `OTEL_*` variables say. The libraries are loaded only where they are wanted. */
export async function createTracing(isWanted: boolean): Promise<Tracing> {
  if (!isWanted) return new Tracing();
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources;
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'tillfront' }))
    .merge(detectResources({ detectors: [envDetector] }));
  const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
  const provider = new NodeTracerProvider({ resource, spanProcessors });
  provider.register();
  return new Tracing(provider);
}
