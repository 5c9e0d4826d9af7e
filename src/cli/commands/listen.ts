import { setTimeout as sleep } from 'node:timers/promises';
import { parseHttpUrl } from '../../config/addresses.js';
import { readWebhookSecrets } from '../../config/environment.js';
import type { EventDto, EventListDto } from '../../event-feed/events.dto.js';
import { signatureHeaders } from '../../merchant-webhooks/signature.js';
import { type CommandContext, CommandFailure, EXIT, type ExitCode } from '../command.js';
import { serviceOf, type ServiceClient } from '../service-client.js';

/** A new event is listed within a second. */
const PAUSE_MS = 500;
/** As long as the service waits for an answer. */
const TIMEOUT_MS = 15_000;

export interface ListenOptions {
  forward: string;
  after: string | undefined;
  /** 0: until it is interrupted. */
  count: number;
}

interface Forwarded {
  id: string;
  type: string;
  /** The status of the answer, or why there was none. */
  result: string;
  accepted: boolean;
}

/**
 * Posts new events to an address, one after the other, signed as the service signs them. It says each result and repeats nothing.
 * It never forwards an event of real money.
 */
export async function listen(context: CommandContext, options: ListenOptions): Promise<ExitCode> {
  const { reporter } = context;
  const address = parseHttpUrl(options.forward);
  if (!address) {
    throw new CommandFailure('--forward must be an http or https address.', 'usage', EXIT.usage);
  }
  const secrets = readWebhookSecrets(context.env);
  if (secrets.length === 0) {
    throw new CommandFailure(
      'Set MERCHANT_WEBHOOK_SECRET to the secret with which your shop verifies events.',
      'no-webhook-secret',
    );
  }
  const service = serviceOf(context);
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const forwarded: Forwarded[] = [];
  try {
    const after = options.after ?? (await newestOf(service));
    reporter.say(`Forwarding new events of ${service.url} to ${address.href}. Ctrl-C ends it.`);
    for await (const event of eventsAfter(service, after, stop.signal, (line) => reporter.say(line))) {
      const result = await forward(event, address, secrets);
      forwarded.push(result);
      const { reference = '' } = event.data as { reference?: string };
      reporter.say(`${event.timestamp} ${event.id} ${event.type} ${reference} -> ${result.result}`);
      if (forwarded.length === options.count || stop.signal.aborted) break;
    }
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
  const refused = forwarded.filter(({ accepted }) => !accepted).length;
  reporter.report({
    text: [`${forwarded.length} events forwarded, ${refused} of them not accepted.`],
    json: { forwarded },
  });
  return refused > 0 ? EXIT.found : EXIT.done;
}

/** The newest event that there is. Undefined where there is none. */
async function newestOf(service: ServiceClient): Promise<string | undefined> {
  let newest: string | undefined;
  for (;;) {
    const { data, nextCursor } = await page(service, newest);
    if (nextCursor === null) return newest;
    assertTestMoney(data);
    newest = nextCursor;
  }
}

/** Events as they come. A service that is restarted meanwhile is waited for. */
async function* eventsAfter(
  service: ServiceClient,
  after: string | undefined,
  signal: AbortSignal,
  say: (line: string) => void,
): AsyncGenerator<EventDto> {
  let last = after;
  let away = false;
  while (!signal.aborted) {
    try {
      const { data, nextCursor } = await page(service, last);
      away = false;
      assertTestMoney(data);
      yield* data;
      last = nextCursor ?? last;
      if (data.length > 0) continue;
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.code !== 'service-unreachable') throw error;
      if (!away) say(error.message);
      away = true;
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

function page(service: ServiceClient, after: string | undefined): Promise<EventListDto> {
  const from = after === undefined ? '' : `&after=${encodeURIComponent(after)}`;
  return service.get<EventListDto>(`/v1/events?limit=100${from}`);
}

function assertTestMoney(events: readonly EventDto[]): void {
  if (events.every(({ livemode }) => !livemode)) return;
  throw new CommandFailure(
    'The service has events of real money, which are not forwarded. Use a service with GATEWAY_MODE=test.',
    'live-mode',
  );
}

async function forward(
  { delivery: _, ...event }: EventDto,
  address: URL,
  secrets: readonly string[],
): Promise<Forwarded> {
  const { id, type } = event;
  const body = JSON.stringify(event);
  const begun = performance.now();
  try {
    const answer = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...signatureHeaders({ id, body }, Date.now(), secrets),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body?.cancel();
    const result = `${answer.status} (${Math.round(performance.now() - begun)} ms)`;
    return { id, type, result, accepted: answer.ok };
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    const why = name === 'TimeoutError' ? 'timeout' : (cause?.code ?? name);
    return { id, type, result: `no answer (${why})`, accepted: false };
  }
}
