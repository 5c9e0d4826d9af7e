import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Seconds: from a local answer to the longest call that is awaited. */
const CALL_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Seconds: a commit normally takes well below a millisecond. */
const WRITE_BUCKETS = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];
/** Seconds: from work that is done at once to work that is hours late. */
const LAG_BUCKETS = [0.1, 0.5, 1, 2, 5, 15, 60, 300, 1_800, 3_600, 21_600];
/** Writes in one commit. */
const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** What a question is worth, in the order of the numbers that the schedule uses, from 1. */
const WORTH_NAMES = ['unknown', 'notified', 'waiting', 'follow_up'] as const;

/** How the metrics call a worth. */
export function worthName(worth: number): string {
  return WORTH_NAMES[worth - 1] ?? 'other';
}

/** A counter with one label of a few words. */
interface WordCounter<L extends string, W extends string> {
  inc(labels: Readonly<Record<L, W>>, value?: number): void;
}

/**
 * Figures of the store, which all its replicas show alike. They show nothing before it was read, and nothing while it cannot be.
 */
class StoreGauges {
  readonly #all: { gauge: Gauge; isLabeled: boolean }[] = [];
  readonly unknownOpen = this.#gauge(
    'outcome_unknown_open',
    'Payments and operations whose outcome is unknown now',
  );
  readonly unknownOldest = this.#gauge(
    'outcome_unknown_oldest_seconds',
    'Age of the oldest unknown outcome, 0 without one',
  );
  readonly inquiryOverdue = this.#gauge(
    'inquiry_overdue_seconds',
    'Seconds that the most overdue status query has been due (for waiting payments and follow-ups: less half an hour); 0 if none is.',
  );
  readonly eventsWaiting = this.#gauge(
    'events_waiting',
    'Events that the merchant has not accepted yet and that will be tried again',
  );
  readonly eventsOldest = this.#gauge(
    'events_oldest_waiting_seconds',
    'Age of the oldest of them, 0 without one',
  );
  readonly needsAttention = this.#gauge('payments_needing_attention', 'Payments that a person must look at');
  readonly duplicates = this.#gauge(
    'duplicates',
    'Payments that hold money of an order that another payment pays.',
  );
  readonly heldReferences = this.#gauge(
    'held_references',
    'References held: no payment of theirs starts until the gateway says what became of one that is unknown here.',
  );
  readonly #questionsDue = this.#gauge('questions_due', 'Payments due for a status query, by priority.', [
    'worth',
  ]);
  readonly notificationsOldest = this.#gauge(
    'notifications_oldest_waiting_seconds',
    'Age of the oldest notification not handed to the schedule yet; 0 if none.',
  );

  constructor(private readonly registry: Registry) {
    this.unread();
  }

  /** How many payments are due to be asked about, of each worth. */
  questionsDue(due: ReadonlyMap<number, number>): void {
    WORTH_NAMES.forEach((worth, index) => {
      this.#questionsDue.set({ worth }, due.get(index + 1) ?? 0);
    });
  }

  /** The store could not be read: nobody knows what the gauges would show that are read from it, so they show nothing. */
  unread(): void {
    for (const { gauge, isLabeled } of this.#all) {
      // One without labels is reset to 0, which is a value too.
      if (isLabeled) gauge.reset();
      else gauge.remove();
    }
  }

  #gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    const gauge = new Gauge({ name: `tillfront_${name}`, help, labelNames, registers: [this.registry] });
    this.#all.push({ gauge, isLabeled: labelNames.length > 0 });
    return gauge;
  }
}

/**
 * What the service counts, in one registry for each application. No label ever holds caller input: routes are templates,
 * codes and outcomes are our own words.
 */
export class Metrics {
  readonly #registry = new Registry();
  /** What is read from the store. */
  readonly store = new StoreGauges(this.#registry);

  readonly payments = this.#counter('payments_total', 'Payments by the status that they moved to', [
    'method',
    'status',
  ]);
  /** A refund was given back, failed, or its outcome became unknown. */
  readonly refunds = this.#words('refunds_total', 'Refunds by what became of them', 'status', [
    'succeeded',
    'failed',
    'unknown',
  ]);
  /** Calls that ended: the profile's operation, and the kind or meaning of the result. */
  readonly gatewayCalls = this.#histogram(
    'gateway_request_duration_seconds',
    'Calls of the gateway by operation and outcome',
    ['operation', 'outcome'],
    CALL_BUCKETS,
  );
  /** `route` is the template (`/v1/payments/:id`), never the path itself. */
  readonly requests = this.#counter('http_requests_total', 'HTTP requests answered', [
    'route',
    'method',
    'status',
  ]);
  readonly requestDuration = this.#histogram(
    'http_request_duration_seconds',
    'HTTP requests from their head to their answer',
    ['route', 'method'],
    CALL_BUCKETS,
  );
  /** The priority is that of {@link worthName}. */
  readonly inquiries = this.#counter('inquiries_total', 'Scheduled status queries, by result and priority.', [
    'result',
    'worth',
  ]);
  readonly questionsPaused = this.#gauge(
    'questions_paused_seconds',
    'Seconds until scheduled queries resume; 0 if not paused.',
  );
  readonly circuitOpen = this.#gauge(
    'gateway_circuit_open',
    '1 while a status query hangs or fails and is only probed, otherwise 0.',
    ['operation'],
  );
  readonly inquiryLag = this.#histogram(
    'inquiry_lag_seconds',
    'Seconds between a scheduled status query falling due and being sent.',
    [],
    LAG_BUCKETS,
  );
  readonly deliveries = this.#words<'result', string>(
    'deliveries_total',
    'Attempts to deliver an event to the merchant',
    'result',
    ['delivered', 'gone', 'given_up'],
  );
  /** Of events that the merchant has accepted. */
  readonly deliveryLag = this.#histogram(
    'delivery_lag_seconds',
    'Time from an event to its delivery',
    [],
    LAG_BUCKETS,
  );
  /**
   * `received`: about a payment of ours; `unmatched`: not so; `capped`: unmatched, and too many from its address to be kept; `refused`:
   * without the secret.
   */
  readonly notifications = this.#words(
    'notifications_total',
    'Notifications from the gateway, by result.',
    'result',
    ['received', 'unmatched', 'refused', 'capped'],
  );
  readonly notificationsRemoved = this.#words(
    'notifications_removed_total',
    'Stored notifications removed, by reason: displaced by newer ones, or past retention.',
    'reason',
    ['newer', 'retention'],
  );
  readonly refusals = this.#counter('refusals_total', 'Requests refused, by the code of the problem', [
    'code',
  ]);
  /**
   * `unread`: its client took nothing of an answer; `idle` or `slow`: it made room for a new one; `refused`: there was no room.
   */
  readonly connectionsCut = this.#words(
    'connections_cut_total',
    'Connections cut or refused by why',
    'reason',
    ['unread', 'idle', 'slow', 'refused'],
  );
  /** A new payment or session (`start`), or a step of a payment that there is (`step`). */
  readonly shed = this.#words(
    'shed_total',
    'Requests refused early because the service was overloaded.',
    'load',
    ['start', 'step'],
  );
  readonly storeWrites = this.#histogram(
    'store_write_duration_seconds',
    'Commits of the store',
    [],
    WRITE_BUCKETS,
  );
  readonly storeBatch = this.#histogram(
    'store_batch_size',
    'Writes that shared one commit',
    [],
    BATCH_BUCKETS,
  );
  readonly storeLoss = this.#gauge(
    'store_loss',
    '1 if the store has lost confirmed commits and nobody has acknowledged it, otherwise 0.',
  );
  readonly #ready = this.#gauge('ready', '1 while this process should get requests, otherwise 0.');
  readonly #notReady = this.#gauge('not_ready', 'Why it should get none: 1 for the reason', ['reason']);
  readonly logLinesLost = this.#counter(
    'log_lines_lost_total',
    'Lines of the log that could not be written',
    [],
  );
  /** `refused`, or `limited` where the address has presented too many. */
  readonly failedKeys = this.#words(
    'failed_keys_total',
    'Wrong merchant keys by how they were answered',
    'result',
    ['refused', 'limited'],
  );
  /** By what was over its limit; with `shadow-` where it is only counted. */
  readonly cardTesting = this.#words('card_testing_total', 'Card testing found', 'result', [
    ...(['refused-address', 'refused-network', 'refused-card'] as const),
    ...(['shadow-address', 'shadow-network', 'shadow-card'] as const),
  ]);

  /**
   * `processMetrics` adds the metrics of the process and of Node.js (event loop lag, memory, garbage collection) under
   * their usual names. They cover the whole process, so only one application of a process may turn them on.
   */
  constructor(options: { processMetrics: boolean } = { processMetrics: false }) {
    if (options.processMetrics) collectDefaultMetrics({ register: this.#registry });
  }

  /** Whether this process should get requests, and if not, the reason, which is one of a few words. */
  ready(isReady: boolean, reason?: string): void {
    this.#ready.set(isReady ? 1 : 0);
    this.#notReady.reset();
    if (reason !== undefined) this.#notReady.set({ reason }, 1);
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

  /** The words are shown as 0 before they occur: Prometheus does not see a new series that starts at 1 as an increase. */
  #words<L extends string, W extends string>(
    name: string,
    help: string,
    label: L,
    words: readonly W[],
  ): WordCounter<L, W> {
    const counter = this.#counter<string>(name, help, [label]);
    for (const word of words) counter.inc({ [label]: word }, 0);
    return counter;
  }

  #gauge<T extends string>(name: string, help: string, labelNames: T[] = []): Gauge<T> {
    return new Gauge({ name: `tillfront_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #histogram<T extends string>(name: string, help: string, labelNames: T[], buckets: number[]): Histogram<T> {
    const registers = [this.#registry];
    return new Histogram({ name: `tillfront_${name}`, help, labelNames, buckets, registers });
  }
}
