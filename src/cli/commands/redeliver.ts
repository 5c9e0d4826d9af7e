import type { EventDto } from '../../event-feed/events.dto.js';
import { type CommandContext, CommandFailure, EXIT, type ExitCode } from '../command.js';
import { serviceOf, ServiceRefusal, type ServiceClient } from '../service-client.js';
import { table } from '../output.js';

/** Deliveries that the service does not retry by itself. */
const ENDED = new Set(['given_up', 'gone']);

export interface RedeliverOptions {
  ids: readonly string[];
  undelivered: boolean;
  waiting: boolean;
  after: string | undefined;
}

/**
 * Schedules events for delivery again, with a new series of attempts. The service sends them in order within each payment.
 */
export async function redeliver(context: CommandContext, options: RedeliverOptions): Promise<ExitCode> {
  const { ids, undelivered, waiting, after } = options;
  const choices = [ids.length > 0, undelivered || after !== undefined, waiting];
  if (choices.filter(Boolean).length !== 1) {
    throw new CommandFailure(
      'Name events, or use --undelivered, --after (also together), or --waiting.',
      'usage',
      EXIT.usage,
    );
  }
  const service = serviceOf(context);
  if (waiting) return redeliverWaiting(context, service);
  const wanted = ids.length > 0 ? ids : await find(service, options);
  const results = await context.reporter.each('Sending again', wanted, async (id) => ({
    id,
    refused: await sendAgain(service, id),
  }));
  const refused = results.filter((result) => result.refused !== undefined);
  context.reporter.report({
    text: [
      `${results.length - refused.length} events are being sent again, ${refused.length} cannot be.`,
      ...table(refused.map(({ id, refused: code = '' }) => [`  ${id}`, code])),
    ],
    json: {
      redelivered: results.filter((result) => result.refused === undefined).map(({ id }) => id),
      refused,
    },
  });
  return refused.length > 0 ? EXIT.found : EXIT.done;
}

async function redeliverWaiting({ reporter }: CommandContext, service: ServiceClient): Promise<ExitCode> {
  const { events } = await service.post<{ events: number }>('/v1/events/redeliver-waiting');
  reporter.report({ text: [`${events} waiting events are being sent now.`], json: { hurried: events } });
  return EXIT.done;
}

async function find(service: ServiceClient, { undelivered, after }: RedeliverOptions): Promise<string[]> {
  const found: string[] = [];
  for await (const { id, delivery } of service.items<EventDto>('/v1/events', { after }, 'after')) {
    if (!undelivered || ENDED.has(delivery.status)) found.push(id);
  }
  return found;
}

/** The code of the refusal, or undefined. */
async function sendAgain(service: ServiceClient, id: string): Promise<string | undefined> {
  try {
    await service.post(`/v1/events/${encodeURIComponent(id)}/redeliver`);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceRefusal && (error.status === 404 || error.status === 409)) return error.code;
    throw error;
  }
}
