import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { StoreGauges, worthName } from './store-gauges.js';

/** Seconds: from a local answer to the longest call that is awaited. */
const CALL_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Seconds: a commit normally takes well below a millisecond. */
const WRITE_BUCKETS = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];
/** Seconds: from work that is done at once to work that is hours late. */
const LAG_BUCKETS = [0.1, 0.5, 1, 2, 5, 15, 60, 300, 1_800, 3_600, 21_600];
/** Writes in one commit. */
const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/**
 * Label values that are shown as 0 before they occur. Prometheus does not see a new series that starts at 1 as an increase.
 */
const RARE = {
  deliveries: ['delivered', 'gone', 'given_up'],
  cardTesting: [
    'refused-address',
    'refused-network',
    'refused-card',
    'shadow-address',
    'shadow-network',
    'shadow-card',
  ],
  refunds: ['succeeded', 'failed', 'unknown'],
  failedKeys: ['refused', 'limited'],
  shed: ['start', 'step'],
  connectionsCut: ['unread', 'idle', 'slow', 'refused'],
  notifications: ['received', 'unmatched', 'refused', 'capped'],
  notificationsRemoved: ['newer', 'retention'],
} as const;

/**
 * What the service counts, in one registry for each application. No label ever holds caller input: routes are templates,
 * codes and outcomes are our own words.
 */
export class Metrics {
  readonly #registry = new Registry();
  /** What is read from the store. */
  readonly store = new StoreGauges(this.#registry);
  readonly #payments = this.#counter('payments_total', 'Payments by the status that they moved to', [
    'method',
    'status',
  ]);
  readonly #refunds = this.#counter('refunds_total', 'Refunds by what became of them', ['status']);
  readonly #gatewayCalls = this.#histogram(
    'gateway_request_duration_seconds',
    'Calls of the gateway by operation and outcome',
    ['operation', 'outcome'],
    CALL_BUCKETS,
  );
  readonly #requests = this.#counter('http_requests_total', 'HTTP requests answered', [
    'route',
    'method',
    'status',
  ]);
  readonly #requestDuration = this.#histogram(
    'http_request_duration_seconds',
    'HTTP requests from their head to their answer',
    ['route', 'method'],
    CALL_BUCKETS,
  );
  readonly #inquiries = this.#counter(
    'inquiries_total',
    'Scheduled status queries, by result and priority.',
    ['result', 'worth'],
  );
  readonly #questionsPaused = this.#gauge(
    'questions_paused_seconds',
    'Seconds until scheduled queries resume; 0 if not paused.',
  );
  readonly #circuitOpen = this.#labeledGauge(
    'gateway_circuit_open',
    '1 while a status query hangs or fails and is only probed, otherwise 0.',
    ['operation'],
  );
  readonly #inquiryLag = this.#histogram(
    'inquiry_lag_seconds',
    'Seconds between a scheduled status query falling due and being sent.',
    [],
    LAG_BUCKETS,
  );
  readonly #deliveries = this.#counter('deliveries_total', 'Attempts to deliver an event to the merchant', [
    'result',
  ]);
  readonly #deliveryLag = this.#histogram(
    'delivery_lag_seconds',
    'Time from an event to its delivery',
    [],
    LAG_BUCKETS,
  );
  readonly #notifications = this.#counter(
    'notifications_total',
    'Notifications from the gateway, by result.',
    ['result'],
  );
  readonly #notificationsRemoved = this.#counter(
    'notifications_removed_total',
    'Stored notifications removed, by reason: displaced by newer ones, or past retention.',
    ['reason'],
  );
  readonly #refusals = this.#counter('refusals_total', 'Requests refused, by the code of the problem', [
    'code',
  ]);
  readonly #connectionsCut = this.#counter('connections_cut_total', 'Connections cut or refused by why', [
    'reason',
  ]);
  readonly #shed = this.#counter('shed_total', 'Requests refused early because the service was overloaded.', [
    'load',
  ]);
  readonly #storeWrites = this.#histogram(
    'store_write_duration_seconds',
    'Commits of the store',
    [],
    WRITE_BUCKETS,
  );
  readonly #storeBatch = this.#histogram(
    'store_batch_size',
    'Writes that shared one commit',
    [],
    BATCH_BUCKETS,
  );
  readonly #storeLoss = this.#gauge(
    'store_loss',
    '1 if the store has lost confirmed commits and nobody has acknowledged it, otherwise 0.',
  );
  readonly #ready = this.#gauge('ready', '1 while this process should get requests, otherwise 0.');
  readonly #notReady = this.#labeledGauge('not_ready', 'Why it should get none: 1 for the reason', [
    'reason',
  ]);
  readonly #logLinesLost = this.#counter(
    'log_lines_lost_total',
    'Lines of the log that could not be written',
    [],
  );
  readonly #failedKeys = this.#counter('failed_keys_total', 'Wrong merchant keys by how they were answered', [
    'result',
  ]);
  readonly #cardTesting = this.#counter('card_testing_total', 'Card testing found', ['result']);

  /**
   * `processMetrics` adds the metrics of the process and of Node.js (event loop lag, memory, garbage collection) under
   * their usual names. They cover the whole process, so only one application of a process may turn them on.
   */
  constructor(options: { processMetrics: boolean } = { processMetrics: false }) {
    if (options.processMetrics) collectDefaultMetrics({ register: this.#registry });
    for (const status of RARE.refunds) this.#refunds.inc({ status }, 0);
    for (const result of RARE.deliveries) this.#deliveries.inc({ result }, 0);
    for (const result of RARE.cardTesting) this.#cardTesting.inc({ result }, 0);
    for (const result of RARE.failedKeys) this.#failedKeys.inc({ result }, 0);
    for (const load of RARE.shed) this.#shed.inc({ load }, 0);
    for (const reason of RARE.connectionsCut) this.#connectionsCut.inc({ reason }, 0);
    for (const result of RARE.notifications) this.#notifications.inc({ result }, 0);
    for (const reason of RARE.notificationsRemoved) this.#notificationsRemoved.inc({ reason }, 0);
  }

  /**
   * Shows counters as 0 before their first increase: refusal codes, and operations whose credentials the gateway may
   * reject.
   */
  expect({
    refusals = [],
    operations = [],
  }: {
    refusals?: readonly string[];
    operations?: readonly string[];
  }): void {
    for (const code of refusals) this.#refusals.inc({ code }, 0);
    for (const operation of operations)
      this.#gatewayCalls.zero({ operation, outcome: 'credentials-rejected' });
  }

  /** A payment was created or changed: its method and its current status. */
  payment(method: string, status: string): void {
    this.#payments.inc({ method, status });
  }

  /** A refund was given back, failed, or its outcome became unknown. */
  refund(status: 'succeeded' | 'failed' | 'unknown'): void {
    this.#refunds.inc({ status });
  }

  /** A call to the gateway ended: the profile's operation and the kind or meaning of the result. */
  gatewayCall(operation: string, outcome: string, seconds: number): void {
    this.#gatewayCalls.observe({ operation, outcome }, seconds);
  }

  /** A request was answered. `route` is the template (`/v1/payments/:id`), never the path itself. */
  httpRequest(route: string, method: string, status: number, seconds: number): void {
    this.#requests.inc({ route, method, status });
    this.#requestDuration.observe({ route, method }, seconds);
  }

  /** A question of the schedule ended: its result, what it was worth, and how late it began. */
  inquiry(result: string, worth: number, lagSeconds: number): void {
    this.#inquiries.inc({ result, worth: worthName(worth) });
    this.#inquiryLag.observe(Math.max(0, lagSeconds));
  }

  /** For how many seconds from now the gateway wants no questions but those of payers. */
  questionsPaused(seconds: number): void {
    this.#questionsPaused.set(seconds);
  }

  /** Whether a status query hangs or fails, so that it is only probed. */
  circuitOpen(operation: string, open: boolean): void {
    this.#circuitOpen.set({ operation }, open ? 1 : 0);
  }

  /**
   * An attempt to deliver an event ended. `lagSeconds` is the time since the event, given only if the merchant accepted it.
   */
  delivery(result: string, lagSeconds?: number): void {
    this.#deliveries.inc({ result });
    if (lagSeconds !== undefined) this.#deliveryLag.observe(Math.max(0, lagSeconds));
  }

  /**
   * A notification arrived: `received` (about a payment of ours), `unmatched` (not about a payment of ours), `capped`
   * (unmatched, and too many from its address to be kept), or `refused` (without the secret).
   */
  notification(result: (typeof RARE.notifications)[number]): void {
    this.#notifications.inc({ result });
  }

  /** Stored notifications were removed, either replaced by `newer` ones or by `retention`. */
  notificationsRemoved(reason: (typeof RARE.notificationsRemoved)[number], count: number): void {
    this.#notificationsRemoved.inc({ reason }, count);
  }

  /** A request was refused with this problem code. */
  refusal(code: string): void {
    this.#refusals.inc({ code });
  }

  /** A request was refused early: a new payment or session (`start`), or a step of a payment that there is (`step`). */
  shed(load: (typeof RARE.shed)[number]): void {
    this.#shed.inc({ load });
  }

  /**
   * A connection was cut: its client took nothing of an answer (`unread`), or it was `idle` or `slow` and made room for a new one; or it was
   * `refused`, because there was no room.
   */
  connectionCut(reason: (typeof RARE.connectionsCut)[number]): void {
    this.#connectionsCut.inc({ reason });
  }

  /** The store committed `size` writes together. */
  storeWrite(size: number, seconds: number): void {
    this.#storeBatch.observe(size);
    this.#storeWrites.observe(seconds);
  }

  /** Whether the store has forgotten what it had confirmed. */
  storeForgot(loss: boolean): void {
    this.#storeLoss.set(loss ? 1 : 0);
  }

  /** Whether this process should get requests, and if not, the reason, which is one of a few words. */
  ready(isReady: boolean, reason?: string): void {
    this.#ready.set(isReady ? 1 : 0);
    this.#notReady.reset();
    if (reason !== undefined) this.#notReady.set({ reason }, 1);
  }

  /** So many lines of the log could not be written. */
  logLinesLost(lines: number): void {
    this.#logLinesLost.inc(lines);
  }

  /** A wrong merchant key was presented: `refused`, or `limited` where its address has presented too many. */
  failedKey(result: 'refused' | 'limited'): void {
    this.#failedKeys.inc({ result });
  }

  /**
   * Card testing was detected: `refused-address`, `refused-network`, `refused-card`, or the same with `shadow-` where it is
   * only counted.
   */
  cardTesting(result: string): void {
    this.#cardTesting.inc({ result });
  }

  /** All metrics in the Prometheus text format. */
  render(): Promise<string> {
    return this.#registry.metrics();
  }

  /** The media type of {@link render}. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  #counter<T extends string>(name: string, help: string, labelNames: T[]): Counter<T> {
    return new Counter({ name: `tillfront_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #labeledGauge<T extends string>(name: string, help: string, labelNames: T[]): Gauge<T> {
    return new Gauge({ name: `tillfront_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #gauge(name: string, help: string): Gauge {
    return new Gauge({ name: `tillfront_${name}`, help, registers: [this.#registry] });
  }

  #histogram<T extends string>(name: string, help: string, labelNames: T[], buckets: number[]): Histogram<T> {
    return new Histogram({
      name: `tillfront_${name}`,
      help,
      labelNames,
      buckets,
      registers: [this.#registry],
    });
  }
}
