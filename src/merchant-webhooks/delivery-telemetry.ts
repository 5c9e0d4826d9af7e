import { SpanStatusCode } from '@opentelemetry/api';
import type { EventRecord } from '../store/schema.js';
import { Backoff } from '../background/backoff.js';
import { logKind } from '../telemetry/failure-log.js';
import type { Logger } from '../telemetry/logger.js';
import { Tracing } from '../telemetry/traces.js';
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
}

/** The tasks that the module repeats by itself. */
type Work = 'sequencing' | 'delivering';

/** Counts and logs the outcomes of deliveries. */
export class DeliveryTelemetry {
  private readonly backoffs: Readonly<Record<Work, Backoff>>;

  constructor(
    private readonly logger: Logger,
    private readonly tracing = new Tracing(),
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
    await this.tracing.span(
      'deliver event',
      attributes,
      async (span) => {
        const ended = await attempt();
        if (ended.kind === 'answered') span.setAttribute('http.response.status_code', ended.status);
        else span.setAttribute('tillfront.delivery.failure', ended.reason);
        if (ended.kind === 'failed' || ended.status >= 300) span.setStatus({ code: SpanStatusCode.ERROR });
      },
      { role: 'client', root: true },
    );
  }

  /** A line for each attempt that ends the deliveries of its event, and one a minute for equal ones that will be made again; never the body. */
  attempted({ event, outcome, cause, origin }: AttemptReport): void {
    const { status, lastResult } = outcome;
    const delivered = status === 'delivered';
    const kind = {
      event: `webhook.${status === 'pending' ? 'failed' : status}`,
      reason: lastResult,
      ...(cause !== undefined && { cause }),
      origin,
    };
    const about = { eventId: event.id, kind: event.type, attempts: event.attempts };
    if (delivered) this.logger.info({ ...kind, ...about });
    else if (status === 'pending') logKind(this.logger, kind, about);
    else this.logger.warn({ ...kind, ...about });
  }

  /** The store failed a task. Returns after how many milliseconds to try again. */
  failed(work: Work, error: unknown): number {
    return this.backoffs[work].failed(error);
  }

  worked(work: Work): void {
    this.backoffs[work].worked();
  }
}
