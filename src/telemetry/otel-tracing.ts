import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { isError } from './error-fields.js';
import { scrub } from './scrub.js';
import type { ActiveSpan, SpanAttributes, SpanOptions, SpanRole, Tracing } from './tracing.js';

/** A collector that does not answer must not delay a shutdown. */
const SHUTDOWN_MS = 2_000;

/** `00-<trace id>-<span id>-<flags>`. Neither id may be all zeros. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

const KINDS: Readonly<Record<SpanRole, SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
};

interface Beginning {
  name: string;
  attributes: SpanAttributes;
  role: SpanRole | undefined;
  link?: SpanContext;
}

/**
 * Spans by OTLP over HTTP. Nothing is registered globally and no library is patched. Spans are started by hand where they
 * are useful, which costs a fraction of instrumenting everything and leaves signal handling to the application.
 */
export class OtelTracing implements Tracing {
  readonly enabled = true;
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;
  readonly #contexts = new AsyncLocalStorage<Context>();

  private constructor(provider: BasicTracerProvider) {
    this.#provider = provider;
    this.#tracer = provider.getTracer('tillfront');
  }

  /** Exports to the given collector address. Sampling, names and batches follow the usual `OTEL_*` variables. */
  static to(url: string): OtelTracing {
    const resource = defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'tillfront' }))
      .merge(detectResources({ detectors: [envDetector] }));
    const exporter = new OTLPTraceExporter({ url });
    return new OtelTracing(
      new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] }),
    );
  }

  span<T>(
    name: string,
    attributes: SpanAttributes,
    work: (span: ActiveSpan) => T,
    { role, traceparent, trusted = false }: SpanOptions = {},
  ): T {
    const current = this.#contexts.getStore();
    if (current) return this.#begin(current, { name, attributes, role }, work);
    const remote = remoteSpan(traceparent);
    if (remote && trusted) {
      return this.#begin(trace.setSpanContext(ROOT_CONTEXT, remote), { name, attributes, role }, work);
    }
    // A stranger must not turn our sampling on or off, so an untrusted trace context is kept only as a link.
    return this.#begin(ROOT_CONTEXT, { name, attributes, role, ...(remote && { link: remote }) }, work);
  }

  root<T>(name: string, attributes: SpanAttributes, work: (span: ActiveSpan) => T, role?: SpanRole): T {
    return this.#begin(ROOT_CONTEXT, { name, attributes, role }, work);
  }

  #begin<T>(
    parent: Context,
    { name, attributes, role = 'internal', link }: Beginning,
    work: (span: ActiveSpan) => T,
  ): T {
    const span = this.#tracer.startSpan(
      name,
      { attributes: scrubbed(attributes), kind: KINDS[role], ...(link && { links: [{ context: link }] }) },
      parent,
    );
    const active: ActiveSpan = {
      set: (more) => void span.setAttributes(scrubbed(more)),
      fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
    };
    return this.#contexts.run(trace.setSpan(parent, span), () => ending(span, () => work(active)));
  }

  correlation(): { traceId?: string; spanId?: string } {
    const context = this.#contexts.getStore();
    const span = context && trace.getSpanContext(context);
    return span ? { traceId: span.traceId, spanId: span.spanId } : {};
  }

  async shutdown(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, SHUTDOWN_MS);
    // A collector that is gone must not make a shutdown fail.
    await Promise.race([this.#provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer);
  }
}

/** Ends the span when the work is done, either now or when its promise is settled. */
function ending<T>(span: Span, work: () => T): T {
  let result: T;
  try {
    result = work();
  } catch (error) {
    fail(span, error);
    throw error;
  }
  if (result instanceof Promise) {
    result.then(
      () => span.end(),
      (error: unknown) => fail(span, error),
    );
  } else {
    span.end();
  }
  return result;
}

/** Only the kind of error is recorded, because a message may quote what a caller sent. */
function fail(span: Span, error: unknown): void {
  span.setAttribute('error.type', isError(error) ? error.name : typeof error);
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function scrubbed(attributes: SpanAttributes): SpanAttributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' ? scrub(value) : value,
    ]),
  );
}

function remoteSpan(traceparent: string | undefined): SpanContext | undefined {
  const match = traceparent === undefined ? undefined : TRACEPARENT.exec(traceparent);
  const [, traceId, spanId, flags] = match ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return { traceId, spanId, traceFlags, isRemote: true };
}
