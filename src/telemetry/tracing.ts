/** Attributes of a span. Never a payer's data, a card or a credential. */
export type SpanAttributes = Record<string, string | number | boolean>;

/** The span that a piece of work runs in. */
export interface ActiveSpan {
  /** Adds attributes that are known only later. */
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed, for work that reports a failure without throwing. */
  fail(): void;
}

/** How a span relates to other processes: it answers one (`server`), calls one (`client`), or neither. */
export type SpanRole = 'server' | 'client' | 'internal';

export interface SpanOptions {
  /** Default: `internal`. */
  role?: SpanRole;
  /** A caller's W3C header, used only if no span is active. */
  traceparent?: string | undefined;
  /**
   * Whether the span may join the caller's trace, which then decides about sampling. Otherwise the caller's trace is only
   * linked.
   */
  trusted?: boolean;
}

/** Times pieces of work and sends their nesting to a collector. */
export interface Tracing {
  /** Whether anything is recorded. */
  readonly enabled: boolean;
  /**
   * Runs `work` in a span. Spans started inside it are its children. The span ends when `work` has returned or its promise
   * is settled. An exception marks it as failed and is rethrown.
   */
  span<T>(name: string, attributes: SpanAttributes, work: (span: ActiveSpan) => T, options?: SpanOptions): T;
  /**
   * The same for work that nobody awaits, such as a timer's. It gets a trace of its own, even if the timer was set within
   * the span of a request.
   */
  root<T>(name: string, attributes: SpanAttributes, work: (span: ActiveSpan) => T, role?: SpanRole): T;
  /** `traceId` and `spanId` of the active span, for the log. Empty where there is none. */
  correlation(): { traceId?: string; spanId?: string };
  /** Sends the remaining spans within a bounded time and stops. Never throws. */
  shutdown(): Promise<void>;
}
