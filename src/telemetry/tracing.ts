/** What a span may say about itself. Never a payer's data, a card or a credential. */
export type SpanAttributes = Record<string, string | number | boolean>;

/** The span that a piece of work runs in. */
export interface ActiveSpan {
  /** Adds what is known only later. */
  set(attributes: SpanAttributes): void;
  /** Marks it as failed, for work that says so without throwing. */
  fail(): void;
  /** Gives it the name that is known only later. */
  rename(name: string): void;
}

/** How a span stands to other processes: it answers one (`server`), calls one (`client`), or neither. */
export type SpanRole = 'server' | 'client' | 'internal';

export interface SpanOptions {
  /** Default: `internal`. */
  role?: SpanRole;
  /** A caller's W3C header, taken only where there is no span yet. */
  traceparent?: string | undefined;
  /** Whether the caller may put the span into its own trace, and so say whether it is sampled. Otherwise it is only linked to. */
  trusted?: boolean;
}

/** Times pieces of work and tells a collector how they nest. */
export interface Tracing {
  /** Whether anything is recorded. */
  readonly enabled: boolean;
  /**
   * Runs `work` in a span; spans begun within it are its children. The span ends when `work` has returned or its promise is
   * settled; a throw marks it as failed and goes on.
   */
  span<T>(name: string, attributes: SpanAttributes, work: (span: ActiveSpan) => T, options?: SpanOptions): T;
  /**
   * The same for work that nobody waits for, such as what a timer begins: a trace of its own, though the timer may have been set
   * within the span of some request.
   */
  root<T>(name: string, attributes: SpanAttributes, work: (span: ActiveSpan) => T, role?: SpanRole): T;
  /** `traceId` and `spanId` of the span that is active now, for the log; empty without one. */
  correlation(): { traceId?: string; spanId?: string };
  /** Sends what is left, within a bounded time, and stops. Never throws. */
  shutdown(): Promise<void>;
}
