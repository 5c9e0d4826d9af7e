import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';

/** How a span relates to other processes: it answers one (`server`), calls one (`client`), or neither. */
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/** A collector that does not answer must not delay a shutdown. */
const SHUTDOWN_MS = 2_000;

export interface SpanOptions {
  role?: keyof typeof KINDS;
  /** Begins a trace, whatever span is active: that of a caller who may decide about sampling, else one of its own. */
  root?: boolean | { traceparent: string };
}

/** Times pieces of work and sends their nesting to a collector. Attributes never hold a payer's data, a card or a credential. */
export class Tracing {
  /** Without a provider nothing is recorded, and every method does next to nothing. */
  constructor(private readonly provider?: { shutdown(): Promise<void> }) {}

  get enabled(): boolean {
    return this.provider !== undefined;
  }

  /** Runs `work` in a span, which ends when `work` has returned or its promise is settled. */
  span<T>(name: string, attributes: Attributes, work: (span: Span) => T, options: SpanOptions = {}): T {
    const tracer = trace.getTracer('tillfront');
    const { role = 'internal', root = false } = options;
    return tracer.startActiveSpan(name, { attributes, kind: KINDS[role] }, parentOf(root), (span) =>
      ending(span, () => work(span)),
    );
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

function parentOf(root: SpanOptions['root']): Context {
  if (root === false || root === undefined) return context.active();
  return root === true ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, root);
}

function ending<T>(span: Span, work: () => T): T {
  try {
    const result = work();
    if (!(result instanceof Promise)) span.end();
    else
      result.then(
        () => {
          span.end();
        },
        (error: unknown) => {
          fail(span, error);
        },
      );
    return result;
  } catch (error) {
    fail(span, error);
    throw error;
  }
}

/** Only the kind of error is recorded, because a message may quote what a caller sent. */
function fail(span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
