import type { EventRecord } from '../store/schema.js';
import { Backoff } from '../background/backoff.js';
import { logKind } from '../telemetry/failure-log.js';
import type { Logger } from '../telemetry/logger.js';
import type { Metrics } from '../telemetry/metrics.js';
import { noTracing, type Tracing } from '../telemetry/traces.js';
import type { DeliveryOutcome } from './events.repository.js';
import type { Attempt } from './webhook-sender.js';

/** An ended attempt to deliver an event. */
export interface AttemptReport {
  event: Pick<EventRecord, 'id' | 'type' | 'createdAt' | 'attempts'>;
  outcome: DeliveryOutcome;
  /** The code that a failure ends in. */
  cause?: string | undefined;
  /** Scheme, host and port of the merchant's server. */
  origin: string;
  /** When it ended, in milliseconds since the epoch. */
  at: number;
}

/** The tasks that the module repeats by itself. */
type Work = 'sequencing' | 'delivering';

/** Counts and logs the outcomes of deliveries. */
export class DeliveryTelemetry {
  private readonly backoffs: Readonly<Record<Work, Backoff>>;

  constructor(
    private readonly metrics: Metrics,
    private readonly logger: Logger,
    private readonly tracing: Tracing = noTracing,
  ) {
    this.backoffs = {
      sequencing: new Backoff(logger, { event: 'webhook.sequencing_failed' }),
      delivering: new Backoff(logger, { event: 'webhook.delivering_failed' }),
    };
  }

  /**
   * Runs an attempt in its own trace, because events are delivered long after the request that caused them, or by
   * another process.
   */
  async traced(
    event: Pick<EventRecord, 'id' | 'type' | 'attempts'>,
    attempt: () => Promise<Attempt>,
  ): Promise<void> {
    const attributes = {
      'tillfront.event.id': event.id,
      'tillfront.event.type': event.type,
      'tillfront.delivery.attempt': event.attempts,
    };
    await this.tracing.root(
      'deliver event',
      attributes,
      async (span) => {
        const ended = await attempt();
        if (ended.kind === 'answered') span.set({ 'http.response.status_code': ended.status });
        else span.set({ 'tillfront.delivery.failure': ended.reason });
        if (ended.kind === 'failed' || ended.status >= 300) span.fail();
      },
      'client',
    );
  }

  /** A line for each attempt that ends the deliveries of its event, and one a minute for equal ones that will be made again; never the body. */
  attempted({ event, outcome, cause, origin, at }: AttemptReport): void {
    const { status, lastResult, nextAttemptAt } = outcome;
    const delivered = status === 'delivered';
    const failure = lastResult.startsWith('http_') ? 'http_error' : lastResult;
    this.metrics.deliveries.inc({ result: status === 'pending' ? failure : status });
    if (delivered) this.metrics.deliveryLag.observe(Math.max(0, at - event.createdAt) / 1000);
    const kind = {
      event: `webhook.${status === 'pending' ? 'failed' : status}`,
      result: lastResult,
      ...(cause !== undefined && { cause }),
      origin,
    };
    const about = {
      eventId: event.id,
      eventType: event.type,
      attempt: event.attempts,
      ...(nextAttemptAt !== null && { nextAttemptAt: new Date(nextAttemptAt).toISOString() }),
    };
    if (delivered) this.logger.info({ ...kind, ...about }, 'an event was delivered');
    else if (status === 'pending') logKind(this.logger, kind, about);
    else this.logger.warn({ ...kind, ...about }, 'an event was not delivered');
  }

  /** The store failed a task. Returns after how many milliseconds to try again. */
  failed(work: Work, err: unknown): number {
    return this.backoffs[work].failed(err, { err });
  }

  worked(work: Work): void {
    this.backoffs[work].worked();
  }
}
