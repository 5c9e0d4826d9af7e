import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Seconds: from a local answer to the longest call that is awaited. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * What the service counts, in one registry for each application. No label ever holds caller input: routes are templates,
 * statuses and outcomes our own words.
 */
export class Metrics {
  readonly registry = new Registry();

  readonly requests = new Histogram({
    name: 'tillfront_http_request_duration_seconds',
    help: 'HTTP requests from their head to their answer, by route template.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [this.registry],
  });
  readonly payments = new Counter({
    name: 'tillfront_payments_total',
    help: 'Payments by the status that they moved to.',
    labelNames: ['method', 'status'],
    registers: [this.registry],
  });
  readonly gatewayCalls = new Histogram({
    name: 'tillfront_gateway_request_duration_seconds',
    help: 'Calls of the gateway by operation and outcome.',
    labelNames: ['operation', 'outcome'],
    buckets: BUCKETS,
    registers: [this.registry],
  });
  readonly overloaded = this.#counter(
    'tillfront_overloaded_total',
    'Requests refused because the service was overloaded.',
  );
  readonly ready = this.#gauge('tillfront_ready', '1 while this process should get requests, otherwise 0.');
  readonly restored = this.#gauge(
    'tillfront_restored',
    '1 while the store is restored: it lost commits, otherwise 0.',
  );
  readonly unknownPayments = this.#gauge(
    'tillfront_unknown_payments',
    'Payments with an unknown outcome or operation.',
  );
  readonly overdueCheck = this.#gauge(
    'tillfront_overdue_check_seconds',
    'Age of the most overdue status query, or 0.',
  );
  readonly attention = this.#gauge('tillfront_attention', 'Payments that a person must look at, by reason.', [
    'reason',
  ]);
  readonly duplicates = this.#gauge('tillfront_duplicates', 'Duplicate payments that hold money.');
  readonly undeliveredEvents = this.#gauge(
    'tillfront_undelivered_events',
    'Events that the shop has not accepted yet.',
  );

  /** `ofProcess` adds the metrics of the process and of Node.js, which only one application of a process may have. */
  constructor({ ofProcess = false } = {}) {
    if (ofProcess) collectDefaultMetrics({ register: this.registry });
  }

  #counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: [this.registry] });
  }

  #gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }
}
