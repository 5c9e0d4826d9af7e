import type { EventRecord } from '../store/schema.js';
import type { Logger } from '../telemetry/logger.js';
import type { Metrics } from '../telemetry/metrics.js';
import { noTracing, type Tracing } from '../telemetry/traces.js';
import type { DeliveryOutcome } from './events.repository.js';
import type { Attempt } from './webhook-sender.js';

/** An ended attempt to deliver an event. */
export interface AttemptReport {
  event: Pick<EventRecord, 'id' | 'type' | 'createdAt' | 'attempts'>;
  outcome: DeliveryOutcome;
  /** Scheme, host and port of the merchant's server. */
  origin: string;
  /** When it ended, in milliseconds since the epoch. */
  at: number;
}

/** The tasks that the module repeats by itself. */
type Work = 'sequencing' | 'delivering';

/** Counts and logs the outcomes of deliveries. */
export class DeliveryTelemetry {
  private readonly failing = new Set<Work>();

  constructor(
    private readonly metrics: Metrics,
    private readonly logger: Logger,
    private readonly tracing: Tracing = noTracing,
  ) {}

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

  /** One line for each attempt, never with the body. */
  attempted({ event, outcome, origin, at }: AttemptReport): void {
    const { status, lastResult, nextAttemptAt } = outcome;
    const delivered = status === 'delivered';
    const failure = lastResult.startsWith('http_') ? 'http_error' : lastResult;
    this.metrics.delivery(
      status === 'pending' ? failure : status,
      delivered ? (at - event.createdAt) / 1000 : undefined,
    );
    const fields = {
      event: `webhook.${status === 'pending' ? 'failed' : status}`,
      eventId: event.id,
      eventType: event.type,
      attempt: event.attempts,
      result: lastResult,
      origin,
      ...(nextAttemptAt !== null && { nextAttemptAt: new Date(nextAttemptAt).toISOString() }),
    };
    if (delivered) this.logger.info(fields, 'an event was delivered');
    else this.logger.warn(fields, 'an event was not delivered');
  }

  /** The store failed a task, which is tried again shortly. Logged once until the task has worked again. */
  failed(work: Work, err: unknown): void {
    if (this.failing.has(work)) return;
    this.failing.add(work);
    this.logger.warn({ event: `webhook.${work}_failed`, err }, 'events have to wait for the store');
  }

  worked(work: Work): void {
    this.failing.delete(work);
  }
}
